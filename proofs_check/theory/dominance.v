(* Gershgorin: a symmetric matrix whose diagonal outweighs its rows is positive semidefinite. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Attest Require Import least_squares.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Dominance.
Variables (R : realFieldType) (m : nat).
Implicit Types (A : 'M[R]_m) (v : 'cV[R]_m).

Definition form A v : R := (v^T *m A *m v) 0 0.

Lemma formE A v : form A v = \sum_i \sum_j A i j * (v i 0 * v j 0).
Proof.
rewrite /form -mulmxA mxE; apply: eq_bigr => i _; rewrite !mxE mulr_sumr.
by apply: eq_bigr => j _; rewrite mulrCA.
Qed.

Lemma formB A B v : form (A - B) v = form A v - form B v.
Proof. by rewrite /form mulmxBr mulmxBl !mxE. Qed.

Lemma formZ c A v : form (c *: A) v = c * form A v.
Proof. by rewrite /form -scalemxAr -scalemxAl mxE. Qed.

Lemma form1 v : form 1%:M v = sqnorm v.
Proof. by rewrite /form mulmx1 /sqnorm /dot /mxtrace big_ord1. Qed.

Lemma form_gram n (X : 'M[R]_(n, m)) v : form (X^T *m X) v = sqnorm (X *m v).
Proof. by rewrite /form /sqnorm /dot /mxtrace big_ord1 trmx_mul !mulmxA. Qed.

Definition dominant A := forall i, \sum_(j | j != i) `|A i j| <= A i i.

Lemma twice_product_ge (x y : R) : - (x ^+ 2 + y ^+ 2) <= 2%:R * (x * y).
Proof. by rewrite -subr_ge0 opprK mulr_natl; have := sqr_ge0 (x + y); rewrite sqrrD addrAC addrC. Qed.

Lemma weighted_product_ge (a x y : R) : - `|a| * (x ^+ 2 + y ^+ 2) <= 2%:R * (a * (x * y)).
Proof.
rewrite [leRHS]mulrCA; have [a_pos | a_neg] := ger0P a.
  by rewrite mulNr -mulrN; apply: ler_wpmul2l => //; apply: twice_product_ge.
rewrite opprK; apply: ler_wnmul2l; first exact: ltW.
by have := twice_product_ge (- x) y; rewrite sqrrN mulNr mulrN ler_opp2.
Qed.

Theorem dominant_psd A v : A^T = A -> dominant A -> 0 <= form A v.
Proof.
move=> sym dom; rewrite -(pmulr_rge0 _ (ltr0Sn R 1)) formE mulr_sumr.
pose off i j := if j == i then 0 else `|A i j|.
have off_sym i j : off i j = off j i by rewrite /off eq_sym; case: eqP => // _; rewrite -{1}sym mxE.
have row i : \sum_j off i j <= A i i.
  apply: le_trans (dom i); rewrite [in leRHS]big_mkcond ler_sum // => j _.
  by rewrite /off; case: (j == i).
have step : \sum_i (2%:R * (A i i * v i 0 ^+ 2) - \sum_j off i j * (v i 0 ^+ 2 + v j 0 ^+ 2))
    <= \sum_i 2%:R * \sum_j A i j * (v i 0 * v j 0).
  apply: ler_sum => i _; rewrite [in leRHS](bigD1 i) //= mulrDr -expr2 ler_add2l.
  rewrite mulr_sumr -sumrN [leLHS](bigD1 i) //= /off eqxx mul0r oppr0 add0r ler_sum // => j ne.
  by rewrite (negPf ne) -mulNr weighted_product_ge.
apply: le_trans step; rewrite sumrB subr_ge0.
under eq_bigr do under eq_bigr do rewrite mulrDr.
under eq_bigr do rewrite big_split /=.
rewrite big_split /= [X in _ + X]exchange_big /=.
under [X in _ + X]eq_bigr do under eq_bigr do rewrite off_sym.
rewrite -mulr2n -mulr_natl mulr_sumr; apply: ler_sum => i _.
rewrite ler_pmul2l ?ltr0Sn // -mulr_suml; apply: ler_wpmul2r; first exact: sqr_ge0.
exact: row.
Qed.
End Dominance.
