(* Of N + 1 rows at most as many as their rank lie outside the span of the others. If the rows are exchangeable, a fresh
   one is not determined by the N others with probability at most rank / (N + 1), whatever the law. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Exchangeability.
Variables (F : fieldType) (N m : nat) (A : 'M[F]_(N.+1, m)).

(* Row i is outside the span of the other rows. *)
Definition outside (i : 'I_N.+1) : bool := ~~ (row i A <= row' i A)%MS.

Lemma row_others i j : j != i -> (row j A <= row' i A)%MS.
Proof.
move=> ne; have [k ->] : exists k, j = lift i k.
  by case: (unliftP i j) => [k -> | e]; [exists k | rewrite e eqxx in ne].
have -> : row (lift i k) A = row k (row' i A) by apply/rowP => l; rewrite !mxE.
exact: row_sub.
Qed.

Theorem few_outside : (#|[pred i | outside i]| <= \rank A)%N.
Proof.
set I := [pred i | outside i]; pose f (k : 'I_#|I|) : 'I_N.+1 := enum_val k.
have free : row_free (rowsub f A).
  rewrite -kermx_eq0; apply/rowV0P => u /sub_kermxP uA; apply/rowP => k; rewrite [RHS]mxE.
  apply: contraTeq (enum_valP k) => u_k; rewrite inE negbK -/(f k).
  have sum : u 0 k *: row (f k) A = - \sum_(j | j != k) u 0 j *: row (f j) A.
    apply/eqP; rewrite -addr_eq0; have := uA; rewrite mulmx_sum_row (bigD1 k) //= => e.
    apply/eqP; rewrite -[RHS]e; congr (_ + _); first by congr (_ *: _); apply/rowP => l; rewrite !mxE.
    by apply: eq_bigr => j _; congr (_ *: _); apply/rowP => l; rewrite !mxE.
  rewrite -(eqmx_scale _ u_k) sum eqmx_opp; apply: summx_sub => j ne; apply: scalemx_sub; apply: row_others.
  by rewrite (inj_eq enum_val_inj).
by move/eqP: free => <-; rewrite rowsubE mxrankM_maxr.
Qed.

(* The share of the rows that the others do not determine. *)
Corollary share_outside (R : numFieldType) :
  #|[pred i | outside i]|%:R / N.+1%:R <= (\rank A)%:R / N.+1%:R :> R.
Proof. by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat few_outside. Qed.
End Exchangeability.
