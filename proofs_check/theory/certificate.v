(* What the training data determine about linear attention layers. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Attest Require Import slots linear_attention separation head_count least_squares.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Record example (R : ringType) (d : nat) := Example {
  columns : nat;
  tokens : 'M[R]_(d, columns);
  query : 'I_columns }.

Section Training.
Variables (R : realFieldType) (d o N : nat) (data : 'I_N -> example R d) (labels : 'I_N -> 'cV[R]_o).

Definition run (T : layer R d o) (e : example R d) := output T (tokens e) (query e).
Definition features_of (e : example R d) := features (tokens e) (query e).
Definition table : 'M[R]_(N, psi d) := \matrix_i features_of (data i).
Definition label_table : 'M[R]_(N, o) := \matrix_i (labels i)^T.

Definition training_loss (T : layer R d o) : R :=
  N%:R^-1 * \sum_i \sum_a (run T (data i) a 0 - labels i a 0) ^+ 2.

(* An empirical risk minimiser among the layers of at most k heads. *)
Definition erm k (T : layer R d o) :=
  (size T <= k)%N /\ forall T', (size T' <= k)%N -> training_loss T <= training_loss T'.

Lemma runE T e : (run T e)^T = features_of e *m coefficients T.
Proof. exact: linearisation. Qed.

Lemma fitted T i a : (table *m coefficients T) i a = run T (data i) a 0.
Proof.
have : row i (table *m coefficients T) = (run T (data i))^T by rewrite row_mul rowK -runE.
by move/rowP/(_ a); rewrite [LHS]mxE [RHS]mxE.
Qed.

Lemma training_lossE T : training_loss T = risk table label_table (coefficients T).
Proof.
rewrite /training_loss /risk sqnormE exchange_big; congr (_ * _).
apply: eq_bigr => a _; apply: eq_bigr => i _; congr (_ ^+ 2).
by rewrite -fitted [RHS]mxE; congr (_ + _); rewrite !mxE.
Qed.

Section EnoughHeads.
Variable k : nat.
Hypothesis enough : enough_heads d o k.

Lemma ermP T : erm k T <-> (size T <= k)%N /\ minimiser table label_table (coefficients T).
Proof.
split=> -[le least]; split=> //; last by move=> T' _; rewrite !training_lossE.
by move=> P; have [T' few <-] := enough_heads_reach P enough; rewrite -!training_lossE; apply: least.
Qed.

Lemma erm_of P : minimiser table label_table P -> exists2 T, erm k T & coefficients T = P.
Proof.
by move=> min; have [T few T_P] := enough_heads_reach P enough; exists T; rewrite // ermP T_P.
Qed.

(* Lemma A.6: the least training loss of layers with enough heads is the least of all coefficient matrices. *)
Lemma erm_exists : exists T, erm k T.
Proof. by have [P /erm_of[T min _]] := minimiser_exists table label_table; exists T. Qed.

(* T3: a query is determined if its features are in the row span of the table, and only then. *)
Theorem determined e : (features_of e <= table)%MS ->
  forall T T', erm k T -> erm k T' -> run T e = run T' e.
Proof.
move=> span T T' /ermP[_ min] /ermP[_ min'].
by apply: trmx_inj; rewrite !runE (agree_in_span span min min').
Qed.

Theorem undetermined e : (0 < o)%N -> ~~ (features_of e <= table)%MS ->
  exists T T', [/\ erm k T, erm k T' & run T e != run T' e].
Proof.
move=> o_pos out; have [P min] := minimiser_exists table label_table.
have [P' min' ne] := disagree_outside o_pos out min.
have [[T erm_T T_P] [T' erm_T' T'_P]] := (erm_of min, erm_of min'); exists T, T'; split=> //.
by rewrite -(inj_eq (@trmx_inj _ _ _)) !runE T_P T'_P.
Qed.

(* T2: the second moment of the features is positive definite exactly if all minimisers are one function. *)
Theorem identifiable : (0 < o)%N ->
  posdef (second_moment table) <->
  forall T T', erm k T -> erm k T' -> forall e, run T e = run T' e.
Proof.
move=> o_pos; rewrite second_moment_posdef -sub1mx; split=> [full T T' mT mT' e | same].
  by apply: (determined _ mT mT'); apply: submx_trans (submx1 _) full.
have /certificate_iff : forall P P', minimiser table label_table P -> minimiser table label_table P' -> P = P'.
  move=> P P' /erm_of[T mP <-] /erm_of[T' mP' <-].
  have ne : @ord0 1 != ord_max by [].
  by apply/(output_inj ne) => Z; apply: (same _ _ mP mP' (Example Z ord0)).
by move/(_ o_pos)/second_moment_posdef; rewrite -sub1mx.
Qed.

Theorem not_identifiable : (0 < o)%N -> ~ posdef (second_moment table) ->
  exists T T' e, [/\ erm k T, erm k T' & run T e != run T' e].
Proof.
move=> o_pos; rewrite second_moment_posdef => /negP out; have [P min] := minimiser_exists table label_table.
have : ~~ (1%:M <= table)%MS by rewrite sub1mx.
case/row_subPn => i /(disagree_outside o_pos)/(_ min)[P' min' ne].
have {}ne : P != P' by apply: contra ne => /eqP->.
have q_r : @ord0 1 != ord_max by [].
have [s [b differ]] := features_separate q_r ne.
have [[T erm_T T_P] [T' erm_T' T'_P]] := (erm_of min, erm_of min').
exists T, T', (Example (probe R (@ord0 1) ord_max s b) ord0); split=> //.
by rewrite -(inj_eq (@trmx_inj _ _ _)) !runE T_P T'_P.
Qed.
End EnoughHeads.

(* Fewer heads: whatever the number of heads, layers that fit the labels are one function. *)
Theorem realisable T T' : posdef (second_moment table) ->
  (forall i, run T (data i) = labels i) -> (forall i, run T' (data i) = labels i) ->
  forall e, run T e = run T' e.
Proof.
rewrite second_moment_posdef -sub1mx => full fit fit' e; apply: trmx_inj; rewrite !runE.
have /submxP[D ->] : (features_of e <= table)%MS by apply: submx_trans (submx1 _) full.
rewrite -!mulmxA; congr (_ *m _); apply/matrixP => i a; rewrite !fitted fit fit'; done.
Qed.
End Training.
