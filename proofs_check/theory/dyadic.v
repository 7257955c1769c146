(* Doubles are dyadic numbers m 2^e; a common power of two makes them integers. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import integer_vectors.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Record dyadic := Dyadic { mantissa : Z; exponent : Z }.

(* x / 2^E, an integer if x is aligned. *)
Definition align (E : Z) (x : dyadic) : Z := Z.shiftl (mantissa x) (Z.sub (exponent x) E).
Definition aligned (E : Z) (x : dyadic) : bool := Z.leb E (exponent x).

Section Values.
Local Open Scope ring_scope.
Variable R : realFieldType.

Definition power2 (e : Z) : R := 2%:R ^ int_of_Z e.
Definition value (x : dyadic) : R := embed R (mantissa x) * power2 (exponent x).

Lemma power2_gt0 e : 0 < power2 e.
Proof. by apply: exprz_gt0; rewrite ltr0n. Qed.

Lemma power2_neq0 e : power2 e != 0.
Proof. by rewrite gt_eqF ?power2_gt0. Qed.

Lemma power2D a b : power2 (Z.add a b) = power2 a * power2 b.
Proof. by rewrite /power2 -expfzDr ?pnatr_eq0 // rmorphD. Qed.

Lemma power2_nat n : embed R (Z.pow 2 (Z.of_nat n)) = power2 (Z.of_nat n).
Proof.
elim: n => [|n IH]; first by rewrite /power2 expr0z.
rewrite Nat2Z.inj_succ Z.pow_succ_r ?embedM ?IH; last exact: Nat2Z.is_nonneg.
by rewrite -Z.add_1_l power2D /power2 expr1z.
Qed.

Lemma embed_shiftl m k : Z.le 0 k -> embed R (Z.shiftl m k) = embed R m * power2 k.
Proof. by move=> k_pos; rewrite Z.shiftl_mul_pow2 // embedM -(Z2Nat.id k) // power2_nat. Qed.

Lemma alignE E x : aligned E x -> value x = power2 E * embed R (align E x).
Proof.
move=> /Z.leb_le le; rewrite embed_shiftl; last by lia.
by rewrite mulrC -mulrA -power2D /value; congr (_ * power2 _); lia.
Qed.
End Values.
