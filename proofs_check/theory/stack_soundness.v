(* What the check of proofs about stacks accepts is true: D is the functional dimension of the stack, over every field of numbers. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import spans generic_rank integer_vectors elimination checks table_checks residues.
From Attest Require stack_derivative.
From Attest Require Import stacks stack_relations stack_slopes stack_fields stack_sublayers stack_jacobian.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Arguments Nat.eqb : simpl never.

(* The numbers of F among the polynomials. *)
Fixpoint constant (F : fieldType) (n : nat) (c : F) : polynomials F n :=
  match n return polynomials F n with 0%N => c | n'.+1 => (constant n' c)%:P end.
Lemma value_constant (F : fieldType) n (w : nat -> F) c : value_at n w (constant n c) = c.
Proof. by elim: n => [|n IH] //=; rewrite map_polyC horner_evalE hornerC. Qed.
Lemma constant0 (F : fieldType) n : constant n (0 : F) = 0.
Proof. by elim: n => [|n IH] //=; rewrite IH. Qed.

Section Meaning.
Variables (F : numFieldType) (d : nat) (only_last : bool) (ls : seq sublayer).
Notation ns := (names d 0 ls).
Notation P := (size ns).

(* The parameters are variables; the derivative of all outputs by them, at every point. *)
Definition variables (n : name) : polynomials F P := stack_derivative.variable F P (index n ns).
Definition derivative (z : inputs F) := stack_jacobian d only_last ls variables (map_inputs (constant P) z).
Definition derivative_at (z : inputs F) (w : nat -> F) := map_mx (value_at P w) (derivative z).

(* Examples of so many tokens, and rotations. *)
Definition proper (tokens : nat) (z : inputs F) : Prop :=
  all (fun X => (size X == tokens) && all (fun x => size x == d) X) (examples z)
  /\ forall s i, cosines z s i ^+ 2 + sines z s i ^+ 2 = 1.

Definition at_least (tokens D : nat) : Prop := exists z w, proper tokens z /\ (D <= \rank (derivative_at z w))%N.
Definition at_most (D : nat) : Prop := forall z w, (\rank (derivative_at z w) <= D)%N.
(* The functional dimension: no inputs, of any number and any length, with any decays and rotations, have a larger rank at any parameters; and
   some proper ones have it. *)
Definition has_dimension (tokens D : nat) : Prop := at_most D /\ exists z w, proper tokens z /\ \rank (derivative_at z w) = D.
End Meaning.

Lemma plus_mod_same p x y : (p | x + y - plus_mod p x y)%ZZ.
Proof. by rewrite /plus_mod; case: (Z.ltb _ _); [exists 0%ZZ | exists 1%ZZ]; lia. Qed.
Lemma times_mod_same p x y : p <> 0%ZZ -> (p | x * y - times_mod p x y)%ZZ.
Proof. by move=> nz; exists (x * y / p)%ZZ; rewrite /times_mod Z.mod_eq //; lia. Qed.
Lemma minus_mod_same p x : (p | x + minus_mod p x)%ZZ.
Proof. by rewrite /minus_mod; case: Z.eqb_spec => [-> | _]; [exists 0%ZZ | exists 1%ZZ]; lia. Qed.

Lemma map_map_comp A B C (f : B -> C) (g : A -> B) (Xs : seq (seq (seq A))) :
  map (map (map f)) (map (map (map g)) Xs) = map (map (map (f \o g))) Xs.
Proof.
rewrite -map_comp; apply: eq_map => X /=; rewrite -map_comp; apply: eq_map => u /=; by rewrite -map_comp.
Qed.

Lemma nth_snd A B (a : A) (b : B) (s : seq (A * B)) i : nth b (map snd s) i = (nth (a, b) s i).2.
Proof. by elim: s i => [|y s IH] [|i] //=. Qed.

Section Accepted.
Variables (F : numFieldType) (d tokens : nat) (only_last : bool) (ls : seq sublayer) (e : stack_evidence).
Notation ns := (names d 0 ls).
Notation P := (size ns).
Notation K := (polynomials F P).
Notation p := (modulus e).
Hypotheses (p_big : (2 <= p)%ZZ) (are_numbered : numbered e 0 ns).
Notation residue := (@residue F p).

Lemma p_neq0 : p <> 0%ZZ. Proof. lia. Qed.

Lemma numberedP i ms : numbered e i ms -> uniq ms /\ forall n, n \in ms -> (fetch e n).2 = (i + index n ms)%N.
Proof.
elim: ms i => [|m ms IH] i //=; rewrite eqbE => /andP[/eqP fm /IH[uniq_ms labels]].
split=> [|n]; last first.
  rewrite inE eq_sym; case: (eqVneq m n) => [<- _ | _ /= /labels->]; first by rewrite fm addn0.
  by rewrite addSnnS.
by rewrite uniq_ms andbT; apply/negP => /labels; rewrite fm; lia.
Qed.
Lemma uniq_names : uniq ns. Proof. by have [] := numberedP are_numbered. Qed.
Lemma numberE n : n \in ns -> (fetch e n).2 = index n ns.
Proof. by have [_ labels] := numberedP are_numbered => /labels. Qed.

(* The point of the proof. *)
Definition real_theta (n : name) : F := embed F (parameter e n).
Definition turn_at (x : Z) : F * F :=
  let q := embed F (turn_denominator x) in (embed F (1 - x * x)%ZZ / q, embed F (2 * x)%ZZ / q).
Definition real_turn s i : F * F := nth (1, 0) (nth [::] (map (map turn_at) (angles_of e)) s) i.
Definition real_inputs : inputs F :=
  Inputs (map (map (map (embed F))) (examples_of e)) (fun s i => embed F (nth Z0 (nth [::] (decays_of e) s) i))
    (fun s i => (real_turn s i).1) (fun s i => (real_turn s i).2).
Definition real_point (k : nat) : F := real_theta (name_at d ls k).
Notation value := (value_at P real_point).

(* What the stack does not have is constant. *)
Definition theta_K (n : name) : K := if n \in ns then variables F d ls n else constant P (real_theta n).
Lemma value_theta n : value (theta_K n) = real_theta n.
Proof.
rewrite /theta_K; case: ifP => [n_in | _]; last exact: value_constant.
by rewrite stack_derivative.value_variable ?index_mem // /real_point /name_at nth_index.
Qed.
Lemma derivativeE z : derivative d only_last ls z = stack_jacobian d only_last ls theta_K (map_inputs (constant P) z).
Proof. by apply: eq_jacobian => n n_in; rewrite /theta_K n_in. Qed.

Lemma turn_denominator_pos x : (0 < turn_denominator x)%ZZ. Proof. by rewrite /turn_denominator; nia. Qed.
Lemma turn_unit x : embed F (turn_denominator x) != 0.
Proof. by rewrite embed_eq0; have := turn_denominator_pos x; case: eqP => // ->; lia. Qed.

Lemma turn_circle x : (turn_at x).1 ^+ 2 + (turn_at x).2 ^+ 2 = 1.
Proof.
rewrite /= !expr_div_n -mulrDl; apply: (canLR (mulfK _)); first by rewrite expf_neq0 ?turn_unit.
rewrite mul1r !expr2 -!embedM -embedD; congr (embed F _).
by rewrite -[LHS]/((1 - x * x) * (1 - x * x) + 2 * x * (2 * x))%ZZ -[RHS]/(turn_denominator x * turn_denominator x)%ZZ /turn_denominator; ring.
Qed.

Lemma real_proper : shaped d tokens e -> proper d tokens real_inputs.
Proof.
move=> /(all_nthP [::]) shape; split=> [|s i].
  apply/(all_nthP [::]) => k; rewrite size_map => lt; rewrite (nth_map [::]) // size_map.
  have := shape k lt; rewrite eqbE => /andP[-> /(all_nthP [::]) each] /=.
  apply/(all_nthP [::]) => j; rewrite size_map => lt_j; rewrite (nth_map [::]) // size_map.
  by have := each j lt_j; rewrite eqbE.
rewrite /= /real_turn; case: (ltnP s (size (angles_of e))) => [lt | le]; last first.
  by rewrite [nth [::] _ _]nth_default ?size_map // nth_nil /= expr1n expr0n addr0.
rewrite (nth_map [::]) //; set xs := nth [::] (angles_of e) s; case: (ltnP i (size xs)) => [lt_i | le_i]; last first.
  by rewrite nth_default ?size_map //= expr1n expr0n addr0.
by rewrite (nth_map Z0) // turn_circle.
Qed.

Lemma residue_turn x : turns p x -> residue (turn_at x).1 (turn_of p x).1 /\ residue (turn_at x).2 (turn_of p x).2.
Proof.
move=> /Z.eqb_eq un; have {}un : (p | turn_denominator x * inverse p (turn_denominator x) - 1)%ZZ.
  by have := @times_mod_same p (turn_denominator x) (inverse p (turn_denominator x)) p_neq0; rewrite un.
split; apply: residue_times (residue_inverse F p_big un) (times_mod_same _ _ p_neq0).
  by apply: residue_embed; exists 0%ZZ; lia.
by apply: residue_embed; exists 0%ZZ; lia.
Qed.

Hypothesis are_turns : all (all (turns p)) (angles_of e).
Notation rotations := (map (map (turn_of p)) (angles_of e)).

Lemma residue_rotation s i : let z := nth (1%ZZ, Z0) (nth [::] rotations s) i in residue (real_turn s i).1 z.1 /\ residue (real_turn s i).2 z.2.
Proof.
have unit_turn : residue ((1, 0) : F * F).1 ((1%ZZ, Z0) : Z * Z).1 /\ residue ((1, 0) : F * F).2 ((1%ZZ, Z0) : Z * Z).2.
  by split; [apply: residue1 | apply: residue0].
rewrite /= /real_turn; case: (ltnP s (size (angles_of e))) => [lt | le]; last first.
  by rewrite ![nth [::] _ s]nth_default ?size_map // !nth_nil.
rewrite !(nth_map [::]) //; set xs := nth [::] (angles_of e) s; case: (ltnP i (size xs)) => [lt_i | le_i]; last first.
  by rewrite !nth_default ?size_map.
rewrite !(nth_map Z0) //; apply: residue_turn.
by apply: (all_nthP Z0 (all_nthP [::] are_turns _ lt)).
Qed.

(* The slopes that the check computes are residues of J. *)
Lemma residue_slopes k : let z := map_inputs (constant P) real_inputs in
  size (slopes d only_last ls e rotations k) = num_outputs d only_last ls z /\
  forall i, residue (value (slope d only_last ls theta_K (one_at d ls K k) z i)) (nth Z0 (slopes d only_last ls e rotations k) i).
Proof.
move=> z; rewrite /slopes; set x := PointAt _ _ _ _; set X := map (map (map _)) _.
pose z' : inputs (Z * Z) := Inputs X (fixed_decay x) (cosine x) (sine x).
have runE : outputs (slope_ops p) d x only_last ls X = outputs_at d only_last ls (slope_ops p) (theta x) z' by [].
rewrite runE; split.
  rewrite size_map; apply: esym; suff [] : lists unit_ops (slope_ops p) (fun _ _ => True) (outputs_at d only_last ls unit_ops (fun _ => tt)
    (map_inputs (fun _ => tt) z)) (outputs_at d only_last ls (slope_ops p) (theta x) z') by [].
  apply: outputs_related => //; first by rewrite !size_map.
  by move=> j; rewrite /= !map_map_comp; apply: map_tables.
move=> i; rewrite (nth_snd Z0).
suff [_ /(_ i)[]] : lists (ring_ops [comRingType of {poly K}]) (slope_ops p) (fun q y => residue (value q`_0) y.1 /\ residue (value q`_1) y.2)
  (moving_outputs d only_last ls theta_K (one_at d ls K k) z) (outputs_at d only_last ls (slope_ops p) (theta x) z') by [].
have [r0 r1] := (residue0 F p, residue1 F p).
apply: outputs_related => /=.
- by rewrite !coef0 rmorph0.
- by rewrite !coefC /= rmorph0 rmorph1.
- move=> a b a' b' [a0 a1] [b0 b1]; rewrite !coefD !rmorphD; split; apply: residue_plus (plus_mod_same p _ _) => //.
- move=> a b a' b' [a0 a1] [b0 b1]; have [-> ->] := poly_coef01 a a'; rewrite !rmorphD !rmorphM.
  have times u z1 v z2 : residue u z1 -> residue v z2 -> residue (u * v) (times_mod p z1 z2).
    by move=> Ru Rv; apply: residue_times Ru Rv (times_mod_same _ _ p_neq0).
  by split; [apply: times | apply: residue_plus (plus_mod_same p _ _); apply: times].
- by move=> a b [a0 a1]; rewrite !coefN !rmorphN; split; apply: residue_minus (minus_mod_same p _).
- move=> n n_in; rewrite /along !coefD !coefMX !coefC /= addr0 add0r value_theta /one_at rmorph_nat.
  have := numberE n_in; rewrite /real_theta /parameter; case: (fetch e n) => v j /= ->; rewrite eqbE; split.
    by apply: residue_embed; exists 0%ZZ; lia.
  by case: (_ == k).
- move=> s j; rewrite !coefC /= !rmorph0 !value_constant.
  have [Rc Rs] := residue_rotation s j; split; split=> //.
  by apply: residue_embed; exists 0%ZZ; lia.
- by rewrite !size_map.
move=> j; rewrite !map_map_comp; apply: map_tables => [|c /=]; first by rewrite !coef0 rmorph0.
rewrite !coefC /= rmorph0 value_constant; split=> //.
by apply: residue_embed; exists 0%ZZ; lia.
Qed.

Lemma derivative_rank D :
  let rows := [seq pluck 0 (slopes d only_last ls e rotations k) (output_places e) | k <- parameter_places e] in
  size (output_places e) = D -> size (parameter_places e) = D -> all (fun k => Nat.ltb k P) (parameter_places e) ->
  all (fun row => Nat.eqb (size row) D) rows -> full_rank_mod p D rows -> (D <= \rank (derivative_at d only_last ls real_inputs real_point))%N.
Proof.
move=> rows size_o size_k /(all_nthP 0%N) known sizes full; rewrite /derivative_at derivativeE.
set z := map_inputs _ _; set J := map_mx _ _.
have size_rows : size rows = D by rewrite size_map.
have row_at i : (i < D)%N -> nth [::] rows i = [seq nth Z0 (slopes d only_last ls e rotations (nth 0%N (parameter_places e) i)) o | o <- output_places e]
    /\ all (fun o => (o < num_outputs d only_last ls z)%N) (output_places e).
  move=> lt; have := all_nthP [::] sizes i; rewrite size_rows lt eqbE => /(_ isT)/eqP; rewrite (nth_map 0%N) ?size_k // => size_row.
  have [|-> inside] := @pluckP _ Z0 0 (slopes d only_last ls e rotations (nth 0%N (parameter_places e) i)) (output_places e).
    by rewrite size_row size_o.
  have [<- _] := residue_slopes (nth 0%N (parameter_places e) i); split; last by apply: sub_all inside => o /andP[].
  by apply: eq_map => o; rewrite subn0.
have f_lt (i : 'I_D) : (nth 0%N (output_places e) i < num_outputs d only_last ls z)%N.
  by have [_ /(all_nthP 0%N)] := row_at i (ltn_ord i); apply; rewrite size_o.
have g_lt (i : 'I_D) : (nth 0%N (parameter_places e) i < P)%N.
  by have := known i; rewrite size_k => /(_ (ltn_ord i))/PeanoNat.Nat.ltb_lt; lia.
rewrite -mxrank_tr; apply: (@minor_rank _ _ _ _ _ _ (fun i => Ordinal (g_lt i)) (fun i => Ordinal (f_lt i))).
apply: (residues_full p_big size_rows) full => [|i j].
  by apply: sub_all sizes => row; rewrite eqbE.
have [-> _] := row_at i (ltn_ord i); rewrite (nth_map 0%N) ?size_o // !mxE /=.
have [_] := residue_slopes (nth 0%N (parameter_places e) i); exact.
Qed.

(* Inverses of the matrices K and V of heads. *)
Notation fk := (invertible d e InK (inverses_k e)).
Notation fv := (invertible d e InV (inverses_v e)).
Definition z_matrix (k : kind) s g : 'M[Z]_d := \matrix_(i, j) parameter e (Name k s g 0 i j).
Definition f_matrix (k : kind) s g : 'M[F]_d := \matrix_(i, j) real_theta (Name k s g 0 i j).
Definition polynomial_matrix (k : kind) s g : 'M[K]_d := \matrix_(i, j) theta_K (Name k s g 0 i j).
Lemma f_matrixE k s g : f_matrix k s g = embed_matrix F (z_matrix k s g).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.

Lemma zsumE n (f g : nat -> Z) (h : Z) : (forall i, (p | f i - g i)%ZZ) -> (h = \sum_(i < n) g i)%R -> (p | h - stacks.sum (residue_ops p) n f)%ZZ.
Proof.
move=> same ->; elim: n => [|n IH]; first by rewrite big_ord0; exists 0%ZZ.
rewrite big_ord_recr /=; case: IH => c E; have [c' E'] := plus_mod_same p (stacks.sum (residue_ops p) n f) (f n); have [c'' E''] := same n.
exists (c + c' - c'')%ZZ; rewrite !Z.mul_sub_distr_r Z.mul_add_distr_r -E -E' -E''.
move: (stacks.sum _ n f) (bigop _ _ _) => a b; rewrite -[in LHS]/(Z.add b (g n)); rewrite /plus_mod /=; lia.
Qed.

Lemma flag_residues k Ms s g : flag (invertible d e k Ms) s g -> f_matrix k s g \in unitmx
  /\ forall i j : 'I_d, residue (invmx (f_matrix k s g) i j) (matrix_at Ms s g i j).
Proof.
rewrite /flag /invertible; case: (ltnP s (size Ms)) => [lt | le]; last by rewrite [nth [::] _ _]nth_default ?size_map ?size_iota // nth_nil.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
case: (ltnP g (size (nth [::] Ms s))) => [lt_g | le_g]; last by rewrite nth_default ?size_map ?size_iota.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n => /allP fits; rewrite f_matrixE.
pose Y : 'M[Z]_d := \matrix_(i, j) matrix_at Ms s g i j.
have [|unit_X res] := @inverse_residues p d F (z_matrix k s g) Y p_big; last first.
  by split=> // i j; have := res i j; rewrite [Y i j]mxE.
move=> i j; have inside (m : 'I_d) : (m : nat) \in iota 0 d by rewrite mem_iota ltn_ord.
have : ((product (residue_ops p) d (fun i j => parameter e (Name k s g 0 i j)) (matrix_at Ms s g) i j - (if Nat.eqb i j then 1 else 0)) mod p = 0)%ZZ.
  by apply/Z.eqb_eq; have /allP := fits _ (inside i); apply; apply: inside.
move/Z.mod_divide => /(_ p_neq0)[c E].
have := @zsumE d (fun m => times_mod p (parameter e (Name k s g 0 i m)) (matrix_at Ms s g m j))
  (fun m => Z.mul (parameter e (Name k s g 0 i m)) (matrix_at Ms s g m j)) ((z_matrix k s g *m Y) i j).
case=> [m|| c' E'].
- have [c' E'] := @times_mod_same p (parameter e (Name k s g 0 i m)) (matrix_at Ms s g m j) p_neq0.
  by exists (- c')%ZZ; lia.
- by rewrite mxE; apply: eq_bigr => m _; rewrite !mxE.
exists (c + c')%ZZ; move: E; rewrite /product /= => E; rewrite eqbE -[(i : nat) == j]/(i == j) in E.
have -> : ((i == j)%:R = if i == j then 1 else 0 :> Z)%ZZ by case: (i == j).
rewrite Z.mul_add_distr_r -E -E'; move: ((_ *m _) i j) (stacks.sum _ _ _) (if i == j then _ else _) => a b b'.
by rewrite Z.add_sub_assoc; lia.
Qed.

Definition entry_of (R : ringType) (M : 'M[R]_d) (i j : nat) : R :=
  if insub i is Some i' then (if insub j is Some j' then M i' j' else 0) else 0.
Lemma square_entry (R : comRingType) (M : 'M[R]_d) : square d (entry_of M) = M.
Proof. by apply/matrixP => i j; rewrite mxE /entry_of !valK. Qed.

Definition scaled_k s h k := entry_of (\det (polynomial_matrix InV s k) *: (\adj (polynomial_matrix InK s h))^T).
Definition scaled_v s h k := entry_of (\det (polynomial_matrix InK s h) *: \adj (polynomial_matrix InV s k)).
Definition real_k s h (k : nat) i j : F := if flag fk s h then entry_of (invmx (f_matrix InK s h))^T i j else 0.
Definition real_v s (h : nat) k i j : F := if flag fv s k then entry_of (invmx (f_matrix InV s k)) i j else 0.
Notation regular := (fun s h k => flag fk s h && flag fv s k).
Notation all_fields := (fields d regular 0 ls).

Lemma scaled_k_inverse s h k : (key_matrix d theta_K s h)^T *m square d (scaled_k s h k)
  = (\det (polynomial_matrix InK s h) * \det (polynomial_matrix InV s k))%:M.
Proof. by rewrite square_entry -scalemxAr -trmx_mul mul_adj_mx tr_scalar_mx scale_scalar_mx mulrC. Qed.
Lemma scaled_v_inverse s h k : square d (scaled_v s h k) *m value_matrix d theta_K s k
  = (\det (polynomial_matrix InK s h) * \det (polynomial_matrix InV s k))%:M.
Proof. by rewrite square_entry -scalemxAl mul_adj_mx scale_scalar_mx. Qed.

Lemma value_matrixE k s g : map_mx value (polynomial_matrix k s g) = f_matrix k s g.
Proof. by apply/matrixP => i j; rewrite !mxE value_theta. Qed.
Lemma value_det k s g : value (\det (polynomial_matrix k s g)) = \det (f_matrix k s g).
Proof. by rewrite -value_matrixE det_map_mx. Qed.
Lemma value_adj k s g i j : value (\adj (polynomial_matrix k s g) i j) = \adj (f_matrix k s g) i j.
Proof. by rewrite -value_matrixE -map_mx_adj [RHS]mxE. Qed.

Definition scale_of (f : field) : F := if f is MixHeads s h k then \det (f_matrix InK s h) * \det (f_matrix InV s k) else 1.
Definition has_inverses (f : field) : Prop := if f is MixHeads s h k then regular s h k else true.

Lemma value_scaled_k s h k i j : regular s h k -> value (scaled_k s h k i j) = scale_of (MixHeads s h k) * real_k s h k i j.
Proof.
case/andP=> flag_k _; have [unit_k _] := flag_residues flag_k; rewrite /scaled_k /real_k flag_k /entry_of /=.
case: insubP => [i' _ _ | _]; last by rewrite rmorph0 mulr0.
case: insubP => [j' _ _ | _]; last by rewrite rmorph0 mulr0.
rewrite mxE [(\adj _)^T _ _]mxE rmorphM value_det value_adj [(invmx _)^T _ _]mxE /invmx unit_k [in RHS]mxE.
rewrite [\det (f_matrix InK _ _) * _]mulrC -mulrA; congr (_ * _); by rewrite mulrA mulfV ?mul1r // -unitfE -unitmxE.
Qed.
Lemma value_scaled_v s h k i j : regular s h k -> value (scaled_v s h k i j) = scale_of (MixHeads s h k) * real_v s h k i j.
Proof.
case/andP=> _ flag_v; have [unit_v _] := flag_residues flag_v; rewrite /scaled_v /real_v flag_v /entry_of /=.
case: insubP => [i' _ _ | _]; last by rewrite rmorph0 mulr0.
case: insubP => [j' _ _ | _]; last by rewrite rmorph0 mulr0.
rewrite [in LHS]mxE rmorphM value_det value_adj /invmx unit_v [in RHS]mxE -mulrA; congr (_ * _).
by rewrite mulrA mulfV ?mul1r // -unitfE -unitmxE.
Qed.

Definition velocity_K f n := velocity (ring_ops K) d theta_K scaled_k scaled_v f n.
Definition velocity_F f n := velocity (ring_ops F) d real_theta real_k real_v f n.

Lemma product_scale n c (A A' B : nat -> nat -> F) i j : (forall i j, A i j = c * A' i j) ->
  product (ring_ops F) n A B i j = c * product (ring_ops F) n A' B i j.
Proof. by move=> AE; rewrite /product !ring_sumE mulr_sumr; apply: eq_bigr => k _; rewrite /= AE mulrA. Qed.
Lemma product_scale_r n c (A B B' : nat -> nat -> F) i j : (forall i j, B i j = c * B' i j) ->
  product (ring_ops F) n A B i j = c * product (ring_ops F) n A B' i j.
Proof. by move=> BE; rewrite /product !ring_sumE mulr_sumr; apply: eq_bigr => k _; rewrite /= BE mulrCA. Qed.

Lemma value_velocity f n : has_inverses f -> value (velocity_K f n) = scale_of f * velocity_F f n.
Proof.
move=> reg.
have -> : value (velocity_K f n) = velocity (ring_ops F) d real_theta (fun s h k i j => value (scaled_k s h k i j)) (fun s h k i j => value (scaled_v s h k i j)) f n.
  apply: (@R_velocity _ _ (ring_ops K) (ring_ops F) (fun q a => value q = a)) => //=.
  - exact: rmorph0.
  - exact: rmorph1.
  - by move=> a a' b b' <- <-; rewrite rmorphD.
  - by move=> a a' b b' <- <-; rewrite rmorphM.
  - by move=> a a' <-; rewrite rmorphN.
  - exact: value_theta.
rewrite /velocity_F; case: f reg => [s' g' p' q'|s' g' r' b|s' g' p' q'|s' g' h' k'|s' h' k'|s' p' cube|s' p' q'|s' p' r'] reg; try by rewrite [scale_of _]/= mul1r; case: n.
case: n => k s g h i j; case: k; rewrite ?mulr0 //=; rewrite eqbE; case: eqP => [-> | _] //=; rewrite ?mulr0 //.
  case: (Nat.eqb g h'); rewrite /= ?mulr0 //; apply: product_scale => i' j'; exact: value_scaled_k.
case: (Nat.eqb g k'); rewrite /= ?mulr0 // mulrN; congr (- _); apply: product_scale_r => i' j'; exact: value_scaled_v.
Qed.

Lemma residue_velocity f n : residue (velocity_F f n) (velocity (residue_ops p) d (parameter e)
  (fun s h k i j => inverse_entry d (inverses_k e) fk s h j i) (fun s h k i j => inverse_entry d (inverses_v e) fv s k i j) f n).
Proof.
have entries k Ms s g i j (M := invmx (f_matrix k s g)) : flag (invertible d e k Ms) s g ->
  residue (entry_of M i j) (inverse_entry d Ms (invertible d e k Ms) s g i j).
  move=> fl; have [_ res] := flag_residues fl; rewrite /inverse_entry fl /entry_of.
  case: insubP => [i' lt_i ei|]; last first.
    by case: (Nat.ltb_spec i d) => //= lt; [move=> /negP[]; lia | move=> _; apply: residue0].
  case: insubP => [j' lt_j ej|]; last first.
    case: (Nat.ltb_spec j d) => /= lt; first by move=> /negP[]; lia.
    by rewrite andbF => _; apply: residue0.
  have -> : Nat.ltb i d by apply/Nat.ltb_lt; lia.
  have -> : Nat.ltb j d by apply/Nat.ltb_lt; lia.
  by rewrite -ei -ej /=; apply: res.
apply: (@R_velocity _ _ (ring_ops F) (residue_ops p) residue) => /=.
- exact: residue0.
- exact: residue1.
- by move=> a a' b b' Ra Rb; apply: residue_plus Ra Rb (plus_mod_same p _ _).
- by move=> a a' b b' Ra Rb; apply: residue_times Ra Rb (times_mod_same _ _ p_neq0).
- by move=> a a' Ra; apply: residue_minus Ra (minus_mod_same p _).
- by move=> m; apply: residue_embed; exists 0%ZZ; lia.
- move=> s h k i j; rewrite /real_k; case fl: (flag fk s h); last by rewrite /inverse_entry fl; apply: residue0.
  rewrite (_ : entry_of _ i j = entry_of (invmx (f_matrix InK s h)) j i); first exact: entries.
  by rewrite /entry_of; case: insubP => [i' _ _|_]; case: insubP => [j' _ _|_] //; rewrite mxE.
move=> s h k i j; rewrite /real_v; case fl: (flag fv s k); last by rewrite /inverse_entry fl; apply: residue0.
exact: entries.
Qed.

Lemma fields_inverses s ms : every has_inverses (fields d regular s ms).
Proof.
elim: ms s => //= l ms IH s; apply: every_cat; last apply: every_cat => //.
  case: l => l /=; last exact: every_map.
  apply: every_cat; [|apply: every_cat; [|apply: every_cat]].
  - by apply: every_flatten => g _; case: (is_rotary l); apply: every_flatten => i _; [|apply: every_map].
  - by apply: every_flatten => g _; apply: every_flatten => i _; apply: every_map.
  - by apply: every_flatten => g _; apply: every_flatten => h _; apply: every_map.
  apply: every_given => _; apply: every_flatten => h _; apply: every_map => k.
  by rewrite mem_filter /= => /andP[/andP[_]].
case: ms IH => // l' ms _; apply: every_cat; apply: every_given => _; last exact: every_map.
by apply: every_flatten => i _; apply: every_map.
Qed.

Definition no_field := Neuron 0 0 false.
Definition field_matrix : 'M[K]_(size all_fields, P) := \matrix_(i, k) velocity_K (nth no_field all_fields i) (name_at d ls k).

Lemma fields_vanish z : derivative d only_last ls z *m field_matrix^T = 0.
Proof.
rewrite derivativeE; apply/matrixP => a i.
have := every_nth no_field (all_fields_in_kernel only_last uniq_names (map_inputs (constant P) z) regular scaled_k_inverse scaled_v_inverse) (ltn_ord i).
move/matrixP/(_ a 0); rewrite [RHS]mxE => zero; rewrite [RHS]mxE -[RHS]zero !mxE.
by apply: eq_bigr => k _; rewrite !mxE.
Qed.

Lemma fields_rank : check_fields d ls e -> (size (field_columns e) <= \rank (map_mx value field_matrix))%N.
Proof.
case/and3P=> /(plucksP no_field erefl)[fsE /(all_nthP 0%N) fs_in] /(plucksP (no_name) erefl)[nsE /(all_nthP 0%N) ns_in].
set D := size (field_columns e); rewrite {}fsE {}nsE => full.
set table := map _ _ in full; set N := size (field_places e).
have size_t : size table = N by rewrite !size_map.
have f_lt (i : 'I_N) : (nth 0%N (field_places e) i < size all_fields)%N by apply: fs_in.
have g_lt (j : 'I_D) : (nth 0%N (field_columns e) j < P)%N by apply: ns_in.
pose A : 'M[F]_(N, D) := \matrix_(i, j) velocity_F (nth no_field all_fields (Ordinal (f_lt i))) (name_at d ls (Ordinal (g_lt j))).
have full_A : row_full A.
  apply: (residues_full p_big size_t) full => [|i j].
    by rewrite /table -map_comp all_map; apply/allP => i _ /=; rewrite !size_map.
  rewrite mxE /table -map_comp (nth_map 0%N) // /= (nth_map no_name) ?size_map // (nth_map 0%N) //.
  exact: residue_velocity.
pose f (i : 'I_N) := Ordinal (f_lt i); pose g (j : 'I_D) := Ordinal (g_lt j).
apply: (@minor_rank _ _ _ _ _ _ f g).
have AE : A = diag_mx (\row_i (scale_of (nth no_field all_fields (f i)))^-1) *m mxsub f g (map_mx value field_matrix).
  apply/matrixP => i j; rewrite mul_diag_mx !mxE value_velocity; last exact: every_nth (fields_inverses 0 ls) (f_lt i).
  rewrite mulKf //; have := every_nth no_field (fields_inverses 0 ls) (f_lt i).
  case: (nth no_field all_fields (f i)) => //= *; try exact: oner_neq0.
  match goal with H : is_true (_ && _) |- _ => move: H => /andP[/flag_residues[uk _] /flag_residues[uv _]] end.
  by rewrite mulf_neq0 // -unitfE -unitmxE.
by move: full_A; rewrite AE -!sub1mx => /submx_trans; apply; apply: submxMl.
Qed.
End Accepted.

(* What is accepted holds. *)
Theorem check_derivative_sound (F : numFieldType) d tokens only_last ls e D :
  check_derivative d tokens only_last ls e D -> at_least F d only_last ls tokens D.
Proof.
case/and5P=> num shape tu /Nat.eqb_eq size_o /and4P[/Nat.eqb_eq size_k known sizes full].
have p_big : (2 <= modulus e)%ZZ by case/and3P: full => /Z.leb_le.
exists (real_inputs F e), (real_point F d ls e); split; first exact: real_proper p_big num shape.
exact: derivative_rank.
Qed.

Theorem check_stack_sound (F : numFieldType) d tokens only_last ls e D :
  check_stack d tokens only_last ls e D -> has_dimension F d only_last ls tokens D.
Proof.
case/and3P=> derivative_ok fields_ok /Nat.eqb_eq sum_P.
have [num tu p_big] : [/\ numbered e 0 (names d 0 ls), all (all (turns (modulus e))) (angles_of e) & (2 <= modulus e)%ZZ].
  by case/and5P: derivative_ok => num _ tu _ /and4P[_ _ _ /and3P[/Z.leb_le p_big _ _]].
have large := fields_rank F p_big num tu fields_ok.
have most : at_most F d only_last ls D.
  move=> z w; have := @rank_and_fields F _ _ (value_at (size (names d 0 ls))) (@polynomials_nonzero F _) _ _ _ _ _ w (real_point F d ls e) (fields_vanish only_last num z).
  rewrite -/(derivative_at d only_last ls z w) => le; rewrite -(leq_add2r (size (field_columns e))) sum_P.
  by apply: leq_trans le; rewrite leq_add2l.
split=> //; have [z [w [proper_z least]]] := check_derivative_sound F derivative_ok.
by exists z, w; split=> //; apply/eqP; rewrite eqn_leq most least.
Qed.
