(* What the checker accepts is true of the features, whatever layer they are of, over every ordered field: `sound`. The rows
   of the checker are the features in another unit, and perhaps in another order. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import least_squares spans dominance integer_vectors dyadic.
From Attest Require Import elimination checks table_checks lambda_checks label_checks risk_checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* What a claim says about features H, labels Y and the features of queries. *)
Definition says (R : realFieldType) (N p o : nat) (H : 'M[R]_(N, p)) (Y : 'M[R]_(N, o)) (asked : nat -> 'rV[R]_p) (c : claim) : Prop :=
  match c with
  | FullRank => posdef (second_moment H)
  | Deficient => ~ posdef (second_moment H)
  | Rank r => \rank H = r
  | LambdaMin lo hi => (forall v, value R lo * sqnorm v <= form (second_moment H) v)
                       /\ exists2 v, v != 0 & form (second_moment H) v <= value R hi * sqnorm v
  | Determined ks => forall k, k \in ks -> (asked k <= H)%MS
  | Undetermined ks => forall k, k \in ks -> ~~ (asked k <= H)%MS
  | LabelsConsistent => (0 < o)%N /\ exists P, H *m P = Y
  | LabelsInconsistent => (0 < o)%N /\ ~ exists P, H *m P = Y
  | Inexpressible A B => (0 < o)%N /\ forall P, embed R A / embed R B <= risk H Y P
  end.

Section Rows.
Variables (R : realFieldType) (N p m o : nat) (H : 'M[R]_(N, p)) (Y : 'M[R]_(N, o)) (asked : nat -> 'rV[R]_p).
Variables (s g : Z) (ztable zlabels zqueries : seq (seq Z)) (F : 'M[R]_(p, m)) (unit : R).
Hypotheses (right : F *m F^T = 1%:M) (left : F^T *m F = 1%:M).
Hypotheses (unit_neq0 : unit != 0) (g_pos : Z.lt 0 g) (unit_sqr : embed R g * unit ^+ 2 = power2 R s).
Hypotheses (size_table : size ztable = N) (sizes : all (fun row : seq Z => size row == m) ztable).
Hypotheses (size_labels : size zlabels = N) (label_sizes : all (fun row : seq Z => size row == o) zlabels).
Hypothesis query_sizes : all (fun row : seq Z => size row == m) zqueries.
Notation A := (matrix_of R N m ztable).
Notation B := (matrix_of R N o zlabels).
Hypotheses (tableE : H *m F = unit *: A) (labelsE : Y = unit *: B).
Notation query k := (nth [::] zqueries k).
Hypothesis askedE : forall k, (k < size zqueries)%N -> asked k *m F = unit *: to_vector R m (query k).

Lemma F_free : row_free F.
Proof. by apply/row_freeP; exists F^T. Qed.

Lemma F_full : row_full F.
Proof. by apply/row_fullP; exists F^T. Qed.

Lemma same_width : m = p.
Proof. by have /eqP <- := F_free; apply/esym/eqP; apply: F_full. Qed.

Lemma size_query k : (k < size zqueries)%N -> size (query k) = m.
Proof. by move=> lt; apply/eqP/(all_nthP [::] query_sizes). Qed.

Lemma table_rank : \rank A = \rank H.
Proof. by rewrite -[RHS](mxrankMfree _ F_free) tableE mxrank_scale_nz. Qed.

Lemma span_iff (h : 'rV[R]_p) z : h *m F = unit *: z -> (h <= H)%MS = (z <= A)%MS.
Proof.
move=> e; rewrite -(submxMfree _ _ F_free) e tableE.
by rewrite !(eqmx_scale _ unit_neq0).
Qed.

Lemma tableE' (v : 'M[R]_(p, o)) : H *m v = unit *: (A *m (F^T *m v)).
Proof. by rewrite scalemxAl -tableE -mulmxA [F *m _]mulmxA right mul1mx. Qed.

Lemma g_gt0 : 0 < embed R g.
Proof. by rewrite -[0]/(embed R Z0) ltNge embed_le; lia. Qed.

Lemma unit_square : unit ^+ 2 = power2 R s / embed R g.
Proof. by rewrite -unit_sqr mulrC mulKf // gt_eqF ?g_gt0. Qed.

Lemma sqnorm_unit a b (M : 'M[R]_(a, b)) : sqnorm (unit *: M) = power2 R s / embed R g * sqnorm M.
Proof.
rewrite !sqnormE mulr_sumr; apply: eq_bigr => j _; rewrite mulr_sumr; apply: eq_bigr => i _.
by rewrite mxE exprMn unit_square.
Qed.

(* In the order and the unit of the checker. *)
Lemma formE v : form (second_moment H) v = (N%:R * embed R g)^-1 * (power2 R s * sqnorm (A *m (F^T *m v))).
Proof.
rewrite /second_moment formZ form_gram invfM -mulrA; congr (_ * _).
have -> : H *m v = unit *: (A *m (F^T *m v)) by rewrite scalemxAl -tableE -mulmxA [F *m _]mulmxA right mul1mx.
by rewrite sqnorm_unit mulrAC mulrC.
Qed.

Lemma norm_reordered (v : 'cV[R]_p) : sqnorm (F^T *m v) = sqnorm v.
Proof. by rewrite /sqnorm /dot trmx_mul trmxK mulmxA -[_ *m F *m _]mulmxA right mulmx1. Qed.

Lemma full_rankP : (m <= \rank A)%N -> posdef (second_moment H).
Proof.
rewrite table_rank => le; apply/second_moment_posdef.
by rewrite /row_full eqn_leq rank_leq_col; apply: leq_trans le; rewrite same_width.
Qed.

Lemma deficientP : (0 < m)%N -> (\rank A <= m.-1)%N -> ~ posdef (second_moment H).
Proof.
rewrite table_rank => m_pos le /second_moment_posdef /eqP full; move: le.
by rewrite full same_width leqNgt prednK ?leqnn // -same_width.
Qed.

Lemma lambda_minP lo hi L power x : check_lower s g ztable m lo L power -> check_upper s g ztable m hi x ->
  says H Y asked (LambdaMin lo hi).
Proof.
move=> lower upper; have N_pos : (0 < size ztable)%N by case/andP: lower => /Z.ltb_lt ? _; lia.
split=> [v | ].
  rewrite formE -(norm_reordered v); have := lower_sound g_pos sizes (F^T *m v) lower.
  by rewrite size_table.
have := upper_sound R g_pos sizes N_pos upper; rewrite size_table => -[u nz le].
have back : F^T *m (F *m u) = u by rewrite mulmxA left mul1mx.
exists (F *m u); first by apply: contra nz => /eqP zero; rewrite -back zero mulmx0.
by rewrite formE back -[sqnorm (F *m u)]norm_reordered back.
Qed.

Lemma determined_by_basis r vs k : (k < size zqueries)%N -> (r <= \rank A)%N -> check_nulls ztable m vs ->
  (m <= r + size vs)%N -> all (orthogonal [:: query k]) vs -> (asked k <= H)%MS.
Proof.
move=> lt ge nulls le zero; have [free null] := nulls_sound R size_table sizes nulls.
rewrite (span_iff (askedE lt)); apply: (in_span free _ null).
  by apply: leq_trans le _; rewrite leq_add2r.
apply: queries_sound => //; first exact: size_query.
by case/and3P: nulls => /allP size_v _ _; apply/allP => v /size_v/Nat.eqb_eq->.
Qed.

Lemma determined_by_relation e k : (k < size zqueries)%N -> check_relation ztable m (query k) e -> (asked k <= H)%MS.
Proof.
move=> lt rel; rewrite (span_iff (askedE lt)).
have := relation_sound R sizes (size_query lt) rel; by rewrite size_table.
Qed.

Lemma undetermined_by_null v k : (k < size zqueries)%N -> size v = m -> orthogonal ztable v ->
  ~~ orthogonal [:: query k] v -> ~~ (asked k <= H)%MS.
Proof.
move=> lt size_v null seen; rewrite (span_iff (askedE lt)).
apply: (null_unseen (orthogonal_sound R size_table sizes size_v null)).
by rewrite query_sound ?size_query.
Qed.

Lemma undetermined_by_extension r e k : (k < size zqueries)%N -> (\rank A <= r)%N ->
  check_minor (rcons ztable (query k)) m r.+1 e -> ~~ (asked k <= H)%MS.
Proof.
move=> lt le minor; rewrite (span_iff (askedE lt)); apply/negP => inside.
have extended : all (fun row : seq Z => size row == m) (rcons ztable (query k)).
  by rewrite all_rcons sizes size_query ?eqxx.
have := minor_sound R extended minor; rewrite leqNgt ltnS => /negP; case; apply: leq_trans le.
apply: mxrankS; apply/row_subP => i.
have -> : row i (matrix_of R (size (rcons ztable (query k))) m (rcons ztable (query k)))
  = to_vector R m (nth [::] (rcons ztable (query k)) i) by apply/rowP => j; rewrite !mxE.
rewrite nth_rcons size_table; case: ltnP => [lt_i | le_i].
  have -> : to_vector R m (nth [::] ztable i) = row (Ordinal lt_i) A by apply/rowP => j; rewrite !mxE.
  exact: row_sub.
have := ltn_ord i; rewrite {2}size_rcons ltnS size_table => le_N.
by rewrite eqn_leq le_N le_i.
Qed.

Lemma fit_iff : (exists P, H *m P = Y) <-> (exists P, A *m P = B).
Proof.
split=> -[P fit]; last by exists (F *m P); rewrite mulmxA tableE -scalemxAl fit labelsE.
by exists (F^T *m P); apply: (scalerI unit_neq0); rewrite -labelsE -fit tableE'.
Qed.

Lemma inexpressibleP a b vs : (0 < N)%N -> (0 < b)%ZZ -> size vs = o -> all (check_cancels ztable m) vs ->
  check_residuals s g ztable zlabels a b vs -> forall P, embed R a / embed R b <= risk H Y P.
Proof.
move=> N_pos b_pos size_vs cancel enough P; rewrite /risk tableE' labelsE -scalerBr sqnorm_unit.
have := @residuals_sound R m o s g ztable zlabels g_pos sizes; rewrite size_table => sound.
exact: (sound size_labels a b vs (F^T *m P) N_pos b_pos size_vs cancel enough).
Qed.

Theorem sound c e : check_claim m o s g ztable zlabels zqueries c e -> says H Y asked c.
Proof.
have minor := minor_sound R sizes; have bound := bound_sound R sizes.
have same : size zlabels = size ztable by rewrite size_labels size_table.
rewrite size_table in minor bound.
case: c e => [||r|lo hi|ks|ks|||a b] [e|e|e e'|L power x|r' e vs|es|v|r' e es|vs|v|r' e a' e'|vs|gs w] //=.
- by move/minor; apply: full_rankP.
- by case/andP=> m_pos /bound; apply: deficientP.
- case/andP=> /minor ge /bound le; apply/eqP; rewrite -table_rank.
  by rewrite eqn_leq le ge.
- by case/andP=> lower upper; apply: (lambda_minP lower upper).
- case/and5P=> /allP known /minor ge nulls le /allP zero k k_in.
  exact: (determined_by_basis (known _ k_in) ge nulls le (zero _ k_in)).
- case/and3P=> /allP known /Nat.eqb_eq size_e /(all_nthP (0%N, (Z0, [::]))) rel k /(nthP 0%N)[i lt <-].
  have := rel i; rewrite size_zip size_e minnn => /(_ lt); rewrite nth_zip //=.
  by move=> rel_i; apply: (determined_by_relation (known _ (mem_nth 0%N lt)) rel_i).
- case/and4P=> /allP known /Nat.eqb_eq size_v null /allP seen k k_in.
  exact: (undetermined_by_null (known _ k_in) size_v null (seen _ k_in)).
- case/and4P=> /allP known /bound le /Nat.eqb_eq size_e /(all_nthP (0%N, Minor Z0 [::] [::])) min k /(nthP 0%N)[i lt <-].
  have := min i; rewrite size_zip size_e minnn => /(_ lt); rewrite nth_zip //=.
  by move=> min_i; apply: (undetermined_by_extension (known _ (mem_nth 0%N lt)) le min_i).
- case/and4P=> o_pos /Nat.eqb_eq size_v nulls beyond; split=> //; apply/fit_iff.
  have := @fit_sound R m o ztable zlabels sizes label_sizes same vs size_v o_pos nulls beyond.
  by rewrite size_table.
- case/and4P=> o_pos _ zero seen; split=> // /fit_iff.
  have := @label_relation_sound R m o ztable zlabels sizes label_sizes same v zero seen.
  by rewrite size_table.
- case/and3P=> a_lt /bound le min_a; split; first exact: leq_ltn_trans a_lt.
  move/fit_iff; rewrite -size_table in le *.
  exact: (label_extension_sound sizes same a_lt le min_a).
case/and5P=> o_pos _ /Z.ltb_lt b_pos N_pos /and3P[/Nat.eqb_eq size_vs cancel enough]; split=> //.
by apply: inexpressibleP enough => //; rewrite -size_table.
Qed.
End Rows.
