(* What each check of checks.v proves about integer tables. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import least_squares spans dominance integer_vectors dyadic elimination checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Lemma size_pluck T1 T2 i (s : seq T1) (t : seq T2) ks : size s = size t -> size (pluck i s ks) = size (pluck i t ks).
Proof.
elim: s t i ks => [|x s IH] [|y t] i [|k ks] //= [e].
by case: (Nat.eqb i k) => /=; rewrite (IH t).
Qed.

Lemma pluckP T (x0 : T) i s ks : size (pluck i s ks) = size ks ->
  pluck i s ks = [seq nth x0 s (k - i) | k <- ks] /\ all (fun k => (i <= k < i + size s)%N) ks.
Proof.
have behind x u j l : (j < l)%N -> nth x0 (x :: u) (l - j) = nth x0 u (l - j.+1) by move=> /subnSK <-.
elim: s i ks => [|x s IH] i [|k ks] //=; case: (Nat.eqb_spec i k) => [<- | ne] /=.
  case=> /IH[-> /allP le]; rewrite subnn /=; split; last first.
    by apply/andP; split; [lia | apply/allP => j /le; lia].
  by congr (_ :: _); apply/eq_in_map => j /le /andP[lt _]; rewrite behind.
case/IH=> -> /= /andP[/andP[lt lt'] /allP le]; split; last first.
  by apply/andP; split; [lia | apply/allP => j /le; lia].
by rewrite behind //; congr (_ :: _); apply/eq_in_map => j /le /andP[lt_j _]; rewrite behind.
Qed.

Lemma plucksP T (x0 : T) s n ks : size s = n -> plucks n ks ->
  pluck 0 s ks = [seq nth x0 s k | k <- ks] /\ all (fun k => k < n)%N ks.
Proof.
move=> <-; rewrite /plucks => /Nat.eqb_eq e; have [|-> le] := @pluckP T x0 0 s ks.
  by rewrite -e; apply: size_pluck; rewrite size_iota.
by split=> //; apply/eq_map => k; rewrite subn0.
Qed.

Section Soundness.
Local Open Scope ring_scope.
Variable R : realFieldType.

Definition matrix_of N m (table : seq (seq Z)) : 'M[R]_(N, m) := \matrix_(i, j) embed R (nth [::] table i)`_j.

Lemma minor_sound table m r e : all (fun row => size row == m) table -> check_minor table m r e ->
  (r <= \rank (matrix_of (size table) m table))%N.
Proof.
move=> /allP sizes /and4P[rows cols /Nat.eqb_eq size_c].
have [sel_rows /allP rows_in] := plucksP [::] erefl rows.
have [_ /allP cols_in] := plucksP 0%N (size_iota 0 m) cols.
pose sel := [seq [seq row`_k | k <- columns_of_minor e] | row <- [seq nth [::] table i | i <- rows_of e]].
have -> : [seq pluck 0 row (columns_of_minor e) | row <- pluck 0 table (rows_of e)] = sel.
  rewrite sel_rows; apply/eq_in_map => _ /mapP[i i_in ->].
  have size_row := eqP (sizes _ (mem_nth [::] (rows_in _ i_in))).
  by have [-> _] := plucksP 0 size_row cols.
have size_sel : size sel = size (rows_of e) by rewrite !size_map.
move=> /(full_rank_mod_full R) full.
have {}full : row_full (to_matrix R r sel).
  by apply: full; apply/allP => _ /mapP[row _ ->]; rewrite size_map size_c.
have f_lt (i : 'I_(size sel)) : (nth 0%N (rows_of e) i < size table)%N.
  by apply: rows_in; rewrite mem_nth // -size_sel.
have g_lt (j : 'I_r) : (nth 0%N (columns_of_minor e) j < m)%N by apply: cols_in; rewrite mem_nth // size_c.
apply: (@minor_rank _ _ _ _ _ _ (fun i => Ordinal (f_lt i)) (fun j => Ordinal (g_lt j))).
suff -> : mxsub (fun i => Ordinal (f_lt i)) (fun j => Ordinal (g_lt j)) (matrix_of (size table) m table)
  = to_matrix R r sel by [].
have lt (i : 'I_(size sel)) : (i < size (rows_of e))%N by rewrite -size_sel.
apply/matrixP => i j; rewrite !mxE /= /sel (nth_map [::]); last by rewrite [X in (_ < X)%N]size_map; apply: lt.
by rewrite (nth_map 0%N) ?size_c // (nth_map 0%N).
Qed.

Lemma orthogonal_sound N m table v : size table = N -> all (fun row => size row == m) table -> size v = m ->
  orthogonal table v -> matrix_of N m table *m (to_vector R m v)^T = 0.
Proof.
move=> size_t /allP sizes size_v /allP zero; apply/row_matrixP => i; rewrite row_mul row0.
have -> : row i (matrix_of N m table) = to_vector R m (nth [::] table i).
  by apply/rowP => j; rewrite !mxE.
have row_in : nth [::] table i \in table by rewrite mem_nth // size_t.
apply/rowP => j; rewrite ord1 (to_vector_dot _ (eqP (sizes _ row_in)) size_v) mxE.
by apply/eqP; rewrite embed_eq0; apply/eqP/Z.eqb_eq/zero.
Qed.

Lemma query_sound m h v : size h = m -> size v = m ->
  (to_vector R m h *m (to_vector R m v)^T == 0) = orthogonal [:: h] v.
Proof.
move=> size_h size_v; rewrite /orthogonal /= andbT; apply/eqP/Z.eqb_spec => [/matrixP/(_ 0 0) | e].
  by rewrite (to_vector_dot _ size_h size_v) [RHS]mxE => /eqP; rewrite embed_eq0 => /eqP.
by apply/matrixP => i j; rewrite !ord1 (to_vector_dot _ size_h size_v) e [RHS]mxE.
Qed.

Lemma queries_sound m h vs : size h = m -> all (fun v => size v == m) vs -> all (orthogonal [:: h]) vs ->
  to_vector R m h *m (matrix_of (size vs) m vs)^T = 0.
Proof.
move=> size_h /(all_nthP [::]) size_v /(all_nthP [::]) zero; apply/rowP => i.
have := query_sound size_h (eqP (size_v i (ltn_ord i))); rewrite zero // => /eqP/matrixP/(_ 0 0).
by rewrite !mxE => e; rewrite -[RHS]e; apply: eq_bigr => j _; rewrite !mxE.
Qed.

Lemma last_placeP v : last_place v = 0%N \/
  (0 < last_place v <= size v)%N /\ v`_(last_place v).-1 != 0.
Proof.
elim: v => [|x v IH] /=; first by left.
case: IH => [-> | [/andP[pos le] nz]] /=.
  case: Z.eqb_spec => [_ | ne]; first by left.
  by right; split=> //; apply/eqP.
by right; rewrite pos; split=> //=; case: (last_place v) pos nz.
Qed.

Lemma beyond_last_place v i : (last_place v <= i)%N -> v`_i = 0.
Proof.
elim: v i => [|x v IH] i /=; first by rewrite nth_nil.
case: ifP => [_ | /negbT]; first by case: i => // i; rewrite ltnS => /IH.
rewrite -leqNgt leqn0 => /eqP e; case: Z.eqb_spec => [-> | _]; case: i => // i _.
  by apply: IH; rewrite e.
by apply: IH; rewrite e.
Qed.

Lemma nulls_sound table N m vs : size table = N -> all (fun row : seq Z => size row == m) table ->
  check_nulls table m vs ->
  let V := matrix_of (size vs) m vs in row_free V /\ matrix_of N m table *m V^T = 0.
Proof.
move=> size_t sizes /and3P[/allP size_v /allP zero stairs] V.
have size_v' v : v \in vs -> size v = m by move/size_v/Nat.eqb_eq.
split; last first.
  apply: trmx_inj; rewrite trmx_mul trmxK trmx0; apply/row_matrixP => i; rewrite row_mul row0.
  have v_in : nth [::] vs i \in vs by rewrite mem_nth.
  have -> : row i V = to_vector R m (nth [::] vs i) by apply/rowP => j; rewrite !mxE.
  apply: trmx_inj; rewrite trmx_mul trmxK trmx0.
  exact: (orthogonal_sound size_t sizes (size_v' _ v_in) (zero _ v_in)).
have place i : (i < size vs)%N -> nth 0%N (map last_place vs) i = last_place (nth [::] vs i).
  by move=> lt; rewrite (nth_map [::]).
move: stairs; rewrite /= (path_sortedE ltn_trans) => /andP[/allP all_pos sorted_places].
have increasing i j : (i < j < size vs)%N -> (last_place (nth [::] vs i) < last_place (nth [::] vs j))%N.
  case/andP=> ij jn; rewrite -!place ?(ltn_trans ij) //.
  by apply: (sorted_ltn_nth ltn_trans) => //; rewrite inE size_map // (ltn_trans ij).
have positive i : (i < size vs)%N -> (0 < last_place (nth [::] vs i))%N.
  by move=> lt; rewrite -place // all_pos // mem_nth // size_map.
have bound (i : 'I_(size vs)) : ((last_place (nth [::] vs i)).-1 < m)%N.
  have := positive i (ltn_ord i); case: (last_placeP (nth [::] vs i)) => [-> // | [/andP[pos le] _]] _.
  by rewrite prednK // (leq_trans le) // (size_v' _ _) ?mem_nth.
apply: (@staircase_free _ _ _ _ (fun i => Ordinal (bound i))) => [i | i j ij]; rewrite mxE /=.
  have := positive i (ltn_ord i); case: (last_placeP (nth [::] vs i)) => [-> // | [_ nz]] _.
  by rewrite embed_eq0.
rewrite beyond_last_place ?embed0 // -ltnS prednK ?positive //.
by apply: increasing; rewrite ij /=.
Qed.

Lemma bound_sound table m r b : all (fun row : seq Z => size row == m) table -> check_bound table m r b ->
  (\rank (matrix_of (size table) m table) <= r)%N.
Proof.
case: b => [|vs] sizes /=; first exact: leq_trans (rank_leq_row _).
case/andP=> /(nulls_sound erefl sizes)[free zero] le.
by rewrite -(leq_add2r (size vs)); apply: leq_trans le; apply: null_rank free zero.
Qed.

Lemma nth_add_multiple (f : Z) u t j : size u = size t -> (add_multiple f u t)`_j = u`_j + f * t`_j.
Proof.
elim: u t j => [|x u IH] [|y t] j //=; first by rewrite nth_nil mulr0.
by case=> e; case: j => [|j] //=; apply: IH.
Qed.

Lemma size_combine table m v : all (fun row : seq Z => size row == m) table -> size (combine m v table) = m.
Proof.
elim: table v => [|row table IH] [|x v] //=; rewrite ?size_nseq // => /andP[/eqP size_r sizes].
by case: ifP => _; rewrite ?size_add_multiple ?IH.
Qed.

Lemma nth_combine table m v j : all (fun row : seq Z => size row == m) table ->
  (combine m v table)`_j = \sum_(i < size table) v`_i * (nth [::] table i)`_j.
Proof.
elim: table v => [|row table IH] [|x v] /=; rewrite ?nth_nseq ?if_same ?big_ord0 //.
  by rewrite big1 // => i _; rewrite nth_nil mul0r.
case/andP=> /eqP size_r sizes; rewrite big_ord_recl /= -(IH v sizes).
case: Z.eqb_spec => [-> | _]; first by rewrite mul0r add0r.
by rewrite nth_add_multiple ?size_combine // addrC.
Qed.

Lemma combine_sound table m v : all (fun row : seq Z => size row == m) table ->
  to_vector R m (combine m v table) = to_vector R (size table) v *m matrix_of (size table) m table.
Proof.
move=> sizes; apply/rowP => j; rewrite !mxE nth_combine // embed_sum.
by apply: eq_bigr => i _; rewrite !mxE embedM.
Qed.

Lemma nonzeroP m u : size u = m -> reflect (to_vector R m u != 0) (nonzero u).
Proof.
move=> size_u; apply: (iffP hasP) => [[x /(nthP 0)[k lt <-] ne] | /negP ne].
  rewrite size_u in lt; apply/eqP => /rowP/(_ (Ordinal lt))/eqP.
  by rewrite !mxE embed_eq0 => /eqP/Z.eqb_eq e; rewrite e in ne.
apply/hasP; apply: contraT => /hasPn zero; case: ne; apply/eqP/rowP => j; rewrite !mxE.
have j_lt : (j < size u)%N by rewrite size_u.
by have /negbNE/Z.eqb_eq -> := zero _ (mem_nth 0 j_lt); rewrite embed0.
Qed.

Lemma relation_sound table m row e : all (fun row : seq Z => size row == m) table -> size row = m ->
  check_relation table m row e -> (to_vector R m row <= matrix_of (size table) m table)%MS.
Proof.
case: e => c v sizes size_row /and3P[/= c_nz /Nat.eqb_eq size_v zero].
have sum : to_vector R m (add_multiple c (combine m v table) row)
  = to_vector R (size table) v *m matrix_of (size table) m table + embed R c *: to_vector R m row.
  by apply/rowP => j; rewrite -combine_sound // !mxE nth_add_multiple ?size_combine // embedD embedM.
have {}zero : to_vector R (size table) v *m matrix_of (size table) m table + embed R c *: to_vector R m row = 0.
  rewrite -sum; apply/eqP; apply: contraNT zero => /nonzeroP; apply.
  by rewrite size_add_multiple ?size_combine.
have c0 : embed R c != 0 by rewrite embed_eq0; apply: contra c_nz => /eqP->.
have -> : to_vector R m row = - (embed R c)^-1 *: (to_vector R (size table) v *m matrix_of (size table) m table).
  by have /eqP := zero; rewrite addr_eq0 => /eqP->; rewrite scalerN scaleNr opprK scalerA mulVf // scale1r.
by apply: scalemx_sub; apply: submxMl.
Qed.
End Soundness.
