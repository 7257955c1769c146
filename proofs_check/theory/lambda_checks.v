(* What the checks of lambda-min prove: a factor bounds the quadratic form from below, a vector from above. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import least_squares dominance integer_vectors dyadic elimination checks table_checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Gram.
Variable m : nat.

Lemma gram_shape table : all (fun row : seq Z => size row == m) table ->
  size (gram m table) = m /\ all (fun row : seq Z => size row == m) (gram m table).
Proof.
elim: table => [_ | h table IH] /=; first by rewrite size_nseq all_nseq size_nseq eqxx orbT.
case/andP=> /eqP size_h /IH[size_G /allP sizes]; rewrite size_map size_zip size_h size_G minnn; split=> //.
apply/(all_nthP [::]) => k; rewrite size_map size_zip size_h size_G minnn => lt.
rewrite (nth_map (0, [::])) ?nth_zip ?size_zip ?size_h ?size_G ?minnn //= size_add_multiple ?size_h //.
by apply/eqP/sizes/mem_nth; rewrite size_G.
Qed.

Lemma nth_gram table i j : all (fun row : seq Z => size row == m) table -> (i < m)%N -> (j < m)%N ->
  (nth [::] (gram m table) i)`_j = \sum_(r < size table) (nth [::] table r)`_i * (nth [::] table r)`_j.
Proof.
elim: table => [|h table IH]; first by rewrite big_ord0 nth_nseq => _ -> lt; rewrite nth_nseq lt.
case/andP=> /eqP size_h sizes i_lt j_lt; have [size_G /allP sizes_G] := gram_shape sizes.
have lt : (i < size (zip h (gram m table)))%N by rewrite size_zip size_h size_G minnn.
rewrite big_ord_recl [gram _ _]/= (nth_map (0, [::])) // nth_zip ?size_h ?size_G //= nth_add_multiple.
  by rewrite (IH sizes i_lt j_lt) addrC.
by rewrite size_h; apply/eqP/sizes_G/mem_nth; rewrite size_G.
Qed.
End Gram.

Section Residual.
Variables (R : realFieldType) (m : nat).

Definition factor_matrix (L : seq (seq Z)) : 'M[R]_m := \matrix_(i, j) embed R (nth [::] L i)`_j.

Lemma zdot_padded u v : (size u <= m)%N -> zdot u v = \sum_(j < m) u`_j * v`_j.
Proof.
elim: m u v => [|n IH] [|x u] [|y v] //= le; rewrite ?big_ord0 //; try by rewrite big1 // => j _; rewrite nth_nil ?mul0r ?mulr0.
by rewrite big_ord_recl /= (IH u v le).
Qed.
Arguments zdot_padded : clear implicits.

Lemma residualE table g l w L : all (fun row : seq Z => size row == m) table -> all (fun row : seq Z => size row <= m)%N L ->
  matrix_of R m m (residual m g l w (gram m table) L)
  = embed R g *: ((matrix_of R (size table) m table)^T *m matrix_of R (size table) m table)
    - embed R l *: 1%:M - embed R w *: (factor_matrix L *m (factor_matrix L)^T).
Proof.
move=> sizes /(all_nthP [::]) short; apply/matrixP => i j; rewrite !mxE.
rewrite (nth_map 0%N) ?size_iota ?ltn_ord // nth_iota ?ltn_ord // add0n.
rewrite (nth_map 0%N) ?size_iota ?ltn_ord // nth_iota ?ltn_ord // add0n.
have embedB x y : embed R (Z.sub x y) = embed R x - embed R y by rewrite /embed -[Z.sub x y]/(x - y) !rmorphB.
rewrite !embedB !embedM nth_gram ?ltn_ord //; congr (_ - _ - _).
- by rewrite embed_sum; congr (_ * _); apply: eq_bigr => r _; rewrite !mxE embedM.
- case: Nat.eqb_spec => [/val_inj-> | ne]; first by rewrite eqxx mulr1.
  by case: eqP => [e | _]; [case: ne; rewrite e | rewrite mulr0].
congr (_ * _); rewrite (zdot_padded _ (nth [::] L j)) ?embed_sum; last first.
  by have [/short // | le] := ltnP i (size L); rewrite nth_default.
by apply: eq_bigr => k _; rewrite !mxE embedM.
Qed.

Lemma embed_abs x : embed R (Z.abs x) = `|embed R x|.
Proof. by rewrite /embed -intr_norm; congr (_%:~R); lia. Qed.

Lemma sum_absE n u : size u = n -> embed R (sum_abs u) = \sum_(j < n) `|embed R u`_j|.
Proof.
elim: n u => [|n IH] [|x u] //; first by move=> _; rewrite big_ord0.
case=> size_u; rewrite big_ord_recl /= -(IH u size_u) embedD; congr (_ + _).
by rewrite embed_abs.
Qed.

Lemma embed_le x y : (embed R x <= embed R y) = (x <=? y)%ZZ.
Proof. by rewrite /embed ler_int; lia. Qed.

Lemma dominant_sound A : size A = m -> all (fun row : seq Z => size row == m) A ->
  check_dominant A -> dominant (matrix_of R m m A).
Proof.
move=> size_A /(all_nthP [::]) sizes /(all_nthP (0%N, [::])) check i.
have i_lt : (i < size A)%N by rewrite size_A.
have size_row := eqP (sizes _ i_lt).
have := check i; rewrite size_zip size_iota minnn => /(_ i_lt).
rewrite nth_zip ?size_iota // nth_iota // add0n /= -embed_le embedD (sum_absE size_row) (bigD1 i) //= mxE.
rewrite embed_abs addrC ler_add2r => le; apply: le_trans le.
by rewrite ler_sum // => j _; rewrite mxE.
Qed.

Lemma residual_dominant g l w G L : check_dominant (residual m g l w G L) ->
  dominant (matrix_of R m m (residual m g l w G L)).
Proof.
apply: dominant_sound; first by rewrite size_map size_iota.
by apply/allP => _ /mapP[i _ ->]; rewrite size_map size_iota.
Qed.

Lemma embed_nat n : embed R (Z.of_nat n) = n%:R.
Proof. by rewrite /embed pmulrn; congr (_%:~R); lia. Qed.

Variables (s g : Z) (table : seq (seq Z)).
Hypothesis g_pos : Z.lt 0 g.
Hypothesis sizes : all (fun row : seq Z => size row == m) table.
Notation N := (size table).
Notation H := (matrix_of R N m table).
Notation units := (N%:R * embed R g).

Lemma shifted e k : Z.le e k -> embed R (Z.shiftl 1 (Z.sub k e)) * power2 R e = power2 R k.
Proof.
move=> le; rewrite embed_shiftl; last by lia.
by rewrite -[embed R 1]/(1 : R) mul1r -power2D; congr power2; lia.
Qed.

Lemma value_shifted e x : Z.le e (exponent x) ->
  embed R (Z.shiftl (mantissa x) (Z.sub (exponent x) e)) * power2 R e = value R x.
Proof.
move=> le; rewrite embed_shiftl; last by lia.
by rewrite -mulrA -power2D; congr (_ * power2 _ _); lia.
Qed.

Lemma embed_g : 0 < embed R g.
Proof. by rewrite -[0]/(embed R Z0) ltNge embed_le; lia. Qed.

Theorem lower_sound lo L power (v : 'cV[R]_m) : check_lower s g table m lo L power ->
  value R lo * sqnorm v <= units^-1 * (power2 R s * sqnorm (H *m v)).
Proof.
rewrite /check_lower; set e := Z.min _ _.
case/andP=> /Z.ltb_lt N_pos; have {}N_pos : 0 < N%:R :> R by rewrite ltr0n; lia.
have units_pos : 0 < units by rewrite mulr_gt0 ?embed_g.
have norms : 0 <= units^-1 * (power2 R s * sqnorm (H *m v)).
  by apply: mulr_ge0; [rewrite invr_ge0 ltW | rewrite mulr_ge0 ?sqnorm_ge0 // ltW ?power2_gt0].
case/orP=> [/Z.leb_le le0 | /and3P[/Nat.eqb_eq size_L short dom]].
  apply: le_trans norms; apply: mulr_le0_ge0; last exact: sqnorm_ge0.
  rewrite /value pmulr_lle0 ?power2_gt0 // -[0]/(embed R Z0) embed_le; lia.
have [] : [/\ Z.le e s, Z.le e (exponent lo) & Z.le e (Z.mul 2 power)] by split; lia.
move=> /shifted gE /value_shifted lE /shifted wE; move: dom.
set k := Z.shiftl 1 (Z.sub s e) in gE *; set w := Z.shiftl 1 _ in wE *; set l := Z.shiftl (mantissa lo) _ in lE *.
move=> /residual_dominant; rewrite residualE //; set A := _ - _ - _ => A_dom.
have sym : A^T = A by rewrite /A !linearB !linearZ /= !trmx_mul !trmxK trmx1.
have := dominant_psd v sym A_dom; rewrite /A !formB !formZ form1 form_gram.
have -> : factor_matrix L *m (factor_matrix L)^T = ((factor_matrix L)^T)^T *m (factor_matrix L)^T by rewrite trmxK.
rewrite form_gram !embedM embed_nat => psd; rewrite ler_pdivl_mull // mulrA -lE -gE.
rewrite mulrAC [leRHS]mulrAC mulrA ler_pmul2r ?power2_gt0 // -subr_ge0.
rewrite [_ * sqnorm v * _]mulrAC; apply: le_trans psd _.
rewrite ler_subl_addr ler_addl !mulr_ge0 ?sqnorm_ge0 ?(ltW units_pos) ?ler0n ?(ltW embed_g) //.
by rewrite -(ler_pmul2r (power2_gt0 R e)) mul0r wE ltW ?power2_gt0.
Qed.

Lemma imageE x : size x = m ->
  embed R (foldr (fun row sum => let y := zdot row x in Z.add (Z.mul y y) sum) Z0 table)
  = sqnorm (H *m (to_vector R m x)^T).
Proof.
move=> size_x; rewrite sqnormE big_ord1; elim: (table) sizes => [|row t IH] /=; first by rewrite big_ord0.
case/andP=> /eqP size_row /IH e; rewrite big_ord_recl embedD embedM e; congr (_ + _).
  rewrite expr2 !mxE (zdotE size_row size_x) embed_sum.
  by congr (_ * _); apply: eq_bigr => j _; rewrite !mxE embedM.
by apply: eq_bigr => i _; congr (_ ^+ 2); rewrite !mxE; apply: eq_bigr => j _; rewrite !mxE.
Qed.

Theorem upper_sound hi x : (0 < N)%N -> check_upper s g table m hi x -> exists2 v : 'cV[R]_m, v != 0 &
  units^-1 * (power2 R s * sqnorm (H *m v)) <= value R hi * sqnorm v.
Proof.
move=> N_pos /and3P[/Nat.eqb_eq size_x /(nonzeroP R size_x) nz]; set e := Z.min _ _; rewrite -embed_le => le.
exists (to_vector R m x)^T; first by rewrite -(inj_eq (@trmx_inj _ _ _)) trmxK trmx0.
have [] : Z.le e s /\ Z.le e (exponent hi) by split; lia.
move=> e_E /value_shifted hiE; rewrite ler_pdivr_mull ?mulr_gt0 ?ltr0n ?embed_g // -(imageE size_x).
move: le; rewrite embed_shiftl; last by lia.
rewrite -(ler_pmul2r (power2_gt0 R e)) -[embed R _ * _ * _]mulrA -power2D Z.sub_add mulrC => /le_trans; apply.
have -> : sqnorm (to_vector R m x)^T = embed R (zdot x x).
  by rewrite /sqnorm /dot trmxK /mxtrace big_ord1 (to_vector_dot _ size_x size_x).
by rewrite !embedM embed_nat -[_ * _ * power2 _ _]mulrA hiE [leRHS]mulrCA mulrC.
Qed.
End Residual.
