(* Lists of integers as vectors over every ordered field. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Delimit Scope Z_scope with ZZ.

Fixpoint zdot (u v : seq Z) : Z :=
  match u, v with x :: u', y :: v' => (x * y + zdot u' v')%ZZ | _, _ => 0%ZZ end.

Lemma zdot_scale c u w : zdot u (map (Z.mul c) w) = (c * zdot u w)%ZZ.
Proof. by elim: u w => [|x u IH] [|y w] /=; rewrite ?IH; ring. Qed.

Local Open Scope ring_scope.

Lemma zdotE m (u v : seq Z) : size u = m -> size v = m -> zdot u v = \sum_(j < m) u`_j * v`_j.
Proof.
elim: m u v => [|m IH] [|x u] [|y v] //=; first by rewrite big_ord0.
by case=> su [sv]; rewrite big_ord_recl (IH u v).
Qed.

Section Matrices.
Variable R : numFieldType.

Definition embed (z : Z) : R := (int_of_Z z)%:~R.

Lemma embed0 : embed 0 = 0. Proof. by []. Qed.
Lemma embedD : {morph embed : x y / x + y}. Proof. by move=> x y; rewrite /embed !rmorphD. Qed.
Lemma embedM : {morph embed : x y / x * y}. Proof. by move=> x y; rewrite /embed !rmorphM. Qed.
Lemma embed_sum I r (P : pred I) (F : I -> Z) :
  embed (\sum_(i <- r | P i) F i) = \sum_(i <- r | P i) embed (F i).
Proof. exact: (big_morph embed embedD embed0). Qed.
Lemma embed_eq0 z : (embed z == 0) = (z == 0).
Proof. by rewrite /embed intr_eq0 -(inj_eq (can_inj int_of_ZK)). Qed.

Definition to_vector m (v : seq Z) : 'rV[R]_m := \row_j embed v`_j.
Definition to_matrix m (rows : seq (seq Z)) : 'M[R]_(size rows, m) := \matrix_(i, j) embed (nth [::] rows i)`_j.

Lemma to_vector_dot m u v : size u = m -> size v = m ->
  (to_vector m u *m (to_vector m v)^T) 0 0 = embed (zdot u v).
Proof.
move=> su sv; rewrite (zdotE su sv) embed_sum mxE.
by apply: eq_bigr => j _; rewrite !mxE embedM.
Qed.

Lemma row_to_matrix m rows i : row i (to_matrix m rows) = to_vector m (nth [::] rows i).
Proof. by apply/rowP => j; rewrite !mxE. Qed.
End Matrices.

(* Every rational vector is an integer vector divided by one positive integer. *)
Lemma clear_denominators m (v : 'cV[rat]_m) :
  exists2 D : rat, D != 0 & exists w : seq Z, size w = m /\ D *: v = (to_vector rat_numFieldType m w)^T.
Proof.
exists (\prod_i (denq (v i 0))%:~R); first by apply/prodf_neq0 => i _; rewrite intr_eq0 denq_eq0.
exists [seq Z_of_int (numq (v i 0) * \prod_(j | j != i) denq (v j 0)) | i <- enum 'I_m].
rewrite size_map size_enum_ord; split=> //; apply/matrixP => i j; rewrite !ord1 !mxE.
rewrite (nth_map i) ?size_enum_ord // nth_ord_enum /embed Z_of_intK (bigD1 i) //= mulrAC.
by rewrite intrM rmorph_prod /= numqE; congr (_ * _); rewrite mulrC.
Qed.
