(* What the check of inexpressible proves: relations of the examples bound the residuals of every fit from below. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import least_squares leverage integer_vectors dyadic elimination checks table_checks lambda_checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Residuals.
Variables (R : realFieldType) (m o : nat) (s g : Z) (table labels : seq (seq Z)).
Hypotheses (g_pos : Z.lt 0 g) (sizes : all (fun row : seq Z => size row == m) table) (same : size labels = size table).
Notation N := (size table).
Notation H := (matrix_of R N m table).
Notation Y := (matrix_of R N o labels).

(* Cauchy and Schwarz: v H = 0 leaves v (Y - H P) = v Y. *)
Lemma relation_bound (v : 'rV[R]_N) (P : 'M[R]_(m, o)) a : v *m H = 0 ->
  (\sum_i v 0 i * Y i a) ^+ 2 <= (\sum_i v 0 i ^+ 2) * \sum_i (H *m P - Y) i a ^+ 2.
Proof.
move=> zero; have fit : \sum_i v 0 i * (H *m P) i a = 0.
  by have /rowP/(_ a) : v *m (H *m P) = 0 by [rewrite mulmxA zero mul0mx]; rewrite [LHS]mxE [RHS]mxE.
have e : \sum_i v 0 i * (H *m P - Y) i a = - \sum_i v 0 i * Y i a.
  rewrite (eq_bigr (fun i => v 0 i * (H *m P) i a - v 0 i * Y i a)) => [|i _]; first by rewrite sumrB fit sub0r.
  by rewrite -mulrBr; congr (_ * _); rewrite [LHS]mxE; congr (_ + _); rewrite mxE.
by rewrite -sqrrN -e; apply: cauchy_schwarz.
Qed.

Lemma dotE (v : seq Z) (y : seq Z) n : size v = n -> size y = n -> embed R (zdot v y) = \sum_(i < n) embed R v`_i * embed R y`_i.
Proof. by move=> size_v size_y; rewrite (zdotE size_v size_y) embed_sum; apply: eq_bigr => i _; rewrite embedM. Qed.

Lemma shares_sound vs a (P : 'M[R]_(m, o)) : (a + size vs <= o)%N -> all (check_cancels table m) vs ->
  0 < embed R (shares labels a vs).2 /\ embed R (shares labels a vs).1
    <= embed R (shares labels a vs).2 * \sum_(b < o | (a <= b)%N) \sum_i (H *m P - Y) i b ^+ 2.
Proof.
elim: vs a => [|v vs IH] a /=.
  move=> _ _; rewrite -[embed R 1]/(1 : R) embed0 mul1r; split; first exact: ltr01.
  by apply: sumr_ge0 => b _; apply: sumr_ge0 => i _; apply: sqr_ge0.
rewrite addnS => a_lt /andP[/andP[/Nat.eqb_eq size_v zero] /(IH a.+1 a_lt)[]].
set sum := shares _ _ _ => below_pos le; have a_lt_o : (a < o)%N by apply: leq_trans a_lt; rewrite ltnS leq_addr.
have split_a F : \sum_(b < o | (a <= b)%N) F b = F (Ordinal a_lt_o) + \sum_(b < o | (a < b)%N) F b :> R.
  rewrite (bigD1 (Ordinal a_lt_o)) //=; congr (_ + _); apply: eq_bigl => b.
  by rewrite [(a < b)%N]ltn_neqAle andbC eq_sym.
rewrite split_a /add_share; case: Z.eqb_spec => [_ | nz].
  split=> //; rewrite mulrDr -[leLHS]add0r; apply: ler_add le.
  by apply: mulr_ge0; [exact: ltW | apply: sumr_ge0 => i _; apply: sqr_ge0].
have v_zero : to_vector R N v *m H = 0.
  by rewrite -(combine_sound R v sizes); apply/eqP; apply: contraNT zero => /(nonzeroP R (size_combine v sizes)).
have := relation_bound P (Ordinal a_lt_o) v_zero.
have -> : \sum_i to_vector R N v 0 i * Y i (Ordinal a_lt_o) = embed R (zdot v [seq y`_a | y <- labels]).
  rewrite (dotE size_v) ?size_map //; apply: eq_bigr => i _.
  by rewrite !mxE (nth_map [::]) // same.
have -> : \sum_i to_vector R N v 0 i ^+ 2 = embed R (zdot v v).
  by rewrite (dotE size_v size_v); apply: eq_bigr => i _; rewrite mxE expr2.
move=> share; have v_pos : 0 < embed R (zdot v v).
  rewrite lt_def embed_eq0; apply/andP; split; first by apply/eqP.
  by rewrite (dotE size_v size_v); apply: sumr_ge0 => i _; rewrite -expr2 sqr_ge0.
split; first by rewrite embedM mulr_gt0.
rewrite embedD !embedM mulrDr; apply: ler_add.
  by rewrite -expr2 [leRHS]mulrAC ler_pmul2r.
by rewrite mulrC -mulrA ler_pmul2l.
Qed.

Theorem residuals_sound A B vs (P : 'M[R]_(m, o)) : (0 < N)%N -> (0 < B)%ZZ -> size vs = o -> all (check_cancels table m) vs ->
  check_residuals s g table labels A B vs ->
  embed R A / embed R B <= N%:R^-1 * (power2 R s / embed R g * sqnorm (H *m P - Y)).
Proof.
move=> N_pos B_pos size_vs cancel; have [] := @shares_sound vs 0 P _ cancel; first by rewrite add0n size_vs.
rewrite /check_residuals; set sum := shares _ _ _; set e := Z.min _ _ => below le; rewrite -(embed_le R).
have pos x : Z.lt 0 x -> 0 < embed R x by move=> x_pos; rewrite -[0]/(embed R Z0) ltNge embed_le; lia.
rewrite !embed_shiftl; [|lia|lia]; rewrite -(ler_pmul2r (power2_gt0 R e)).
have e_g : power2 R (Z.sub s e) * power2 R e = power2 R s by rewrite -power2D; congr power2; lia.
have e_0 : power2 R (Z.opp e) * power2 R e = 1 by rewrite -power2D Z.add_opp_diag_l.
rewrite -!mulrA e_g e_0 mulr1 !embedM embed_nat => enough.
rewrite ler_pdivr_mulr ?pos // mulrC.
have N_gt0 : 0 < N%:R :> R by rewrite ltr0n.
rewrite -(ler_pmul2r (mulr_gt0 (mulr_gt0 N_gt0 (pos g g_pos)) below)) !mulrA [leRHS](ACl (1*8*5*3*(2*6)*(4*7))) /=.
rewrite !mulVf ?gt_eqF ?pos // !mulr1 [leLHS](ACl (2*1*3*4)) /=; apply: le_trans enough _.
by rewrite ler_pmul2r ?power2_gt0 // -mulrA ler_pmul2l ?pos // sqnormE.
Qed.
End Residuals.
