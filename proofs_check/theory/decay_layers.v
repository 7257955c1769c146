(* The features by which the checker knows a layer with kernels are those of decay.v, one after the other. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import slots linear_attention integer_vectors dyadic feature_order layers decay.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Section Kernels.
Variables (d : nat) (ks : seq kernel).

Definition kernel_layer : layer := Layer (ByKernels ks) (attention_blocks false (size ks) d d).

(* Kernel after kernel, the features in the order of the paper's layer. *)
Theorem kernel_entries :
  entries kernel_layer = [seq (Sum g [:: k.1.1; k.1.2], [:: k.2]) | g <- iota 0 (size ks), k <- slot_list d].
Proof.
rewrite /entries /= cats0 cats0 allpairs_mapr /slot_list; elim: (iota 0 (size ks)) => //= g gs IH.
rewrite map_cat flatten_cat IH; congr (_ ++ _).
rewrite map_allpairs /=; elim: (pair_list d) => //= ab abs IHp.
by rewrite IHp.
Qed.

Local Open Scope ring_scope.
Variables (R : realFieldType) (e : layer_example).
Notation n := (size (tokens_of e)).

Definition token_matrix : 'M[R]_(d, n) := \matrix_(i, t) value R (nth zero (nth [::] (tokens_of e) t) i).
Definition kernel_matrix : 'M[R]_(size ks, n) := \matrix_(g, t) kernel_value R (nth (Beyond 0) ks g) (n - t.+1).

Theorem kernel_feature (q : 'I_n) (g : 'I_(size ks)) (s : slot d) : asks e = nth [::] (tokens_of e) q ->
  layer_feature R kernel_layer e (Sum g [:: lo s : nat; hi s : nat], [:: s.2 : nat])
  = bank_features kernel_matrix token_matrix q g (enum_rank s).
Proof.
move=> asked; rewrite /layer_feature /= /product_of asked big_seq1 mxE mulr_suml; apply: eq_bigr => t _.
by rewrite !mxE enum_rankK /= !mxE big_cons big_seq1 !mulrA.
Qed.
End Kernels.
