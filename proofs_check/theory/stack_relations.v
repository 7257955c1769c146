(* If the operations on two kinds of numbers correspond, so do the outputs of a stack, and its fields: residues and fractions, say, or
   gradients and derivatives along a velocity. The parameters need correspond only where the stack has them. *)
From mathcomp Require Import all_ssreflect.
From Attest Require Import stacks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition kind_of_code (n : nat) : kind := nth InK [:: InK; InV; BiasK; BiasV; InQ; OutO; BiasQ; Gamma; BiasO; InW; BiasW; OutW] n.
Definition code (n : name) := (kind_code (kind_of n), site n, group_of_name n, head_of_name n, row_of n, column_of n).
Definition of_code c := let: (k, s, g, h, i, j) := c in Name (kind_of_code k) s g h i j.
Lemma codeK : cancel code of_code. Proof. by case=> -[] s g h i j. Qed.
Definition name_eqMixin := CanEqMixin codeK.
Canonical name_eqType := EqType name name_eqMixin.

Lemma mem_block k s g h m n i j : i < m -> j < n -> Name k s g h i j \in block k s g h m n.
Proof. by move=> lt_i lt_j; apply/allpairsP; exists (i, j); rewrite !mem_iota. Qed.

Section Members.
Variables (d s : nat) (l : attention_plan).
Variables (g h : nat).
Hypothesis g_lt : g < num_groups l.

Lemma mem_of_group n : n \in names_of_group d s l g -> n \in names_of d s (Attention l).
Proof. by move=> n_in; rewrite mem_cat; apply/orP; left; apply/flatten_mapP; exists g; rewrite ?mem_iota. Qed.

Lemma mem_K i j : i < num_keys l -> j < d -> Name InK s g 0 i j \in names_of d s (Attention l).
Proof. by move=> lt_i lt_j; apply: mem_of_group; rewrite mem_cat mem_block. Qed.
Lemma mem_V i j : i < num_values l -> j < d -> Name InV s g 0 i j \in names_of d s (Attention l).
Proof. by move=> lt_i lt_j; apply: mem_of_group; rewrite !mem_cat mem_block ?orbT. Qed.
Lemma mem_bias_k i : with_k l -> i < num_keys l -> Name BiasK s g 0 i 0 \in names_of d s (Attention l).
Proof. by move=> b lt_i; apply: mem_of_group; rewrite !mem_cat b mem_block ?orbT. Qed.
Lemma mem_bias_v i : with_v l -> i < num_values l -> Name BiasV s g 0 i 0 \in names_of d s (Attention l).
Proof. by move=> b lt_i; apply: mem_of_group; rewrite !mem_cat b mem_block ?orbT. Qed.

Hypothesis h_lt : h < share l.
Lemma mem_of_head n : n \in names_of_head d s l g h -> n \in names_of d s (Attention l).
Proof.
move=> n_in; apply: mem_of_group; rewrite !mem_cat; do 4!(apply/orP; right).
by apply/flatten_mapP; exists h; rewrite ?mem_iota.
Qed.
Lemma mem_Q i j : i < num_keys l -> j < d -> Name InQ s g h i j \in names_of d s (Attention l).
Proof. by move=> lt_i lt_j; apply: mem_of_head; rewrite mem_cat mem_block. Qed.
Lemma mem_O i j : i < d -> j < num_values l -> Name OutO s g h i j \in names_of d s (Attention l).
Proof. by move=> lt_i lt_j; apply: mem_of_head; rewrite !mem_cat mem_block ?orbT. Qed.
Lemma mem_bias_q i : with_q l -> i < num_keys l -> Name BiasQ s g h i 0 \in names_of d s (Attention l).
Proof. by move=> b lt_i; apply: mem_of_head; rewrite !mem_cat b mem_block ?orbT. Qed.
Lemma mem_gamma : learns_decays l -> Name Gamma s g h 0 0 \in names_of d s (Attention l).
Proof. by move=> b; apply: mem_of_head; rewrite !mem_cat b mem_block ?orbT. Qed.
End Members.

Lemma mem_bias_o d s l i : with_o l -> i < d -> Name BiasO s 0 0 i 0 \in names_of d s (Attention l).
Proof. by move=> b lt_i; rewrite /= !mem_cat b mem_block ?orbT. Qed.
Lemma mem_W d s l i j : i < width l -> j < d -> Name InW s 0 0 i j \in names_of d s (Mlp l).
Proof. by move=> lt_i lt_j; rewrite /= !mem_cat mem_block. Qed.
Lemma mem_out_W d s l i j : i < d -> j < width l -> Name OutW s 0 0 i j \in names_of d s (Mlp l).
Proof. by move=> lt_i lt_j; rewrite /= !mem_cat mem_block ?orbT. Qed.
Lemma mem_bias_w d s l i : with_m l -> i < width l -> Name BiasW s 0 0 i 0 \in names_of d s (Mlp l).
Proof. by move=> b lt_i; rewrite /= !mem_cat b mem_block ?orbT. Qed.
Lemma mem_bias_m d s l i : with_m l -> i < d -> Name BiasO s 0 0 i 0 \in names_of d s (Mlp l).
Proof. by move=> b lt_i; rewrite /= !mem_cat b mem_block ?orbT. Qed.

Section Tables.
Variables (T : Type) (o : ops T).
Lemma size_tab m n (f : nat -> nat -> T) : size (tab m n f) = m.
Proof. by rewrite size_map size_iota. Qed.
Lemma row_tab m n (f : nat -> nat -> T) i : i < m -> nth [::] (tab m n f) i = [seq f i j | j <- iota 0 n].
Proof. by move=> lt; rewrite (nth_map 0) ?size_iota // nth_iota. Qed.
Lemma get_tab m n (f : nat -> nat -> T) i j : i < m -> j < n -> get o (tab m n f) i j = f i j.
Proof. by move=> lt_i lt_j; rewrite /get row_tab // (nth_map 0) ?size_iota // nth_iota. Qed.
Lemma get_out m n (f : nat -> nat -> T) i j : ~~ ((i < m) && (j < n)) -> get o (tab m n f) i j = zero o.
Proof.
rewrite /get; case: (ltnP i m) => [lt_i | le_i] /= out; last by rewrite [nth [::] _ _]nth_default ?size_tab // nth_nil.
by rewrite row_tab // nth_default // size_map size_iota leqNgt.
Qed.
End Tables.

Section Related.
Variables (T T' : Type) (o : ops T) (o' : ops T') (R : T -> T' -> Prop).
Hypotheses (R_zero : R (zero o) (zero o')) (R_one : R (one o) (one o')).
Hypothesis R_plus : forall x x' y y', R x x' -> R y y' -> R (plus o x y) (plus o' x' y').
Hypothesis R_times : forall x x' y y', R x x' -> R y y' -> R (times o x y) (times o' x' y').
Hypothesis R_minus : forall x x', R x x' -> R (minus o x) (minus o' x').

Lemma R_sum n f f' : (forall i, i < n -> R (f i) (f' i)) -> R (sum o n f) (sum o' n f').
Proof. by elim: n => [|n IH] //= each; apply: R_plus; [apply: IH => i lt; apply: each; apply: ltnW | apply: each]. Qed.
Lemma R_power x x' n : R x x' -> R (power o x n) (power o' x' n).
Proof. by move=> Rx; elim: n => [|n IH] //=; apply: R_times. Qed.
Lemma R_on (b : bool) x x' : (b -> R x x') -> R (on o b x) (on o' b x').
Proof. by case: b => // Rx; apply: Rx. Qed.

Definition lists (u : seq T) (u' : seq T') := size u = size u' /\ forall j, R (nth (zero o) u j) (nth (zero o') u' j).
Definition tables X X' := size X = size X' /\ forall i, lists (nth [::] X i) (nth [::] X' i).

Lemma R_get X X' i j : tables X X' -> R (get o X i j) (get o' X' i j).
Proof. by case=> _ /(_ i)[_]; apply. Qed.

Lemma R_tab m m' n f f' : m = m' -> (forall i j, i < m -> j < n -> R (f i j) (f' i j)) -> tables (tab m n f) (tab m' n f').
Proof.
move=> <- each; split=> [|i]; first by rewrite !size_tab.
case: (ltnP i m) => [lt_i | le_i]; last by rewrite !nth_default ?size_tab //; split=> // j; rewrite !nth_nil.
split=> [|j]; first by rewrite !row_tab // !size_map.
rewrite -/(get o _ i j) -/(get o' _ i j); case: (ltnP j n) => lt_j; first by rewrite !get_tab //; apply: each.
by rewrite !get_out // lt_i /= -leqNgt.
Qed.

Lemma R_affine m n A A' b b' X X' : tables X X' -> (forall i k, i < m -> k < n -> R (A i k) (A' i k)) ->
  (forall i, i < m -> R (b i) (b' i)) -> tables (affine o m n A b X) (affine o' m n A' b' X').
Proof.
move=> RX RA Rb; apply: R_tab => [|j i lt_j lt_i]; first by case: RX.
apply: R_plus; last exact: Rb.
by apply: R_sum => k lt_k; apply: R_times; rewrite ?get_tab //; [apply: RA | apply: R_get].
Qed.

Variable d : nat.
Variables (x : point T) (x' : point T').
Hypothesis R_decay : forall s i, R (fixed_decay x s i) (fixed_decay x' s i).
Hypothesis R_cosine : forall s i, R (cosine x s i) (cosine x' s i).
Hypothesis R_sine : forall s i, R (sine x s i) (sine x' s i).

Lemma R_rotation s pair i : R (rotation o x s pair i).1 (rotation o' x' s pair i).1 /\ R (rotation o x s pair i).2 (rotation o' x' s pair i).2.
Proof.
elim: i => [|i] //=; case: (rotation o x s pair i) => c v; case: (rotation o' x' s pair i) => c' v' /= [Rc Rv].
by split; apply: R_plus; do ?apply: R_minus; apply: R_times.
Qed.

Lemma R_rotate s n X X' : tables X X' -> tables (rotate o x s n X) (rotate o' x' s n X').
Proof.
move=> RX; apply: R_tab => [|i k _ _]; first by case: RX.
have := R_rotation s (Nat.div2 k) i.
case: (rotation o x s _ i) => c v; case: (rotation o' x' s _ i) => c' v' /= [Rc Rv].
by case: (Nat.odd k); apply: R_plus; do ?apply: R_minus; apply: R_times => //; apply: R_get.
Qed.

Section Sublayer.
Variable s : nat.

Lemma R_turned l X X' : tables X X' -> tables (turned o x s l X) (turned o' x' s l X').
Proof. by rewrite /turned; case: (is_rotary l) => //; apply: R_rotate. Qed.

Lemma R_attention l X X' : (forall n, n \in names_of d s (Attention l) -> R (theta x n) (theta x' n)) -> tables X X' ->
  tables (attention o d x s l X) (attention o' d x' s l X').
Proof.
move=> Rn RX; have sX : size X = size X' by case: RX.
apply: R_tab => // j i lt_j lt_i; apply: R_plus; last by apply: R_on => b; apply/Rn/mem_bias_o.
apply: R_plus; first by apply: R_on => _; apply: R_get.
apply: R_sum => g lt_g; apply: R_sum => h lt_h.
rewrite ![nth [::] [seq _ | _ <- iota 0 (num_groups l)] g](nth_map 0) ?size_iota // !nth_iota // !add0n.
rewrite ![nth [::] [seq _ | _ <- iota 0 (share l)] h](nth_map 0) ?size_iota // !nth_iota // !add0n.
have RK : tables (keys o d x s l X g) (keys o' d x' s l X' g).
  apply/R_turned/R_affine => // [i' k lt_i' lt_k | i' lt_i']; first exact/Rn/mem_K.
  by apply: R_on => b; apply/Rn/mem_bias_k.
have RV : tables (vectors o d x s l X g) (vectors o' d x' s l X' g).
  apply/R_affine => // [i' k lt_i' lt_k | i' lt_i']; first exact/Rn/mem_V.
  by apply: R_on => b; apply/Rn/mem_bias_v.
have RQ : tables (queries o d x s l X g h) (queries o' d x' s l X' g h).
  apply/R_turned/R_affine => // [i' k lt_i' lt_k | i' lt_i']; first exact/Rn/mem_Q.
  by apply: R_on => b; apply/Rn/mem_bias_q.
apply/R_get/R_affine => // [|i' k lt_i' lt_k]; last exact/Rn/mem_O.
have size_V : size (vectors o d x s l X g) = size (vectors o' d x' s l X' g) by case: RV.
apply: R_tab => // j' k lt_j' lt_k; rewrite -size_V; apply: R_sum => i' lt_i'; apply: R_times; first exact: R_get.
apply: R_get; apply: R_tab => // j'' i'' _ _; rewrite /weight; case: ifP => // _.
have R_score : R (sum o (num_keys l) (fun k => times o (get o (keys o d x s l X g) i'' k) (get o (queries o d x s l X g h) j'' k)))
  (sum o' (num_keys l) (fun k => times o' (get o' (keys o' d x' s l X' g) i'' k) (get o' (queries o' d x' s l X' g h) j'' k))).
  by apply: R_sum => *; apply: R_times; apply: R_get.
case: ifP => // _; apply: R_times => //; apply: R_power; rewrite /decay_at; case: ifP => // b; exact/Rn/mem_gamma.
Qed.

Lemma R_mlp l X X' : (forall n, n \in names_of d s (Mlp l) -> R (theta x n) (theta x' n)) -> tables X X' ->
  tables (mlp o d x s l X) (mlp o' d x' s l X').
Proof.
move=> Rn RX; have sX : size X = size X' by case: RX.
apply: R_tab => // j i lt_j lt_i; apply: R_plus; first by apply: R_on => _; apply: R_get.
apply/R_get/R_affine => // [|i' k lt_i' lt_k|i' lt_i'].
- apply: R_tab => // j' k lt_j' lt_k; set y := get o _ j' k; set y' := get o' _ j' k.
  have Ry : R y y'.
    apply/R_get/R_affine => // [i' k' lt_i' lt_k'|i' lt_i']; first exact/Rn/mem_W.
    by apply: R_on => b; apply/Rn/mem_bias_w.
  by rewrite /activation; case: (is_cube l); do ?apply: R_times.
- exact/Rn/mem_out_W.
by apply: R_on => b; apply/Rn/mem_bias_m.
Qed.
End Sublayer.

Lemma R_run s ls X X' : (forall n, n \in names d s ls -> R (theta x n) (theta x' n)) -> tables X X' ->
  tables (run o d x s ls X) (run o' d x' s ls X').
Proof.
elim: ls s X X' => [|l ls IH] s X X' Rn RX //=; apply: IH => [n n_in|]; first by apply: Rn; rewrite mem_cat n_in orbT.
have {}Rn n : n \in names_of d s l -> R (theta x n) (theta x' n) by move=> n_in; apply: Rn; rewrite mem_cat n_in.
by case: l Rn => l Rn; [apply: R_attention | apply: R_mlp].
Qed.

Lemma lists_cat u u' w w' : lists u u' -> lists w w' -> lists (u ++ w) (u' ++ w').
Proof.
case=> [su Ru] [sw Rw]; split=> [|j]; first by rewrite !size_cat su sw.
by rewrite !nth_cat su; case: ifP.
Qed.

Lemma R_flatten X X' : tables X X' -> lists (flatten X) (flatten X').
Proof.
elim: X X' => [|u X IH] [|u' X']; try by case.
  by move=> _; split=> // j; rewrite !nth_nil.
move=> [[size_X] R_X].
by apply: lists_cat; [apply: (R_X 0) | apply: IH; split=> // i; apply: (R_X i.+1)].
Qed.

Lemma R_readout only Y Y' : tables Y Y' -> lists (readout only Y) (readout only Y').
Proof.
rewrite /readout; case: only; last exact: R_flatten.
by case=> sY; rewrite -!nth_last -sY; apply.
Qed.

Theorem related_outputs only ls Xs Xs' : (forall n, n \in names d 0 ls -> R (theta x n) (theta x' n)) ->
  size Xs = size Xs' -> (forall e, tables (nth [::] Xs e) (nth [::] Xs' e)) ->
  lists (outputs o d x only ls Xs) (outputs o' d x' only ls Xs').
Proof.
move=> Rn; rewrite /outputs; elim: Xs Xs' => [|X Xs IH] [|X' Xs'] //=.
  by move=> _ _; split=> // j; rewrite !nth_nil.
move=> [size_Xs] each; apply: lists_cat; first by apply/R_readout/R_run => //; apply: (each 0).
by apply: IH => // e; apply: (each e.+1).
Qed.

Lemma R_product n A A' B B' i j : (forall k, R (A i k) (A' i k)) -> (forall k, R (B k j) (B' k j)) ->
  R (product o n A B i j) (product o' n A' B' i j).
Proof. by move=> RA RB; apply: R_sum => k _; apply: R_times. Qed.

Lemma R_velocity th th' ik ik' iv iv' f n : (forall n, R (th n) (th' n)) ->
  (forall s h k i j, R (ik s h k i j) (ik' s h k i j)) -> (forall s h k i j, R (iv s h k i j) (iv' s h k i j)) ->
  R (velocity o d th ik iv f n) (velocity o' d th' ik' iv' f n).
Proof.
move=> Rth Rik Riv; case: n => k s g h i j.
case: f => [s' g' p q|s' g' r []|s' g' p q|s' g' h' k'|s' h' k'|s' p cube|s' p q|s' p r]; case: k => //=; try by apply: R_on => _; do ?apply: R_minus.
- by apply: R_on => _; case: (Nat.odd i); do ?apply: R_minus.
- by apply: R_on => _; case: (Nat.odd i); do ?apply: R_minus.
- by apply: R_on => _; case: (Nat.odd i); do ?apply: R_minus.
- by apply: R_on => _; case: (Nat.odd i); do ?apply: R_minus.
- by apply: R_on => _; apply: R_product => // k0; apply: R_product => // k1; apply: Rth.
- by apply: R_on => _; apply: R_minus; apply: R_product => // k0; apply: R_product => // k1; apply: Rth.
- by apply: R_on => _; apply: R_minus; case: cube; do ?apply: R_plus.
by case: (Nat.eqb s s'); apply: R_on => _; do ?apply: R_minus.
Qed.
End Related.
