(* The derivative of a stack of linear attention layers in its parameters, as a matrix over a ring of polynomials; and
   theorem A of generic_rank.v for it. Which parameter stands where in a matrix is the plan of a stack. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Attest Require Import generic_rank stack_symmetries.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Derivative.
Variables (R : comRingType) (d t P : nat).
Notation velocity := 'rV[R]_P.

(* The value does not depend on the velocity, and the derivative is linear in it. *)
Definition smooth (f : velocity -> {poly R}) : Prop :=
  (forall u v, (f u)`_0 = (f v)`_0) /\ forall c u v, (f (c *: u + v))`_1 = c * (f u)`_1 + (f v)`_1.
Definition smooth_matrix m n (f : velocity -> 'M[{poly R}]_(m, n)) : Prop := forall i j, smooth (fun u => f u i j).

Lemma smooth_constant (p : R) : smooth (fun _ => p%:P).
Proof. by split=> // c u v; rewrite coefC mulr0 addr0. Qed.

Lemma smooth_add f g : smooth f -> smooth g -> smooth (fun u => f u + g u).
Proof.
move=> [f0 f1] [g0 g1]; split=> [u v | c u v]; first by rewrite !coefD (f0 u v) (g0 u v).
by rewrite !coefD f1 g1 mulrDr addrACA.
Qed.

Lemma smooth_mul f g : smooth f -> smooth g -> smooth (fun u => f u * g u).
Proof.
have coef_0 (p q : {poly R}) : (p * q)`_0 = p`_0 * q`_0 by rewrite coefM big_ord_recl big_ord0 addr0.
have coef_1 (p q : {poly R}) : (p * q)`_1 = p`_0 * q`_1 + p`_1 * q`_0 by rewrite coefM !big_ord_recl big_ord0 addr0.
move=> [f0 f1] [g0 g1]; split=> [u v | c u v]; first by rewrite !coef_0 (f0 u v) (g0 u v).
rewrite !coef_1 f1 g1 (f0 (c *: u + v) v) (f0 u v) (g0 (c *: u + v) v) (g0 u v).
rewrite [(f v)`_0 * (_ + _)]mulrDr [(_ + _) * (g v)`_0]mulrDl [c * (_ + _)]mulrDr addrACA.
by congr (_ + _ + _); [apply: mulrCA | rewrite mulrA].
Qed.

Lemma smooth_sum I (s : seq I) (f : I -> velocity -> {poly R}) : (forall i, smooth (f i)) ->
  smooth (fun u => \sum_(i <- s) f i u).
Proof.
move=> each; elim: s => [|i s [s0 s1]].
  by split=> [u v | c u v]; rewrite !big_nil // coef0 mulr0 addr0.
have [h0 h1] := smooth_add (each i) (conj s0 s1).
by split=> [u v | c u v]; rewrite !big_cons; [apply: h0 | apply: h1].
Qed.

Lemma smooth_still m n (A : 'M[R]_(m, n)) : smooth_matrix (fun _ => map_mx polyC A).
Proof.
move=> i j; have [h0 h1] := smooth_constant (A i j).
by split=> [u v | c u v]; rewrite !mxE; [apply: h0 u v | apply: h1 c u v].
Qed.

Lemma smooth_matrix_add m n (f g : velocity -> 'M_(m, n)) :
  smooth_matrix f -> smooth_matrix g -> smooth_matrix (fun u => f u + g u).
Proof.
move=> fs gs i j; have [h0 h1] := smooth_add (fs i j) (gs i j).
by split=> [u v | c u v]; rewrite !mxE; [apply: h0 | apply: h1].
Qed.

Lemma smooth_matrix_mul m n o (f : velocity -> 'M_(m, n)) (g : velocity -> 'M_(n, o)) :
  smooth_matrix f -> smooth_matrix g -> smooth_matrix (fun u => f u *m g u).
Proof.
move=> fs gs i j; have [h0 h1] := smooth_sum (index_enum _) (fun l => smooth_mul (fs i l) (gs l j)).
by split=> [u v | c u v]; rewrite !mxE; [apply: h0 | apply: h1].
Qed.

Lemma smooth_matrix_tr m n (f : velocity -> 'M_(m, n)) : smooth_matrix f -> smooth_matrix (fun u => (f u)^T).
Proof.
by move=> fs i j; have [h0 h1] := fs j i; split=> [u v | c u v]; rewrite !mxE; [apply: h0 | apply: h1].
Qed.

Lemma linear_sum (D : velocity -> R) u : (forall c v w, D (c *: v + w) = c * D v + D w) ->
  D u = \sum_k u 0 k * D (delta_mx 0 k).
Proof.
move=> lin; rewrite [in LHS](row_sum_delta u); elim/big_rec2: _ => [|k y1 y2 _ IH]; last by rewrite lin IH.
by have e := lin 1 0 0; rewrite scaler0 addr0 mul1r in e; apply: (addrI (D 0)); rewrite -e addr0.
Qed.

(* Which parameter stands at each entry of the matrices. *)
Record head_plan a v := HeadPlan { q_at : 'I_a -> 'I_d -> 'I_P; k_at : 'I_a -> 'I_d -> 'I_P;
  v_at : 'I_v -> 'I_d -> 'I_P; o_at : 'I_d -> 'I_v -> 'I_P }.
Record layer_plan := LayerPlan { keys : nat; values : nat; pair_weights : 'M[R]_t; has_residual : bool;
  head_plans : seq (head_plan keys values) }.

Definition head_of a v (theta : 'rV[{poly R}]_P) (h : head_plan a v) : head R d a v :=
  Head (\matrix_(i, j) theta 0 (q_at h i j)) (\matrix_(i, j) theta 0 (k_at h i j))
       (\matrix_(i, j) theta 0 (v_at h i j)) (\matrix_(i, j) theta 0 (o_at h i j)).
Definition layer_of (theta : 'rV[{poly R}]_P) (l : layer_plan) : layer R d t :=
  Layer (map_mx polyC (pair_weights l)) (has_residual l) [seq head_of theta h | h <- head_plans l].
Definition stack_of (plan : seq layer_plan) (theta : 'rV[{poly R}]_P) : seq (layer R d t) :=
  [seq layer_of theta l | l <- plan].

Variables (plan : seq layer_plan) (theta : 'rV[R]_P).
Definition moving (u : velocity) : 'rV[{poly R}]_P := map_mx polyC theta + 'X *: map_mx polyC u.
Definition output_along (x : 'M[R]_(d, t)) (u : velocity) : 'M[{poly R}]_(d, t) :=
  run (stack_of plan (moving u)) (map_mx polyC x).

Lemma smooth_parameter k : smooth (fun u => moving u 0 k).
Proof.
split=> [u v | c u v]; rewrite !mxE !coefD !coefXM /= !coefC //=.
by rewrite !add0r.
Qed.

Lemma smooth_entries m n (at_ : 'I_m -> 'I_n -> 'I_P) : smooth_matrix (fun u => \matrix_(i, j) moving u 0 (at_ i j)).
Proof.
move=> i j; have [h0 h1] := smooth_parameter (at_ i j).
have E w : (\matrix_(i, j) moving w 0 (at_ i j)) i j = moving w 0 (at_ i j) by rewrite mxE.
by split=> [u v | c u v]; rewrite !E; [apply: h0 | apply: h1].
Qed.

Lemma smooth_run ls (X : velocity -> 'M[{poly R}]_(d, t)) : smooth_matrix X ->
  smooth_matrix (fun u => run (stack_of ls (moving u)) (X u)).
Proof.
elim: ls X => [|l ls IH] X X_s //=; apply: (IH (fun u => run_layer (X u) (layer_of (moving u) l))).
have still_0 : smooth_matrix (fun _ => 0 : 'M[{poly R}]_(d, t)) by have := @smooth_still d t 0; rewrite map_mx0.
apply: smooth_matrix_add.
  by change (smooth_matrix (fun u => if has_residual l then X u else 0)); case: (has_residual l).
rewrite /attention /=; elim: (head_plans l) => [|h hs IHh] /=.
  move=> i j; have [h0 h1] := still_0 i j.
  by split=> [u v | c u v]; rewrite !big_nil; [apply: (h0 u v) | apply: (h1 c u v)].
have first : smooth_matrix (fun u => attend (map_mx polyC (pair_weights l)) (head_of (moving u) h) (X u)).
  apply: smooth_matrix_mul.
    by apply: smooth_matrix_mul; [|apply: smooth_matrix_mul] => //; apply: smooth_entries.
  move=> i j; have [|h0 h1] := @smooth_mul (fun _ => (pair_weights l i j)%:P)
    (fun u => ((K (head_of (moving u) h) *m X u)^T *m (Q (head_of (moving u) h) *m X u)) i j) (smooth_constant _).
    apply: smooth_matrix_mul; [apply: smooth_matrix_tr|]; apply: smooth_matrix_mul => //; apply: smooth_entries.
  have E (S : 'M[{poly R}]_t) : weighted (map_mx polyC (pair_weights l)) S i j = (pair_weights l i j)%:P * S i j.
    by rewrite mxE [map_mx _ _ _ _]mxE.
  by split=> [u v | c u v]; rewrite !E; [apply: h0 | apply: h1].
move=> i j; have [h0 h1] := smooth_matrix_add first IHh i j.
by split=> [u v | c u v]; rewrite !big_cons; [apply: h0 | apply: h1].
Qed.

Definition derivative_along x u : 'M[R]_(d, t) := map_mx (fun p : {poly R} => p`_1) (output_along x u).

Lemma derivative_linear x i j c u v :
  derivative_along x (c *: u + v) i j = c * derivative_along x u i j + derivative_along x v i j.
Proof. by have [_ h1] := smooth_run plan (@smooth_still _ _ x) i j; rewrite !mxE; apply: h1. Qed.

(* A row for each output of each example, a column for each parameter. *)
Definition places (xs : seq 'M[R]_(d, t)) := [finType of 'I_(size xs) * ('I_d * 'I_t)].
Definition derivative_at xs (p : places xs) u : R := derivative_along (nth 0 xs p.1) u p.2.1 p.2.2.
Definition jacobian xs : 'M[R]_(#|{: places xs}|, P) := \matrix_(r, k) derivative_at (enum_val r) (delta_mx 0 k).

Theorem jacobianE xs u r : (jacobian xs *m u^T) r 0 = derivative_at (enum_val r) u.
Proof.
have lin := derivative_linear (nth 0 xs (enum_val r).1) (enum_val r).2.1 (enum_val r).2.2.
rewrite (linear_sum (D := derivative_at (enum_val r)) u lin) mxE; apply: eq_bigr => k _.
by rewrite [jacobian xs r k]mxE [u^T k 0]mxE mulrC.
Qed.

(* A field is a velocity that keeps all outputs to first order; stack_symmetries.v has some. *)
Theorem field_in_kernel xs u : (forall x, alike (output_along x u) (output_along x 0)) -> jacobian xs *m u^T = 0.
Proof.
move=> field; apply/colP => r; have := jacobianE 0 r; rewrite trmx0 mulmx0 [LHS]mxE => zero.
rewrite jacobianE [RHS]mxE [RHS]zero /derivative_at /derivative_along [LHS]mxE [RHS]mxE.
exact: (field (nth 0 xs (enum_val r).1) (enum_val r).2.1 (enum_val r).2.2 1%N isT).
Qed.
End Derivative.

(* The parameters are variables, and the functions polynomials in them. *)
Fixpoint variable (F : fieldType) (n k : nat) : polynomials F n :=
  match n return polynomials F n with
  | 0 => 0
  | n'.+1 => if k == n' then 'X else (variable F n' k)%:P
  end.

Lemma value_variable (F : fieldType) n k (x : nat -> F) : (k < n)%N -> value_at n x (variable F n k) = x k.
Proof.
elim: n => // n IH; rewrite ltnS leq_eqVlt => lt /=; case: (eqVneq k n) lt => [-> _ | ne /= lt].
  by rewrite map_polyX horner_evalE hornerX.
by rewrite map_polyC horner_evalE hornerC; apply: IH.
Qed.

(* Theorem A for stacks of linear attention: at all parameters at once, where the rows of G are fields. *)
Section Dimension.
Variables (F : numFieldType) (d t P q : nat).
Variables (plan : seq (layer_plan (polynomials F P) d t P)) (G : 'M[polynomials F P]_(q, P)).
Definition all_parameters : 'rV[polynomials F P]_P := \row_k variable F P k.
Notation J := (jacobian plan all_parameters).
Notation value u A := (map_mx (value_at P u) A).
Hypothesis fields : forall r x,
  alike (output_along plan all_parameters x (row r G)) (output_along plan all_parameters x 0).

Lemma fields_in_kernel xs : J xs *m G^T = 0.
Proof.
apply/matrixP => i r; have := field_in_kernel xs (fields r); rewrite tr_row colE mulmxA -colE => /colP/(_ i).
by rewrite [LHS]mxE [RHS]mxE => ->; rewrite [RHS]mxE.
Qed.

(* No examples have a larger rank, at any parameters. *)
Theorem stack_dimension xs u : (P <= \rank (value u (J xs)) + \rank (value u G))%N ->
  forall ys w, (\rank (value w (J ys)) <= \rank (value u (J xs)))%N.
Proof.
move=> enough; have [[le _] _] := one_point_dimension (J := J) (@polynomials_nonzero F P) fields_in_kernel enough.
exact: le.
Qed.
End Dimension.
