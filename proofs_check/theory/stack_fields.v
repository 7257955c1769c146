(* Along the fields of FORMAT.md no output of a linear stack changes: their slopes are 0, at all parameters, for all inputs. *)
From Coq Require Import Arith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify.
From Attest Require Import stacks stack_relations stack_slopes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Lemma odd_pred k : Nat.odd k -> [/\ Nat.div2 k.-1 = Nat.div2 k, Nat.odd k.-1 = false & k.-1.+1 = k].
Proof. by have := Nat.div2_odd k; have := Nat.div2_odd k.-1; case: (Nat.odd k); case: (Nat.odd k.-1) => //= ? ? _; split=> //; lia. Qed.
Lemma even_succ k : Nat.odd k = false -> Nat.div2 k.+1 = Nat.div2 k /\ Nat.odd k.+1.
Proof. by have := Nat.div2_odd k; have := Nat.div2_odd k.+1; case: (Nat.odd k); case: (Nat.odd k.+1) => //=; lia. Qed.
Lemma half_value k : k = (Nat.div2 k + Nat.div2 k + Nat.odd k)%N.
Proof. by have := Nat.div2_odd k; case: (Nat.odd k) => /=; lia. Qed.

Section Fields.
Variables (A : comRingType) (d : nat).
Notation o := (dual_ops A).
Notation r := (ring_ops A).

Definition still (X : seq (seq (A * A))) : Prop := forall i j, (get o X i j).2 = 0.

(* Moving parameters; all else stays. *)
Variables (th : name -> A) (fixed cos_ sin_ : nat -> nat -> A).
Definition moving (vel : name -> A) : point (A * A) :=
  PointAt (fun n => (th n, vel n)) (fun s i => (fixed s i, 0)) (fun s i => (cos_ s i, 0)) (fun s i => (sin_ s i, 0)).

Section Attention.
Variables (vel : name -> A) (s : nat) (l : attention_plan) (X : seq (seq (A * A))).
Notation x := (moving vel).
Notation a := (num_keys l).
Notation v := (num_values l).
Notation t := (size X).
Notation rkey := (raw_key d x s l X).
Notation rquery := (raw_query d x s l X).
Notation key := (key d x s l X).
Notation query := (query d x s l X).
Notation vector := (vector d x s l X).
Notation mix1 := (mix1 d x s l X).
Notation mix2 := (mix2 d x s l X).
Notation score1 := (score1 d x s l X).
Notation score2 := (score2 d x s l X).

Lemma raw_key1 g i k : (i < t)%N -> (k < a)%N -> (rkey g i k).1
  = \sum_(c < d) th (Name InK s g 0 k c) * (get o X i c).1 + (if with_k l then th (Name BiasK s g 0 k 0) else 0).
Proof. by move=> lt_i lt_k; rewrite /raw_key affine1 // on1. Qed.
Lemma raw_key2 g i k : (i < t)%N -> (k < a)%N -> (rkey g i k).2
  = \sum_(c < d) (th (Name InK s g 0 k c) * (get o X i c).2 + vel (Name InK s g 0 k c) * (get o X i c).1)
    + (if with_k l then vel (Name BiasK s g 0 k 0) else 0).
Proof. by move=> lt_i lt_k; rewrite /raw_key affine2 // on2. Qed.
Lemma raw_query1 g h i k : (i < t)%N -> (k < a)%N -> (rquery g h i k).1
  = \sum_(c < d) th (Name InQ s g h k c) * (get o X i c).1 + (if with_q l then th (Name BiasQ s g h k 0) else 0).
Proof. by move=> lt_i lt_k; rewrite /raw_query affine1 // on1. Qed.
Lemma raw_query2 g h i k : (i < t)%N -> (k < a)%N -> (rquery g h i k).2
  = \sum_(c < d) (th (Name InQ s g h k c) * (get o X i c).2 + vel (Name InQ s g h k c) * (get o X i c).1)
    + (if with_q l then vel (Name BiasQ s g h k 0) else 0).
Proof. by move=> lt_i lt_k; rewrite /raw_query affine2 // on2. Qed.
Lemma vector1 g i k : (i < t)%N -> (k < v)%N -> (vector g i k).1
  = \sum_(c < d) th (Name InV s g 0 k c) * (get o X i c).1 + (if with_v l then th (Name BiasV s g 0 k 0) else 0).
Proof. by move=> lt_i lt_k; rewrite /vector affine1 // on1. Qed.
Lemma vector2 g i k : (i < t)%N -> (k < v)%N -> (vector g i k).2
  = \sum_(c < d) (th (Name InV s g 0 k c) * (get o X i c).2 + vel (Name InV s g 0 k c) * (get o X i c).1)
    + (if with_v l then vel (Name BiasV s g 0 k 0) else 0).
Proof. by move=> lt_i lt_k; rewrite /vector affine2 // on2. Qed.

Lemma raw_key_out g i k : (a <= k)%N -> rkey g i k = (0, 0).
Proof. by move=> le; apply: get_affine_out; rewrite [(k < _)%N]ltnNge le andbF. Qed.
Lemma raw_query_out g h i k : (a <= k)%N -> rquery g h i k = (0, 0).
Proof. by move=> le; apply: get_affine_out; rewrite [(k < _)%N]ltnNge le andbF. Qed.

Lemma key_still g i k : (forall k, (k < a)%N -> (rkey g i k).2 = 0) -> (i < t)%N -> (k < a)%N -> (key g i k).2 = 0.
Proof.
move=> zero lt_i lt_k; rewrite key2 //; apply: turn0 => j.
by case: (ltnP j a) => [/zero // | le]; rewrite raw_key_out.
Qed.
Lemma query_still g h i k : (forall k, (k < a)%N -> (rquery g h i k).2 = 0) -> (i < t)%N -> (k < a)%N -> (query g h i k).2 = 0.
Proof.
move=> zero lt_i lt_k; rewrite query2 //; apply: turn0 => j.
by case: (ltnP j a) => [/zero // | le]; rewrite raw_query_out.
Qed.

Lemma score_still g h i j : (forall k, (k < a)%N -> (key g i k).2 = 0) -> (forall k, (k < a)%N -> (query g h j k).2 = 0) -> score2 g h i j = 0.
Proof. by move=> K0 Q0; apply: big1 => k _; rewrite K0 ?Q0 // mul0r mulr0 addr0. Qed.

Lemma mix_still g h j k : (k < v)%N -> (forall i, (i < t)%N -> score2 g h i j = 0) ->
  (forall i, (i < t)%N -> (vector g i k).2 = 0) -> mix2 g h j k = 0.
Proof. by move=> lt S0 V0; apply: big1 => i _; rewrite S0 // V0 // !mul0r mulr0 addr0. Qed.

(* All that leads to the mixtures stays. *)
Definition inner_still : Prop := forall g h j k, (g < num_groups l)%N -> (h < share l)%N -> (j < t)%N -> (k < v)%N -> mix2 g h j k = 0.

Lemma innerP : (forall g i k, (g < num_groups l)%N -> (i < t)%N -> (k < a)%N -> (rkey g i k).2 = 0) ->
  (forall g h i k, (g < num_groups l)%N -> (h < share l)%N -> (i < t)%N -> (k < a)%N -> (rquery g h i k).2 = 0) ->
  (forall g i k, (g < num_groups l)%N -> (i < t)%N -> (k < v)%N -> (vector g i k).2 = 0) -> inner_still.
Proof.
move=> K0 Q0 V0 g h j k lt_g lt_h lt_j lt_k; apply: mix_still => // i lt_i; last exact: V0.
by apply: score_still => k' lt_k'; [apply: key_still | apply: query_still] => // *; [apply: K0 | apply: Q0].
Qed.

Hypothesis gamma_still : forall g h, vel (Name Gamma s g h 0 0) = 0.
Notation outs := (get o (attention o d x s l X)).
Lemma attention_slope j i : (j < t)%N -> (i < d)%N -> (outs j i).2
  = (if adds_input l then (get o X j i).2 else 0)
    + \sum_(g < num_groups l) \sum_(h < share l) \sum_(k < v)
        (th (Name OutO s g h i k) * mix2 g h j k + vel (Name OutO s g h i k) * mix1 g h j k)
    + (if with_o l then vel (Name BiasO s 0 0 i 0) else 0).
Proof. by move=> lt_j lt_i; rewrite attention2. Qed.
Lemma attention_value j i : (j < t)%N -> (i < d)%N -> (outs j i).1
  = (if adds_input l then (get o X j i).1 else 0)
    + \sum_(g < num_groups l) \sum_(h < share l) \sum_(k < v) th (Name OutO s g h i k) * mix1 g h j k
    + (if with_o l then th (Name BiasO s 0 0 i 0) else 0).
Proof. by move=> lt_j lt_i; rewrite attention1. Qed.

Lemma attention_out j i : ~~ ((j < t)%N && (i < d)%N) -> outs j i = (0, 0).
Proof. exact: get_out. Qed.

(* Sums over heads. *)
Lemma attention_outer j i : inner_still -> (j < t)%N -> (i < d)%N -> (outs j i).2
  = (if adds_input l then (get o X j i).2 else 0)
    + \sum_(g < num_groups l) \sum_(h < share l) \sum_(k < v) vel (Name OutO s g h i k) * mix1 g h j k
    + (if with_o l then vel (Name BiasO s 0 0 i 0) else 0).
Proof.
move=> inner lt_j lt_i; rewrite attention_slope //; congr (_ + _ + _).
by apply: eq_bigr => g _; apply: eq_bigr => h _; apply: eq_bigr => k _; rewrite inner // mulr0 add0r.
Qed.

Lemma attention_still : still X -> (forall i, vel (Name BiasO s 0 0 i 0) = 0) ->
  (forall j i, (j < t)%N -> (i < d)%N -> \sum_(g < num_groups l) \sum_(h < share l) \sum_(k < v)
        (th (Name OutO s g h i k) * mix2 g h j k + vel (Name OutO s g h i k) * mix1 g h j k) = 0) ->
  still (attention o d x s l X).
Proof.
move=> X0 b0 zero j i; case lt: ((j < t)%N && (i < d)%N); last by rewrite attention_out ?lt.
have /andP[lt_j lt_i] := lt; rewrite attention_slope // zero // X0 b0 addr0.
by case: (adds_input l); case: (with_o l); rewrite addr0.
Qed.
End Attention.

(* Sublayers whose parameters, and inputs, stay. *)
Definition stays (vel : name -> A) s : Prop := forall k g h i j, vel (Name k s g h i j) = 0.

Definition takes_in (k : kind) : bool := match k with InK | InV | InQ | BiasK | BiasV | BiasQ => true | _ => false end.

Lemma stays_inner vel s l X : still X -> (forall k g h i j, takes_in k -> vel (Name k s g h i j) = 0) ->
  inner_still vel s l X.
Proof.
move=> X0 vel0; apply: innerP => [g i k _ lt_i lt_k|g h i k _ _ lt_i lt_k|g i k _ lt_i lt_k].
- rewrite raw_key2 // vel0 //; case: (with_k l); rewrite addr0; apply: big1 => c _; by rewrite X0 vel0 // mul0r mulr0 addr0.
- rewrite raw_query2 // vel0 //; case: (with_q l); rewrite addr0; apply: big1 => c _; by rewrite X0 vel0 // mul0r mulr0 addr0.
rewrite vector2 // vel0 //; case: (with_v l); rewrite addr0; apply: big1 => c _; by rewrite X0 vel0 // mul0r mulr0 addr0.
Qed.

Lemma mlp_slope vel s l X j i : (j < size X)%N -> (i < d)%N -> (get o (mlp o d (moving vel) s l X) j i).2
  = (if adds_its_input l then (get o X j i).2 else 0)
    + (\sum_(k < width l) (th (Name OutW s 0 0 i k) * (active2 l (hidden d (moving vel) s l X j k).1 * (hidden d (moving vel) s l X j k).2)
         + vel (Name OutW s 0 0 i k) * active1 l (hidden d (moving vel) s l X j k).1)
       + (if with_m l then vel (Name BiasO s 0 0 i 0) else 0)).
Proof. by move=> lt_j lt_i; rewrite mlp2. Qed.
Lemma hidden1 vel s l X j k : (j < size X)%N -> (k < width l)%N -> (hidden d (moving vel) s l X j k).1
  = \sum_(c < d) th (Name InW s 0 0 k c) * (get o X j c).1 + (if with_m l then th (Name BiasW s 0 0 k 0) else 0).
Proof. by move=> lt_j lt_k; rewrite /hidden affine1 // on1. Qed.
Lemma hidden2 vel s l X j k : (j < size X)%N -> (k < width l)%N -> (hidden d (moving vel) s l X j k).2
  = \sum_(c < d) (th (Name InW s 0 0 k c) * (get o X j c).2 + vel (Name InW s 0 0 k c) * (get o X j c).1)
    + (if with_m l then vel (Name BiasW s 0 0 k 0) else 0).
Proof. by move=> lt_j lt_k; rewrite /hidden affine2 // on2. Qed.
Lemma mlp_out vel s l X j i : ~~ ((j < size X)%N && (i < d)%N) -> get o (mlp o d (moving vel) s l X) j i = (0, 0).
Proof. exact: get_out. Qed.

Lemma step_stays vel s l X : stays vel s -> still X -> still (step o d (moving vel) s l X).
Proof.
move=> vel0 X0; case: l => l /=.
  apply: attention_still => // j i lt_j lt_i.
  apply: big1 => g _; apply: big1 => h _; apply: big1 => k _.
  by rewrite (stays_inner (l := l)) // ?vel0 ?mulr0 ?mul0r ?addr0.
move=> j i; case lt: ((j < size X)%N && (i < d)%N); last by rewrite mlp_out ?lt.
have /andP[lt_j lt_i] := lt; rewrite mlp_slope // X0 vel0 big1 => [|k _]; first by case: (adds_its_input l); case: (with_m l); rewrite !addr0.
rewrite vel0 mul0r addr0 hidden2 // vel0 big1 => [|c _]; first by case: (with_m l); rewrite addr0 !mulr0.
by rewrite X0 vel0 mul0r mulr0 addr0.
Qed.

Lemma run_stays vel s ls X : (forall s', (s <= s')%N -> stays vel s') -> still X -> still (run o d (moving vel) s ls X).
Proof.
elim: ls s X => [|l ls IH] s X vel0 X0 //=; apply: IH => [s' lt|]; first by apply: vel0; apply: ltnW.
by apply: step_stays => //; apply: vel0.
Qed.

(* The fields. *)
Variables (ik iv : nat -> nat -> nat -> nat -> nat -> A).
Notation vel := (velocity r d th ik iv).

Section OfAttention.
Variables (s : nat) (l : attention_plan) (X : seq (seq (A * A))).
Hypothesis X0 : still X.
Notation a := (num_keys l).
Notation v := (num_values l).
Notation t := (size X).
Notation x f := (moving (vel f)).

(* The derivative of a linear map whose bias may not be there, and whose inputs stay: D is the change of a row. *)
Lemma vector_still f g i k : (forall c, vel f (Name InV s g 0 k c) = 0) -> vel f (Name BiasV s g 0 k 0) = 0 -> (i < t)%N -> (k < v)%N ->
  (vector d (x f) s l X g i k).2 = 0.
Proof.
move=> V0 b0 lt_i lt_k; rewrite vector2 // b0; case: (with_v l); rewrite addr0; apply: big1 => c _; by rewrite X0 V0 mulr0 mul0r addr0.
Qed.

Lemma row_change (b w : bool) (n : nat) (u : nat -> A) (y z : A) :
  \sum_(c < n) (if b then u c else 0) * y + (if w then if b then z else 0 else 0)
  = if b then \sum_(c < n) u c * y + (if w then z else 0) else 0.
Proof. by case: b => //; rewrite big1 => [|c _]; rewrite ?mul0r //; case: w; rewrite addr0. Qed.

Lemma raw_key_change f (b : bool) (u : nat -> A) (z : A) g i k : (i < t)%N -> (k < a)%N ->
  (forall c, vel f (Name InK s g 0 k c) = if b then u c else 0) -> vel f (Name BiasK s g 0 k 0) = (if b then z else 0) ->
  (raw_key d (x f) s l X g i k).2 = if b then \sum_(c < d) u c * (get o X i c).1 + (if with_k l then z else 0) else 0.
Proof.
move=> lt_i lt_k uE zE; rewrite raw_key2 // zE; case: b uE {zE} => uE.
  by congr (_ + _); apply: eq_bigr => c _; rewrite X0 mulr0 add0r uE.
by case: (with_k l); rewrite addr0; apply: big1 => c _; rewrite X0 uE mulr0 mul0r addr0.
Qed.
Lemma raw_query_change f (b : bool) (u : nat -> A) (z : A) g h i k : (i < t)%N -> (k < a)%N ->
  (forall c, vel f (Name InQ s g h k c) = if b then u c else 0) -> vel f (Name BiasQ s g h k 0) = (if b then z else 0) ->
  (raw_query d (x f) s l X g h i k).2 = if b then \sum_(c < d) u c * (get o X i c).1 + (if with_q l then z else 0) else 0.
Proof.
move=> lt_i lt_k uE zE; rewrite raw_query2 // zE; case: b uE {zE} => uE.
  by congr (_ + _); apply: eq_bigr => c _; rewrite X0 mulr0 add0r uE.
by case: (with_q l); rewrite addr0; apply: big1 => c _; rewrite X0 uE mulr0 mul0r addr0.
Qed.
Lemma vector_change f (b : bool) (u : nat -> A) (z : A) g i k : (i < t)%N -> (k < v)%N ->
  (forall c, vel f (Name InV s g 0 k c) = if b then u c else 0) -> vel f (Name BiasV s g 0 k 0) = (if b then z else 0) ->
  (vector d (x f) s l X g i k).2 = if b then \sum_(c < d) u c * (get o X i c).1 + (if with_v l then z else 0) else 0.
Proof.
move=> lt_i lt_k uE zE; rewrite vector2 // zE; case: b uE {zE} => uE.
  by congr (_ + _); apply: eq_bigr => c _; rewrite X0 mulr0 add0r uE.
by case: (with_v l); rewrite addr0; apply: big1 => c _; rewrite X0 uE mulr0 mul0r addr0.
Qed.

Lemma sum_opp n (u y : nat -> A) (w : bool) z :
  \sum_(c < n) - u c * y c + (if w then - z else 0) = - (\sum_(c < n) u c * y c + (if w then z else 0)).
Proof.
rewrite opprD -sumrN; congr (_ + _); last by case: w; rewrite ?oppr0.
by apply: eq_bigr => c _; rewrite mulNr.
Qed.

(* A field of keys and queries alone: the scores stay. *)
Lemma scores_field f : (forall g h i j, (g < num_groups l)%N -> (h < share l)%N -> (i < t)%N -> (j < t)%N -> score2 d (x f) s l X g h i j = 0) ->
  (forall k g h i j, ~~ (if k is InK then true else if k is InQ then true else if k is BiasK then true else if k is BiasQ then true else false) ->
    vel f (Name k s g h i j) = 0) -> still (attention o d (x f) s l X).
Proof.
move=> S0 vel0; apply: attention_still => // [g h|i|j i lt_j lt_i]; try by rewrite vel0.
apply: big1 => g _; apply: big1 => h _; apply: big1 => k _; rewrite vel0 // mul0r addr0 mix_still ?mulr0 // => i' lt_i'.
  exact: S0.
by apply: vector_still => // *; rewrite vel0.
Qed.

Lemma keys_field g0 p q : ~~ is_rotary l -> (p < a)%N -> (q < a)%N -> still (attention o d (x (Keys s g0 p q)) s l X).
Proof.
move=> plain lt_p lt_q; set f := Keys s g0 p q; apply: scores_field => [g h i j _ _ lt_i lt_j|]; last by case.
have K2 k : (k < a)%N -> (key d (x f) s l X g i k).2 = if (g == g0) && (k == q) then - (key d (x f) s l X g i p).1 else 0.
  move=> lt_k; rewrite key2 // key1 // /turn (negPf plain).
  rewrite (@raw_key_change f ((g == g0) && (k == q)) (fun c => - th (Name InK s g 0 p c)) (- th (Name BiasK s g 0 p 0))) //;
    try by move=> *; rewrite /= !eqbE eqxx.
  by rewrite raw_key1 // -(sum_opp d (fun c => th (Name InK s g 0 p c)) (fun c => (get o X i c).1)).
have Q2 k : (k < a)%N -> (query d (x f) s l X g h j k).2 = if (g == g0) && (k == p) then (query d (x f) s l X g h j q).1 else 0.
  move=> lt_k; rewrite query2 // query1 // /turn (negPf plain).
  rewrite (@raw_query_change f ((g == g0) && (k == p)) (fun c => th (Name InQ s g h q c)) (th (Name BiasQ s g h q 0))) //;
    try by move=> *; rewrite /= !eqbE eqxx.
  by rewrite raw_query1.
rewrite /score2 (eq_bigr (fun k : 'I_a => (if g == g0 then (if k == p :> nat then (key d (x f) s l X g i k).1 * (query d (x f) s l X g h j q).1 else 0) else 0)
   + (if g == g0 then (if k == q :> nat then - (key d (x f) s l X g i p).1 * (query d (x f) s l X g h j k).1 else 0) else 0))) => [|k _].
  rewrite big_split /= !if_sum (sum_pick (fun k => (key d (x f) s l X g i k).1 * (query d (x f) s l X g h j q).1)) //.
  rewrite (sum_pick (fun k => - (key d (x f) s l X g i p).1 * (query d (x f) s l X g h j k).1)) //.
  by case: (g == g0); rewrite ?addr0 // mulNr subrr.
by rewrite K2 // Q2 // !if_and; case: (g == g0); rewrite ?if_mulr ?if_mull ?mulr0 ?mul0r.
Qed.

Lemma scores_still f : (forall k g h i j, (if k is InK then true else if k is InQ then true else if k is BiasK then true else if k is BiasQ then true else false) ->
    vel f (Name k s g h i j) = 0) -> forall g h i j, (i < t)%N -> (j < t)%N -> score2 d (x f) s l X g h i j = 0.
Proof.
move=> vel0 g h i j lt_i lt_j; apply: score_still => k lt_k; [apply: key_still | apply: query_still] => // k' lt_k'.
  by rewrite (@raw_key_change f false (fun _ => 0) 0) // => *; rewrite vel0.
by rewrite (@raw_query_change f false (fun _ => 0) 0) // => *; rewrite vel0.
Qed.

Lemma values_field g0 p q : (p < v)%N -> (q < v)%N -> still (attention o d (x (Values s g0 p q)) s l X).
Proof.
move=> lt_p lt_q; set f := Values s g0 p q.
have S0 : forall g h i j, (i < t)%N -> (j < t)%N -> score2 d (x f) s l X g h i j = 0 by apply: scores_still; case.
have V2 g i k : (i < t)%N -> (k < v)%N -> (vector d (x f) s l X g i k).2 = if (g == g0) && (k == p) then (vector d (x f) s l X g i q).1 else 0.
  move=> lt_i lt_k; rewrite (@vector_change f ((g == g0) && (k == p)) (fun c => th (Name InV s g 0 q c)) (th (Name BiasV s g 0 q 0))) //;
    try by move=> *; rewrite /= !eqbE eqxx.
  by rewrite vector1.
have M2 g h j k : (j < t)%N -> (k < v)%N -> mix2 d (x f) s l X g h j k = if (g == g0) && (k == p) then mix1 d (x f) s l X g h j q else 0.
  move=> lt_j lt_k; rewrite /mix2 /mix1 -if_sum; apply: eq_bigr => i _.
  by rewrite S0 // V2 // mul0r mulr0 add0r if_mull.
apply: attention_still => // j i lt_j lt_i; apply: big1 => g _; apply: big1 => h _.
rewrite (eq_bigr (fun k : 'I_v => (if g == g0 :> nat then (if k == p :> nat then th (Name OutO s g h i k) * mix1 d (x f) s l X g h j q else 0) else 0)
   + (if g == g0 :> nat then (if k == q :> nat then - th (Name OutO s g h i p) * mix1 d (x f) s l X g h j k else 0) else 0))) => [|k _].
  rewrite big_split /= !if_sum (sum_pick (fun k => th (Name OutO s g h i k) * mix1 d (x f) s l X g h j q)) //.
  rewrite (sum_pick (fun k => - th (Name OutO s g h i p) * mix1 d (x f) s l X g h j k)) //.
  by case: (_ == g0); rewrite ?addr0 // mulNr subrr.
rewrite M2 // /= !eqbE eqxx /= !if_and; case: (_ == g0); rewrite ?mulr0 ?mul0r //.
by rewrite if_mulr onE if_mull.
Qed.

Lemma mix_field g0 h0 k0 : (h0 < share l)%N -> (k0 < share l)%N -> (h0 == k0) || ~~ decays l -> still (attention o d (x (Mix s g0 h0 k0)) s l X).
Proof.
move=> lt_h0 lt_k0 mixable; set f := Mix s g0 h0 k0.
have K2 g i k : (i < t)%N -> (k < a)%N -> (key d (x f) s l X g i k).2 = 0.
  by move=> lt_i lt_k; apply: key_still => // k' lt_k'; rewrite (@raw_key_change f false (fun _ => 0) 0).
have Q2 g h i k : (i < t)%N -> (k < a)%N ->
  (query d (x f) s l X g h i k).2 = if (g == g0) && (h == h0) then (query d (x f) s l X g k0 i k).1 else 0.
  move=> lt_i lt_k; rewrite query2 // query1 //.
  have raw k' : (raw_query d (x f) s l X g h i k').2 = if (g == g0) && (h == h0) then (raw_query d (x f) s l X g k0 i k').1 else 0.
    case: (ltnP k' a) => [lt | le]; last by rewrite !raw_query_out //; case: (_ && _).
    rewrite (@raw_query_change f ((g == g0) && (h == h0)) (fun c => th (Name InQ s g k0 k' c)) (th (Name BiasQ s g k0 k' 0))) //;
      try by move=> *; rewrite /= !eqbE eqxx.
    by rewrite raw_query1.
  case: ifP raw => _ raw; first exact: eq_turn.
  exact: turn0.
have S2 g h i j : (i < t)%N -> (j < t)%N ->
  score2 d (x f) s l X g h i j = if (g == g0) && (h == h0) then score1 d (x f) s l X g k0 i j else 0.
  move=> lt_i lt_j; rewrite /score2 /score1 -if_sum; apply: eq_bigr => k _.
  by rewrite K2 // Q2 // mul0r addr0 if_mulr.
have FE g i j : factor (x f) s l g h0 i j = factor (x f) s l g k0 i j.
  by case/orP: mixable => [/eqP-> // | /negPf plain]; rewrite /factor plain.
have M2 g h j k : (j < t)%N -> (k < v)%N ->
  mix2 d (x f) s l X g h j k = if (g == g0) && (h == h0) then mix1 d (x f) s l X g k0 j k else 0.
  move=> lt_j lt_k; rewrite /mix2 /mix1 -if_sum; apply: eq_bigr => i _.
  rewrite (@vector_still f) // mul0r addr0 S2 // if_mull if_mulr.
  by case: ifP => // /andP[_ /eqP->]; rewrite FE.
apply: attention_still => // j i lt_j lt_i; apply: big1 => g _.
pose cross := \sum_(k < v) th (Name OutO s g h0 i k) * mix1 d (x f) s l X g k0 j k.
rewrite (eq_bigr (fun h : 'I_(share l) => (if g == g0 :> nat then (if h == h0 :> nat then cross else 0) else 0)
   + (if g == g0 :> nat then (if h == k0 :> nat then - cross else 0) else 0))) => [|h _].
  rewrite big_split /= !if_sum (sum_pick (fun _ => cross)) // (sum_pick (fun _ => - cross)) //.
  by case: (_ == g0); rewrite ?addr0 // subrr.
rewrite big_split /=; congr (_ + _); rewrite -?if_and /cross -?sumrN -if_sum; apply: eq_bigr => k _.
  by rewrite M2 // if_mulr; case: ifP => // /andP[_ /eqP->].
rewrite /= !eqbE eqxx /= ?onE if_mull; case: ifP => // /andP[_ /eqP->]; by rewrite mulNr.
Qed.

(* Rotated keys: S commutes with the rotations. *)
Definition pair_map (b : bool) (f : nat -> A) (k : nat) : A := if b then (if Nat.odd k then f k.-1 else - f k.+1) else f k.

Lemma turn_pair f (B b : bool) r0 i (u : nat -> A) k : is_rotary l ->
  turn (x f) s l i (fun k => if B && (Nat.div2 k == r0) then pair_map b u k else 0) k
  = if B && (Nat.div2 k == r0) then pair_map b (turn (x f) s l i u) k else 0.
Proof.
rewrite /turn => ->; case odd_k: (Nat.odd k).
  have [half even back] := odd_pred odd_k; rewrite half; case: (B && _); last by rewrite !mulr0 addr0.
  rewrite /pair_map odd_k even half back; case: b => //.
  by rewrite mulrN addrC.
have [half odd'] := even_succ odd_k; rewrite half; case: (B && _); last by rewrite !mulr0 subr0.
rewrite /pair_map odd_k odd' half /=; case: b => //.
by rewrite mulrN addrC opprD.
Qed.

Lemma turns_field g0 r0 b : is_rotary l -> (r0 < Nat.div2 a)%N -> still (attention o d (x (Turns s g0 r0 b)) s l X).
Proof.
move=> rotary lt_r0; set f := Turns s g0 r0 b; apply: scores_field => [g h i j _ _ lt_i lt_j|]; last by rewrite /f; clear f; case: b; case.
have inside k : Nat.div2 k == r0 -> (k < a)%N /\ (k.+1 < a \/ Nat.odd k)%N.
  by move/eqP=> half; have := half_value k; have := half_value a; case: (Nat.odd k); case: (Nat.odd a) => /=; lia.
have Q2 k : (k < a)%N -> (query d (x f) s l X g h j k).2
    = if (g == g0) && (Nat.div2 k == r0) then pair_map b (fun k => (query d (x f) s l X g h j k).1) k else 0.
  move=> lt_k; rewrite query2 //.
  rewrite (@eq_turn _ _ _ _ _ _ (fun k => if (g == g0) && (Nat.div2 k == r0) then pair_map b (fun k => (raw_query d (x f) s l X g h j k).1) k else 0)).
    rewrite turn_pair //; case: ifP => // /andP[_ /inside[_ next]]; rewrite /pair_map; case: (b) => //; last by rewrite query1.
    by case odd_k: (Nat.odd k) next => next; rewrite query1 //; [apply: leq_ltn_trans (leq_pred k) lt_k | case: next].
  move=> k'; case: (ltnP k' a) => [lt | le]; last first.
    by rewrite raw_query_out //; case: ifP => // /andP[_ /inside[]]; rewrite ltnNge le.
  rewrite (@raw_query_change f ((g == g0) && (Nat.div2 k' == r0))
    (fun c => pair_map b (fun k' => th (Name InQ s g h k' c)) k') (pair_map b (fun k' => th (Name BiasQ s g h k' 0)) k')) //;
    try by move=> *; rewrite /f /pair_map; case: (b); rewrite /= !eqbE eqxx //= onE; case: (_ && _); case: (Nat.odd k').
  case: ifP => // /andP[_ /inside[_ next]]; rewrite /pair_map; case: (b) => //; last by rewrite raw_query1.
  case odd_k: (Nat.odd k') next => next; first by rewrite raw_query1 //; apply: leq_ltn_trans (leq_pred k') lt.
  rewrite raw_query1 //; last by case: next.
  by rewrite -(sum_opp d (fun c => th (Name InQ s g h k'.+1 c)) (fun c => (get o X j c).1)).
have K2 k : (k < a)%N -> (key d (x f) s l X g i k).2
    = if (g == g0) && (Nat.div2 k == r0) then (if b then pair_map b (fun k => (key d (x f) s l X g i k).1) k else - (key d (x f) s l X g i k).1) else 0.
  move=> lt_k; rewrite key2 //.
  pose N (u : nat -> A) k := if b then u k else - u k.
  rewrite (@eq_turn _ _ _ _ _ _ (fun k => if (g == g0) && (Nat.div2 k == r0) then pair_map b (N (fun k => (raw_key d (x f) s l X g i k).1)) k else 0)).
    rewrite turn_pair //; case: ifP => // /andP[_ /inside[_ next]]; rewrite /pair_map /N; case: (b).
      by case odd_k: (Nat.odd k) next => next; rewrite key1 //; [apply: leq_ltn_trans (leq_pred k) lt_k | case: next].
    rewrite key1 // /turn rotary; case: (Nat.odd k); first by rewrite !mulrN opprD.
    by rewrite !mulrN opprB opprK addrC.
  move=> k'; case: (ltnP k' a) => [lt | le]; last first.
    by rewrite raw_key_out //; case: ifP => // /andP[_ /inside[]]; rewrite ltnNge le.
  rewrite (@raw_key_change f ((g == g0) && (Nat.div2 k' == r0))
    (fun c => pair_map b (N (fun k' => th (Name InK s g 0 k' c))) k') (pair_map b (N (fun k' => th (Name BiasK s g 0 k' 0))) k')) //;
    try by move=> *; rewrite /f /pair_map /N; case: (b); rewrite /= !eqbE eqxx //= onE; case: (_ && _); case: (Nat.odd k').
  case: ifP => // /andP[_ /inside[_ next]]; rewrite /pair_map /N; case: (b).
    case odd_k: (Nat.odd k') next => next; first by rewrite raw_key1 //; apply: leq_ltn_trans (leq_pred k') lt.
    rewrite raw_key1 //; last by case: next.
    by rewrite -(sum_opp d (fun c => th (Name InK s g 0 k'.+1 c)) (fun c => (get o X i c).1)).
  by rewrite raw_key1 // -(sum_opp d (fun c => th (Name InK s g 0 k' c)) (fun c => (get o X i c).1)).
set K1 := fun k => (key d (x f) s l X g i k).1 in K2; set Q1 := fun k => (query d (x f) s l X g h j k).1 in Q2.
have -> : score2 d (x f) s l X g h i j = \sum_(k < a) (if (g == g0) && (Nat.div2 k == r0) then
    K1 k * pair_map b Q1 k + (if b then pair_map b K1 k else - K1 k) * Q1 k else 0).
  apply: eq_bigr => k _; rewrite Q2 // K2 // -/(K1 k) -/(Q1 k).
  by case: (_ && _); rewrite // mulr0 mul0r addr0.
case: (b); last first.
  by apply: big1 => k _; case: ifP => // _; rewrite /pair_map mulNr subrr.
have lt_odd : ((r0 + r0).+1 < a)%N by have := half_value a; lia.
case: (g == g0); last by rewrite big1.
pose u := K1 (r0 + r0).+1 * Q1 (r0 + r0)%N + K1 (r0 + r0)%N * Q1 (r0 + r0).+1.
rewrite (eq_bigr (fun k : 'I_a => (if k == (r0 + r0)%N :> nat then - u else 0) + (if k == (r0 + r0).+1 :> nat then u else 0))) => [|k _].
  by rewrite big_split /= (sum_pick (fun _ => - u) (ltnW lt_odd)) (sum_pick (fun _ => u) lt_odd) addNr.
have half := half_value k; rewrite /pair_map; case odd_k: (Nat.odd k) half => /= half.
  have -> : ((k : nat) == (r0 + r0)%N) = false by apply/negP => /eqP; lia.
  rewrite add0r; case: eqP => [e | ne].
    by have kE : (k : nat) = (r0 + r0).+1 by [lia]; rewrite kE eqxx.
  by case: eqP => // kE; case: ne; lia.
have -> : ((k : nat) == (r0 + r0).+1) = false by apply/negP => /eqP; lia.
rewrite addr0; case: eqP => [e | ne].
  have kE : (k : nat) = (r0 + r0)%N by lia.
  by rewrite kE eqxx /u mulrN mulNr -opprD addrC.
by case: eqP => // kE; case: ne; lia.
Qed.
End OfAttention.
End Fields.
