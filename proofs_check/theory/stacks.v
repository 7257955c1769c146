(* The program for proofs about stacks of layers, FORMAT.md, section 8: the function of a stack whose scores are linear, over any
   numbers; its parameters, fields and derivative; and the check of a proof. Executable; stack_soundness.v proves it.

   One text computes with residues modulo a prime, and is proved about polynomials: numbers come with their operations. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From Attest Require Import integer_vectors elimination checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Record ops (T : Type) := Ops { zero : T; one : T; plus : T -> T -> T; times : T -> T -> T; minus : T -> T }.

(* Of a stack: `share` heads in each group. *)
Inductive decay := NoDecay | FixedDecay | LearnedDecay.
Record attention_plan := AttentionPlan { num_groups : nat; share : nat; num_keys : nat; num_values : nat; adds_input : bool; is_causal : bool;
  is_rotary : bool; decay_of : decay; with_q : bool; with_k : bool; with_v : bool; with_o : bool }.
Record mlp_plan := MlpPlan { width : nat; is_cube : bool; adds_its_input : bool; with_m : bool }.
Inductive sublayer := Attention of attention_plan | Mlp of mlp_plan.

Definition decays (l : attention_plan) : bool := if decay_of l is NoDecay then false else true.
Definition learns_decays (l : attention_plan) : bool := if decay_of l is LearnedDecay then true else false.
Definition residual_of (l : sublayer) : bool := match l with Attention l => adds_input l | Mlp l => adds_its_input l end.
Definition output_bias (l : sublayer) : bool := match l with Attention l => with_o l | Mlp l => with_m l end.

(* A parameter: an entry of a matrix, of a sublayer, of a group, of a head of the group. The last bias of a sublayer is BiasO. *)
Inductive kind := InK | InV | BiasK | BiasV | InQ | OutO | BiasQ | Gamma | BiasO | InW | BiasW | OutW.
Record name := Name { kind_of : kind; site : nat; group_of_name : nat; head_of_name : nat; row_of : nat; column_of : nat }.

Definition kind_code (k : kind) : nat :=
  match k with InK => 0 | InV => 1 | BiasK => 2 | BiasV => 3 | InQ => 4 | OutO => 5 | BiasQ => 6 | Gamma => 7 | BiasO => 8 | InW => 9
  | BiasW => 10 | OutW => 11 end.
Definition block (k : kind) (s g h rows columns : nat) : seq name := [seq Name k s g h i j | i <- iota 0 rows, j <- iota 0 columns].
Definition given (T : Type) (b : bool) (s : seq T) : seq T := if b then s else [::].

(* In the order of FORMAT.md. *)
Definition names_of_head d s (l : attention_plan) g h : seq name :=
  block InQ s g h (num_keys l) d ++ block OutO s g h d (num_values l) ++ given (with_q l) (block BiasQ s g h (num_keys l) 1)
  ++ given (learns_decays l) (block Gamma s g h 1 1).
Definition names_of_group d s (l : attention_plan) g : seq name :=
  block InK s g 0 (num_keys l) d ++ block InV s g 0 (num_values l) d ++ given (with_k l) (block BiasK s g 0 (num_keys l) 1)
  ++ given (with_v l) (block BiasV s g 0 (num_values l) 1) ++ flatten [seq names_of_head d s l g h | h <- iota 0 (share l)].
Definition names_of d s (l : sublayer) : seq name :=
  match l with
  | Attention l => flatten [seq names_of_group d s l g | g <- iota 0 (num_groups l)] ++ given (with_o l) (block BiasO s 0 0 d 1)
  | Mlp l => block InW s 0 0 (width l) d ++ given (with_m l) (block BiasW s 0 0 (width l) 1) ++ block OutW s 0 0 d (width l)
      ++ given (with_m l) (block BiasO s 0 0 d 1)
  end.
Fixpoint names d s (ls : seq sublayer) : seq name := if ls is l :: ls' then names_of d s l ++ names d s.+1 ls' else [::].

(* What a stack computes with: its parameters, and of each site the decays of heads and the rotations of pairs that are fixed. *)
Record point (T : Type) := PointAt { theta : name -> T; fixed_decay : nat -> nat -> T; cosine : nat -> nat -> T; sine : nat -> nat -> T }.

Section Function.
Variables (T : Type) (o : ops T) (d : nat).
Notation "0" := (zero o).
Notation "x + y" := (plus o x y).
Notation "x * y" := (times o x y).

Fixpoint sum (n : nat) (f : nat -> T) : T := if n is n'.+1 then sum n' f + f n' else 0.
Fixpoint power (x : T) (n : nat) : T := if n is n'.+1 then power x n' * x else one o.
Definition on (b : bool) (x : T) : T := if b then x else 0.

(* A list of vectors, one for each token. *)
Definition tab (rows columns : nat) (f : nat -> nat -> T) : seq (seq T) := [seq [seq f i j | j <- iota 0 columns] | i <- iota 0 rows].
Definition get (X : seq (seq T)) (i j : nat) : T := nth 0 (nth [::] X i) j.

(* A x + b for each x of X. *)
Definition affine (rows columns : nat) (A : nat -> nat -> T) (b : nat -> T) (X : seq (seq T)) : seq (seq T) :=
  let A' := tab rows columns A in tab (size X) rows (fun j i => sum columns (fun k => get A' i k * get X j k) + b i).

Variable x : point T.

(* The i-th power of the rotation of a pair. *)
Fixpoint rotation (s pair i : nat) : T * T :=
  if i is i'.+1 then let (c, v) := rotation s pair i' in
    (c * cosine x s pair + minus o (v * sine x s pair), v * cosine x s pair + c * sine x s pair) else (one o, 0).
Definition rotate (s columns : nat) (X : seq (seq T)) : seq (seq T) :=
  tab (size X) columns (fun i k => let (c, v) := rotation s (Nat.div2 k) i in
    if Nat.odd k then v * get X i (Nat.pred k) + c * get X i k else c * get X i k + minus o (v * get X i (Nat.succ k))).

Section Attention.
Variables (s : nat) (l : attention_plan).
Let a := num_keys l.
Let v := num_values l.

Definition turned (X : seq (seq T)) : seq (seq T) := if is_rotary l then rotate s a X else X.
Definition keys X g := turned (affine a d (fun i j => theta x (Name InK s g 0 i j)) (fun i => on (with_k l) (theta x (Name BiasK s g 0 i 0))) X).
Definition queries X g h :=
  turned (affine a d (fun i j => theta x (Name InQ s g h i j)) (fun i => on (with_q l) (theta x (Name BiasQ s g h i 0))) X).
Definition vectors X g := affine v d (fun i j => theta x (Name InV s g 0 i j)) (fun i => on (with_v l) (theta x (Name BiasV s g 0 i 0))) X.

Definition decay_at g h : T :=
  if learns_decays l then theta x (Name Gamma s g h 0 0) else fixed_decay x s (addn (muln g (share l)) h).
(* The weight of key i, for query j. *)
Definition weight (K Q : seq (seq T)) g h i j : T :=
  if (is_causal l || decays l) && Nat.ltb j i then 0
  else let score := sum a (fun k => get K i k * get Q j k) in
       if decays l then score * power (decay_at g h) (subn j i) else score.
Definition mixed (K V Q : seq (seq T)) g h : seq (seq T) :=
  let t := size V in
  let W := tab t t (fun j i => weight K Q g h i j) in
  tab t v (fun j k => sum t (fun i => get V i k * get W j i)).
Definition head_outputs X K V g h : seq (seq T) :=
  affine d v (fun i k => theta x (Name OutO s g h i k)) (fun _ => 0) (mixed K V (queries X g h) g h).
Definition attention (X : seq (seq T)) : seq (seq T) :=
  let Y := [seq (let K := keys X g in let V := vectors X g in [seq head_outputs X K V g h | h <- iota 0 (share l)])
           | g <- iota 0 (num_groups l)] in
  tab (size X) d (fun j i => on (adds_input l) (get X j i)
    + sum (num_groups l) (fun g => sum (share l) (fun h => get (nth [::] (nth [::] Y g) h) j i))
    + on (with_o l) (theta x (Name BiasO s 0 0 i 0))).
End Attention.

Definition activation (cube : bool) (y : T) : T := if cube then y * y * y else y * y.
Definition mlp (s : nat) (l : mlp_plan) (X : seq (seq T)) : seq (seq T) :=
  let H := affine (width l) d (fun i j => theta x (Name InW s 0 0 i j)) (fun i => on (with_m l) (theta x (Name BiasW s 0 0 i 0))) X in
  let Y := affine d (width l) (fun i k => theta x (Name OutW s 0 0 i k)) (fun i => on (with_m l) (theta x (Name BiasO s 0 0 i 0)))
             (tab (size X) (width l) (fun j k => activation (is_cube l) (get H j k))) in
  tab (size X) d (fun j i => on (adds_its_input l) (get X j i) + get Y j i).

Definition step (s : nat) (l : sublayer) (X : seq (seq T)) : seq (seq T) :=
  match l with Attention l => attention s l X | Mlp l => mlp s l X end.
Fixpoint run (s : nat) (ls : seq sublayer) (X : seq (seq T)) : seq (seq T) := if ls is l :: ls' then run s.+1 ls' (step s l X) else X.

(* The last token, or token after token; example after example. *)
Definition readout (last_only : bool) (Y : seq (seq T)) : seq T := if last_only then last [::] Y else flatten Y.
Definition outputs (last_only : bool) (ls : seq sublayer) (examples : seq (seq (seq T))) : seq T :=
  flatten [seq readout last_only (run 0 ls X) | X <- examples].
End Function.

(* The fields of FORMAT.md that a linear stack has: their sites, and which they are. *)
Inductive field :=
  | Keys of nat & nat & nat & nat        (* 1: site, group, S = E_ij *)
  | Turns of nat & nat & nat & bool      (* 1, rotary: site, group, pair, which of the two *)
  | Values of nat & nat & nat & nat      (* 2 *)
  | Mix of nat & nat & nat & nat         (* 3: site, group, head h, head k *)
  | MixHeads of nat & nat & nat          (* 4: site, h, k *)
  | Neuron of nat & nat & bool           (* site, neuron, cube or square *)
  | Basis of nat & nat & nat             (* 7 *)
  | Shift of nat & nat & bool.           (* 8: site, i, whether the next has a residual connection *)

Definition mixes_heads d (l : attention_plan) : bool :=
  [&& Nat.eqb (share l) 1, Nat.eqb (num_keys l) d, Nat.eqb (num_values l) d, ~~ decays l, ~~ is_rotary l, ~~ with_q l, ~~ with_k l & ~~ with_v l].

(* `regular s h k`: K_h and V_k have inverses. *)
Definition fields_within d (regular : nat -> nat -> nat -> bool) s (l : sublayer) : seq field :=
  match l with
  | Attention l =>
      flatten [seq if is_rotary l then [seq Turns s g k b | k <- iota 0 (Nat.div2 (num_keys l)), b <- [:: false; true]]
                   else [seq Keys s g i j | i <- iota 0 (num_keys l), j <- iota 0 (num_keys l)] | g <- iota 0 (num_groups l)]
      ++ flatten [seq [seq Values s g i j | i <- iota 0 (num_values l), j <- iota 0 (num_values l)] | g <- iota 0 (num_groups l)]
      ++ flatten [seq flatten [seq [seq Mix s g h k | k <- iota 0 (share l) & Nat.eqb h k || ~~ decays l] | h <- iota 0 (share l)]
                 | g <- iota 0 (num_groups l)]
      ++ given (mixes_heads d l)
           (flatten [seq [seq MixHeads s h k | k <- iota 0 (num_groups l) & ~~ Nat.eqb h k && regular s h k] | h <- iota 0 (num_groups l)])
  | Mlp l => [seq Neuron s i (is_cube l) | i <- iota 0 (width l)]
  end.
Definition takes_shift (l : sublayer) : bool :=
  match l with
  | Attention l => [&& with_q l, with_k l, with_v l & ~~ adds_input l || with_o l]
  | Mlp l => with_m l
  end.
Definition fields_between d s (l l' : sublayer) : seq field :=
  given (~~ residual_of l && ~~ residual_of l') [seq Basis s i j | i <- iota 0 d, j <- iota 0 d]
  ++ given (output_bias l && takes_shift l') [seq Shift s i (residual_of l') | i <- iota 0 d].
Fixpoint fields d regular s (ls : seq sublayer) : seq field :=
  match ls with
  | l :: ls' => fields_within d regular s l ++ (if ls' is l' :: _ then fields_between d s l l' else [::]) ++ fields d regular s.+1 ls'
  | [::] => [::]
  end.

Section Velocities.
Variables (T : Type) (o : ops T) (d : nat) (th : name -> T).
(* For MixHeads: inverses of the transpose of K_h, and of V_k, or a multiple of them. *)
Variables (inverse_k inverse_v : nat -> nat -> nat -> nat -> nat -> T).

Notation "b ? x" := (on o b x) (at level 60).
Definition product d' (A B : nat -> nat -> T) i j : T := sum o d' (fun k => times o (A i k) (B k j)).
Definition entry (k : kind) s g i j : T := th (Name k s g 0 i j).

Definition velocity (f : field) (n : name) : T :=
  let: Name k s g h i j := n in
  match f, k with
  | Keys s' g' p q, InQ | Keys s' g' p q, BiasQ =>
      [&& Nat.eqb s s', Nat.eqb g g' & Nat.eqb i p] ? th (Name k s g h q j)
  | Keys s' g' p q, InK | Keys s' g' p q, BiasK =>
      [&& Nat.eqb s s', Nat.eqb g g' & Nat.eqb i q] ? minus o (th (Name k s g h p j))
  (* S is 1 on the pair, or maps its entries (u, w) to (-w, u). *)
  | Turns s' g' r false, InQ | Turns s' g' r false, BiasQ =>
      [&& Nat.eqb s s', Nat.eqb g g' & Nat.eqb (Nat.div2 i) r] ? th n
  | Turns s' g' r false, InK | Turns s' g' r false, BiasK =>
      [&& Nat.eqb s s', Nat.eqb g g' & Nat.eqb (Nat.div2 i) r] ? minus o (th n)
  | Turns s' g' r true, InQ | Turns s' g' r true, BiasQ | Turns s' g' r true, InK | Turns s' g' r true, BiasK =>
      [&& Nat.eqb s s', Nat.eqb g g' & Nat.eqb (Nat.div2 i) r] ?
        (if Nat.odd i then th (Name k s g h (Nat.pred i) j) else minus o (th (Name k s g h (Nat.succ i) j)))
  | Values s' g' p q, InV | Values s' g' p q, BiasV =>
      [&& Nat.eqb s s', Nat.eqb g g' & Nat.eqb i p] ? th (Name k s g h q j)
  | Values s' g' p q, OutO =>
      [&& Nat.eqb s s', Nat.eqb g g' & Nat.eqb j q] ? minus o (th (Name k s g h i p))
  | Mix s' g' h' k', InQ | Mix s' g' h' k', BiasQ =>
      [&& Nat.eqb s s', Nat.eqb g g' & Nat.eqb h h'] ? th (Name k s g k' i j)
  | Mix s' g' h' k', OutO =>
      [&& Nat.eqb s s', Nat.eqb g g' & Nat.eqb h k'] ? minus o (th (Name k s g h' i j))
  | MixHeads s' h' k', InQ =>
      (Nat.eqb s s' && Nat.eqb g h') ? product d (inverse_k s h' k') (product d (fun i j => entry InK s k' j i) (entry InQ s k')) i j
  | MixHeads s' h' k', OutO =>
      (Nat.eqb s s' && Nat.eqb g k') ? minus o (product d (product d (entry OutO s h') (entry InV s h')) (inverse_v s h' k') i j)
  | Neuron s' p _, InW | Neuron s' p _, BiasW => (Nat.eqb s s' && Nat.eqb i p) ? th n
  | Neuron s' p cube, OutW =>
      (Nat.eqb s s' && Nat.eqb j p) ? minus o (plus o (if cube then plus o (th n) (th n) else th n) (th n))
  | Basis s' p q, OutO | Basis s' p q, OutW | Basis s' p q, BiasO =>
      (Nat.eqb s s' && Nat.eqb i p) ? th (Name k s g h q j)
  | Basis s' p q, InQ | Basis s' p q, InK | Basis s' p q, InV | Basis s' p q, InW =>
      (Nat.eqb s (Nat.succ s') && Nat.eqb j q) ? minus o (th (Name k s g h i p))
  | Shift s' p residual, BiasO =>
      if Nat.eqb s s' then Nat.eqb i p ? one o else [&& Nat.eqb s (Nat.succ s'), residual & Nat.eqb i p] ? minus o (one o)
  | Shift s' p _, BiasQ => Nat.eqb s (Nat.succ s') ? minus o (th (Name InQ s g h i p))
  | Shift s' p _, BiasK => Nat.eqb s (Nat.succ s') ? minus o (th (Name InK s g h i p))
  | Shift s' p _, BiasV => Nat.eqb s (Nat.succ s') ? minus o (th (Name InV s g h i p))
  | Shift s' p _, BiasW => Nat.eqb s (Nat.succ s') ? minus o (th (Name InW s g h i p))
  | _, _ => zero o
  end.
End Velocities.

(* Residues from 0 to p - 1, and residues with a slope. *)
Section Residues.
Variable p : Z.
Definition plus_mod (x y : Z) : Z := let s := Z.add x y in if Z.ltb s p then s else Z.sub s p.
Definition times_mod (x y : Z) : Z := Z.modulo (Z.mul x y) p.
Definition minus_mod (x : Z) : Z := if Z.eqb x 0 then x else Z.sub p x.
Definition residue_ops : ops Z := Ops Z0 1%ZZ plus_mod times_mod minus_mod.
Definition slope_ops : ops (Z * Z) :=
  Ops (Z0, Z0) (1%ZZ, Z0) (fun x y => (plus_mod x.1 y.1, plus_mod x.2 y.2))
    (fun x y => (times_mod x.1 y.1, plus_mod (times_mod x.1 y.2) (times_mod x.2 y.1))) (fun x => (minus_mod x.1, minus_mod x.2)).

(* The rotation by (1 - x^2)/(1 + x^2) and 2x/(1 + x^2). *)
Definition turn_denominator (x : Z) : Z := Z.add 1 (Z.mul x x).
Definition turn_of (x : Z) : Z * Z :=
  let w := inverse p (turn_denominator x) in (times_mod (Z.sub 1 (Z.mul x x)) w, times_mod (Z.mul 2 x) w).
Definition turns (x : Z) : bool := Z.eqb (times_mod (turn_denominator x) (inverse p (turn_denominator x))) 1.

(* A B = 1. *)
Definition inverse_fits (d : nat) (A B : nat -> nat -> Z) : bool :=
  all (fun i => all (fun j => Z.eqb (Z.modulo (Z.sub (product residue_ops d A B i j) (if Nat.eqb i j then 1 else 0)%ZZ) p) 0) (iota 0 d)) (iota 0 d).
End Residues.

(* What a proof gives: of each parameter its value and its number in their order, both unproved; of each site the fixed decays, the x of
   rotations, and inverses of the matrices K and V of the groups, as far as there are any; examples; and the places of two minors. *)
Record stack_evidence := StackEvidence {
  modulus : Z;
  parameters_of : seq (seq (seq (seq (seq (seq (Z * nat))))));  (* by site, kind, group, head, row, column *)
  decays_of : seq (seq Z); angles_of : seq (seq Z);
  examples_of : seq (seq (seq Z));
  inverses_k : seq (seq (seq (seq Z))); inverses_v : seq (seq (seq (seq Z)));
  output_places : seq nat; parameter_places : seq nat; field_places : seq nat; field_columns : seq nat }.

Section Check.
Variables (d tokens : nat) (only_last : bool) (ls : seq sublayer) (e : stack_evidence).
Notation p := (modulus e).

Definition fetch (n : name) : Z * nat :=
  let: Name k s g h i j := n in
  nth (Z0, 0) (nth [::] (nth [::] (nth [::] (nth [::] (nth [::] (parameters_of e) s) (kind_code k)) g) h) i) j.
Definition parameter (n : name) : Z := (fetch n).1.

Fixpoint numbered (i : nat) (ns : seq name) : bool := if ns is n :: ns' then Nat.eqb (fetch n).2 i && numbered i.+1 ns' else true.
Definition shaped : bool := all (fun X => Nat.eqb (size X) tokens && all (fun x => Nat.eqb (size x) d) X) (examples_of e).

(* The slopes of all outputs along parameter k. *)
Definition slopes (rotations : seq (seq (Z * Z))) (k : nat) : seq Z :=
  let rotation_at s i := nth (1%ZZ, Z0) (nth [::] rotations s) i in
  let x := PointAt (fun n => let (value, i) := fetch n in (value, if Nat.eqb i k then 1%ZZ else Z0))
             (fun s i => (nth Z0 (nth [::] (decays_of e) s) i, Z0))
             (fun s i => ((rotation_at s i).1, Z0)) (fun s i => ((rotation_at s i).2, Z0)) in
  map snd (outputs (slope_ops p) d x only_last ls [seq [seq [seq (c, Z0) | c <- token] | token <- X] | X <- examples_of e]).

(* The derivative has the rank D at least. *)
Definition check_derivative (D : nat) : bool :=
  let rotations := map (map (turn_of p)) (angles_of e) in
  let rows := [seq pluck 0 (slopes rotations k) (output_places e) | k <- parameter_places e] in
  [&& numbered 0 (names d 0 ls), shaped, all (all (turns p)) (angles_of e), Nat.eqb (size (output_places e)) D, Nat.eqb (size (parameter_places e)) D,
      all (fun k => Nat.ltb k (size (names d 0 ls))) (parameter_places e), all (fun row => Nat.eqb (size row) D) rows & full_rank_mod p D rows].

Definition matrix_at (Ms : seq (seq (seq (seq Z)))) s g i j : Z := nth Z0 (nth [::] (nth [::] (nth [::] Ms s) g) i) j.
(* Of which groups these are inverses. *)
Definition invertible (k : kind) (Ms : seq (seq (seq (seq Z)))) : seq (seq bool) :=
  [seq [seq inverse_fits p d (fun i j => parameter (Name k s g 0 i j)) (matrix_at Ms s g) | g <- iota 0 (size (nth [::] Ms s))]
  | s <- iota 0 (size Ms)].
Definition flag (fs : seq (seq bool)) s g : bool := nth false (nth [::] fs s) g.
Definition inverse_entry (Ms : seq (seq (seq (seq Z)))) (fs : seq (seq bool)) s g i j : Z :=
  if [&& flag fs s g, Nat.ltb i d & Nat.ltb j d] then matrix_at Ms s g i j else Z0.

(* The fields have a rank of at least as many as the columns given. *)
Definition check_fields : bool :=
  let fk := invertible InK (inverses_k e) in
  let fv := invertible InV (inverses_v e) in
  let all_fields := fields d (fun s h k => flag fk s h && flag fv s k) 0 ls in
  let ns := pluck 0 (names d 0 ls) (field_columns e) in
  let row f := [seq velocity (residue_ops p) d parameter (fun s h k i j => inverse_entry (inverses_k e) fk s h j i)
                      (fun s h k i j => inverse_entry (inverses_v e) fv s k i j) f n | n <- ns] in
  [&& plucks (size all_fields) (field_places e), plucks (size (names d 0 ls)) (field_columns e)
    & full_rank_mod p (size (field_columns e)) (map row (pluck 0 all_fields (field_places e)))].

(* D is the dimension. *)
Definition check_stack (D : nat) : bool :=
  [&& check_derivative D, check_fields & Nat.eqb (addn D (size (field_columns e))) (size (names d 0 ls))].
End Check.
