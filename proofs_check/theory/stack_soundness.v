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

(* Parameters that the stack does not have are constants. *)
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
End Accepted.
