(* What the checks of labels-consistent and labels-inconsistent prove about integer tables. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import spans integer_vectors elimination checks table_checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Labels.
Variables (R : realFieldType) (m o : nat) (features labels : seq (seq Z)).
Hypotheses (features_m : all (fun row : seq Z => size row == m) features)
  (labels_o : all (fun row : seq Z => size row == o) labels) (same : size labels = size features).
Notation N := (size features).
Notation H := (matrix_of R N m features).
Notation Y := (matrix_of R N o labels).
Notation both := [seq hy.1 ++ hy.2 | hy <- zip features labels].

Lemma size_both : size both = N.
Proof. by rewrite size_map size_zip same minnn. Qed.

Lemma nth_both i : (i < N)%N -> nth [::] both i = nth [::] features i ++ nth [::] labels i.
Proof. by move=> lt; rewrite (nth_map ([::], [::])) ?nth_zip ?size_zip ?same ?minnn. Qed.

Lemma both_sizes : all (fun row : seq Z => size row == m + o)%N both.
Proof.
apply/(all_nthP [::]) => i; rewrite size_both => lt; rewrite nth_both // size_cat.
by rewrite (eqP (all_nthP [::] features_m _ lt)) (eqP (all_nthP [::] labels_o _ _)) ?same.
Qed.

Lemma bothE : matrix_of R N (m + o) both = row_mx H Y.
Proof.
apply/matrixP => i j; rewrite !mxE nth_both // nth_cat (eqP (all_nthP [::] features_m _ (ltn_ord i))).
by case: split_ordP => k ->; rewrite mxE //= addKn.
Qed.

Theorem fit_sound vs : size vs = o -> (0 < o)%N -> check_nulls both (m + o) vs -> (m < last_place (head [::] vs))%N ->
  exists P, H *m P = Y.
Proof.
move=> size_vs o_pos nulls beyond; have [_ ] := nulls_sound R size_both both_sizes nulls.
have /and3P[/allP size_v _ stairs] := nulls; rewrite size_vs bothE.
pose V := matrix_of R o (m + o) vs; rewrite -/V -[V]hsubmxK tr_row_mx mul_row_col => /eqP; rewrite addr_eq0 => /eqP zero.
have places k : (k < o)%N -> nth 0%N (map last_place vs) k = last_place (nth [::] vs k).
  by move=> lt; rewrite (nth_map [::]) ?size_vs.
move: stairs; rewrite /= (path_sortedE ltn_trans) => /andP[_ sorted_places].
have increasing i j : (i < j < o)%N -> (last_place (nth [::] vs i) < last_place (nth [::] vs j))%N.
  case/andP=> ij jo; rewrite -!places ?(ltn_trans ij) //.
  by apply: (sorted_ltn_nth ltn_trans) => //; rewrite inE size_map size_vs // (ltn_trans ij).
have above i : (i < o)%N -> (m < last_place (nth [::] vs i))%N.
  case: i => [|i] lt; first by rewrite nth0.
  by rewrite -nth0 in beyond; apply: ltn_trans beyond _; apply: increasing.
have nonzero_end (i : 'I_o) : (last_place (nth [::] vs i) <= m + o)%N /\ (nth [::] vs i)`_(last_place (nth [::] vs i)).-1 != 0.
  have := above i (ltn_ord i); case: (last_placeP (nth [::] vs i)) => [-> // | [/andP[_ le] nz] _]; split=> //.
  have size_v' v : v \in vs -> size v = (m + o)%N by move/size_v/Nat.eqb_eq.
  by rewrite -(size_v' (nth [::] vs i)) ?mem_nth ?size_vs.
have bound (i : 'I_o) : ((last_place (nth [::] vs i)).-1 - m < o)%N.
  by have := above i (ltn_ord i); have [le _] := nonzero_end i; lia.
have free : row_free (rsubmx V).
  apply: (@staircase_free _ _ _ _ (fun i => Ordinal (bound i))) => [i | i j ij]; rewrite !mxE /=.
    have := above i (ltn_ord i); have [_ nz] := nonzero_end i => lt.
    by rewrite subnKC ?embed_eq0 // -ltnS prednK // (leq_ltn_trans _ lt).
  have lt := above j (ltn_ord j); rewrite subnKC; last by lia.
  rewrite beyond_last_place ?embed0 //; have := increasing i j; rewrite ij ltn_ord => /(_ isT); lia.
exists (- (lsubmx V)^T *m invmx (rsubmx V)^T).
by rewrite mulmxA mulmxN zero opprK mulmxK // unitmx_tr -row_free_unit.
Qed.

Lemma to_vector_cat u : size u = (m + o)%N -> to_vector R (m + o) u = row_mx (to_vector R m (take m u)) (to_vector R o (drop m u)).
Proof.
move=> size_u; apply/rowP => j; rewrite !mxE; case: split_ordP => k ->; rewrite mxE /=; first by rewrite nth_take.
by rewrite nth_drop.
Qed.

Theorem label_relation_sound v : let sum := combine (m + o) v both in
  ~~ nonzero (take m sum) -> nonzero (drop m sum) -> ~ exists P, H *m P = Y.
Proof.
move=> sum zero seen [P fit]; have size_sum : size sum = (m + o)%N by rewrite size_combine ?both_sizes.
have := combine_sound R v both_sizes; rewrite size_both bothE -/sum (to_vector_cat size_sum) mul_mx_row.
case/eq_row_mx=> uH uY; have size_d : size (drop m sum) = o by rewrite size_drop size_sum addKn.
have /eqP := elimT (nonzeroP R size_d) seen; apply; rewrite uY -fit mulmxA -uH.
have size_take : size (take m sum) = m by rewrite size_takel // size_sum leq_addr.
have -> : to_vector R m (take m sum) = 0 by apply/eqP; apply: contraNT zero => /(nonzeroP R size_take).
by rewrite mul0mx.
Qed.

Theorem label_extension_sound r a e : (a < o)%N -> (\rank H <= r)%N ->
  check_minor [seq rcons hy.1 (nth 0%R hy.2 a) | hy <- zip features labels] m.+1 r.+1 e -> ~ exists P, H *m P = Y.
Proof.
set extended := map _ _ => a_lt le minor [P fit].
have size_e : size extended = N by rewrite size_map size_zip same minnn.
have nth_e i : (i < N)%N -> nth [::] extended i = rcons (nth [::] features i) (nth [::] labels i)`_a.
  by move=> lt; rewrite (nth_map ([::], [::])) ?nth_zip ?size_zip ?same ?minnn.
have sizes : all (fun row : seq Z => size row == m.+1) extended.
  apply/(all_nthP [::]) => i; rewrite size_e => lt; rewrite nth_e // size_rcons.
  by rewrite (eqP (all_nthP [::] features_m _ lt)).
have := minor_sound R sizes minor; rewrite size_e leqNgt ltnS => /negP; case; apply: leq_trans le.
pose C : 'M[R]_(m, m.+1) := \matrix_(i, j) if (j < m)%N then (i == j :> nat)%:R else P i (Ordinal a_lt).
suff -> : matrix_of R N m.+1 extended = H *m C by apply: mxrankM_maxl.
apply/matrixP => i j; rewrite !mxE nth_e // nth_rcons (eqP (all_nthP [::] features_m _ (ltn_ord i))).
case: ltnP => [lt | ge].
  rewrite (bigD1 (Ordinal lt)) //= big1 ?addr0 => [|k ne]; first by rewrite !mxE lt eqxx mulr1.
  by rewrite !mxE lt; case: eqP => [ek | _]; [case/eqP: ne; apply: val_inj | rewrite mulr0].
have -> : (j == m :> nat) by rewrite eqn_leq ge -ltnS ltn_ord.
have := congr1 (fun B : 'M_(_, _) => B i (Ordinal a_lt)) fit; rewrite !mxE /= => <-.
by apply: eq_bigr => k _; rewrite !mxE ltnNge ge.
Qed.
End Labels.
