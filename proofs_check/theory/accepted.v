(* Every accepted claim holds of the features, of the paper's layer and of every other one; and what it says about models:
   all empirical risk minimisers with enough heads, or all coefficients that minimise the risk. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import slots linear_attention head_count least_squares certificate integer_vectors dyadic.
From Attest Require Import elimination feature_order layers checks table_checks grouped soundness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Data.
Variables (R : realFieldType) (d : nat).

Definition real_example (e : dyadic_example) : example R d := to_example d R e.
Definition real_data (data : seq dyadic_example) (i : 'I_(size data)) := real_example (nth no_example data i).
Definition real_labels o (data : seq dyadic_example) (i : 'I_(size data)) : 'cV[R]_o :=
  \col_a value R (nth (Dyadic Z0 Z0) (label_of (nth no_example data i)) a).

(* What a claim says about the data, with the paper's layer. *)
Definition holds (o : nat) (data queries : seq dyadic_example) (c : claim) : Prop :=
  says (table (real_data (data := data))) (label_table (real_labels o (data := data)))
    (fun k => features_of (real_example (nth no_example queries k))) c.

Lemma unit3_sqr E : power2 R E ^+ 3 ^+ 2 = power2 R (Z.mul 6 E).
Proof. by rewrite -exprM !exprS expr0 mulr1 -!power2D; congr power2; lia. Qed.

Section Units.
Variables (o : nat) (E : Z) (data : seq dyadic_example).
Hypothesis wf : all (well_formed d o E) data.
Notation ztable := [seq zfeatures d (integers E x) | x <- data].
Notation zlabels := [seq zlabel (integers E x) | x <- data].
Notation H := (table (real_data (data := data))).
Notation unit3 := (power2 R E ^+ 3).

Lemma ztableE : H *m reorder d R = unit3 *: matrix_of R (size data) (size (slot_list d)) ztable.
Proof.
apply/row_matrixP => i; rewrite row_mul rowK (zfeaturesE R (o := o) (E := E)); last exact: (all_nthP _ wf).
by apply/rowP => j; rewrite !mxE (nth_map no_example).
Qed.

Lemma zlabels_sizes : all (fun row : seq Z => size row == o) zlabels.
Proof.
rewrite all_map; apply/(all_nthP no_example) => i lt /=.
by have /and4P[_ _ /Nat.eqb_eq size_l _] := all_nthP no_example wf _ lt; rewrite size_map size_l.
Qed.

Lemma zlabelsE : label_table (real_labels o (data := data)) = unit3 *: matrix_of R (size data) o zlabels.
Proof.
apply/matrixP => i a; rewrite !mxE (nth_map no_example) //.
have /and4P[_ _ /Nat.eqb_eq size_l /(all_nthP (Dyadic Z0 Z0)) fine] := all_nthP no_example wf _ (ltn_ord i).
have a_lt : (a < size (label_of (nth no_example data i)))%N by rewrite size_l.
rewrite (alignE R (fine _ a_lt)) (nth_map (Dyadic Z0 Z0)) //; congr (_ * _).
by rewrite !exprS expr0 mulr1 -!power2D; congr power2; lia.
Qed.

(* Scaling by 2^E: the second moment is 2^(6 E) times that of the integers, up to the order of the features. *)
Theorem scaled_second_moment : (reorder d R)^T *m second_moment H *m reorder d R
  = power2 R (Z.mul 6 E) *: second_moment (matrix_of R (size data) (size (slot_list d)) ztable).
Proof.
set A := matrix_of _ _ _ _; have transpose : (unit3 *: A)^T = unit3 *: A^T by apply/matrixP => i j; rewrite !mxE.
rewrite /second_moment -scalemxAr -scalemxAl mulmxA -trmx_mul -mulmxA ztableE transpose.
by rewrite -scalemxAl -scalemxAr !scalerA -mulrA -expr2 unit3_sqr mulrC.
Qed.
End Units.

Lemma zfeatures_sizes E (data : seq dyadic_example) :
  all (fun row : seq Z => size row == size (slot_list d)) [seq zfeatures d (integers E x) | x <- data].
Proof. by rewrite all_map; apply/(all_nthP no_example) => i _ /=; rewrite size_zfeatures. Qed.

Lemma asked_sizes o E (data : seq dyadic_example) : all (well_formed d o E) data ->
  all (fun e => size (zasked e) == d) (map (integers E) data).
Proof.
move=> wf; rewrite all_map; apply/(all_nthP no_example) => i lt /=.
have /and4P[query_lt /(all_nthP [::]) sizes _ _] := all_nthP no_example wf i lt.
by have /andP[/Nat.eqb_eq size_x _] := sizes _ query_lt; rewrite /zasked (nth_map [::]) // size_map size_x.
Qed.

Lemma groups_rank o E (data queries : seq dyadic_example) r gs w : all (well_formed d o E) data ->
  check_groups d (map (integers E) data) r gs w -> holds o data queries (Rank r).
Proof.
move=> wf /(groups_sound R (asked_sizes wf)); rewrite size_map -map_comp => <-; apply/esym.
exact: (table_rank (reorder_right d R) (expf_neq0 3 (power2_neq0 R E)) (ztableE wf)).
Qed.

Theorem check_sound o E data queries c e : check d o E data queries c e -> holds o data queries c.
Proof.
case/and3P=> wf wf_q checked.
have [[r [gs [w [-> ok]]]] | {}checked] : (exists r gs w, c = Rank r /\ check_groups d (map (integers E) data) r gs w)
    \/ check_claim (size (slot_list d)) o (Z.mul 6 E) 1 [seq zfeatures d (integers E x) | x <- data]
         [seq zlabel (integers E x) | x <- data] [seq zfeatures d (integers E x) | x <- queries] c e.
- by case: c e checked => [||r|? ?|?|?|||? ?] [?|?|? ?|? ? ?|? ? ?|?|?|? ? ?|?|?|? ? ? ?|?|gs w] ok; try (by right); left; exists r, gs, w.
- exact: groups_rank wf ok.
move: checked; apply: (sound (F := reorder d R) (unit := power2 R E ^+ 3)); rewrite ?size_map //.
- exact: reorder_right.
- exact: reorder_left.
- by rewrite expf_neq0 ?power2_neq0.
- by rewrite unit3_sqr -[embed R 1]/(1 : R) mul1r.
- exact: zfeatures_sizes.
- exact: zlabels_sizes wf.
- exact: zfeatures_sizes.
- exact: ztableE wf.
- exact: zlabelsE wf.
move=> k lt; rewrite (nth_map no_example) //; apply: (zfeaturesE R (o := 0)).
by apply: (all_nthP _ wf_q).
Qed.
End Data.

Section Layers.
Variables (R : realFieldType) (l : layer) (P o : nat) (E D : Z) (data queries : seq layer_example).

Definition no_layer_example := LayerExample [::] [::] [::] [::].
Notation examples i := (nth no_layer_example data i).
Definition layer_table : 'M[R]_(size data, size (entries l)) := \matrix_i layer_features R l (examples i).
Definition layer_label_table : 'M[R]_(size data, o) := \matrix_(i, a) value R (nth zero (answers (examples i)) a).
Definition layer_asked (k : nat) : 'rV[R]_(size (entries l)) := layer_features R l (nth no_layer_example queries k).

Theorem check_layer_sound c e : check_layer l P o E D data queries c e -> says layer_table layer_label_table layer_asked c.
Proof.
case/and4P=> wf_l wf wf_q; have D_pos : Z.lt 0 D by case/and3P: wf_l => _ /Z.ltb_lt.
have fine i (lt : (i < size data)%N) := all_nthP no_layer_example wf i lt.
have fine_q i (lt : (i < size queries)%N) := all_nthP no_layer_example wf_q i lt.
apply: (sound (F := 1%:M) (unit := layer_unit R P E D)); rewrite ?size_map ?trmx1 ?mulmx1 //.
- exact: layer_unit_neq0 wf_l.
- exact: Z.mul_pos_pos.
- exact: layer_unit_sqr wf_l.
- by rewrite all_map; apply/(all_nthP no_layer_example) => i lt /=; rewrite size_layer_row.
- by rewrite all_map; apply/(all_nthP no_layer_example) => i lt /=; rewrite (size_layer_labels (fine i lt)).
- by rewrite all_map; apply/(all_nthP no_layer_example) => i lt /=; rewrite size_layer_row.
- apply/row_matrixP => i; rewrite rowK (layer_rowE R wf_l (fine i _)) //.
  by apply/rowP => j; rewrite !mxE (nth_map no_layer_example).
- apply/matrixP => i a; rewrite !mxE (nth_map no_layer_example) //.
  exact: (layer_labelsE R wf_l (fine i (ltn_ord i))).
by move=> k lt; rewrite mulmx1 (nth_map no_layer_example) // -(layer_rowE R wf_l (fine_q k lt)).
Qed.

(* All coefficients that minimise the risk give one answer to a query, or two of them differ on it. *)
Notation minimal := (minimiser layer_table layer_label_table).

Theorem layer_determined_answers ks e k C C' : check_layer l P o E D data queries (Determined ks) e -> k \in ks ->
  minimal C -> minimal C' -> layer_asked k *m C = layer_asked k *m C'.
Proof. by move=> /check_layer_sound ok k_in; apply: agree_in_span; apply: ok. Qed.

Theorem layer_undetermined_answers ks e k : (0 < o)%N -> check_layer l P o E D data queries (Undetermined ks) e -> k \in ks ->
  exists C C', [/\ minimal C, minimal C' & layer_asked k *m C != layer_asked k *m C'].
Proof.
move=> o_pos /check_layer_sound ok k_in; have [C min] := minimiser_exists layer_table layer_label_table.
by have [C' min' differ] := disagree_outside o_pos (ok _ k_in) min; exists C, C'.
Qed.
End Layers.

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
  forall T : linear_attention.layer R d o, ~ forall i, run T (real_data R d i) = labels i.
Proof.
case/(check_sound R)=> _ none T fit; case: none; exists (coefficients T).
by apply/matrixP => i a; rewrite fitted fit [RHS]mxE [RHS]mxE.
Qed.

(* No layer of any number of heads has a smaller training loss. *)
Theorem inexpressible_loss A B e : check d o E data queries (Inexpressible A B) e ->
  forall T : linear_attention.layer R d o, embed R A / embed R B <= training_loss (@real_data R d data) labels T.
Proof. by case/(check_sound R)=> _ least T; rewrite training_lossE; apply: least. Qed.
End Models.
