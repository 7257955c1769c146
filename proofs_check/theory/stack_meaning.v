(* The function of stacks.v in matrices, over any commutative ring: what its lists and sums say. Of layers that are not rotary. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Attest Require Import stacks stack_relations stack_slopes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Meaning.
Variables (A : comRingType) (d : nat) (x : point A) (s : nat).
Notation o := (ring_ops A).

(* Tokens are columns. A bias that is not there is 0. *)
Definition tokens m (X : seq (seq A)) : 'M[A]_(m, size X) := \matrix_(i, j) get o X j i.
Definition matrix_of k g h m n : 'M[A]_(m, n) := \matrix_(i, j) theta x (Name k s g h i j).
Definition bias_of (b : bool) k g h m t : 'M[A]_(m, t) := \matrix_(i, j) (if b then theta x (Name k s g h i 0) else 0).

Lemma affineE m n (M : nat -> nat -> A) b X j i : (j < size X)%N -> (i < m)%N ->
  get o (affine o m n M b X) j i = \sum_(k < n) M i k * get o X j k + b i.
Proof. by move=> lt_j lt_i; rewrite get_tab //= ring_sumE; congr (_ + _); apply: eq_bigr => k _; rewrite get_tab. Qed.

Lemma mapped k g h m (b : bool) kb X j i : (j < size X)%N -> (i < m)%N ->
  get o (affine o m d (fun i j => theta x (Name k s g h i j)) (fun i => on o b (theta x (Name kb s g h i 0))) X) j i
  = \sum_(c < d) theta x (Name k s g h i c) * get o X j c + (if b then theta x (Name kb s g h i 0) else 0).
Proof. exact: affineE. Qed.

Section Attention.
Variables (l : attention_plan) (X : seq (seq A)).
Notation t := (size X).
Notation X' := (tokens d X).

(* K x + b_K, V x + b_V and Q x + b_Q of all tokens; the weights, and what a head mixes. *)
Definition keys_of g := matrix_of InK g 0 (num_keys l) d *m X' + bias_of (with_k l) BiasK g 0 (num_keys l) t.
Definition vectors_of g := matrix_of InV g 0 (num_values l) d *m X' + bias_of (with_v l) BiasV g 0 (num_values l) t.
Definition queries_of g h := matrix_of InQ g h (num_keys l) d *m X' + bias_of (with_q l) BiasQ g h (num_keys l) t.
Definition kept g h (i j : nat) : A :=
  if (is_causal l || decays l) && Nat.ltb j i then 0 else if decays l then decay_at x s l g h ^+ (j - i) else 1.
Definition weights_of g h : 'M[A]_t := \matrix_(i, j) (((keys_of g)^T *m queries_of g h) i j * kept g h i j).
Definition head_of_matrices g h : 'M[A]_(d, t) := matrix_of OutO g h d (num_values l) *m (vectors_of g *m weights_of g h).

Lemma powerE (y : A) n : power o y n = y ^+ n.
Proof. by elim: n => [|n IH] //=; rewrite IH exprSr. Qed.

Theorem attention_in_matrices : ~~ is_rotary l -> forall (i : 'I_d) (j : 'I_t), get o (attention o d x s l X) j i
  = ((if adds_input l then X' else 0) + \sum_(g < num_groups l) \sum_(h < share l) head_of_matrices g h + bias_of (with_o l) BiasO 0 0 d t) i j.
Proof.
move=> plain i j; rewrite get_tab //= !ring_sumE !mxE; congr (_ + _ + _); first by case: (adds_input l); rewrite mxE.
rewrite summxE; apply: eq_bigr => g _; rewrite ring_sumE summxE; apply: eq_bigr => h _.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n (nth_map 0%N) ?size_iota // nth_iota // add0n.
have size_V : size (vectors o d x s l X g) = t by rewrite size_tab.
have size_M : size (mixed o x s l (keys o d x s l X g) (vectors o d x s l X g) (queries o d x s l X g h) g h) = t by rewrite !size_tab.
rewrite /head_outputs affineE ?size_M //= addr0 mxE; apply: eq_bigr => k _; rewrite [matrix_of _ _ _ _ _ _ _]mxE; congr (_ * _).
rewrite get_tab ?size_V // ring_sumE mxE; apply: eq_bigr => i' _.
have mapE k' h' m b kb (j' : 'I_t) (i'' : 'I_m) :
  get o (affine o m d (fun i j => theta x (Name k' s g h' i j)) (fun i => on o b (theta x (Name kb s g h' i 0))) X) j' i''
  = (matrix_of k' g h' m d *m X' + bias_of b kb g h' m t) i'' j'.
  rewrite mapped // !mxE; congr (_ + _); apply: eq_bigr => c _; by rewrite !mxE.
congr (_ * _); first exact: mapE.
rewrite get_tab //= /weight [RHS]mxE /kept; case: ifP => _; first by rewrite mulr0.
suff -> : sum o (num_keys l) (fun k0 => get o (keys o d x s l X g) i' k0 * get o (queries o d x s l X g h) j k0) = ((keys_of g)^T *m queries_of g h) i' j.
  by case: (decays l); rewrite ?mulr1 //= powerE.
rewrite ring_sumE mxE; apply: eq_bigr => k0 _; rewrite /keys /queries /turned (negPf plain) [_^T _ _]mxE; congr (_ * _); exact: mapE.
Qed.
End Attention.

(* W2 times the squares or cubes of W1 x + b1, and b2. *)
Section Mlp.
Variables (l : mlp_plan) (X : seq (seq A)).
Notation t := (size X).
Notation X' := (tokens d X).
Definition hidden_of : 'M[A]_(width l, t) := matrix_of InW 0 0 (width l) d *m X' + bias_of (with_m l) BiasW 0 0 (width l) t.

Theorem mlp_in_matrices (i : 'I_d) (j : 'I_t) : get o (mlp o d x s l X) j i
  = ((if adds_its_input l then X' else 0) + (matrix_of OutW 0 0 d (width l) *m map_mx (fun y => y ^+ (if is_cube l then 3 else 2)%N) hidden_of
     + bias_of (with_m l) BiasO 0 0 d t)) i j.
Proof.
rewrite get_tab //= !mxE; congr (_ + _); first by case: (adds_its_input l); rewrite mxE.
rewrite affineE ?size_tab //; congr (_ + _); apply: eq_bigr => k _; rewrite [matrix_of _ _ _ _ _ _ _]mxE get_tab //; congr (_ * _).
rewrite mapped // !mxE; set y := _ + _; set y' := _ + _.
have -> : y' = y by congr (_ + _); apply: eq_bigr => c _; rewrite !mxE.
by rewrite /activation; case: (is_cube l); rewrite /= !exprS expr0 mulr1 ?mulrA.
Qed.
End Mlp.
End Meaning.
