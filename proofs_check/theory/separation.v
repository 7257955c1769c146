(* Two columns suffice to tell every two coefficient matrices apart: Corollary A.4. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Attest Require Import slots linear_attention.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Span.
Variables (R : comRingType) (d n : nat) (q r : 'I_n).
Hypothesis qr : q != r.

Definition two_columns (x z : 'I_d -> R) : 'M[R]_(d, n) :=
  \matrix_(i, c) if c == q then z i else if c == r then x i else 0.

Lemma feature_two_columns x z s :
  feature (two_columns x z) q s = (x (lo s) * x (hi s) + z (lo s) * z (hi s)) * z s.2.
Proof.
rewrite /feature !mxE eqxx; congr (_ * _); rewrite (bigD1 q) // (bigD1 r) 1?eq_sym //= big1.
  by rewrite !mxE !eqxx eq_sym (negPf qr) addr0 addrC.
by move=> c /andP[/negPf cq /negPf cr]; rewrite !mxE cq cr mulr0.
Qed.

(* The indicator of a slot's pair (or nothing) beside the query, the indicator of its third coordinate. *)
Definition probe (s : slot d) (with_pair : bool) : 'M[R]_(d, n) :=
  two_columns (fun i => (with_pair && ((i == lo s) || (i == hi s)))%:R) (fun i => (i == s.2)%:R).

Lemma probe_zero (p : slot d -> R) s :
  (forall b, \sum_t p t * feature (probe s b) q t = 0) ->
  \sum_t p t * (((lo t == lo s) || (lo t == hi s))%:R * ((hi t == lo s) || (hi t == hi s))%:R
                * (t.2 == s.2)%:R) = 0.
Proof.
move=> zero; have := congr2 (fun a b => a - b) (zero true) (zero false).
rewrite subrr -sumrB => e; rewrite -[RHS]e; apply: eq_bigr => t _.
rewrite !feature_two_columns -mulrBr; congr (_ * _).
by rewrite mul0r add0r mulrDl addrK.
Qed.

Lemma features_span (p : slot d -> R) :
  (forall s b, \sum_t p t * feature (probe s b) q t = 0) -> forall s, p s = 0.
Proof.
move=> zero.
have only s : (forall t, t != s -> lo t = hi t -> lo t = lo s \/ lo t = hi s -> t.2 = s.2 -> p t = 0) -> p s = 0.
  move=> diagonal; have := probe_zero (zero s).
  rewrite (bigD1 s) //= !eqxx orbT !mulr1 big1 ?addr0 // => t ts.
  case: (eqVneq t.2 s.2) => [e2 | _]; last by rewrite !mulr0.
  have [el | _] := boolP ((lo t == lo s) || (lo t == hi s)); last by rewrite !mul0r mulr0.
  have [eh | _] := boolP ((hi t == lo s) || (hi t == hi s)); last by rewrite mulr0 mul0r mulr0.
  have [eq | ne] := eqVneq (lo t) (hi t).
    by rewrite diagonal ?mul0r //; case/orP: el => /eqP; [left | right].
  case/eqP: ts; apply: slot_eq => //; have := lo_hi t; have := lo_hi s; move: el eh ne.
    case/orP=> /eqP->; case/orP=> /eqP->; rewrite ?eqxx // => ne le ge.
    by apply/val_inj/anti_leq; rewrite le ge.
  case/orP=> /eqP->; case/orP=> /eqP->; rewrite ?eqxx // => ne le ge.
  by apply/val_inj/anti_leq; rewrite le ge.
have diagonal s : lo s = hi s -> p s = 0.
  move=> es; apply: only => t ts et el e2; case/eqP: ts.
  by case: el => el; apply: slot_eq; rewrite -?et -?es ?el.
by move=> s; apply: only => t _ et _ _; apply: diagonal.
Qed.

Lemma features_separate o (P P' : 'M[R]_(psi d, o)) :
  P != P' -> exists s b, features (probe s b) q *m P != features (probe s b) q *m P'.
Proof.
move=> ne; suff /existsP[s /existsP[b]] : [exists s, exists b,
    features (probe s b) q *m P != features (probe s b) q *m P'] by exists s, b.
apply: contraR ne; rewrite negb_exists => /forallP same; apply/eqP/matrixP => i a.
apply/eqP; rewrite -subr_eq0; apply/eqP; pose p s := (P - P') (enum_rank s) a.
suff: p (enum_val i) = 0 by rewrite /p enum_valK !mxE.
apply: features_span => s b; rewrite (reindex _ (onW_bij _ (@enum_val_bij _))) /=.
have := same s; rewrite negb_exists => /forallP/(_ b); rewrite negbK => /eqP.
move/rowP/(_ a)/eqP; rewrite -subr_eq0 !mxE -sumrB => /eqP e; rewrite -[RHS]e; apply: eq_bigr => j _.
by rewrite /p enum_valK !mxE -mulrBr mulrC.
Qed.

Theorem output_inj o (T T' : layer R d o) :
  (forall Z : 'M[R]_(d, n), output T Z q = output T' Z q) <-> coefficients T = coefficients T'.
Proof.
split=> [same | e Z]; last by apply: trmx_inj; rewrite !linearisation e.
apply/eqP/negPn/negP => /features_separate[s [b]].
by rewrite -!linearisation same eqxx.
Qed.
End Span.
