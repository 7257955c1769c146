(* A finite law of N + 1 draws, each of which is outside the span of the others as often as the last one, as exchangeable
   draws are: the last is outside with probability at most E[rank] / (N + 1). Independent rows reach it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Attest Require Import exchangeability.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Draws.
Variables (R : numFieldType) (F : fieldType) (N m : nat) (Omega : finType) (p : Omega -> R) (A : Omega -> 'M[F]_(N.+1, m)).
Hypothesis p_ge0 : forall w, 0 <= p w.

Definition probability_outside (i : 'I_N.+1) : R := \sum_w p w * (outside (A w) i)%:R.
Definition expected_rank : R := \sum_w p w * (\rank (A w))%:R.

Theorem exchangeable_outside : (forall i, probability_outside i = probability_outside ord_max) ->
  probability_outside ord_max <= expected_rank / N.+1%:R.
Proof.
move=> alike; rewrite ler_pdivl_mulr ?ltr0n // mulr_natr.
have -> : probability_outside ord_max *+ N.+1 = \sum_i probability_outside i.
  by rewrite (eq_bigr _ (fun i _ => alike i)) sumr_const card_ord.
rewrite exchange_big; apply: ler_sum => w _; rewrite -mulr_sumr; apply: ler_wpmul2l; first exact: p_ge0.
have count : (\sum_i outside (A w) i = #|[pred i | outside (A w) i]|)%N.
  by rewrite -sum1_card [RHS]big_mkcond; apply: eq_bigr => i _; rewrite inE; case: (outside _ _).
by rewrite -natr_sum ler_nat count few_outside.
Qed.
End Draws.

(* Of independent rows each is outside the span of the others. *)
Theorem independent_outside (F : fieldType) N m (A : 'M[F]_(N.+1, m)) : row_free A -> #|[pred i | outside A i]| = \rank A.
Proof.
move=> free; have -> : \rank A = N.+1 by apply/eqP.
rewrite -[RHS]card_ord; apply: eq_card => i; rewrite !inE; apply/negP => /submxP[D row_i].
suff : delta_mx 0 i - \row_j (if unlift i j is Some k then D 0 k else 0) = 0 :> 'rV[F]_N.+1.
  by move/rowP/(_ i)/eqP; rewrite !mxE unlift_none !eqxx subr0 oner_eq0.
apply: (row_free_inj free); rewrite mul0mx mulmxBl -rowE row_i; apply/eqP; rewrite subr_eq0; apply/eqP/rowP => j.
rewrite !mxE (bigD1_ord i) //= mxE unlift_none mul0r add0r; apply: eq_bigr => k _.
by rewrite !mxE liftK.
Qed.
