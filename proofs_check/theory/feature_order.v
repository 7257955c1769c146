(* The features of dyadic data as a checker computes them, in integers and in the order of FORMAT.md. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import slots linear_attention certificate integer_vectors dyadic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

(* Pairs a < b in lexicographic order, then the squares; beside each, every third coordinate. *)
Definition pair_list (d : nat) : seq (nat * nat) :=
  [seq ab <- [seq (a, b) | a <- iota 0 d, b <- iota 0 d] | ab.1 < ab.2] ++ [seq (a, a) | a <- iota 0 d].
Definition slot_list (d : nat) : seq (nat * nat * nat) := [seq (ab, l) | ab <- pair_list d, l <- iota 0 d].

(* An example: columns of d coordinates, the number of the query's column, o labels; of dyadic numbers, and of integers. *)
Record dyadic_example := DyadicExample { columns_of : seq (seq dyadic); query_of : nat; label_of : seq dyadic }.
Record integer_example := IntegerExample { zcolumns : seq (seq Z); zquery : nat; zlabel : seq Z }.

(* Tokens in units of 2^E, labels in units of 2^(3 E), as the features then are. *)
Definition integers (E : Z) (e : dyadic_example) : integer_example :=
  IntegerExample [seq map (align E) x | x <- columns_of e] (query_of e) (map (align (Z.mul 3 E)) (label_of e)).

Definition well_formed (d o : nat) (E : Z) (e : dyadic_example) : bool :=
  [&& query_of e < size (columns_of e), all (fun x => Nat.eqb (size x) d && all (aligned E) x) (columns_of e),
      Nat.eqb (size (label_of e)) o & all (aligned (Z.mul 3 E)) (label_of e)].

Definition coordinate (e : integer_example) (a : nat) : seq Z := [seq nth Z0 x a | x <- zcolumns e].
Definition zfeatures (d : nat) (e : integer_example) : seq Z :=
  let rows := [seq coordinate e a | a <- iota 0 d] in
  let z := nth [::] (zcolumns e) (zquery e) in
  flatten [seq (let S := zdot (nth [::] rows ab.1) (nth [::] rows ab.2) in [seq Z.mul S (nth Z0 z l) | l <- iota 0 d])
          | ab <- pair_list d].

Section Order.
Variable d : nat.
Notation L := (slot_list d).

Definition key (s : slot d) : nat * nat * nat := (lo s : nat, hi s : nat, s.2 : nat).

Lemma key_inj : injective key.
Proof. by move=> s t [e1 e2 e3]; apply: slot_eq; apply: val_inj. Qed.

Lemma mem_pair_list a b : ((a, b) \in pair_list d) = (a <= b) && (b < d).
Proof.
rewrite mem_cat mem_filter /=; apply/idP/idP.
  case/orP=> [/andP[lt /allpairsP[[x y] /= [_ ]]] | /mapP[x]]; rewrite mem_iota.
    by move=> y_lt [_ eb]; rewrite ltnW //= eb.
  by move=> x_lt [-> ->]; rewrite leqnn.
case/andP=> le lt; case: (ltngtP a b) le => // [ab | ->] _.
  by rewrite allpairs_f // mem_iota //= (ltn_trans ab lt).
by apply/map_f; rewrite mem_iota.
Qed.

Lemma uniq_pair_list : uniq (pair_list d).
Proof.
rewrite cat_uniq filter_uniq ?allpairs_uniq ?iota_uniq //; last by case=> a b [a' b'] _ _ [-> ->].
rewrite map_inj_uniq ?iota_uniq ?andbT; last by move=> a b [].
apply/hasPn => _ /mapP[a _ ->]; apply/negP => /= a_in.
suff: (a, a) \in [seq ab <- [seq (x, y) | x <- iota 0 d, y <- iota 0 d] | ab.1 < ab.2] by rewrite mem_filter /= ltnn.
exact: a_in.
Qed.

Lemma uniq_slot_list : uniq L.
Proof. by rewrite allpairs_uniq ?uniq_pair_list ?iota_uniq // => -[ab l] [ab' l'] _ _ [-> ->]. Qed.

Lemma key_in s : key s \in L.
Proof. by rewrite allpairs_f // ?mem_pair_list ?lo_hi ?ltn_ord // mem_iota ltn_ord. Qed.

Lemma key_of k : (k < size L)%N -> exists s, key s = nth (0, 0, 0) L k.
Proof.
move=> lt; have /allpairsP[[[a b] l] [/= ab_in l_in ->]] := mem_nth (0, 0, 0) lt.
move: ab_in l_in; rewrite mem_pair_list mem_iota => /andP[ab bd] /= ld.
have ad := leq_ltn_trans ab bd.
by exists (Sub (Ordinal ad, Ordinal bd) ab : upair d, Ordinal ld).
Qed.

Local Open Scope ring_scope.
Variable R : realFieldType.

Definition reorder : 'M[R]_(psi d, size L) := \matrix_(i, k) (key (enum_val i) == nth (0, 0, 0)%N L k)%:R.

Lemma reorder_right : reorder *m reorder^T = 1%:M.
Proof.
apply/matrixP => i j; rewrite !mxE; under eq_bigr do rewrite !mxE.
have [s_in u] := (key_in (enum_val i), uniq_slot_list).
rewrite -(big_mkord xpredT (fun k => (key (enum_val i) == nth (0,0,0)%N L k)%:R
                                  * (key (enum_val j) == nth (0,0,0)%N L k)%:R)).
rewrite -(big_nth (0,0,0)%N xpredT (fun t => (key (enum_val i) == t)%:R * (key (enum_val j) == t)%:R)).
rewrite (bigD1_seq _ s_in u) //= eqxx mul1r big1 ?addr0 => [|t]; last first.
  by rewrite eq_sym => /negPf ->; rewrite mul0r.
by rewrite (inj_eq key_inj) (inj_eq enum_val_inj) eq_sym.
Qed.

Lemma reorder_left : reorder^T *m reorder = 1%:M.
Proof.
apply/matrixP => k l; rewrite !mxE; under eq_bigr do rewrite !mxE.
have [s s_k] := key_of (ltn_ord k).
rewrite (bigD1 (enum_rank s)) //= enum_rankK s_k eqxx mul1r big1 ?addr0 => [|i]; last first.
  rewrite -s_k (inj_eq key_inj) => ne; case: eqP => [e | _]; last by rewrite mul0r.
  by case/eqP: ne; rewrite -e enum_valK.
by rewrite nth_uniq ?uniq_slot_list.
Qed.

(* The example over an ordered field that dyadic columns stand for. *)
Definition to_example (e : dyadic_example) : example R d :=
  @Example R d (size (columns_of e)).-1.+1
    (\matrix_(i, c) value R (nth (Dyadic Z0 Z0) (nth [::] (columns_of e) c) i)) (inord (query_of e)).

Lemma size_zfeatures e : size (zfeatures d e) = size L.
Proof. by rewrite !size_allpairs. Qed.

Lemma nth_zfeatures (e : integer_example) s k : (k < size L)%N -> key s = nth (0, 0, 0)%N L k ->
  (zfeatures d e)`_k = zdot (coordinate e (lo s)) (coordinate e (hi s)) * nth 0 (nth [::] (zcolumns e) (zquery e)) s.2.
Proof.
move=> lt s_k; pose f (t : nat * nat * nat) : Z :=
  zdot (nth [::] [seq coordinate e a | a <- iota 0 d] t.1.1) (nth [::] [seq coordinate e a | a <- iota 0 d] t.1.2)
  * nth 0 (nth [::] (zcolumns e) (zquery e)) t.2.
have -> : zfeatures d e = map f L by rewrite /zfeatures /slot_list map_allpairs.
rewrite (nth_map (0, 0, 0)%N) // -s_k /f /=.
by rewrite !(nth_map 0%N) ?size_iota ?ltn_ord // !nth_iota ?ltn_ord.
Qed.

Lemma nth_integers o E e c i : well_formed d o E e -> (c < size (columns_of e))%N -> (i < d)%N ->
  value R (nth (Dyadic Z0 Z0) (nth [::] (columns_of e) c) i)
  = power2 R E * embed R (nth 0 (nth [::] (zcolumns (integers E e)) c) i).
Proof.
case/and4P=> _ /(all_nthP [::]) sizes _ _ lt i_lt; have /andP[/Nat.eqb_eq size_x fine] := sizes _ lt.
rewrite (nth_map [::]) // (nth_map (Dyadic Z0 Z0)) ?size_x //; apply: alignE.
by apply: (all_nthP _ fine); rewrite size_x.
Qed.

Theorem zfeaturesE o E e : well_formed d o E e ->
  features_of (to_example e) *m reorder = power2 R E ^+ 3 *: to_vector R (size L) (zfeatures d (integers E e)).
Proof.
move=> wf; have q_lt : (query_of e < size (columns_of e))%N by case/and4P: wf.
have n_pos : (size (columns_of e)).-1.+1 = size (columns_of e) by case: (columns_of e) q_lt.
apply/rowP => k; have [s s_k] := key_of (ltn_ord k).
rewrite mxE (bigD1 (enum_rank s)) //= big1 ?addr0 => [|i ne]; last first.
  rewrite !mxE -s_k (inj_eq key_inj); case: eqP => [e' | _]; last by rewrite mulr0.
  by case/eqP: ne; rewrite -e' enum_valK.
rewrite !mxE enum_rankK s_k eqxx mulr1 (nth_zfeatures _ (ltn_ord k) s_k) embedM.
rewrite exprSr mulrACA; congr (_ * _); last first.
  by rewrite mxE inordK ?n_pos // (nth_integers wf).
have size_row a : size (coordinate (integers E e) a) = (size (columns_of e)).-1.+1 by rewrite !size_map n_pos.
rewrite (zdotE (size_row _) (size_row _)) embed_sum mxE mulr_sumr; apply: eq_bigr => c _.
have c_lt : (c < size (columns_of e))%N by apply: leq_trans (ltn_ord c) _; rewrite -[leqRHS]n_pos.
have size_z : size (zcolumns (integers E e)) = size (columns_of e) by rewrite size_map.
rewrite !mxE !(nth_integers wf) // embedM !(nth_map [::]) ?size_z // mulrACA expr2.
by congr (_ * (_ * _)); rewrite -[RHS]/(embed _ _).
Qed.
End Order.
