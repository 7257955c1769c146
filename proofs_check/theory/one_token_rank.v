(* Sequences of one token: the bound C(d + 2, 3) on the rank is reached. Token s has the coordinates 2^(4^i s); its
   monomials are the s-th powers of C(d + 2, 3) different numbers, so the table of monomials is Vandermonde's matrix. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify.
From Attest Require Import slots linear_attention least_squares certificate one_token.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Digits to base 4 are determined by the number. *)
Lemma digits_inj d (c c' : nat -> nat) : (forall i, c i < 4)%N -> (forall i, c' i < 4)%N ->
  (\sum_(i < d) c i * 4 ^ i = \sum_(i < d) c' i * 4 ^ i)%N -> forall i, (i < d)%N -> c i = c' i.
Proof.
elim: d c c' => // d IH c c' lt lt'; rewrite !big_ord_recl /= !muln1.
have shift (b : nat -> nat) : (\sum_(i < d) b (bump 0 i) * 4 ^ bump 0 i = 4 * \sum_(i < d) b i.+1 * 4 ^ i)%N.
  by rewrite big_distrr; apply: eq_bigr => i _; rewrite /bump /= add1n expnS mulnCA.
rewrite !shift => e; have [e0 e1] : c 0%N = c' 0%N /\ (\sum_(i < d) c i.+1 * 4 ^ i = \sum_(i < d) c' i.+1 * 4 ^ i)%N.
  by have := lt 0%N; have := lt' 0%N; move: e; lia.
by case=> [_ | i]; [apply: e0 | rewrite ltnS; apply: (IH (fun i => c i.+1) (fun i => c' i.+1))].
Qed.

Section Sorted.
Variable d : nat.

Definition code (t : seq 'I_d) : nat := (\sum_(i <- t) 4 ^ i)%N.

Lemma code_digits (t : seq 'I_d) : code t = (\sum_(i < d) count_mem i t * 4 ^ i)%N.
Proof.
rewrite /code; elim: t => [|j t IH]; first by rewrite big_nil big1 // => i _; rewrite mul0n.
rewrite big_cons IH; under [RHS]eq_bigr do rewrite /= mulnDl.
rewrite big_split /=; congr (_ + _)%N; rewrite (bigD1 j) //= eqxx mul1n big1 ?addn0 // => i ne.
by rewrite eq_sym (negPf ne).
Qed.

Lemma code_inj (s t : 3.-tuple 'I_d) : sorted leq (map val s) -> sorted leq (map val t) -> code s = code t -> s = t.
Proof.
move=> ss st; rewrite !code_digits => e; apply: val_inj; apply: (inj_map val_inj).
pose digit (u : seq 'I_d) (i : nat) := if insub i is Some j then count_mem (j : 'I_d) u else 0%N.
have digitE u (i : 'I_d) : digit u i = count_mem i u by rewrite /digit valK.
have small (u : 3.-tuple 'I_d) i : (digit u i < 4)%N.
  by rewrite /digit; case: insub => // j; rewrite ltnS -[X in (_ <= X)%N](size_tuple u) count_size.
apply: (sorted_eq leq_trans anti_leq) => //; apply: perm_map; apply/allP => i _ /=; apply/eqP.
rewrite -!digitE; apply: (digits_inj (small s) (small t)) (ltn_ord i).
under eq_bigr do rewrite digitE; by under [RHS]eq_bigr do rewrite digitE.
Qed.
End Sorted.

Section Exact.
Variables (R : realFieldType) (n : nat).
Notation d := n.+1.
Notation K := #|{: triple n}|.

Definition witness (s : 'I_K) : 'M[R]_(d, 1) := \matrix_(i, _) 2%:R ^+ (4 ^ i * s).
Definition base (t : triple n) : R := 2%:R ^+ code (val t).

Lemma base_inj : injective base.
Proof.
move=> s t; rewrite /base -!natrX => /eqP; rewrite eqr_nat eqn_exp2l // => /eqP e.
by apply: val_inj; apply: code_inj e; [apply: (valP s) | apply: (valP t)].
Qed.

Lemma monomial_witness s t : monomial (witness s) (val t) = base t ^+ s.
Proof.
rewrite /monomial /base -exprM /code big_distrl /= -prodrXr; apply: eq_bigr => i _; by rewrite mxE.
Qed.

Lemma monomials_free : row_free (\matrix_s monomials (witness s) : 'M[R]_K).
Proof.
rewrite -kermx_eq0; apply/rowV0P => u /sub_kermxP uM; pose p := \poly_(s < K) (if insub s is Some s' then u 0 s' else 0).
have p_u (s : 'I_K) : p`_s = u 0 s by rewrite coef_poly ltn_ord valK.
have roots (t : triple n) : root p (base t).
  rewrite rootE horner_poly; apply/eqP; have := congr1 (fun v : 'rV_K => v 0 (enum_rank t)) uM.
  rewrite !mxE => e; rewrite -[RHS]e; apply: eq_bigr => s _.
  by rewrite valK !mxE enum_rankK monomial_witness.
have p0 : p = 0.
  apply/eqP; apply: contraT => p_nz; have := max_poly_roots p_nz (rs := map base (enum {: triple n})).
  have -> : all (root p) (map base (enum {: triple n})) by apply/allP => _ /mapP[t _ ->].
  rewrite map_inj_uniq ?enum_uniq; last exact: base_inj.
  by rewrite size_map -cardE => /(_ isT isT); rewrite ltnNge size_poly.
by apply/rowP => s; rewrite -p_u p0 coef0 mxE.
Qed.

Lemma slot_of_triple (t : triple n) : exists s : slot d, sort3 s = val t.
Proof.
case: t => -[[|a [|b [|c []]]] // size_t] sorted_t; have /and3P[ab _ _] := sorted_t.
exists (Sub (a, b) ab : upair d, c); apply: val_inj => /=; apply: sorted_sort; first by move=> x y z; apply: leq_trans.
by move: sorted_t; rewrite sorted_map.
Qed.

Lemma expand_free : row_free (expand R n).
Proof.
have slotP (t : triple n) : exists s, sort3 s == val t by have [s <-] := slot_of_triple t; exists s.
pose back : 'M[R]_(psi d, K) := \matrix_(i, t) (enum_val i == xchoose (slotP (enum_val t)))%:R.
apply/row_freeP; exists back; apply/matrixP => t u; rewrite !mxE (bigD1 (enum_rank (xchoose (slotP (enum_val u))))) //=.
rewrite !mxE enum_rankK eqxx mulr1 (eqP (xchooseP (slotP (enum_val u)))) big1 ?addr0 => [|i ne].
  by rewrite (inj_eq val_inj) (inj_eq enum_val_inj).
rewrite !mxE -(inj_eq enum_val_inj) enum_rankK in ne *; by rewrite (negPf ne) mulr0.
Qed.

(* The rank of a table of one-token examples is C(d + 2, 3) for some data, and never more (one_token_rank). *)
Theorem one_token_rank_reached : \rank (table (one_token witness)) = 'C(d.+2, 3).
Proof.
have -> : table (one_token witness) = (\matrix_s monomials (witness s)) *m expand R n.
  by apply/row_matrixP => i; rewrite row_mul !rowK -features_monomials.
by rewrite mxrankMfree ?expand_free // (eqP monomials_free) card_triple.
Qed.
End Exact.
