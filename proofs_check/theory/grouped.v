(* The rank by groups of examples that share their query: what check_groups accepts is true. A group's features are its
   states times its query; of independent queries these spaces are independent. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import spans integer_vectors dyadic elimination feature_order checks table_checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Independent.
Variables (F : fieldType) (k q m : nat) (rows : 'I_k -> nat) (A : forall g, 'M[F]_(rows g, q)).
Variables (T : 'I_k -> 'M[F]_(q, m)) (U : 'I_k -> 'M[F]_(m, q)).
Hypothesis apart : forall g h, T g *m U h = (g == h)%:R%:M.

Theorem independent_groups : \rank (\sum_g <<A g *m T g>>)%MS = (\sum_g \rank (A g))%N.
Proof.
have direct : mxdirect (\sum_g <<A g *m T g>>).
  apply/mxdirect_sumsP => g _; apply/eqP; rewrite -submx0; apply/rV_subP => v; rewrite sub_capmx genmxE => /andP[].
  case/submxP=> a v_a others; have : v *m U g = 0.
    apply/sub_kermxP; apply: submx_trans others _; apply/sumsmx_subP => h ne; rewrite genmxE; apply/sub_kermxP.
    by rewrite -mulmxA apart (negPf ne) mul_mx_scalar scale0r.
  rewrite v_a -!mulmxA apart eqxx mulmx1 => zero; by rewrite mulmxA zero mul0mx sub0mx.
rewrite (mxdirectP direct) /=; apply: eq_bigr => g _; rewrite mxrank_gen mxrankMfree //.
have : T g *m U g = 1%:M by rewrite apart eqxx.
by move=> inv; apply/row_freeP; exists (U g).
Qed.
End Independent.

Lemma strike_keeps s kss (j : nat) : j \in s -> j \in foldl strike s kss \/ exists2 ks, ks \in kss & j \in ks.
Proof.
have one s' ks : j \in s' -> j \in strike s' ks \/ j \in ks.
  elim: s' ks => [|x s' IH] [|l ks] //=; first by left.
  case: (Nat.eqb_spec x l) => [-> | _]; rewrite inE => /orP[e | in_s].
  - by right; rewrite inE e.
  - by case: (IH ks in_s) => [-> | in_ks]; [left | right; rewrite inE in_ks orbT].
  - by left; rewrite inE e.
  by case: (IH (l :: ks) in_s) => [in_rest | ->]; [left; rewrite inE in_rest orbT | right].
elim: kss s => [|ks kss IH] s /=; first by left.
case/(one _ ks)=> [/IH[in_rest | [ks' in_kss in_ks']] | in_ks]; first by left.
  by right; exists ks'; rewrite // inE in_kss orbT.
by right; exists ks; rewrite ?inE ?eqxx.
Qed.

Lemma same_rowP u v : same_row u v -> u = v.
Proof.
case/andP=> /Nat.eqb_eq size_uv /allP same; apply: (@eq_from_nth _ Z0) => // i lt.
have : (nth Z0 u i, nth Z0 v i) \in zip u v by rewrite -nth_zip // mem_nth // size_zip -size_uv minnn.
by move/same/Z.eqb_eq.
Qed.

Section Tensors.
Variables (R : realFieldType) (d : nat).
Notation pairs := (pair_list d).
Notation slots := (slot_list d).
Notation pair_at p := (nth (0, 0)%N pairs p).
Notation slot_at k := (nth (0, 0, 0)%N slots k).

(* A state times the vector u, and what undoes it. *)
Definition tensor (u : nat -> R) : 'M[R]_(size pairs, size slots) :=
  \matrix_(p, k) (((slot_at k).1 == pair_at p)%:R * u (slot_at k).2).

Lemma sum_slots (f : nat * nat -> R) (g : nat -> R) :
  \sum_(k < size slots) f (slot_at k).1 * g (slot_at k).2 = (\sum_(ab <- pairs) f ab) * \sum_(l < d) g l.
Proof.
rewrite -(big_mkord xpredT (fun k => f (slot_at k).1 * g (slot_at k).2)).
rewrite -(big_nth (0, 0, 0)%N xpredT (fun t => f t.1 * g t.2)) big_allpairs mulr_suml; apply: eq_bigr => ab _ /=.
by rewrite -mulr_sumr -[in RHS](big_mkord xpredT) /index_iota subn0.
Qed.

Lemma tensorK u v : tensor u *m (tensor v)^T = (\sum_(l < d) u l * v l)%:M.
Proof.
apply/matrixP => p p'; rewrite !mxE.
pose f (ab : nat * nat) : R := (ab == pair_at p)%:R * (ab == pair_at p')%:R.
under eq_bigr do rewrite !mxE mulrACA -/(f _); rewrite (sum_slots f (fun l => u l * v l)) /f.
rewrite (bigD1_seq (pair_at p)) ?uniq_pair_list ?mem_nth //= eqxx mul1r big1 ?addr0; last by move=> ab /negPf->; rewrite mul0r.
by rewrite nth_uniq ?uniq_pair_list // -val_eqE; case: (_ == _); rewrite ?mul1r ?mul0r.
Qed.

Definition entry (u : seq Z) (l : nat) : R := embed R (nth Z0 u l).

Lemma zfeatures_tensor e :
  to_vector R (size slots) (zfeatures d e) = to_vector R (size pairs) (packed_state d e) *m tensor (entry (zasked e)).
Proof.
pose rows := [seq coordinate e a | a <- iota 0 d].
pose S (ab : nat * nat) : Z := zdot (nth [::] rows ab.1) (nth [::] rows ab.2).
have -> : zfeatures d e = [seq S t.1 * nth 0 (zasked e) t.2 | t <- slots].
  by rewrite /zfeatures /slot_list map_allpairs.
apply/rowP => k; rewrite !mxE (nth_map (0, 0, 0)%N) // embedM.
have /allpairsP[[ab l] /= [ab_in _ slot_k]] := mem_nth (0, 0, 0)%N (ltn_ord k); rewrite slot_k /=.
pose f ab' : R := embed R (S ab') * ((ab == ab')%:R * entry (zasked e) l).
rewrite (eq_bigr (fun p : 'I_(size pairs) => f (pair_at p))) => [|p _]; last by rewrite !mxE slot_k (nth_map (0, 0)%N).
rewrite -(big_mkord xpredT (fun p => f (pair_at p))) -(big_nth (0, 0)%N xpredT f).
rewrite (bigD1_seq ab) ?uniq_pair_list //= /f eqxx mul1r big1 ?addr0 // => ab'.
by rewrite eq_sym => /negPf->; rewrite mul0r mulr0.
Qed.
End Tensors.

Section Groups.
Variables (R : realFieldType) (d : nat) (data : seq integer_example).
Hypothesis asked_sizes : all (fun e => size (zasked e) == d) data.
Notation q := (size (pair_list d)).
Notation m := (size (slot_list d)).
Notation table := (matrix_of R (size data) m (map (zfeatures d) data)).
Notation no_group := (Group [::] 0 (Minor Z0 [::] [::]) FewExamples).
Notation no_example := (IntegerExample [::] 0 [::]).
Notation example i := (nth no_example data i).

Section Accepted.
Variables (r : nat) (gs : seq group) (w : minor).
Hypothesis groups_ok : all (check_group d data) gs.
Hypothesis queries_ok : check_minor (map (group_query data) gs) d (size gs) w.
Notation group_at g := (nth no_group gs g).
Notation states g := (map (packed_state d) (pluck 0 data (members (group_at g)))).
Notation query_of_group g := (group_query data (group_at g)).

Lemma group_ok (g : 'I_(size gs)) : check_group d data (group_at g).
Proof. exact: (all_nthP no_group groups_ok). Qed.

Lemma membersE (g : 'I_(size gs)) : pluck 0 data (members (group_at g)) = [seq example i | i <- members (group_at g)]
  /\ all (fun i => i < size data)%N (members (group_at g)).
Proof. by have /and5P[/(plucksP no_example erefl)] := group_ok g. Qed.

Definition group_states (g : 'I_(size gs)) : 'M[R]_(size (states g), q) := matrix_of R (size (states g)) q (states g).
Definition group_tensor (g : 'I_(size gs)) : 'M[R]_(q, m) := tensor d (entry R (query_of_group g)).
Definition groups_span : 'M[R]_m := (\sum_g <<group_states g *m group_tensor g>>)%MS.

Lemma states_sizes (g : 'I_(size gs)) : all (fun row => size row == q) (states g).
Proof. by rewrite all_map (eq_all (a2 := predT)) ?all_predT // => e /=; rewrite size_map eqxx. Qed.

Lemma group_rankE g : \rank (group_states g) = rank_of_group (group_at g).
Proof.
have /and5P[_ _ _ lower upper] := group_ok g; apply/eqP; rewrite eqn_leq.
by rewrite (bound_sound R (states_sizes g) upper) (minor_sound R (states_sizes g) lower).
Qed.

Lemma members_ask (g : 'I_(size gs)) i : i \in members (group_at g) -> zasked (example i) = query_of_group g.
Proof.
case/(nthP 0%N)=> k lt <-; have /and5P[_ _ /(all_nthP no_example) same _ _] := group_ok g.
by apply: same_rowP; have := same k; have [-> _] := membersE g; rewrite size_map (nth_map 0%N) //; apply.
Qed.

Lemma query_sizes : all (fun u => size u == d) (map (group_query data) gs).
Proof.
rewrite all_map; apply/(all_nthP no_group) => g lt /=.
have := group_ok (Ordinal lt) => /and5P[_ some _ _ _]; rewrite /group_query.
have [eE /allP inside] := membersE (Ordinal lt); rewrite /= in eE inside; move: some; rewrite /= eE.
case: (members _) inside => [|i ks] //= inside _.
by apply: (all_nthP no_example asked_sizes); apply: inside; rewrite mem_head.
Qed.

Lemma independent_queries : exists2 B : 'M[R]_(d, size gs), True &
  forall g h : 'I_(size gs), \sum_(l < d) entry R (query_of_group g) l * B l h = (g == h)%:R.
Proof.
have := minor_sound R query_sizes queries_ok; set W := matrix_of R _ d _ => full.
have /row_freeP[B inv] : row_free W.
  by rewrite /row_free eqn_leq rank_leq_row {1}size_map.
pose same (g : 'I_(size gs)) : 'I_(size (map (group_query data) gs)) := cast_ord (esym (size_map _ _)) g.
exists (colsub same B) => // g h; have /matrixP/(_ (same g) (same h)) := inv; rewrite !mxE /= => e.
transitivity ((same g == same h)%:R : R); last by rewrite -!val_eqE.
rewrite -e; apply: eq_bigr => l _; rewrite [colsub _ _ _ _]mxE [W _ _]mxE; congr (embed R _ * _).
exact: (esym (congr1 (fun u : seq Z => nth Z0 u l) (nth_map no_group [::] (group_query data) (ltn_ord g)))).
Qed.

Lemma groups_span_rank : \rank groups_span = sumn (map rank_of_group gs).
Proof.
have [B _ inv] := independent_queries.
pose b (h : 'I_(size gs)) (l : nat) : R := if insub l is Some j then B j h else 0.
rewrite (@independent_groups _ _ _ _ _ _ _ (fun h => (tensor d (b h))^T)) => [|g h].
  under eq_bigr do rewrite group_rankE.
  rewrite -(big_mkord xpredT (fun g => rank_of_group (group_at g))) -(big_nth no_group xpredT rank_of_group).
  by rewrite sumnE big_map.
rewrite tensorK -inv; congr (_%:M); apply: eq_bigr => l _; by rewrite /b valK.
Qed.

Lemma size_states (g : 'I_(size gs)) : size (states g) = size (members (group_at g)).
Proof. by have [eE _] := membersE g; rewrite size_map eE size_map. Qed.

Lemma state_lt (g : 'I_(size gs)) (i : 'I_(size (states g))) : (i < size (members (group_at g)))%N.
Proof. exact: leq_trans (ltn_ord i) (eq_leq (size_states g)). Qed.

Lemma nth_states (g : 'I_(size gs)) i : (i < size (members (group_at g)))%N ->
  nth [::] (states g) i = packed_state d (example (nth 0%N (members (group_at g)) i)).
Proof. by move=> lt; have [-> _] := membersE g; rewrite (nth_map no_example) ?size_map // (nth_map 0%N). Qed.

(* Row i of a group is the row of the table of its i-th member. *)
Lemma group_row (g : 'I_(size gs)) (i : 'I_(size (states g))) :
  row i (group_states g *m group_tensor g) = to_vector R m (zfeatures d (example (nth 0%N (members (group_at g)) i))).
Proof.
have lt := state_lt i; rewrite zfeatures_tensor (members_ask (mem_nth _ lt)) row_mul; congr (_ *m _).
by apply/rowP => p; rewrite !mxE nth_states.
Qed.

Lemma table_row (j : 'I_(size data)) : row j table = to_vector R m (zfeatures d (example j)).
Proof. by apply/rowP => k; rewrite !mxE (nth_map no_example). Qed.

Lemma span_in_table : (groups_span <= table)%MS.
Proof.
apply/sumsmx_subP => g _; rewrite genmxE; apply/row_subP => i; rewrite group_row.
have [_ /allP inside] := membersE g; have j_lt := inside _ (mem_nth 0%N (state_lt i)).
by rewrite -(table_row (Ordinal j_lt)) row_sub.
Qed.

Lemma table_in_span : foldl strike (iota 0 (size data)) (map members gs) = [::] -> (table <= groups_span)%MS.
Proof.
move=> none; apply/row_subP => j.
have j_in : (j : nat) \in iota 0 (size data) by rewrite mem_iota /=.
case: (strike_keeps (map members gs) j_in); first by rewrite none.
case=> ks /(nthP [::])[g]; rewrite size_map => g_lt; rewrite (nth_map no_group) // => <- /(nthP 0%N)[i i_lt i_j].
have lt : (i < size (states (Ordinal g_lt)))%N by rewrite size_states.
rewrite table_row -i_j -(@group_row (Ordinal g_lt) (Ordinal lt)).
by apply: submx_trans (row_sub _ _) _; rewrite (sumsmx_sup (Ordinal g_lt)) // genmxE.
Qed.
End Accepted.

Theorem groups_sound r gs w : check_groups d data r gs w -> \rank table = r.
Proof.
case/and4P=> ok queries /Nat.eqb_eq <- /orP[/Nat.eqb_eq all_columns | /Nat.eqb_eq/size0nil covered]; rewrite -(groups_span_rank ok queries).
  apply/eqP; rewrite eqn_leq (mxrankS (span_in_table ok)) andbT; apply: leq_trans (rank_leq_col _) _.
  by rewrite (groups_span_rank ok queries) all_columns size_allpairs size_iota.
by apply/eqP; rewrite eqn_leq (mxrankS (span_in_table ok)) (mxrankS (table_in_span ok covered)).
Qed.
End Groups.
