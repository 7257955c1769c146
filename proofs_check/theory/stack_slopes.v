(* The derivative of a stack along a velocity of its parameters, by dual numbers: a value and its slope. First what the slopes of
   the sublayers are; stack_fields.v takes them along the fields. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Attest Require Import stacks stack_relations.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Lemma eqbE m n : Nat.eqb m n = (m == n).
Proof. by apply/idP/eqP => /PeanoNat.Nat.eqb_eq. Qed.

Section Slopes.
Variable A : comRingType.

Definition ring_ops : ops A := Ops 0 1 +%R *%R -%R.
Definition dual_ops : ops (A * A) :=
  Ops (0, 0) (1, 0) (fun x y => (x.1 + y.1, x.2 + y.2)) (fun x y => (x.1 * y.1, x.1 * y.2 + x.2 * y.1)) (fun x => (- x.1, - x.2)).
Notation o := dual_ops.

Lemma onE b (u : A) : on ring_ops b u = if b then u else 0. Proof. by []. Qed.
Lemma ring_sumE n f : sum ring_ops n f = \sum_(i < n) f i.
Proof. by elim: n => [|n IH] /=; rewrite ?big_ord0 // big_ord_recr /= IH. Qed.
Lemma sum1 n f : (sum o n f).1 = \sum_(i < n) (f i).1.
Proof. by elim: n => [|n IH] /=; rewrite ?big_ord0 // big_ord_recr /= IH. Qed.
Lemma sum2 n f : (sum o n f).2 = \sum_(i < n) (f i).2.
Proof. by elim: n => [|n IH] /=; rewrite ?big_ord0 // big_ord_recr /= IH. Qed.
Lemma on1 b u : (on o b u).1 = if b then u.1 else 0. Proof. by case: b. Qed.
Lemma on2 b u : (on o b u).2 = if b then u.2 else 0. Proof. by case: b. Qed.
Lemma power_still u n : u.2 = 0 -> (power o u n).2 = 0.
Proof. by move=> still; elim: n => [|n IH] //=; rewrite still IH mulr0 mul0r addr0. Qed.

Lemma sum_pick n (p : nat) (f : nat -> A) : (p < n)%N -> \sum_(k < n) (if k == p :> nat then f k else 0) = f p.
Proof.
move=> lt; rewrite (bigD1 (Ordinal lt)) //= eqxx big1 ?addr0 // => i /negPf; by rewrite -val_eqE /= => ->.
Qed.
Lemma if_mull (b : bool) (u v : A) : (if b then u else 0) * v = if b then u * v else 0. Proof. by case: b; rewrite ?mul0r. Qed.
Lemma if_mulr (b : bool) (u v : A) : u * (if b then v else 0) = if b then u * v else 0. Proof. by case: b; rewrite ?mulr0. Qed.
Lemma if_and (b c : bool) (u : A) : (if b && c then u else 0) = if b then (if c then u else 0) else 0. Proof. by case: b. Qed.
Lemma if_sum (b : bool) n (f : 'I_n -> A) : \sum_k (if b then f k else 0) = if b then \sum_k f k else 0.
Proof. by case: b; rewrite // big1. Qed.
Lemma if_opp (b : bool) (u : A) : - (if b then u else 0) = if b then - u else 0. Proof. by case: b; rewrite ?oppr0. Qed.

Variable d : nat.

Section Affine.
Variables (m n : nat) (M : nat -> nat -> A * A) (b : nat -> A * A) (X : seq (seq (A * A))) (j i : nat).
Hypotheses (lt_j : (j < size X)%N) (lt_i : (i < m)%N).
Lemma affine1 : (get o (affine o m n M b X) j i).1 = \sum_(k < n) (M i k).1 * (get o X j k).1 + (b i).1.
Proof. by rewrite get_tab //= sum1; congr (_ + _); apply: eq_bigr => k _; rewrite get_tab. Qed.
Lemma affine2 : (get o (affine o m n M b X) j i).2
  = \sum_(k < n) ((M i k).1 * (get o X j k).2 + (M i k).2 * (get o X j k).1) + (b i).2.
Proof. by rewrite get_tab //= sum2; congr (_ + _); apply: eq_bigr => k _; rewrite get_tab. Qed.
End Affine.

Lemma get_affine_out m n M b X j i : ~~ ((j < size X)%N && (i < m)%N) -> get o (affine o m n M b X) j i = (0, 0).
Proof. exact: get_out. Qed.

Variable x : point (A * A).
Hypotheses (decay_still : forall s i, (fixed_decay x s i).2 = 0).
Hypotheses (cosine_still : forall s i, (cosine x s i).2 = 0) (sine_still : forall s i, (sine x s i).2 = 0).

Section Attention.
Variables (s : nat) (l : attention_plan) (X : seq (seq (A * A))).
Notation a := (num_keys l).
Notation v := (num_values l).
Notation t := (size X).

(* What the rotation of token i makes of a vector. *)
Definition turn (i : nat) (f : nat -> A) (k : nat) : A :=
  let c := (rotation o x s (Nat.div2 k) i).1.1 in
  let w := (rotation o x s (Nat.div2 k) i).2.1 in
  if is_rotary l then (if Nat.odd k then w * f k.-1 + c * f k else c * f k - w * f k.+1) else f k.

Lemma rotation_still pair i : (rotation o x s pair i).1.2 = 0 /\ (rotation o x s pair i).2.2 = 0.
Proof.
elim: i => [|i] //=; case: (rotation o x s pair i) => c w /= [c0 w0].
by split; rewrite /= c0 w0 cosine_still sine_still !mul0r !mulr0 ?addr0 ?oppr0 ?addr0.
Qed.

Lemma turned1 Y i k : (i < size Y)%N -> (k < a)%N -> (get o (turned o x s l Y) i k).1 = turn i (fun k => (get o Y i k).1) k.
Proof.
move=> lt_i lt_k; rewrite /turned /turn; case: (is_rotary l) => //.
by rewrite get_tab //; case: (rotation o x s _ i) => c w /=; case: (Nat.odd k).
Qed.
Lemma turned2 Y i k : (i < size Y)%N -> (k < a)%N -> (get o (turned o x s l Y) i k).2 = turn i (fun k => (get o Y i k).2) k.
Proof.
move=> lt_i lt_k; rewrite /turned /turn; case: (is_rotary l) => //; rewrite get_tab //.
have := rotation_still (Nat.div2 k) i.
by case: (rotation o x s _ i) => c w /= [c0 w0]; case: (Nat.odd k) => /=; rewrite c0 w0 !mul0r !addr0.
Qed.

Lemma eq_turn i f f' k : f =1 f' -> turn i f k = turn i f' k.
Proof. by move=> e; rewrite /turn !e. Qed.
Lemma turn0 i f k : (forall k, f k = 0) -> turn i f k = 0.
Proof. by move=> e; rewrite /turn !e; case: (is_rotary l); case: (Nat.odd k); rewrite ?mulr0 ?subr0 ?addr0. Qed.

(* Keys, vectors, queries and what they score. *)
Definition raw_key g i k := get o (affine o a d (fun i j => theta x (Name InK s g 0 i j)) (fun i => on o (with_k l) (theta x (Name BiasK s g 0 i 0))) X) i k.
Definition raw_query g h i k := get o (affine o a d (fun i j => theta x (Name InQ s g h i j)) (fun i => on o (with_q l) (theta x (Name BiasQ s g h i 0))) X) i k.
Definition key g i k := get o (keys o d x s l X g) i k.
Definition query g h i k := get o (queries o d x s l X g h) i k.
Definition vector g i k := get o (vectors o d x s l X g) i k.
Definition score1 g h i j := \sum_(k < a) (key g i k).1 * (query g h j k).1.
Definition score2 g h i j := \sum_(k < a) ((key g i k).1 * (query g h j k).2 + (key g i k).2 * (query g h j k).1).
Definition factor g h i j : A :=
  if (is_causal l || decays l) && Nat.ltb j i then 0 else if decays l then (power o (decay_at x s l g h) (j - i)).1 else 1.
Definition put_out g h i k := theta x (Name OutO s g h i k).
Definition mix1 g h j k := \sum_(i < t) (vector g i k).1 * (score1 g h i j * factor g h i j).
Definition mix2 g h j k :=
  \sum_(i < t) ((vector g i k).1 * (score2 g h i j * factor g h i j) + (vector g i k).2 * (score1 g h i j * factor g h i j)).

Lemma size_turned Y : size (turned o x s l Y) = size Y.
Proof. by rewrite /turned; case: (is_rotary l) => //; rewrite size_tab. Qed.

Lemma key1 g i k : (i < t)%N -> (k < a)%N -> (key g i k).1 = turn i (fun k => (raw_key g i k).1) k.
Proof. by move=> lt_i lt_k; rewrite /key turned1 ?size_tab. Qed.
Lemma key2 g i k : (i < t)%N -> (k < a)%N -> (key g i k).2 = turn i (fun k => (raw_key g i k).2) k.
Proof. by move=> lt_i lt_k; rewrite /key turned2 ?size_tab. Qed.
Lemma query1 g h i k : (i < t)%N -> (k < a)%N -> (query g h i k).1 = turn i (fun k => (raw_query g h i k).1) k.
Proof. by move=> lt_i lt_k; rewrite /query turned1 ?size_tab. Qed.
Lemma query2 g h i k : (i < t)%N -> (k < a)%N -> (query g h i k).2 = turn i (fun k => (raw_query g h i k).2) k.
Proof. by move=> lt_i lt_k; rewrite /query turned2 ?size_tab. Qed.

Hypothesis gamma_still : forall g h, (theta x (Name Gamma s g h 0 0)).2 = 0.

Lemma weight1 g h i j : (weight o x s l (keys o d x s l X g) (queries o d x s l X g h) g h i j).1 = score1 g h i j * factor g h i j.
Proof.
rewrite /weight /factor; case: ifP => _; first by rewrite mulr0.
by case: (decays l); rewrite /= sum1 ?mulr1.
Qed.
Lemma weight2 g h i j : (weight o x s l (keys o d x s l X g) (queries o d x s l X g h) g h i j).2 = score2 g h i j * factor g h i j.
Proof.
rewrite /weight /factor; case: ifP => _; first by rewrite mulr0.
case: (decays l); rewrite /= sum2 ?mulr1 // power_still ?mulr0 ?add0r //.
by rewrite /decay_at; case: (learns_decays l).
Qed.

Lemma mixed1 g h j k : (j < t)%N -> (k < v)%N ->
  (get o (mixed o x s l (keys o d x s l X g) (vectors o d x s l X g) (queries o d x s l X g h) g h) j k).1 = mix1 g h j k.
Proof.
move=> lt_j lt_k; have size_V : size (vectors o d x s l X g) = t by rewrite size_tab.
rewrite get_tab ?size_V // sum1; apply: eq_bigr => i _; rewrite /= get_tab // weight1 //.
Qed.
Lemma mixed2 g h j k : (j < t)%N -> (k < v)%N ->
  (get o (mixed o x s l (keys o d x s l X g) (vectors o d x s l X g) (queries o d x s l X g h) g h) j k).2 = mix2 g h j k.
Proof.
move=> lt_j lt_k; have size_V : size (vectors o d x s l X g) = t by rewrite size_tab.
by rewrite get_tab ?size_V // sum2; apply: eq_bigr => i _; rewrite /= get_tab // weight1 weight2.
Qed.

Lemma head_of g h i j : (g < num_groups l)%N -> (h < share l)%N -> (j < t)%N -> (i < d)%N ->
  let Y := [seq [seq head_outputs o d x s l X (keys o d x s l X g) (vectors o d x s l X g) g h | h <- iota 0 (share l)] | g <- iota 0 (num_groups l)] in
  get o (nth [::] (nth [::] Y g) h) j i = (\sum_(k < v) (put_out g h i k).1 * mix1 g h j k,
    \sum_(k < v) ((put_out g h i k).1 * mix2 g h j k + (put_out g h i k).2 * mix1 g h j k)).
Proof.
move=> lt_g lt_h lt_j lt_i /=; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n (nth_map 0%N) ?size_iota // nth_iota // add0n.
have size_M : size (mixed o x s l (keys o d x s l X g) (vectors o d x s l X g) (queries o d x s l X g h) g h) = t by rewrite !size_tab.
rewrite [LHS]surjective_pairing /head_outputs affine1 ?affine2 ?size_M //= !addr0.
by congr (_, _); apply: eq_bigr => k _; rewrite mixed1 ?mixed2.
Qed.

Lemma attention1 j i : (j < t)%N -> (i < d)%N -> (get o (attention o d x s l X) j i).1
  = (if adds_input l then (get o X j i).1 else 0)
    + \sum_(g < num_groups l) \sum_(h < share l) \sum_(k < v) (put_out g h i k).1 * mix1 g h j k
    + (if with_o l then (theta x (Name BiasO s 0 0 i 0)).1 else 0).
Proof.
move=> lt_j lt_i; rewrite get_tab //= !on1 sum1; congr (_ + _ + _); apply: eq_bigr => g _.
by rewrite sum1; apply: eq_bigr => h _; rewrite head_of.
Qed.
Lemma attention2 j i : (j < t)%N -> (i < d)%N -> (get o (attention o d x s l X) j i).2
  = (if adds_input l then (get o X j i).2 else 0)
    + \sum_(g < num_groups l) \sum_(h < share l) \sum_(k < v) ((put_out g h i k).1 * mix2 g h j k + (put_out g h i k).2 * mix1 g h j k)
    + (if with_o l then (theta x (Name BiasO s 0 0 i 0)).2 else 0).
Proof.
move=> lt_j lt_i; rewrite get_tab //= !on2 sum2; congr (_ + _ + _); apply: eq_bigr => g _.
by rewrite sum2; apply: eq_bigr => h _; rewrite head_of.
Qed.
End Attention.

Section Mlp.
Variables (s : nat) (l : mlp_plan) (X : seq (seq (A * A))).
Notation w := (width l).
Notation t := (size X).
Definition hidden j k := get o (affine o w d (fun i j => theta x (Name InW s 0 0 i j)) (fun i => on o (with_m l) (theta x (Name BiasW s 0 0 i 0))) X) j k.
Definition leaving i k := theta x (Name OutW s 0 0 i k).
Definition active1 (y : A) := if is_cube l then y * y * y else y * y.
(* The derivative of the activation. *)
Definition active2 (y : A) := if is_cube l then y * y + (y * y + y * y) else y + y.

Lemma mlp1 j i : (j < t)%N -> (i < d)%N -> (get o (mlp o d x s l X) j i).1
  = (if adds_its_input l then (get o X j i).1 else 0)
    + (\sum_(k < w) (leaving i k).1 * active1 (hidden j k).1 + (if with_m l then (theta x (Name BiasO s 0 0 i 0)).1 else 0)).
Proof.
move=> lt_j lt_i; rewrite get_tab //= on1 affine1 ?size_tab // on1; congr (_ + (_ + _)); apply: eq_bigr => k _.
by rewrite get_tab //; congr (_ * _); rewrite /activation /active1 /hidden; case: (is_cube l).
Qed.
Lemma mlp2 j i : (j < t)%N -> (i < d)%N -> (get o (mlp o d x s l X) j i).2
  = (if adds_its_input l then (get o X j i).2 else 0)
    + (\sum_(k < w) ((leaving i k).1 * (active2 (hidden j k).1 * (hidden j k).2) + (leaving i k).2 * active1 (hidden j k).1)
       + (if with_m l then (theta x (Name BiasO s 0 0 i 0)).2 else 0)).
Proof.
move=> lt_j lt_i; rewrite get_tab //= on2 affine2 ?size_tab // on2; congr (_ + (_ + _)); apply: eq_bigr => k _.
rewrite get_tab // -/(hidden j k); congr (_ * _ + _ * _); rewrite /activation /active1 /active2; case: (is_cube l) => //=.
  by rewrite !mulrDl; congr (_ + (_ + _)); [apply: mulrAC | rewrite -mulrA mulrC].
by rewrite mulrDl; congr (_ + _); apply: mulrC.
Qed.
End Mlp.
End Slopes.
