(* The matrix J of a stack: the derivatives of its outputs by its parameters, at any parameters, from a commutative ring. Its product
   with a velocity is the derivative along it, and with every field it is 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify.
From Attest Require Import stacks stack_relations stack_slopes stack_fields stack_sublayers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.
Arguments Nat.eqb : simpl never.

(* Of all fields in a list. *)
Fixpoint every (Q : field -> Prop) (fs : seq field) : Prop := if fs is f :: fs' then Q f /\ every Q fs' else True.
Lemma every_cat (Q : field -> Prop) fs gs : every Q fs -> every Q gs -> every Q (fs ++ gs).
Proof. by elim: fs => //= f fs IH [Qf Qfs] Qgs; split=> //; apply: IH. Qed.
Lemma every_map (Q : field -> Prop) (T : eqType) (f : T -> field) s : (forall i, i \in s -> Q (f i)) -> every Q [seq f i | i <- s].
Proof.
elim: s => //= i s IH each; split; first by apply: each; rewrite mem_head.
by apply: IH => j j_in; apply: each; rewrite inE j_in orbT.
Qed.
Lemma every_flatten (Q : field -> Prop) (T : eqType) (f : T -> seq field) s : (forall i, i \in s -> every Q (f i)) -> every Q (flatten [seq f i | i <- s]).
Proof.
elim: s => //= i s IH each; apply: every_cat; first by apply: each; rewrite mem_head.
by apply: IH => j j_in; apply: each; rewrite inE j_in orbT.
Qed.
Lemma every_given (Q : field -> Prop) (b : bool) fs : (b -> every Q fs) -> every Q (given b fs).
Proof. by case: b => // Qfs; apply: Qfs. Qed.
Lemma every_imp (Q Q' : field -> Prop) fs : (forall f, Q f -> Q' f) -> every Q fs -> every Q' fs.
Proof. by move=> imp; elim: fs => //= f fs IH [Qf /IH Qfs]; split=> //; apply: imp. Qed.
Lemma every_nth (Q : field -> Prop) fs f0 i : every Q fs -> (i < size fs)%N -> Q (nth f0 fs i).
Proof. by elim: fs i => // f fs IH [|i] [Qf Qfs] //= lt; apply: IH. Qed.

Section AllFields.
Variables (A : comRingType) (d : nat) (th : name -> A) (fixed cos_ sin_ : nat -> nat -> A).
Variables (ik iv : nat -> nat -> nat -> nat -> nat -> A) (c : nat -> nat -> nat -> A) (regular : nat -> nat -> nat -> bool).
Hypothesis inverse_k : forall s h k, (key_matrix d th s h)^T *m square d (ik s h k) = (c s h k)%:M.
Hypothesis inverse_v : forall s h k, square d (iv s h k) *m value_matrix d th s k = (c s h k)%:M.
Notation o := (dual_ops A).
Notation vel := (velocity (ring_ops A) d th ik iv).
Notation x f := (moving th fixed cos_ sin_ (vel f)).

Lemma within_still s l : every (fun f => (forall s', s' != s -> stays (vel f) s') /\ forall X, still X -> still (step o d (x f) s l X))
  (fields_within d regular s l).
Proof.
have elsewhere s' : s' != s -> Nat.eqb s' s = false by move=> /negPf ne; rewrite eqbE.
case: l => l /=; last first.
  apply: every_map => i _; split=> [s' /elsewhere ne [] g h i' j|X X0] //=; rewrite ?ne //.
  exact: neuron_field.
apply: every_cat; [|apply: every_cat; [|apply: every_cat]].
- apply: every_flatten => g _; case rotary: (is_rotary l).
    apply: every_flatten => k; rewrite mem_iota => /andP[_ lt_k].
    have each b : (forall s', s' != s -> stays (vel (Turns s g k b)) s') /\ forall X, still X -> still (attention o d (x (Turns s g k b)) s l X).
      split=> [s' /elsewhere ne|X X0]; last exact: turns_field.
      by case: b => -[] g' h i' j //=; rewrite ne.
    by split; [apply: each | split; [apply: each|]].
  apply: every_flatten => i; rewrite mem_iota => /andP[_ lt_i]; apply: every_map => j; rewrite mem_iota => /andP[_ lt_j].
  split=> [s' /elsewhere ne [] g' h i' j' //=|X X0]; rewrite ?ne //.
  by apply: keys_field => //; rewrite rotary.
- apply: every_flatten => g _.
  apply: every_flatten => i; rewrite mem_iota => /andP[_ lt_i]; apply: every_map => j; rewrite mem_iota => /andP[_ lt_j].
  split=> [s' /elsewhere ne [] g' h i' j' //=|X X0]; rewrite ?ne //.
  exact: values_field.
- apply: every_flatten => g _; apply: every_flatten => h; rewrite mem_iota => /andP[_ lt_h].
  apply: every_map => k; rewrite mem_filter mem_iota eqbE => /andP[mixable /andP[_ lt_k]].
  split=> [s' /elsewhere ne [] g' h' i' j' //=|X X0]; rewrite ?ne //.
  exact: mix_field.
apply: every_given => plain; apply: every_flatten => h; rewrite mem_iota => /andP[_ lt_h].
apply: every_map => k; rewrite mem_filter mem_iota => /andP[_ /andP[_ lt_k]].
split=> [s' /elsewhere ne [] g' h' i' j' //=|X X0]; rewrite ?ne //.
by apply: (@mix_heads_field A d th fixed cos_ sin_ ik iv s l X X0 h k (c s h k)).
Qed.

Lemma between_still s l l' : every (fun f => (forall s', s' != s -> s' != s.+1 -> stays (vel f) s')
    /\ forall X, still X -> still (step o d (x f) s.+1 l' (step o d (x f) s l X))) (fields_between d s l l').
Proof.
have elsewhere s' : s' != s -> Nat.eqb s' s = false by move=> /negPf ne; rewrite eqbE.
have elsewhere' s' : s' != s.+1 -> Nat.eqb s' s.+1 = false by move=> /negPf ne; rewrite eqbE.
apply: every_cat; apply: every_given.
  case/andP=> no_res no_res'; apply: every_flatten => i; rewrite mem_iota => /andP[_ lt_i].
  apply: every_map => j; rewrite mem_iota => /andP[_ lt_j].
  split=> [s' /elsewhere ne /elsewhere' ne' [] g' h' i' j' //=|X X0]; rewrite ?ne ?ne' //.
  exact: basis_field.
case/andP=> biased takes; apply: every_map => i; rewrite mem_iota => /andP[_ lt_i].
split=> [s' /elsewhere ne /elsewhere' ne' [] g' h' i' j' //=|X X0]; rewrite ?ne ?ne' //.
exact: shift_field.
Qed.

Theorem fields_still s ls : every (fun f => (forall s', (s' < s)%N -> stays (vel f) s') /\ forall X, still X -> still (run o d (x f) s ls X))
  (fields d regular s ls).
Proof.
elim: ls s => //= l ls IH s; apply: every_cat; last apply: every_cat.
- apply: every_imp (within_still s l) => f [away here]; split=> [s' lt|X X0]; first by apply: away; rewrite neq_ltn lt.
  by apply: run_stays; [move=> s' lt; apply: away; rewrite neq_ltn lt orbT | apply: here].
- case: ls IH => //= l' ls _; apply: every_imp (between_still s l l') => f [away here]; split=> [s' lt|X X0].
    by apply: away; rewrite neq_ltn ?lt // ltnS ltnW.
  apply: run_stays; last exact: here.
  by move=> s' lt; apply: away; rewrite neq_ltn; apply/orP; right=> //; apply: ltn_trans lt.
apply: every_imp (IH s.+1) => f [away later]; split=> [s' lt|X X0]; first by apply: away; apply: ltn_trans lt _.
by apply/later/step_stays => //; apply: away.
Qed.
End AllFields.

Lemma map_map_id T (Xs : seq (seq (seq T))) : map (map (map id)) Xs = Xs.
Proof. by rewrite -[RHS]map_id; apply: eq_map => X; rewrite -[RHS]map_id; apply: eq_map => u; apply: map_id. Qed.

(* J. *)
Record inputs (R : Type) := Inputs { examples : seq (seq (seq R)); its_decays : nat -> nat -> R; cosines : nat -> nat -> R; sines : nat -> nat -> R }.
Definition map_inputs R S (f : R -> S) (z : inputs R) : inputs S :=
  Inputs (map (map (map f)) (examples z)) (fun s i => f (its_decays z s i)) (fun s i => f (cosines z s i)) (fun s i => f (sines z s i)).

Section Jacobian.
Variables (d : nat) (only_last : bool) (ls : seq sublayer).
Notation ns := (names d 0 ls).
Notation P := (size ns).
Definition no_name := Name InK 0 0 0 0 0.
Definition name_at k := nth no_name ns k.

Section Outputs.
Variables (T : Type) (o : ops T).
Definition point_of (th : name -> T) (z : inputs T) : point T := PointAt th (its_decays z) (cosines z) (sines z).
Definition outputs_at (th : name -> T) (z : inputs T) : seq T := outputs o d (point_of th z) only_last ls (examples z).
End Outputs.

(* How many there are, whatever the numbers. *)
Definition unit_ops : ops unit := Ops tt tt (fun _ _ => tt) (fun _ _ => tt) (fun _ => tt).
Definition num_outputs (T : Type) (z : inputs T) : nat := size (outputs_at unit_ops (fun _ => tt) (map_inputs (fun _ => tt) z)).

(* Relations of numbers are those of outputs. *)
Lemma outputs_related T T' (o : ops T) (o' : ops T') (R : T -> T' -> Prop) th th' z z' :
  R (zero o) (zero o') -> R (one o) (one o') ->
  (forall x x' y y', R x x' -> R y y' -> R (plus o x y) (plus o' x' y')) ->
  (forall x x' y y', R x x' -> R y y' -> R (times o x y) (times o' x' y')) -> (forall x x', R x x' -> R (minus o x) (minus o' x')) ->
  (forall n, n \in ns -> R (th n) (th' n)) ->
  (forall s i, [/\ R (its_decays z s i) (its_decays z' s i), R (cosines z s i) (cosines z' s i) & R (sines z s i) (sines z' s i)]) ->
  size (examples z) = size (examples z') -> (forall e, tables o o' R (nth [::] (examples z) e) (nth [::] (examples z') e)) ->
  lists o o' R (outputs_at o th z) (outputs_at o' th' z').
Proof.
move=> R0 R1 Rp Rt Rm Rth Rc size_z each; apply: related_outputs => // s i; by case: (Rc s i).
Qed.

(* The same inputs, in two kinds of numbers. *)
Lemma map_tables S T T' (o : ops T) (o' : ops T') (R : T -> T' -> Prop) (f : S -> T) (f' : S -> T') (Xs : seq (seq (seq S))) e :
  R (zero o) (zero o') -> (forall c, R (f c) (f' c)) -> tables o o' R (nth [::] (map (map (map f)) Xs) e) (nth [::] (map (map (map f')) Xs) e).
Proof.
move=> R0 Rf; case: (ltnP e (size Xs)) => [lt | le]; last first.
  by rewrite !nth_default ?size_map //; split=> // i; rewrite !nth_nil; split=> // j; rewrite !nth_nil.
rewrite !(nth_map [::]) //; split=> [|i]; first by rewrite !size_map.
set X := nth [::] Xs e; case: (ltnP i (size X)) => [lt_i | le_i]; last first.
  by rewrite !nth_default ?size_map //; split=> // j; rewrite !nth_nil.
rewrite !(nth_map [::]) //; split=> [|j]; first by rewrite !size_map.
set u := nth [::] X i; case: (ltnP j (size u)) => [lt_j | le_j]; last by rewrite !nth_default ?size_map.
by case: (u) lt_j => // c0 u' lt_j; rewrite !(nth_map c0).
Qed.

Variable K : comRingType.
Implicit Types (th v : name -> K) (z : inputs K).
Notation r := (ring_ops K).

(* The parameters move with X, the inputs stay. *)
Definition along th v (n : name) : {poly K} := (th n)%:P + (v n)%:P * 'X.
Definition moving_outputs th v z : seq {poly K} := outputs_at (ring_ops [comRingType of {poly K}]) (along th v) (map_inputs polyC z).
(* The derivative of output i along v: the coefficient of X. *)
Definition slope th v z i : K := (moving_outputs th v z)`_i`_1.
Definition one_at (k : nat) (n : name) : K := (index n ns == k)%:R.
Definition stack_jacobian th z : 'M[K]_(num_outputs z, P) := \matrix_(i, k) slope th (one_at k) z i.

(* A value, and its derivatives by all parameters. *)
Definition gradient_ops : ops (K * (nat -> K)) :=
  Ops (0, fun _ => 0) (1, fun _ => 0) (fun x y => (x.1 + y.1, fun k => x.2 k + y.2 k))
    (fun x y => (x.1 * y.1, fun k => x.1 * y.2 k + x.2 k * y.1)) (fun x => (- x.1, fun k => - x.2 k)).
Definition gradients th z : seq (K * (nat -> K)) :=
  outputs_at gradient_ops (fun n => (th n, fun k => one_at k n)) (map_inputs (fun c => (c, fun _ => 0)) z).

Lemma poly_coef01 (p q : {poly K}) : (p * q)`_0 = p`_0 * q`_0 /\ (p * q)`_1 = p`_0 * q`_1 + p`_1 * q`_0.
Proof. by rewrite !coefM !big_ord_recl !big_ord0 !addr0. Qed.

Lemma sum_name (v : nat -> K) n : n \in ns -> \sum_(k < P) one_at k n * v k = v (index n ns).
Proof.
rewrite -index_mem => lt; rewrite (bigD1 (Ordinal lt)) //= /one_at eqxx mul1r big1 ?addr0 // => k.
by rewrite -val_eqE /= eq_sym => /negPf->; rewrite mul0r.
Qed.

Lemma gradient_slope th v z : lists gradient_ops (ring_ops [comRingType of {poly K}])
  (fun x p => x.1 = p`_0 /\ \sum_(k < P) x.2 k * v (name_at k) = p`_1) (gradients th z) (moving_outputs th v z).
Proof.
have sum0 : \sum_(k < P) 0 * v (name_at k) = 0 :> K by apply: big1 => k _; rewrite mul0r.
apply: outputs_related => /=.
- by rewrite !coef0 sum0.
- by rewrite !coefC sum0.
- move=> a p b q [a0 a1] [b0 b1]; rewrite !coefD -a0 -b0 -a1 -b1; split=> //.
  by rewrite -big_split; apply: eq_bigr => k _; rewrite mulrDl.
- move=> a p b q [a0 a1] [b0 b1]; have [-> ->] := poly_coef01 p q; rewrite -a0 -b0 -a1 -b1; split=> //.
  by rewrite mulr_sumr mulr_suml -big_split; apply: eq_bigr => k _; rewrite mulrDl -mulrA; congr (_ + _); apply: mulrAC.
- by move=> a p [a0 a1]; rewrite !coefN -a0 -a1; split=> //; rewrite -sumrN; apply: eq_bigr => k _; rewrite mulNr.
- move=> n n_in; rewrite /along !coefD !coefMX !coefC /= !addr0 add0r; split=> //.
  by rewrite (sum_name (fun k => v (name_at k))) // /name_at nth_index.
- by move=> s i; rewrite !coefC !sum0.
- by rewrite !size_map.
by move=> e; apply: map_tables => [|c]; rewrite ?coef0 ?coefC ?sum0.
Qed.

Lemma eq_jacobian th th' z : (forall n, n \in ns -> th n = th' n) -> stack_jacobian th z = stack_jacobian th' z.
Proof.
move=> same; apply/matrixP => i k; rewrite !mxE /slope.
suff [_ /(_ (i : nat)) -> //] : lists (ring_ops [comRingType of {poly K}]) (ring_ops [comRingType of {poly K}]) eq
  (moving_outputs th (one_at k) z) (moving_outputs th' (one_at k) z).
apply: outputs_related => //; try by move=> *; subst.
by move=> n n_in; rewrite /along same.
Qed.

Hypothesis uniq_names : uniq ns.

Lemma jacobian_entry th z i (k : 'I_P) : slope th (one_at k) z i = (nth (zero gradient_ops) (gradients th z) i).2 k.
Proof.
have [_ /(_ i)[_ e]] := gradient_slope th (one_at k) z; apply: etrans (esym e) _.
rewrite (bigD1 k) //= /one_at /name_at index_uniq // eqxx mulr1 big1 ?addr0 // => k' /negPf.
by rewrite index_uniq // -val_eqE /= => ->; rewrite mulr0.
Qed.

(* J times a velocity is the derivative along it. *)
Theorem stack_jacobianE th v z i : (stack_jacobian th z *m \col_k v (name_at k)) i 0 = slope th v z i.
Proof.
have [_ /(_ (i : nat))[_ e]] := gradient_slope th v z; apply: etrans e; rewrite mxE.
by apply: eq_bigr => k _; rewrite mxE jacobian_entry mxE.
Qed.

Lemma slope_dual th v z i :
  slope th v z i = (nth (0, 0) (outputs_at (dual_ops K) (fun n => (th n, v n)) (map_inputs (fun c => (c, 0)) z)) i).2.
Proof.
suff [_ /(_ i)[_]] : lists (ring_ops [comRingType of {poly K}]) (dual_ops K) (fun p x => p`_0 = x.1 /\ p`_1 = x.2) (moving_outputs th v z)
  (outputs_at (dual_ops K) (fun n => (th n, v n)) (map_inputs (fun c => (c, 0)) z)) by [].
apply: outputs_related => /=.
- by rewrite !coef0.
- by rewrite !coefC.
- by move=> p a q b [a0 a1] [b0 b1]; rewrite !coefD a0 b0 a1 b1.
- by move=> p a q b [a0 a1] [b0 b1]; have [-> ->] := poly_coef01 p q; rewrite a0 b0 a1 b1.
- by move=> p a [a0 a1]; rewrite !coefN a0 a1.
- by move=> n n_in; rewrite /along !coefD !coefMX !coefC /= addr0 add0r.
- by move=> s i'; rewrite !coefC.
- by rewrite !size_map.
by move=> e; apply: map_tables => [|c]; rewrite ?coef0 ?coefC.
Qed.

Lemma still_outputs (x : point (K * K)) (Xs : seq (seq (seq (K * K)))) i :
  (forall X, still X -> still (run (dual_ops K) d x 0 ls X)) -> (forall X, X \in Xs -> still X) ->
  (nth (0, 0) (outputs (dual_ops K) d x only_last ls Xs) i).2 = 0.
Proof.
move=> stills Xs0; suff zero : all (fun y => y.2 == 0) (outputs (dual_ops K) d x only_last ls Xs).
  by case: (ltnP i (size (outputs (dual_ops K) d x only_last ls Xs))) => [lt | le]; [apply/eqP/(all_nthP _ zero) | rewrite nth_default].
apply/allP => y /flatten_mapP[X /Xs0/stills Y0]; move: (run _ _ _ _ _ _) Y0 => Y Y0.
have row0 u : u \in Y -> forall y, y \in u -> y.2 == 0.
  by move=> /(nthP [::])[j _ <-] y' /(nthP (0, 0))[k _ <-]; apply/eqP; apply: (Y0 j k).
rewrite /readout; case: only_last; last by case/flattenP=> u /row0; apply.
by case: Y row0 {Y0} => // u Y row0; apply: (row0 _ (mem_last u Y)).
Qed.

Theorem all_fields_in_kernel th z (ik iv : nat -> nat -> nat -> nat -> nat -> K) (c : nat -> nat -> nat -> K) regular :
  (forall s h k, (key_matrix d th s h)^T *m square d (ik s h k) = (c s h k)%:M) ->
  (forall s h k, square d (iv s h k) *m value_matrix d th s k = (c s h k)%:M) ->
  every (fun f => stack_jacobian th z *m \col_k velocity r d th ik iv f (name_at k) = 0) (fields d regular 0 ls).
Proof.
move=> inverse_k inverse_v; have := fields_still (its_decays z) (cosines z) (sines z) regular inverse_k inverse_v 0 ls.
apply: every_imp => f [_ stills]; apply/matrixP => i j; rewrite ord1 stack_jacobianE slope_dual [RHS]mxE.
apply: still_outputs => // X /mapP[X1 _ ->] i' j'; rewrite /get.
case: (ltnP i' (size X1)) => [lt_i | le_i]; last by rewrite [nth [::] _ _]nth_default ?size_map // nth_nil.
rewrite (nth_map [::]) //; set u := nth [::] X1 _; case: (ltnP j' (size u)) => [lt_j | le_j]; last by rewrite nth_default ?size_map.
by rewrite (nth_map 0).
Qed.
End Jacobian.
