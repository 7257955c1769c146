(* Fields that mix heads, scale neurons, and lie between two sublayers; and so all fields of a stack: no output changes. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify.
From Attest Require Import stacks stack_relations stack_slopes stack_fields.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.
Arguments Nat.eqb : simpl never.

Section Sublayers.
Variables (A : comRingType) (d : nat) (th : name -> A) (fixed cos_ sin_ : nat -> nat -> A).
Variables (ik iv : nat -> nat -> nat -> nat -> nat -> A).
Notation o := (dual_ops A).
Notation r := (ring_ops A).
Notation vel := (velocity r d th ik iv).
Notation x f := (moving th fixed cos_ sin_ (vel f)).

(* A_h = K_h' Q_h, P_h = O_h V_h: what head h puts in for head k. *)
Section MixHeads.
Variables (s : nat) (l : attention_plan) (X : seq (seq (A * A))).
Hypothesis X0 : still X.
Variables (h0 k0 : nat) (c : A).
Hypotheses (plain : mixes_heads d l) (lt_h0 : (h0 < num_groups l)%N) (lt_k0 : (k0 < num_groups l)%N).
Definition key_matrix g : 'M[A]_d := \matrix_(i, j) th (Name InK s g 0 i j).
Definition query_matrix g : 'M[A]_d := \matrix_(i, j) th (Name InQ s g 0 i j).
Definition value_matrix g : 'M[A]_d := \matrix_(i, j) th (Name InV s g 0 i j).
Definition output_matrix g : 'M[A]_d := \matrix_(i, j) th (Name OutO s g 0 i j).
Definition square (f : nat -> nat -> A) : 'M[A]_d := \matrix_(i, j) f i j.
Hypothesis inverse_k : (key_matrix h0)^T *m square (ik s h0 k0) = c%:M.
Hypothesis inverse_v : square (iv s h0 k0) *m value_matrix k0 = c%:M.
Let f := MixHeads s h0 k0.
Notation t := (size X).
Definition token i : 'cV[A]_d := \col_c (get o X i c).1.

Lemma mix_heads_field : still (attention o d (x f) s l X).
Proof.
have [one_head a_d v_d no_decay] : [/\ share l = 1%N, num_keys l = d, num_values l = d & ~~ decays l].
  by case/and5P: plain; rewrite !eqbE => /eqP-> /eqP-> /eqP-> ->.
have [no_turn no_q no_k no_v] : [/\ ~~ is_rotary l, ~~ with_q l, ~~ with_k l & ~~ with_v l].
  by case/and5P: plain => _ _ _ _ /and4P[].
have K1 g i (k : 'I_d) : (i < t)%N -> (key d (x f) s l X g i k).1 = (key_matrix g *m token i) k 0.
  move=> lt_i; rewrite key1 ?a_d // /turn (negPf no_turn) raw_key1 ?a_d // (negPf no_k) addr0 mxE.
  by apply: eq_bigr => c' _; rewrite !mxE.
have Q1 g i (k : 'I_d) : (i < t)%N -> (query d (x f) s l X g 0 i k).1 = (query_matrix g *m token i) k 0.
  move=> lt_i; rewrite query1 ?a_d // /turn (negPf no_turn) raw_query1 ?a_d // (negPf no_q) addr0 mxE.
  by apply: eq_bigr => c' _; rewrite !mxE.
have V1 g i (k : 'I_d) : (i < t)%N -> (vector d (x f) s l X g i k).1 = (value_matrix g *m token i) k 0.
  move=> lt_i; rewrite vector1 ?v_d // (negPf no_v) addr0 mxE.
  by apply: eq_bigr => c' _; rewrite !mxE.
have productE (u w : nat -> nat -> A) (i j : 'I_d) : product r d u w i j = (square u *m square w) i j.
  by rewrite /product ring_sumE mxE; apply: eq_bigr => k _; rewrite !mxE.
have Q2 g i (k : 'I_d) : (i < t)%N -> (query d (x f) s l X g 0 i k).2
    = if g == h0 then (square (ik s h0 k0) *m ((key_matrix k0)^T *m query_matrix k0) *m token i) k 0 else 0.
  move=> lt_i; rewrite query2 ?a_d // /turn (negPf no_turn) raw_query2 ?a_d // (negPf no_q) addr0.
  rewrite -[LHS]/(\sum_(c' < d) _) [in RHS]mxE -if_sum; apply: eq_bigr => c' _; rewrite X0 mulr0 add0r /= !eqbE eqxx /= onE.
  case: (g == h0); rewrite ?mul0r // [token i _ _]mxE; congr (_ * _).
  rewrite (productE _ _ k c'); congr ((_ *m _) k c'); apply/matrixP => i' j'; rewrite [LHS]mxE.
  rewrite (productE (fun i j => entry th InK s k0 j i) (entry th InQ s k0) i' j'); congr ((_ *m _) i' j'); by apply/matrixP => ? ?; rewrite !mxE.
have S1 g i j : (i < t)%N -> (j < t)%N -> score1 d (x f) s l X g 0 i j = ((key_matrix g *m token i)^T *m (query_matrix g *m token j)) 0 0.
  move=> lt_i lt_j; rewrite /score1 a_d mxE; apply: eq_bigr => k _; by rewrite K1 // Q1 // [in RHS]mxE.
have S2 g i j : (i < t)%N -> (j < t)%N -> score2 d (x f) s l X g 0 i j = if g == h0 then c * score1 d (x f) s l X k0 0 i j else 0.
  move=> lt_i lt_j; rewrite /score2 a_d S1 //.
  have -> : \sum_(k < d) ((key d (x f) s l X g i k).1 * (query d (x f) s l X g 0 j k).2 + (key d (x f) s l X g i k).2 * (query d (x f) s l X g 0 j k).1)
      = if g == h0 then ((key_matrix g *m token i)^T *m (square (ik s h0 k0) *m ((key_matrix k0)^T *m query_matrix k0) *m token j)) 0 0 else 0.
    rewrite [in RHS]mxE -if_sum; apply: eq_bigr => k _; rewrite K1 // Q2 // key_still ?a_d // => [|k' lt_k']; last first.
      by rewrite (@raw_key_change _ _ _ _ _ _ _ _ _ _ X X0 f false (fun _ => 0) 0) ?a_d.
    by rewrite mul0r addr0 if_mulr [in RHS]mxE.
  case: (eqVneq g h0) => // ->; rewrite !trmx_mul !mulmxA -[_ *m _ *m square _]mulmxA inverse_k.
  by rewrite mul_mx_scalar -!scalemxAl mxE.
have FE g j i : factor (x f) s l g 0 i j = factor (x f) s l 0 0 i j by rewrite /factor (negPf no_decay).
have M2 g j (k : 'I_d) : (j < t)%N -> mix2 d (x f) s l X g 0 j k = if g == h0 then
    \sum_(i < t) (value_matrix h0 *m token i) k 0 * (c * score1 d (x f) s l X k0 0 i j * factor (x f) s l 0 0 i j) else 0.
  move=> lt_j; rewrite /mix2 -if_sum; apply: eq_bigr => i _.
  rewrite S2 // FE (@vector_still _ _ _ _ _ _ _ _ _ _ X X0 f) ?v_d // mul0r addr0 if_mull if_mulr.
  by case: eqP => // ->; rewrite V1.
have M1 g j (k : 'I_d) : (j < t)%N -> mix1 d (x f) s l X g 0 j k =
    \sum_(i < t) (value_matrix g *m token i) k 0 * (score1 d (x f) s l X g 0 i j * factor (x f) s l 0 0 i j).
  by move=> lt_j; apply: eq_bigr => i _; rewrite V1 // FE.
apply: attention_still => // j i lt_j lt_i.
pose cross := \sum_(i' < t) (output_matrix h0 *m value_matrix h0 *m token i') (Ordinal lt_i) 0 * (c * score1 d (x f) s l X k0 0 i' j * factor (x f) s l 0 0 i' j).
rewrite (eq_bigr (fun g : 'I_(num_groups l) => (if g == h0 :> nat then cross else 0) + (if g == k0 :> nat then - cross else 0))) => [|g _].
  by rewrite big_split /= (sum_pick (fun _ => cross)) // (sum_pick (fun _ => - cross)) // subrr.
rewrite one_head big_ord1 v_d big_split /=; congr (_ + _).
  rewrite (eq_bigr (fun k : 'I_d => if g == h0 :> nat then \sum_(i' < t) output_matrix h0 (Ordinal lt_i) k * (value_matrix h0 *m token i') k 0
      * (c * score1 d (x f) s l X k0 0 i' j * factor (x f) s l 0 0 i' j) else 0)) => [|k _].
    rewrite if_sum; case: ifP => // _; rewrite exchange_big; apply: eq_bigr => i' _.
    by rewrite -mulr_suml -mulmxA [in RHS]mxE.
  rewrite M2 // if_mulr; case: eqP => // ->; rewrite mulr_sumr; apply: eq_bigr => i' _; by rewrite mulrA [output_matrix _ _ _]mxE.
rewrite (eq_bigr (fun k : 'I_d => if g == k0 :> nat then \sum_(i' < t)
    - ((output_matrix h0 *m value_matrix h0 *m square (iv s h0 k0)) (Ordinal lt_i) k * (value_matrix k0 *m token i') k 0)
      * (score1 d (x f) s l X k0 0 i' j * factor (x f) s l 0 0 i' j) else 0)) => [|k _].
  rewrite if_sum; case: ifP => // _; rewrite exchange_big -sumrN; apply: eq_bigr => i' _.
  rewrite -mulr_suml sumrN mulNr; congr (- _); rewrite -mulrA [in RHS]mulrA; congr (_ * _).
  transitivity ((output_matrix h0 *m value_matrix h0 *m square (iv s h0 k0) *m (value_matrix k0 *m token i')) (Ordinal lt_i) 0); first by rewrite [in RHS]mxE.
  by rewrite mulmxA -[_ *m square _ *m _]mulmxA inverse_v mul_mx_scalar -scalemxAl mxE mulrC.
rewrite /= !eqbE eqxx /= onE if_mull; case: eqP => // ->; rewrite M1 // mulr_sumr; apply: eq_bigr => i' _.
rewrite mulrA mulNr; congr (- (_ * _) * _).
rewrite (productE _ _ (Ordinal lt_i) k); congr ((_ *m _) _ k); apply/matrixP => i'' j''; rewrite [LHS]mxE productE.
by congr ((_ *m _) _ _); apply/matrixP => ? ?; rewrite !mxE.
Qed.
End MixHeads.

(* A neuron's scale. *)
Lemma neuron_field s (l : mlp_plan) X p : still X -> still (mlp o d (x (Neuron s p (is_cube l))) s l X).
Proof.
move=> X0 j i; set f := Neuron s p (is_cube l); case lt: ((j < size X)%N && (i < d)%N); last by rewrite mlp_out ?lt.
have /andP[lt_j lt_i] := lt; rewrite mlp_slope // X0 big1 => [|k _]; first by case: (adds_its_input l); case: (with_m l); rewrite !addr0.
have -> : (hidden d (x f) s l X j k).2 = if (k == p :> nat) then (hidden d (x f) s l X j k).1 else 0.
  rewrite hidden2 // hidden1 //= !eqbE eqxx /= !onE; case: (k == p :> nat).
    by congr (_ + _); apply: eq_bigr => c _; rewrite X0 mulr0 add0r.
  by case: (with_m l); rewrite addr0; apply: big1 => c _; rewrite X0 mulr0 add0r mul0r.
rewrite /= !eqbE eqxx /= onE; case: (k == p :> nat); last by rewrite !mulr0 mul0r addr0.
set w := th _; set y := (hidden _ _ _ _ _ _ _).1; rewrite mulNr /active1 /active2.
by case: (is_cube l); rewrite !mulrDl !mulrDr ?addrA subrr.
Qed.

(* What the first of two sublayers puts out, if its inputs stay and only its output matrices and bias move. *)
Lemma first_slope f s l X j i : still X -> (forall k g h i j, takes_in k -> vel f (Name k s g h i j) = 0) ->
  (forall g h, vel f (Name Gamma s g h 0 0) = 0) -> (forall i j, vel f (Name InW s 0 0 i j) = 0) -> (forall i, vel f (Name BiasW s 0 0 i 0) = 0) ->
  (j < size X)%N -> (i < d)%N ->
  (get o (step o d (x f) s l X) j i).2 = match l with
    | Attention l => \sum_(g < num_groups l) \sum_(h < share l) \sum_(k < num_values l) vel f (Name OutO s g h i k) * mix1 d (x f) s l X g h j k
        + (if with_o l then vel f (Name BiasO s 0 0 i 0) else 0)
    | Mlp l => \sum_(k < width l) vel f (Name OutW s 0 0 i k) * active1 l (hidden d (x f) s l X j k).1
        + (if with_m l then vel f (Name BiasO s 0 0 i 0) else 0)
    end.
Proof.
move=> X0 in0 gamma0 w0 b0 lt_j lt_i; case: l => l /=.
  by rewrite attention_outer //; [rewrite X0; case: (adds_input l); rewrite add0r | apply: stays_inner].
rewrite mlp_slope // X0 [if _ then 0 else 0](_ : _ = 0) ?add0r; last by case: (adds_its_input l).
congr (_ + _); apply: eq_bigr => k _; rewrite hidden2 // b0 big1 => [|c _]; last by rewrite X0 w0 mulr0 mul0r addr0.
by case: (with_m l); rewrite addr0 !mulr0 add0r.
Qed.

(* What a sublayer takes in, with the matrices that take it in, stays. *)
Definition settled f s (l : sublayer) (X : seq (seq (A * A))) : Prop :=
  match l with
  | Attention l =>
      [/\ forall g i k, (i < size X)%N -> (k < num_keys l)%N -> (raw_key d (x f) s l X g i k).2 = 0,
          forall g h i k, (i < size X)%N -> (k < num_keys l)%N -> (raw_query d (x f) s l X g h i k).2 = 0
        & forall g i k, (i < size X)%N -> (k < num_values l)%N -> (vector d (x f) s l X g i k).2 = 0]
  | Mlp l => forall j k, (j < size X)%N -> (k < width l)%N -> (hidden d (x f) s l X j k).2 = 0
  end.

Lemma second_slope f s l X j i : settled f s l X ->
  (forall g h, vel f (Name Gamma s g h 0 0) = 0) -> (forall g h i j, vel f (Name OutO s g h i j) = 0) -> (forall i j, vel f (Name OutW s 0 0 i j) = 0) ->
  (j < size X)%N -> (i < d)%N ->
  (get o (step o d (x f) s l X) j i).2
  = (if residual_of l then (get o X j i).2 else 0) + (if output_bias l then vel f (Name BiasO s 0 0 i 0) else 0).
Proof.
move=> inner gamma0 o0 w0 lt_j lt_i; case: l inner => l /= inner.
  rewrite attention_outer //; last by case: inner => K0 Q0 V0; apply: innerP => *; [apply: K0 | apply: Q0 | apply: V0].
  rewrite big1 ?addr0 // => g _; apply: big1 => h _; apply: big1 => k _; by rewrite o0 mul0r.
rewrite mlp_slope // big1 ?add0r // => k _; by rewrite w0 mul0r addr0 inner // !mulr0.
Qed.

Lemma step_out f s l X j i : ~~ ((j < size X)%N && (i < d)%N) -> get o (step o d (x f) s l X) j i = (0, 0).
Proof. by case: l => l /=; [apply: attention_out | apply: mlp_out]. Qed.
Lemma size_step f s l X : size (step o d (x f) s l X) = size X.
Proof. by case: l => l /=; rewrite size_tab. Qed.

(* A change of basis between two sublayers. *)
Section BetweenTwo.
Variables (s : nat) (l l' : sublayer) (X : seq (seq (A * A))).
Hypothesis X0 : still X.

Lemma basis_taken p q (u w y1 y2 : nat -> A) : (p < d)%N -> (q < d)%N -> (forall c, (c < d)%N -> y2 c = if c == p then y1 q else 0) ->
  (forall c, w c = if c == q then - u p else 0) -> \sum_(c < d) (u c * y2 c + w c * y1 c) = 0.
Proof.
move=> lt_p lt_q y2E wE; rewrite (eq_bigr (fun c : 'I_d => (if c == p :> nat then u c * y1 q else 0) + (if c == q :> nat then - u p * y1 c else 0))) => [|c _].
  by rewrite big_split /= (sum_pick (fun c => u c * y1 q)) // (sum_pick (fun c => - u p * y1 c)) // mulNr subrr.
by rewrite y2E // wE if_mulr if_mull.
Qed.

Lemma basis_field p q : (p < d)%N -> (q < d)%N -> ~~ residual_of l -> ~~ residual_of l' ->
  still (step o d (x (Basis s p q)) s.+1 l' (step o d (x (Basis s p q)) s l X)).
Proof.
move=> lt_p lt_q no_res no_res' j i; set f := Basis s p q; set Y := step o d (x f) s l X.
have Y2 i' c : (i' < size X)%N -> (c < d)%N -> (get o Y i' c).2 = if c == p then (get o Y i' q).1 else 0.
  move=> lt_i' lt_c; have no_site : Nat.eqb s s.+1 = false by rewrite eqbE; lia.
  rewrite first_slope //; try by [move=> *; rewrite /= no_site | case=> //= *; rewrite no_site].
  rewrite /Y; case: l no_res => l1 /= no_res.
    rewrite attention_value // (negPf no_res) add0r !eqbE eqxx /= !onE; case: (c == p).
      by congr (_ + _).
    rewrite big1 => [|g _]; first by case: (with_o l1); rewrite addr0.
    by apply: big1 => h _; apply: big1 => k _; rewrite ?eqbE ?eqxx /= ?mul0r.
  rewrite mlp1 // (negPf no_res) add0r !eqbE eqxx /= !onE; case: (c == p).
    by congr (_ + _).
  rewrite big1 => [|k _]; first by case: (with_m l1); rewrite addr0.
  by rewrite ?eqbE ?eqxx /= ?mul0r.
have size_Y : size Y = size X by apply: size_step.
case lt: ((j < size Y)%N && (i < d)%N); last by rewrite step_out ?lt.
have /andP[lt_j lt_i] := lt; have no_site : Nat.eqb s.+1 s = false by rewrite eqbE; lia.
have site_s : Nat.eqb s.+1 s.+1 by rewrite eqbE.
rewrite second_slope //; try by [move=> *; rewrite /= no_site].
  by rewrite (negPf no_res') /= no_site add0r; case: (output_bias l').
rewrite size_Y in lt_j *.
have taken (u w : nat -> A) i' b : (i' < size X)%N -> b = 0 -> (forall c, w c = on r (Nat.eqb s.+1 s.+1 && Nat.eqb c q) (- u p)) ->
  \sum_(c < d) (u c * (get o Y i' c).2 + w c * (get o Y i' c).1) + b = 0.
  move=> lt_i' -> wE; rewrite addr0.
  apply: (@basis_taken p q u w (fun c => (get o Y i' c).1) (fun c => (get o Y i' c).2)) => // c; first exact: Y2.
  by rewrite wE site_s eqbE.
case: l' no_res' => l2 /= _; rewrite size_Y; last first.
  move=> j' k lt_j' lt_k; rewrite hidden2 ?size_Y //.
  apply: (taken (fun c => th (Name InW s.+1 0 0 k c)) (fun c => vel f (Name InW s.+1 0 0 k c))) => //; by case: (with_m l2).
split=> [g i' k lt_i' lt_k|g h i' k lt_i' lt_k|g i' k lt_i' lt_k].
- rewrite raw_key2 ?size_Y //; apply: (taken (fun c => th (Name InK s.+1 g 0 k c)) (fun c => vel f (Name InK s.+1 g 0 k c))) => //; by case: (with_k l2).
- rewrite raw_query2 ?size_Y //; apply: (taken (fun c => th (Name InQ s.+1 g h k c)) (fun c => vel f (Name InQ s.+1 g h k c))) => //; by case: (with_q l2).
rewrite vector2 ?size_Y //; apply: (taken (fun c => th (Name InV s.+1 g 0 k c)) (fun c => vel f (Name InV s.+1 g 0 k c))) => //; by case: (with_v l2).
Qed.

(* A shift that the next biases take back. *)
Lemma shift_field p : (p < d)%N -> output_bias l -> takes_shift l' ->
  still (step o d (x (Shift s p (residual_of l'))) s.+1 l' (step o d (x (Shift s p (residual_of l'))) s l X)).
Proof.
move=> lt_p biased takes j i; set f := Shift s p (residual_of l'); set Y := step o d (x f) s l X.
have site_s : Nat.eqb s s by rewrite eqbE.
have site_1 : Nat.eqb s.+1 s.+1 by rewrite eqbE.
have no_site : Nat.eqb s s.+1 = false by rewrite eqbE; lia.
have no_site' : Nat.eqb s.+1 s = false by rewrite eqbE; lia.
have Y2 i' c : (i' < size X)%N -> (c < d)%N -> (get o Y i' c).2 = if c == p then 1 else 0.
  move=> lt_i' lt_c; rewrite first_slope //; try by [move=> *; rewrite /= no_site | case=> //= *; rewrite no_site].
  case: l biased => l1 /= -> /=; rewrite site_s onE eqbE; last first.
    by rewrite big1 ?add0r // => k _; rewrite mul0r.
  by rewrite big1 ?add0r // => g _; apply: big1 => h _; apply: big1 => k _; rewrite mul0r.
have size_Y : size Y = size X by apply: size_step.
case lt: ((j < size Y)%N && (i < d)%N); last by rewrite step_out ?lt.
have /andP[lt_j lt_i] := lt; rewrite second_slope //.
  rewrite size_Y in lt_j; rewrite Y2 // /= no_site' site_1 /= eqbE.
  have : ~~ residual_of l' || output_bias l' by case: (l') takes => l2 /=; [case/and4P | move=> ->; rewrite orbT].
  case: (residual_of l') => /=; [move=> -> | by case: (output_bias l'); rewrite addr0].
  by rewrite onE; case: eqP; rewrite ?subrr ?addr0.
have taken (u w : nat -> A) i' (b : bool) : (i' < size X)%N -> b -> (forall c, w c = 0) ->
  \sum_(c < d) (u c * (get o Y i' c).2 + w c * (get o Y i' c).1) + (if b then on r (Nat.eqb s.+1 s.+1) (- u p) else 0) = 0.
  move=> lt_i' -> wE; rewrite (eq_bigr (fun c : 'I_d => if c == p :> nat then u c else 0)) => [|c _]; last first.
    by rewrite Y2 // wE mul0r addr0 if_mulr mulr1.
  by rewrite (sum_pick u) // site_1 subrr.
rewrite /settled; case: (l') takes => l2 /= takes; last first.
  by move=> j' k lt_j' lt_k; rewrite hidden2 //; apply: (taken (fun c => th (Name InW s.+1 0 0 k c)) (fun c => vel f (Name InW s.+1 0 0 k c))) => //; rewrite -size_Y.
case/and4P: takes => q_ k_ v_ _.
split=> [g i' k lt_i' lt_k|g h i' k lt_i' lt_k|g i' k lt_i' lt_k].
- by rewrite raw_key2 //; apply: (taken (fun c => th (Name InK s.+1 g 0 k c)) (fun c => vel f (Name InK s.+1 g 0 k c))) => //; rewrite -size_Y.
- by rewrite raw_query2 //; apply: (taken (fun c => th (Name InQ s.+1 g h k c)) (fun c => vel f (Name InQ s.+1 g h k c))) => //; rewrite -size_Y.
by rewrite vector2 //; apply: (taken (fun c => th (Name InV s.+1 g 0 k c)) (fun c => vel f (Name InV s.+1 g 0 k c))) => //; rewrite -size_Y.
Qed.
End BetweenTwo.
End Sublayers.
