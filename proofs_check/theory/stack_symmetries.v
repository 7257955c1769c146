(* Symmetries of stacks of linear attention layers, to first order: along these fields of docs/depth.md the outputs of a
   stack do not change. Its parameters are polynomials p + e p' in one variable e over a ring R, p' the velocity; the
   coefficient of e in an output is its derivative along p'. R may be a ring of polynomials in all parameters, so this
   holds at all parameters at once. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Stacks.
Variable R : comRingType.
Notation e := ('X : {poly R}).

(* The same value and the same derivative. *)
Definition alike m n (A B : 'M[{poly R}]_(m, n)) : Prop := forall i j k, (k < 2)%N -> (A i j)`_k = (B i j)`_k.

Lemma alike_refl m n (A : 'M[{poly R}]_(m, n)) : alike A A. Proof. by []. Qed.

Lemma alike_trans m n (A B C : 'M[{poly R}]_(m, n)) : alike A B -> alike B C -> alike A C.
Proof. by move=> AB BC i j k lt; rewrite AB ?BC. Qed.

Lemma alike_add m n (A A' B B' : 'M[{poly R}]_(m, n)) : alike A A' -> alike B B' -> alike (A + B) (A' + B').
Proof. by move=> AA BB i j k lt; rewrite !mxE !coefD AA ?BB. Qed.

Lemma coef_mul2 (p p' q q' : {poly R}) k : (forall l, (l < 2)%N -> p`_l = p'`_l) ->
  (forall l, (l < 2)%N -> q`_l = q'`_l) -> (k < 2)%N -> (p * q)`_k = (p' * q')`_k.
Proof.
move=> pp qq lt; rewrite !coefM; apply: eq_bigr => l _.
by rewrite pp ?qq // (leq_ltn_trans _ lt) ?leq_subr // -ltnS.
Qed.

Lemma alike_mul m n o (A A' : 'M[{poly R}]_(m, n)) (B B' : 'M[{poly R}]_(n, o)) :
  alike A A' -> alike B B' -> alike (A *m B) (A' *m B').
Proof.
move=> AA BB i j k lt; rewrite !mxE !coef_sum; apply: eq_bigr => l _.
by apply: coef_mul2 => // ? ?; [apply: AA | apply: BB].
Qed.

Lemma alike_tr m n (A B : 'M[{poly R}]_(m, n)) : alike A B -> alike A^T B^T.
Proof. by move=> AB i j k lt; rewrite !mxE AB. Qed.

Lemma alike_square m n (A B : 'M[{poly R}]_(m, n)) : alike (A + e ^+ 2 *: B) A.
Proof. by move=> i j k lt; rewrite !mxE coefD coefXnM lt addr0. Qed.

(* (1 - e S)(1 + e S) = 1 - e^2 S^2. *)
Lemma alike_inverse m (S : 'M[{poly R}]_m) : alike ((1%:M - e *: S) *m (1%:M + e *: S)) 1%:M.
Proof.
have -> : (1%:M - e *: S) *m (1%:M + e *: S) = 1%:M + e ^+ 2 *: - (S *m S).
  rewrite mulmxBl mul1mx mulmxDr mulmx1 -addrA opprD -scalemxAl -scalemxAr scalerA -expr2.
  by rewrite [e *: S + _]addrA [e *: S - _]subrr add0r scalerN.
exact: alike_square.
Qed.

(* A change of basis g of what stands between two matrices. *)
Lemma alike_between m k n (A : 'M[{poly R}]_(m, k)) (g : 'M[{poly R}]_k) (Y : 'M[{poly R}]_(k, n)) :
  alike ((A - e *: (A *m g)) *m (Y + e *: (g *m Y))) (A *m Y).
Proof.
have -> : A - e *: (A *m g) = A *m (1%:M - e *: g) by rewrite mulmxBr mulmx1 scalemxAr.
have -> : Y + e *: (g *m Y) = (1%:M + e *: g) *m Y by rewrite mulmxDl mul1mx scalemxAl.
rewrite mulmxA -[A *m _ *m _]mulmxA -[X in alike _ (X *m Y)]mulmx1.
by do 2!apply: alike_mul => //; apply: alike_inverse.
Qed.

(* Linear attention of heads, with weights W of the pairs of tokens: 1, or 0 of a mask, or powers of a fixed decay. *)
Variables d t : nat.
Implicit Type X : 'M[{poly R}]_(d, t).

Section Heads.
Variables (a v : nat) (W : 'M[{poly R}]_t).

Record head := Head {
  Q : 'M[{poly R}]_(a, d); K : 'M[{poly R}]_(a, d);
  V : 'M[{poly R}]_(v, d); O : 'M[{poly R}]_(d, v) }.

Definition weighted (S : 'M[{poly R}]_t) : 'M[{poly R}]_t := \matrix_(i, j) (W i j * S i j).
Definition attend (h : head) X : 'M[{poly R}]_(d, t) := O h *m (V h *m X) *m weighted ((K h *m X)^T *m (Q h *m X)).
Definition attention (hs : seq head) X : 'M[{poly R}]_(d, t) := \sum_(h <- hs) attend h X.

Lemma alike_weighted S S' : alike S S' -> alike (weighted S) (weighted S').
Proof. by move=> SS i j k lt; rewrite !mxE; apply: coef_mul2 => // l lt_l; apply: SS. Qed.

(* What counts of a head and its input. *)
Lemma alike_parts h h' X X' : alike (O h *m (V h *m X)) (O h' *m (V h' *m X')) ->
  alike ((K h *m X)^T *m (Q h *m X)) ((K h' *m X')^T *m (Q h' *m X')) -> alike (attend h X) (attend h' X').
Proof. by move=> OV KQ; apply: alike_mul => //; apply: alike_weighted. Qed.

Lemma alike_attend h X X' : alike X X' -> alike (attend h X) (attend h X').
Proof.
move=> XX; apply: alike_parts; first by do 2!apply: alike_mul => //.
by apply: alike_mul; [apply: alike_tr|]; apply: alike_mul.
Qed.

(* Every head is changed by f, with its own parameter. *)
Definition changed T (f : T -> head -> head) (ss : seq T) (hs : seq head) := [seq f sh.1 sh.2 | sh <- zip ss hs].

Lemma alike_attention T (f : T -> head -> head) ss hs X X' : size ss = size hs ->
  (forall s h, alike (attend (f s h) X) (attend h X')) -> alike (attention (changed f ss hs) X) (attention hs X').
Proof.
move=> eq_size each; rewrite /attention /changed; elim: ss hs eq_size => [|s ss IH] [|h hs] //=.
  by rewrite !big_nil.
by case=> /IH rest; rewrite !big_cons; apply: alike_add.
Qed.

(* The fields. *)
Definition basis_of_keys (S : 'M[{poly R}]_a) h := Head (Q h + e *: (S *m Q h)) (K h - e *: (S^T *m K h)) (V h) (O h).
Definition basis_of_values (S : 'M[{poly R}]_v) h := Head (Q h) (K h) (V h + e *: (S *m V h)) (O h - e *: (O h *m S)).
Definition scale (c : {poly R}) h := Head (Q h + e *: (c *: Q h)) (K h) (V h) (O h - e *: (c *: O h)).
Definition put_out (g : 'M[{poly R}]_d) h := Head (Q h) (K h) (V h) (O h + e *: (g *m O h)).
Definition take_in (g : 'M[{poly R}]_d) h :=
  Head (Q h - e *: (Q h *m g)) (K h - e *: (K h *m g)) (V h - e *: (V h *m g)) (O h).

Theorem alike_keys S h X : alike (attend (basis_of_keys S h) X) (attend h X).
Proof.
apply: alike_parts => //=; have -> : (Q h + e *: (S *m Q h)) *m X = Q h *m X + e *: (S *m (Q h *m X)).
  by rewrite mulmxDl -scalemxAl mulmxA.
have -> : ((K h - e *: (S^T *m K h)) *m X)^T = (K h *m X)^T - e *: ((K h *m X)^T *m S).
  rewrite mulmxBl -scalemxAl linearB linearZ /=; congr (_ - _ *: _); by rewrite -mulmxA trmx_mul trmxK.
exact: alike_between.
Qed.

Theorem alike_values S h X : alike (attend (basis_of_values S h) X) (attend h X).
Proof.
apply: alike_parts => //=; have -> : (V h + e *: (S *m V h)) *m X = V h *m X + e *: (S *m (V h *m X)).
  by rewrite mulmxDl -scalemxAl mulmxA.
exact: alike_between.
Qed.

Theorem alike_scale c h X : alike (attend (scale c h) X) (attend h X).
Proof.
suff -> : attend (scale c h) X = attend h X + e ^+ 2 *: - ((c * c) *: attend h X) by apply: alike_square.
have -> : attend (scale c h) X = ((1 - e * c) * (1 + e * c)) *: attend h X.
  rewrite /attend /=; have -> : O h - e *: (c *: O h) = (1 - e * c) *: O h by rewrite scalerBl scale1r scalerA.
  have -> : Q h + e *: (c *: Q h) = (1 + e * c) *: Q h by rewrite scalerDl scale1r scalerA.
  rewrite -!scalemxAl -scalerA; congr (_ *: _); rewrite -[in LHS]scalemxAr [RHS]scalemxAr; congr (_ *m _).
  by apply/matrixP => i j; rewrite !mxE mulrCA.
by rewrite -subr_sqr expr1n exprMn scalerBl scale1r scalerN scalerA -[c * c]expr2.
Qed.

(* Between two layers: one puts out another basis, and the next takes it in. *)
Lemma attention_put_out g hs X :
  attention [seq put_out g h | h <- hs] X = attention hs X + e *: (g *m attention hs X).
Proof.
rewrite /attention big_map mulmx_sumr scaler_sumr -big_split; apply: eq_bigr => h _.
by rewrite /attend /= mulmxDl -scalemxAl mulmxDl -scalemxAl -!mulmxA.
Qed.

Lemma attention_take_in g hs Y : alike (attention [seq take_in g h | h <- hs] (Y + e *: (g *m Y))) (attention hs Y).
Proof.
rewrite /attention big_map; elim: hs => [|h hs IH]; first by rewrite !big_nil.
rewrite !big_cons; apply: alike_add => //; apply: alike_parts => /=.
  by apply: alike_mul => //; apply: alike_between.
by apply: alike_mul; [apply: alike_tr|]; apply: alike_between.
Qed.
End Heads.

Record layer := Layer { key_size : nat; value_size : nat; weights : 'M[{poly R}]_t; residual : bool;
  heads : seq (head key_size value_size) }.

Definition run_layer X (l : layer) : 'M[{poly R}]_(d, t) :=
  (if residual l then X else 0) + attention (weights l) (heads l) X.
Definition run (ls : seq layer) X := foldl run_layer X ls.

Lemma alike_run ls X X' : alike X X' -> alike (run ls X) (run ls X').
Proof.
elim: ls X X' => [|l ls IH] X X' XX //=; apply: IH; apply: alike_add; first by case: (residual l).
rewrite /attention; elim: (heads l) => [|h hs IHh]; rewrite ?big_nil ?big_cons //.
by apply: alike_add => //; apply: alike_attend.
Qed.

(* What some layers do not change to first order, no stack does that has them. *)
Theorem symmetry_in_stack before layers layers' after X :
  (forall Y, alike (run layers Y) (run layers' Y)) ->
  alike (run (before ++ layers ++ after) X) (run (before ++ layers' ++ after) X).
Proof. by move=> same; rewrite /run !foldl_cat; apply: alike_run; apply: same. Qed.

Theorem head_symmetry a v W r T (f : T -> head a v -> head a v) ss (hs : seq (head a v)) Y : size ss = size hs ->
  (forall s h X, alike (attend W (f s h) X) (attend W h X)) ->
  alike (run [:: Layer W r (changed f ss hs)] Y) (run [:: Layer W r hs] Y).
Proof. by move=> eq_size each; apply: alike_add => //; apply: alike_attention. Qed.

Theorem basis_between_layers a v a' v' W W' g (hs : seq (head a v)) (hs' : seq (head a' v')) Y :
  alike (run [:: Layer W false [seq put_out g h | h <- hs]; Layer W' false [seq take_in g h | h <- hs']] Y)
        (run [:: Layer W false hs; Layer W' false hs'] Y).
Proof. by rewrite /= /run_layer /= !add0r attention_put_out; apply: attention_take_in. Qed.

(* If parameters and inputs stay, outputs do: so a stack that is alike to one of them has derivative 0. *)
Definition still m n (A : 'M[{poly R}]_(m, n)) : Prop := exists A0 : 'M[R]_(m, n), A = map_mx polyC A0.
Definition still_head a v (h : head a v) : Prop := [/\ still (Q h), still (K h), still (V h) & still (O h)].
Fixpoint each A (p : A -> Prop) (xs : seq A) : Prop := if xs is x :: xs' then p x /\ each p xs' else True.
Definition still_layer (l : layer) : Prop := still (weights l) /\ each (@still_head _ _) (heads l).

Lemma still_mul m n o (A : 'M[{poly R}]_(m, n)) (B : 'M[{poly R}]_(n, o)) : still A -> still B -> still (A *m B).
Proof. by case=> A0 -> [B0 ->]; exists (A0 *m B0); rewrite map_mxM. Qed.

Lemma still_add m n (A B : 'M[{poly R}]_(m, n)) : still A -> still B -> still (A + B).
Proof. by case=> A0 -> [B0 ->]; exists (A0 + B0); rewrite map_mxD. Qed.

Lemma still_0 m n : still (0 : 'M_(m, n)).
Proof. by exists 0; rewrite map_mx0. Qed.

Lemma still_attend a v W (h : head a v) X : still W -> still_head h -> still X -> still (attend W h X).
Proof.
move=> [W0 W_W0] [Q_s K_s V_s O_s] X_s; apply: still_mul; first by do 2!apply: still_mul => //.
have [S0 S_S0] : still ((K h *m X)^T *m (Q h *m X)).
  have [A0 A_A0] : still (K h *m X) by apply: still_mul.
  by apply: still_mul; [exists A0^T; rewrite A_A0 map_trmx | apply: still_mul].
by exists (\matrix_(i, j) (W0 i j * S0 i j)); apply/matrixP => i j; rewrite [LHS]mxE W_W0 S_S0 !mxE polyCM.
Qed.

Lemma still_run ls X : each still_layer ls -> still X -> still (run ls X).
Proof.
elim: ls X => [|l ls IH] X //= [[W_s heads_s] rest] X_s; apply: IH => //; apply: still_add.
  by case: (residual l) => //; apply: still_0.
rewrite /attention; elim: (heads l) heads_s => [_ | h hs IHh [h_s hs_s]]; rewrite ?big_nil ?big_cons.
  exact: still_0.
by apply: still_add; [apply: still_attend | apply: IHh].
Qed.

Theorem symmetry_derivative ls ls' X i j : each still_layer ls -> still X -> alike (run ls' X) (run ls X) ->
  (run ls' X i j)`_1 = 0.
Proof. by move=> ls_s X_s same; rewrite same //; have [Y ->] := still_run ls_s X_s; rewrite mxE coefC. Qed.
End Stacks.
