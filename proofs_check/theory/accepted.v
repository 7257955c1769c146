(* Every accepted claim holds, and what it says about models: all empirical risk minimisers with enough heads. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import slots linear_attention head_count least_squares certificate dominance integer_vectors dyadic.
From Attest Require Import elimination feature_order checks table_checks label_checks soundness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Labels.
Variables (R : realFieldType) (d o : nat) (E : Z) (data : seq dyadic_example).
Hypothesis wf : all (well_formed d o E) data.
Notation m := (size (slot_list d)).
Notation examples := (map (integers E) data).
Notation ztable := (map (zfeatures d) examples).
Notation zlabels := (map zlabel examples).
Notation H := (table (real_data R d (data := data))).
Notation Y := (label_table (real_labels R o (data := data))).

Lemma zlabels_sizes : all (fun row : seq Z => size row == o) zlabels.
Proof.
rewrite !all_map; apply/(all_nthP no_example) => i lt /=.
by have /and4P[_ _ /Nat.eqb_eq size_l _] := all_nthP no_example wf _ lt; rewrite size_map size_l.
Qed.

Lemma labelled_zip : labelled d examples = [seq hy.1 ++ hy.2 | hy <- zip ztable zlabels].
Proof. by rewrite zip_map -map_comp. Qed.

Lemma labelsE : Y = power2 R E ^+ 3 *: matrix_of R (size data) o zlabels.
Proof.
apply/matrixP => i a; rewrite !mxE (nth_map (IntegerExample [::] 0 [::])) ?size_map // (nth_map no_example) //.
have /and4P[_ _ /Nat.eqb_eq size_l /(all_nthP (Dyadic Z0 Z0)) fine] := all_nthP no_example wf _ (ltn_ord i).
have a_lt : (a < size (label_of (nth no_example data i)))%N by rewrite size_l.
rewrite (alignE R (fine _ a_lt)) (nth_map (Dyadic Z0 Z0)) //; congr (_ * _).
by rewrite !exprS expr0 mulr1 -!power2D; congr power2; lia.
Qed.

Lemma fit_iff : (exists P, H *m P = Y) <-> (exists P, matrix_of R (size data) m ztable *m P = matrix_of R (size data) o zlabels).
Proof.
have c0 := unit3_neq0 R E; split=> -[P fit]; last first.
  by exists (reorder d R *m P); rewrite mulmxA (ztableE R wf) -scalemxAl fit labelsE.
exists ((reorder d R)^T *m P); apply: (scalerI c0).
by rewrite -labelsE -fit scalemxAl -(ztableE R wf) -mulmxA [reorder d R *m _]mulmxA reorder_right mul1mx.
Qed.
End Labels.

Section Accepted.
Variables (R : realFieldType) (d o : nat) (E : Z) (data queries : seq dyadic_example).

Theorem check_sound c e : check d o E data queries c e -> holds R d o data queries c.
Proof.
case/and3P=> wf wf_q; have sizes := ztable_sizes d E data; have size_t := size_ztable d E data.
have size_l : size (map zlabel (map (integers E) data)) = size (map (zfeatures d) (map (integers E) data)) by rewrite !size_map.
have l_sizes := zlabels_sizes wf; have minor := minor_sound R sizes; have bound := bound_sound R sizes.
rewrite size_t in minor bound size_l.
case: c e => [||r|lo hi|ks|ks||] [e|b|e b|L power x|r' e vs|es|v|r' b es|vs|v|r' b a e] //=.
- by move/minor; apply: (full_rankP wf).
- by case/andP=> m_pos /bound; apply: (deficientP wf).
- case/andP=> /minor ge /bound le; apply/eqP; rewrite -(ztable_rank R wf).
  by rewrite eqn_leq le ge.
- by case/andP=> lower upper; apply: (lambda_minP R wf wf_q lower upper).
- case/and5P=> /allP known /minor ge nulls le /allP zero k k_in.
  exact: (determined_by_basis wf wf_q (known _ k_in) ge nulls le (zero _ k_in)).
- case/and3P=> /allP known /Nat.eqb_eq size_e /(all_nthP (0%N, (Z0, [::]))) rel k /(nthP 0%N)[i lt <-].
  have := rel i; rewrite size_zip size_e minnn => /(_ lt); rewrite nth_zip //=.
  by move=> rel_i; apply: (determined_by_relation R wf wf_q (known _ (mem_nth 0%N lt)) rel_i).
- case/and4P=> /allP known /Nat.eqb_eq size_v null /allP seen k k_in.
  exact: (undetermined_by_null R wf wf_q (known _ k_in) size_v null (seen _ k_in)).
- case/and4P=> /allP known /bound le /Nat.eqb_eq size_e /(all_nthP (0%N, Minor Z0 [::] [::])) min k /(nthP 0%N)[i lt <-].
  have := min i; rewrite size_zip size_e minnn => /(_ lt); rewrite nth_zip //=.
  by move=> min_i; apply: (undetermined_by_extension wf wf_q (known _ (mem_nth 0%N lt)) le min_i).
- case/and4P=> o_pos /Nat.eqb_eq size_v nulls beyond; split=> //; apply/(fit_iff R wf).
  rewrite labelled_zip in nulls; rewrite -size_t; apply: (fit_sound R sizes l_sizes _ size_v o_pos nulls beyond).
  by rewrite size_t.
- case/and4P=> o_pos _ zero seen; split=> // /(fit_iff R wf).
  rewrite -size_t; rewrite labelled_zip in zero seen; apply: (label_relation_sound sizes l_sizes _ zero seen).
  by rewrite size_t.
case/and3P=> a_lt /bound le min_a; split; first exact: leq_ltn_trans a_lt.
move/(fit_iff R wf); rewrite -size_t in le size_l *.
apply: (label_extension_sound sizes size_l a_lt le (e := e)).
by rewrite zip_map -[X in check_minor X]map_comp; exact: min_a.
Qed.
End Accepted.

Section Models.
Variables (R : realFieldType) (d o k : nat) (E : Z) (data queries : seq dyadic_example).
Hypothesis enough : enough_heads d o k.
Notation labels := (@real_labels R o data).
Notation minimises := (erm (@real_data R d data) labels k).
Notation answer T q := (run T (real_example R d (nth no_example queries q))).

Theorem determined_answers qs e q T T' : check d o E data queries (Determined qs) e -> q \in qs ->
  minimises T -> minimises T' -> answer T q = answer T' q.
Proof. by move=> /(check_sound R) ok q_in; apply: determined => //; apply: ok. Qed.

Theorem undetermined_answers qs e q : (0 < o)%N -> check d o E data queries (Undetermined qs) e -> q \in qs ->
  exists T T', [/\ minimises T, minimises T' & answer T q != answer T' q].
Proof. by move=> o_pos /(check_sound R) ok q_in; apply: undetermined => //; apply: ok. Qed.

Theorem full_rank_answers e T T' : (0 < o)%N -> check d o E data queries FullRank e ->
  minimises T -> minimises T' -> forall x, run T x = run T' x.
Proof. by move=> o_pos /(check_sound R) /(identifiable _ labels enough o_pos) same /same; apply. Qed.

Theorem deficient_answers e : (0 < o)%N -> check d o E data queries Deficient e ->
  exists T T' x, [/\ minimises T, minimises T' & run T x != run T' x].
Proof. by move=> o_pos /(check_sound R); apply: not_identifiable. Qed.

(* Labels that can be fitted are fitted by a layer of at most k heads; else no layer of any number of heads does. *)
Theorem consistent_labels e : check d o E data queries LabelsConsistent e ->
  exists2 T, (size T <= k)%N & forall i, run T (real_data R d i) = labels i.
Proof.
case/(check_sound R)=> _ [P fit]; have [T few T_P] := enough_heads_reach P enough; exists T => // i.
apply/colP => a; rewrite -fitted T_P fit mxE; by rewrite mxE.
Qed.

Theorem inconsistent_labels e : check d o E data queries LabelsInconsistent e ->
  forall T : layer R d o, ~ forall i, run T (real_data R d i) = labels i.
Proof.
case/(check_sound R)=> _ none T fit; case: none; exists (coefficients T).
by apply/matrixP => i a; rewrite fitted fit [RHS]mxE [RHS]mxE.
Qed.
End Models.
