(* Fractions whose denominators have inverses modulo p, and their residues; a matrix of such fractions has full rank if its residues do. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import spans integer_vectors elimination.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Residues.
Variables (F : numFieldType) (p : Z).
Hypothesis p_big : (2 <= p)%ZZ.

(* u is n/m, and z is its residue. *)
Definition residue (u : F) (z : Z) : Prop :=
  exists n m m' : Z, [/\ u * embed F m = embed F n, (p | n - m * z)%ZZ & (p | m * m' - 1)%ZZ].

Lemma unit_neq0 m m' : (p | m * m' - 1)%ZZ -> embed F m != 0.
Proof.
case=> c e; rewrite embed_eq0; apply/eqP => m0; rewrite m0 in e; have [?|[?|?]] : (c <= -1 \/ c = 0 \/ 1 <= c)%ZZ by lia.
  all: by nia.
Qed.

Lemma residue_embed n z : (p | n - z)%ZZ -> residue (embed F n) z.
Proof. by case=> c e; exists n, 1%ZZ, 1%ZZ; split; [rewrite mulr1 | exists c; lia | exists 0%ZZ; lia]. Qed.
Lemma residue0 : residue 0 0%ZZ. Proof. by apply: (@residue_embed 0%ZZ); exists 0%ZZ. Qed.
Lemma residue1 : residue 1 1%ZZ. Proof. by apply: (@residue_embed 1%ZZ); exists 0%ZZ. Qed.

Lemma units m1 m1' m2 m2' : (p | m1 * m1' - 1)%ZZ -> (p | m2 * m2' - 1)%ZZ -> (p | (m1 * m2) * (m1' * m2') - 1)%ZZ.
Proof.
case=> c1 e1 [c2 e2]; exists (c1 * (m2 * m2') + c2)%ZZ.
have e1' : (m1 * m1' = c1 * p + 1)%ZZ by lia.
have e2' : (m2 * m2' = c2 * p + 1)%ZZ by lia.
have -> : (m1 * m2 * (m1' * m2') = (m1 * m1') * (m2 * m2'))%ZZ by ring.
by rewrite e1' e2'; ring.
Qed.

Lemma residue_plus u v z w y : residue u z -> residue v w -> (p | z + w - y)%ZZ -> residue (u + v) y.
Proof.
case=> n1 [m1 [m1' [e1 [c1 r1] u1]]] [n2 [m2 [m2' [e2 [c2 r2] u2]]]] [c3 r3].
exists (n1 * m2 + n2 * m1)%ZZ, (m1 * m2)%ZZ, (m1' * m2')%ZZ; split; last exact: units.
  by rewrite embedD !embedM mulrDl -e1 -e2 !mulrA; congr (_ + _); apply: mulrAC.
exists (c1 * m2 + c2 * m1 + m1 * m2 * c3)%ZZ.
have -> : n1 = (m1 * z + c1 * p)%ZZ by lia.
have -> : n2 = (m2 * w + c2 * p)%ZZ by lia.
have -> : y = (z + w - c3 * p)%ZZ by lia.
ring.
Qed.
Lemma residue_times u v z w y : residue u z -> residue v w -> (p | z * w - y)%ZZ -> residue (u * v) y.
Proof.
case=> n1 [m1 [m1' [e1 [c1 r1] u1]]] [n2 [m2 [m2' [e2 [c2 r2] u2]]]] [c3 r3].
exists (n1 * n2)%ZZ, (m1 * m2)%ZZ, (m1' * m2')%ZZ; split; last exact: units.
  by rewrite !embedM -e1 -e2 mulrACA.
exists (c1 * n2 + m1 * z * c2 + m1 * m2 * c3)%ZZ.
have -> : n1 = (m1 * z + c1 * p)%ZZ by lia.
have -> : n2 = (m2 * w + c2 * p)%ZZ by lia.
have -> : y = (z * w - c3 * p)%ZZ by lia.
ring.
Qed.
Lemma residue_minus u z y : residue u z -> (p | z + y)%ZZ -> residue (- u) y.
Proof.
case=> n [m [m' [e [c r] un]]] [c2 r2]; exists (- n)%ZZ, m, m'; split=> //; last first.
  exists (- c - m * c2)%ZZ.
  have -> : n = (m * z + c * p)%ZZ by lia.
  have -> : y = (c2 * p - z)%ZZ by lia.
  ring.
by rewrite mulNr e /embed !rmorphN.
Qed.
Lemma residue_inverse n w : (p | n * w - 1)%ZZ -> residue (embed F n)^-1 w.
Proof.
move=> un; exists 1%ZZ, n, w; split=> //; first by rewrite mulVf //; apply: unit_neq0 un.
by case: un => c e; exists (- c)%ZZ; lia.
Qed.

(* The kernel of rows that have full rank modulo p. *)
Lemma kernel_divides r rows v : full_rank_mod p r rows -> size v = r -> (forall row : seq Z, row \in rows -> size row = r) ->
  (forall row : seq Z, row \in rows -> (p | zdot row v)%ZZ) -> forall z : Z, z \in v -> (p | z)%ZZ.
Proof.
case/and3P=> _ /Z.ltb_lt room el size_v sizes zero; have B_pos : (0 <= 192)%ZZ by [].
apply: (eliminate_kernel p_big B_pos (b := p) (rows := [seq residues p 1 row | row <- rows]) _ room) => //.
- by lia.
- by rewrite -map_comp; move: el; congr (eliminate _ _ _ _ _ : Prop); apply/eq_map => row /=; congr pack;
     apply/eq_map => z; rewrite Z.mul_1_r.
- by move=> _ /mapP[row /sizes <- ->]; rewrite size_map; split=> //; apply: below_residues.
move=> _ /mapP[row row_in ->]; have [e ->] := zdot_residues p_big 1 row v; case: (zero row row_in) => c ->.
by exists (c + e)%ZZ; lia.
Qed.

(* A set of vectors that are 0 modulo p, and again when divided by p, and so on: that of 0. *)
Lemma descent (S : seq Z -> Prop) : (forall v, S v -> forall z : Z, z \in v -> (p | z)%ZZ) -> (forall v, S (map (Z.mul p) v) -> S v) ->
  forall v, S v -> forall z : Z, z \in v -> z = 0%ZZ.
Proof.
move=> divides closed v Sv.
suff small B : forall v, S v -> (forall z : Z, z \in v -> (Z.abs z <= Z.of_nat B)%ZZ) -> forall z : Z, z \in v -> z = 0%ZZ.
  apply: (small (\max_(z <- v) Z.abs_nat z)) => // z z_in.
  rewrite -Zabs2Nat.id_abs; apply: (proj1 (Nat2Z.inj_le _ _)); apply/ssrnat.leP.
  exact: (@leq_bigmax_seq [eqType of Z] v xpredT Z.abs_nat z z_in isT).
elim: {v Sv} B {-2}B (leqnn B) => [|B IH] B' le v Sv bound z z_in.
  by have := bound z z_in; lia.
have [w v_w] : exists w, v = map (Z.mul p) w by apply: divide_all; apply: divides.
rewrite v_w in Sv; have Sw := closed w Sv.
have bound_w (y : Z) : y \in w -> (Z.abs y <= Z.of_nat B)%ZZ.
  by move=> y_in; have := bound (p * y)%ZZ; rewrite v_w map_f // => /(_ isT); nia.
move: z_in; rewrite v_w => /mapP[y y_in ->].
by rewrite (IH B (leqnn B) w Sw bound_w y y_in); ring.
Qed.

Lemma zdot_mod m z n v : size n = size z -> (forall j, (j < size z)%N -> (p | nth 0 n j - m * nth 0 z j)%ZZ) -> (p | zdot n v - m * zdot z v)%ZZ.
Proof.
elim: z n v => [|y z IH] [|a n] //; first by move=> v _ _; exists 0%ZZ; rewrite Z.mul_0_r.
move=> [|b v] [eq] each; first by exists 0%ZZ; rewrite /= Z.mul_0_r.
have [c e] := each 0%N isT; have [|c' e'] := IH n v eq; first by move=> j lt; apply: (each j.+1).
by exists (c * b + c')%ZZ; rewrite /= in e *; nia.
Qed.

(* Integers that are, row by row, multiples of the residues by a unit. *)
Lemma integers_full r (rows scaled : seq (seq Z)) : full_rank_mod p r rows -> all (fun row => size row == r) rows ->
  all (fun row => size row == r) scaled -> size scaled = size rows ->
  (forall i, (i < size rows)%N -> exists m m' : Z, (p | m * m' - 1)%ZZ /\
    forall j, (j < r)%N -> (p | nth 0 (nth [::] scaled i) j - m * nth 0 (nth [::] rows i) j)%ZZ) ->
  row_full (to_matrix F r scaled).
Proof.
move=> el /allP sizes /allP sizes' size_s units_rows.
have -> : to_matrix F r scaled = map_mx ratr (to_matrix rat_numFieldType r scaled).
  by apply/matrixP => i j; rewrite !mxE /embed ratr_int.
rewrite /row_full mxrank_map -/(row_full _) -sub1mx submxE mul1mx.
apply/eqP/matrixP => i j; rewrite [RHS]mxE; set v := col j (cokermx (to_matrix rat_numFieldType r scaled)).
have null : to_matrix rat_numFieldType r scaled *m v = 0 by rewrite /v colE mulmxA mulmx_coker mul0mx.
have [D D_nz [w [size_w w_v]]] := clear_denominators v.
pose S (w : seq Z) := size w = r /\ forall row : seq Z, row \in scaled -> zdot row w = 0%ZZ.
have Sw : S w.
  split=> // row row_in; apply/eqP; rewrite -(embed_eq0 rat_numFieldType).
  rewrite -(to_vector_dot _ (eqP (sizes' _ row_in)) size_w) -w_v.
  have /(nthP [::])[k lt <-] := row_in.
  rewrite -(row_to_matrix rat_numFieldType r (Ordinal lt)) -scalemxAr -row_mul null.
  by rewrite !mxE mulr0.
have w0 : forall z : Z, z \in w -> z = 0%ZZ.
  apply: (descent (S := S)) Sw => [u [size_u zero] | u [size_u zero]].
    apply: (kernel_divides el size_u) => [row /sizes/eqP // | row /(nthP [::])[k lt <-]].
    have [m [m' [[c un] each]]] := units_rows k lt.
    have size_k : size (nth [::] rows k) = r by apply/eqP/sizes/mem_nth.
    have size_k' : size (nth [::] scaled k) = r by apply/eqP/sizes'/mem_nth; rewrite size_s.
    have [|j' lt_j'|c' e] := @zdot_mod m (nth [::] rows k) (nth [::] scaled k) u; first by rewrite size_k'.
      by apply: each; rewrite -size_k.
    rewrite zero in e; last by rewrite mem_nth // size_s.
    set y := zdot _ u in e *; exists (- c' * m' - c * y)%ZZ.
    have one : (m * m' - c * p = 1)%ZZ by lia.
    have my : (m * y = - c' * p)%ZZ by lia.
    rewrite -[LHS]Z.mul_1_r -one; transitivity ((m * y) * m' - c * p * y)%ZZ; first by ring.
    by rewrite my; ring.
  rewrite size_map in size_u; split=> // row /zero; rewrite zdot_scale.
  by nia.
have : (D *: v) i 0 = 0.
  have w_i : w`_i = 0 by apply/w0/mem_nth; rewrite size_w.
  by rewrite w_v [LHS]mxE [LHS]mxE w_i.
by rewrite !mxE => /eqP; rewrite mulf_eq0 (negPf D_nz) => /eqP.
Qed.

Theorem residues_full N r (A : 'M[F]_(N, r)) rows : size rows = N -> all (fun row => size row == r) rows ->
  (forall (i : 'I_N) (j : 'I_r), residue (A i j) (nth 0 (nth [::] rows i) j)) -> full_rank_mod p r rows -> row_full A.
Proof.
move=> size_r sizes res el.
pose fits (i : 'I_N) (j : 'I_r) (n : Z * Z * Z) := [/\ A i j * embed F n.1.2 = embed F n.1.1,
    (p | n.1.1 - n.1.2 * nth 0 (nth [::] rows i) j)%ZZ & (p | n.1.2 * n.2 - 1)%ZZ].
have some i j : exists n, fits i j n by have [a [b [c ok]]] := res i j; exists (a, b, c).
have [n n_] := fin_all_exists (fun i => fin_all_exists (some i)).
pose m i : Z := \prod_j (n i j).1.2.
pose m' i : Z := \prod_j (n i j).2.
pose rest i j : Z := \prod_(k | k != j) (n i k).1.2.
have mE i j : m i = ((n i j).1.2 * rest i j)%ZZ by rewrite /m (bigD1 j).
have unit_m i : (p | m i * m' i - 1)%ZZ.
  rewrite /m /m'; elim/big_rec2: _ => [|j b c _ un]; first by exists 0%ZZ.
  by apply: units => //; case: (n_ i j).
pose scaled := [seq [seq Z.mul (n i j).1.1 (rest i j) | j <- enum 'I_r] | i <- enum 'I_N].
have size_s : size scaled = N by rewrite size_map size_enum_ord.
have entry_s (i : 'I_N) (j : 'I_r) : nth 0 (nth [::] scaled i) j = ((n i j).1.1 * rest i j)%ZZ.
  rewrite (nth_map i) ?size_enum_ord // nth_ord_enum (nth_map j) ?size_enum_ord // nth_ord_enum //.
have sizes_s : all (fun row => size row == r) scaled by rewrite all_map; apply/allP => i _ /=; rewrite size_map size_enum_ord.
have full : row_full (to_matrix F r scaled).
  apply: (integers_full el sizes sizes_s) => [|i]; rewrite ?size_s size_r // => lt; exists (m (Ordinal lt)), (m' (Ordinal lt)); split; first exact: unit_m.
  move=> j lt_j; rewrite (entry_s (Ordinal lt) (Ordinal lt_j)) (mE _ (Ordinal lt_j)).
  have [_ [c e] _] := n_ (Ordinal lt) (Ordinal lt_j); exists (c * rest (Ordinal lt) (Ordinal lt_j))%ZZ.
  by rewrite /= in e *; nia.
pose here (i : 'I_(size scaled)) : 'I_N := cast_ord size_s i.
have scaledE : to_matrix F r scaled = diag_mx (\row_i embed F (m (here i))) *m rowsub here A.
  apply/matrixP => i j; rewrite mul_diag_mx !mxE; have := entry_s (here i) j; rewrite /= => ->.
  by rewrite (mE _ j) !embedM -mulrA [embed F (rest _ _) * _]mulrC mulrA; congr (_ * _); rewrite mulrC; case: (n_ (here i) j).
move: full; rewrite scaledE -!sub1mx => /submx_trans; apply; apply: submx_trans (submxMl _ _) _.
by rewrite rowsubE submxMl.
Qed.
End Residues.

(* Determinants modulo p, and inverses of integer matrices. *)
Section Inverses.
Variables (p : Z) (d : nat).
Implicit Types X Y : 'M[Z]_d.

Lemma same_prod I (s : seq I) (f g : I -> Z) : (forall i, (p | f i - g i)%ZZ) -> (p | \prod_(i <- s) f i - \prod_(i <- s) g i)%ZZ.
Proof.
move=> each; elim/big_rec2: _ => [|i a b _ [c e]]; first by exists 0%ZZ.
have [c' e'] := each i; exists (c' * b + g i * c)%ZZ.
have -> : (f i * b - g i * a = (f i - g i) * b + g i * (b - a))%ZZ by ring.
by rewrite e e'; ring.
Qed.
Lemma same_sum I (s : seq I) (f g : I -> Z) : (forall i, (p | f i - g i)%ZZ) -> (p | \sum_(i <- s) f i - \sum_(i <- s) g i)%ZZ.
Proof.
move=> each; elim/big_rec2: _ => [|i a b _ [c e]]; first by exists 0%ZZ.
by have [c' e'] := each i; exists (c' + c)%ZZ; rewrite Z.mul_add_distr_r -e -e'; lia.
Qed.
Lemma same_det X Y : (forall i j, (p | X i j - Y i j)%ZZ) -> (p | \det X - \det Y)%ZZ.
Proof.
move=> each; apply: same_sum => s; have [c e] := @same_prod _ (index_enum _) (fun i => X i (s i)) (fun i => Y i (s i)) (fun i => each i (s i)).
exists (Z.mul ((-1) ^+ s) c); rewrite -Z.mul_assoc -[in RHS]e Z.mul_sub_distr_l //.
Qed.

Variable F : numFieldType.
Definition embed_matrix X : 'M[F]_d := map_mx (embed F) X.
Lemma embed_det X : \det (embed_matrix X) = embed F (\det X).
Proof. exact: (det_map_mx [rmorphism of (intr : int -> F) \o int_of_Z] X). Qed.
Lemma embed_adj X : \adj (embed_matrix X) = embed_matrix (\adj X).
Proof. exact: (esym (map_mx_adj [rmorphism of (intr : int -> F) \o int_of_Z] X)). Qed.

Lemma inverse_residues X Y : (2 <= p)%ZZ -> (forall i j, (p | (X *m Y) i j - (i == j)%:R)%ZZ) ->
  embed_matrix X \in unitmx /\ forall i j, residue p (invmx (embed_matrix X) i j) (Y i j).
Proof.
move=> p_big fits; have un : (p | \det X * \det Y - 1)%ZZ.
  have := @same_det (X *m Y) 1%:M; rewrite det1 det_mulmx; apply => i j; rewrite [in X in (_ | _ - X)%ZZ]mxE; exact: fits.
have unit_X : embed_matrix X \in unitmx by rewrite unitmxE unitfE embed_det; apply: unit_neq0 un.
split=> // i j; exists (\adj X i j), (\det X), (\det Y); split=> //.
  rewrite /invmx unit_X mxE embed_adj [embed_matrix _ _ _]mxE embed_det mulrAC mulVf ?mul1r //.
  by rewrite -embed_det -unitfE -unitmxE.
have : (\adj X *m (X *m Y)) i j = (\det X * Y i j)%R by rewrite mulmxA mul_adj_mx mul_scalar_mx mxE.
rewrite mxE => e; rewrite -[X in (_ | _ - X)%ZZ]e.
have := @same_sum _ (index_enum _) (fun k => \adj X i k * (k == j)%:R)%R (fun k => \adj X i k * (X *m Y) k j)%R.
rewrite [X in (_ | X - _)%ZZ](_ : _ = \adj X i j); last first.
  by rewrite (bigD1 j) //= eqxx mulr1 big1 ?addr0 // => k /negPf->; rewrite mulr0.
apply => k; have [c f] := fits k j; exists (Z.mul (\adj X i k) (- c)); rewrite -Z.mul_assoc.
have -> : (- c * p = (k == j)%:R - (X *m Y) k j)%ZZ by rewrite Z.mul_opp_l -f Z.opp_sub_distr Z.add_opp_l.
by rewrite Z.mul_sub_distr_l.
Qed.
End Inverses.
