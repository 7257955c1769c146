(* The checker in OCaml: proofs_check/verified/checker.ml. Z becomes Zarith's integer, nat becomes int. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt.
From Attest Require Import dyadic feature_order layers elimination checks stacks.
Set Extraction Optimize.
Extraction Language OCaml.
Extract Constant Z.land => "Big_int_Z.and_big_int".
Extract Constant Z.leb => "Big_int_Z.le_big_int".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Constant Z.of_nat => "Big_int_Z.big_int_of_int".
Extraction "checker.ml" check check_layer attention_blocks mapped_blocks gated_blocks gated_mapped_blocks moment_blocks degree_blocks check_derivative check_stack.
