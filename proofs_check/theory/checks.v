(* The checker: every claim and every kind of evidence of FORMAT.md, over integers. Executable; soundness.v proves it. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From Attest Require Import integer_vectors dyadic elimination feature_order layers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Inductive claim :=
  | FullRank | Deficient | Rank of nat | LambdaMin of dyadic & dyadic
  | Determined of seq nat | Undetermined of seq nat | LabelsConsistent | LabelsInconsistent
  | Inexpressible of Z & Z.

(* Rows and columns increase. *)
Record minor := Minor { prime : Z; rows_of : seq nat; columns_of_minor : seq nat }.

Inductive bound := FewExamples | NullVectors of seq (seq Z).

(* Examples whose queries are one vector. The rows of the minor are places among them. *)
Record group := Group { members : seq nat; rank_of_group : nat; minor_of_group : minor; bound_of_group : bound }.

Inductive evidence :=
  | ByMinor of minor
  | ByBound of bound
  | ByMinorAndBound of minor & bound
  | ByFactor of seq (seq Z) & Z & seq Z        (* the rows of L, its exponent, and the vector of the upper bound *)
  | ByBasis of nat & minor & seq (seq Z)
  | ByRelations of seq (Z * seq Z)             (* of each query and of the examples *)
  | ByNull of seq Z
  | ByExtension of nat & bound & seq minor     (* each query's row is the last of the table *)
  | ByFit of seq (seq Z)
  | ByLabelRelation of seq Z
  | ByLabelExtension of nat & bound & nat & minor    (* the label's column is the last of the table *)
  | ByResiduals of seq (seq Z)                       (* of each output, a relation of the examples *)
  | ByGroups of seq group & minor.                   (* and of their queries; of the paper's layer *)

(* The entries of s at the increasing places ks, where i is the place of the head; too few if there are not so many. *)
Fixpoint pluck (T : Type) (i : nat) (s : seq T) (ks : seq nat) : seq T :=
  match s, ks with
  | x :: s', k :: ks' => if Nat.eqb i k then x :: pluck i.+1 s' ks' else pluck i.+1 s' ks
  | _, _ => [::]
  end.
Definition plucks (n : nat) (ks : seq nat) : bool := Nat.eqb (size (pluck 0 (iota 0 n) ks)) (size ks).

(* Tables have m columns. The rank is at least r. *)
Definition check_minor (table : seq (seq Z)) (m r : nat) (e : minor) : bool :=
  [&& plucks (size table) (rows_of e), plucks m (columns_of_minor e), Nat.eqb (size (columns_of_minor e)) r
    & full_rank_mod (prime e) r [seq pluck 0 row (columns_of_minor e) | row <- pluck 0 table (rows_of e)]].

Definition orthogonal (table : seq (seq Z)) (v : seq Z) : bool := all (fun row => Z.eqb (zdot row v) 0) table.
Definition nonzero (v : seq Z) : bool := has (fun x => ~~ Z.eqb x 0) v.

(* The place behind the last entry that is not zero. *)
Fixpoint last_place (v : seq Z) : nat :=
  if v is x :: u then let n := last_place u in if (0 < n) then n.+1 else (if Z.eqb x 0 then 0 else 1) else 0.
Definition check_nulls (table : seq (seq Z)) (m : nat) (vs : seq (seq Z)) : bool :=
  [&& all (fun v => Nat.eqb (size v) m) vs, all (orthogonal table) vs & sorted ltn (0 :: map last_place vs)].

(* The rank is at most r. *)
Definition check_bound (table : seq (seq Z)) (m r : nat) (b : bound) : bool :=
  match b with
  | FewExamples => size table <= r
  | NullVectors vs => check_nulls table m vs && (m <= r + size vs)
  end.

(* The sum of v_i row_i. *)
Fixpoint combine (m : nat) (v : seq Z) (table : seq (seq Z)) : seq Z :=
  match v, table with
  | x :: v', row :: table' =>
      let rest := combine m v' table' in if Z.eqb x 0 then rest else add_multiple x rest row
  | _, _ => nseq m Z0
  end.
Definition check_relation (table : seq (seq Z)) (m : nat) (row : seq Z) (e : Z * seq Z) : bool :=
  [&& ~~ Z.eqb e.1 0, Nat.eqb (size e.2) (size table) & ~~ nonzero (add_multiple e.1 (combine m e.2 table) row)].

(* H' H. *)
Definition gram (m : nat) (table : seq (seq Z)) : seq (seq Z) :=
  foldr (fun h G => [seq add_multiple xg.1 xg.2 h | xg <- zip h G]) (nseq m (nseq m Z0)) table.

(* g G - l I - w L L'. *)
Definition residual (m : nat) (g l w : Z) (G L : seq (seq Z)) : seq (seq Z) :=
  [seq (let G_i := nth [::] G i in let L_i := nth [::] L i in
        [seq Z.sub (Z.sub (Z.mul g (nth Z0 G_i j)) (if Nat.eqb i j then l else Z0)) (Z.mul w (zdot L_i (nth [::] L j)))
        | j <- iota 0 m]) | i <- iota 0 m].
Definition sum_abs (u : seq Z) : Z := foldr (fun x s => Z.add (Z.abs x) s) Z0 u.
Definition check_dominant (A : seq (seq Z)) : bool :=
  all (fun ir => let x := nth Z0 ir.2 ir.1 in Z.leb (sum_abs ir.2) (Z.add x (Z.abs x))) (zip (iota 0 (size A)) A).

(* The features are the table in a unit whose square is 2^s / g.  lo |v|^2 <= v' Lambda v. *)
Definition check_lower (s g : Z) (table : seq (seq Z)) (m : nat) (lo : dyadic) (L : seq (seq Z)) (power : Z) : bool :=
  let N := Z.of_nat (size table) in
  let e := Z.min s (Z.min (exponent lo) (Z.mul 2 power)) in
  Z.ltb 0 N && (Z.leb (mantissa lo) 0 || [&& Nat.eqb (size L) m, all (fun row => size row <= m) L
    & check_dominant (residual m (Z.shiftl 1 (Z.sub s e)) (Z.mul (Z.mul N g) (Z.shiftl (mantissa lo) (Z.sub (exponent lo) e)))
                                 (Z.mul (Z.mul N g) (Z.shiftl 1 (Z.sub (Z.mul 2 power) e))) (gram m table) L)]).

(* x' Lambda x <= hi |x|^2. *)
Definition check_upper (s g : Z) (table : seq (seq Z)) (m : nat) (hi : dyadic) (x : seq Z) : bool :=
  let image := foldr (fun row sum => let y := zdot row x in Z.add (Z.mul y y) sum) Z0 table in
  let e := Z.min s (exponent hi) in
  [&& Nat.eqb (size x) m, nonzero x & Z.leb (Z.shiftl image (Z.sub s e))
    (Z.mul (Z.mul (Z.mul (Z.of_nat (size table)) g) (zdot x x)) (Z.shiftl (mantissa hi) (Z.sub (exponent hi) e)))].

(* What the relation v proves of output a, (v . y)^2 / |v|^2, added to a fraction; nothing if v is zero. *)
Definition add_share (labels : seq (seq Z)) (sum : Z * Z) (v : seq Z) (a : nat) : Z * Z :=
  let below := zdot v v in
  let top := zdot v [seq nth Z0 y a | y <- labels] in
  if Z.eqb below 0 then sum else (Z.add (Z.mul (Z.mul top top) sum.2) (Z.mul sum.1 below), Z.mul below sum.2).
Fixpoint shares (labels : seq (seq Z)) (a : nat) (vs : seq (seq Z)) : Z * Z :=
  if vs is v :: vs' then add_share labels (shares labels a.+1 vs') v a else (Z0, 1%ZZ).
Definition check_cancels (table : seq (seq Z)) (m : nat) (v : seq Z) : bool :=
  Nat.eqb (size v) (size table) && ~~ nonzero (combine m v table).
(* The shares of all outputs are at least M A / B. *)
Definition check_residuals (s g : Z) (table labels : seq (seq Z)) (A B : Z) (vs : seq (seq Z)) : bool :=
  let sum := shares labels 0 vs in
  let e := Z.min s 0 in
  Z.leb (Z.shiftl (Z.mul (Z.mul (Z.mul (Z.of_nat (size table)) A) g) sum.2) (Z.opp e))
        (Z.shiftl (Z.mul B sum.1) (Z.sub s e)).

Definition no_example := DyadicExample [::] 0 [::].

(* m features and o labels of each example, and the features of the queries. *)
Definition check_claim (m o : nat) (s g : Z) (table labels queries : seq (seq Z)) (c : claim) (e : evidence) : bool :=
  let asked k := nth [::] queries k in
  let known k := (k < size queries) in
  let labelled := [seq hy.1 ++ hy.2 | hy <- zip table labels] in
  match c, e with
  | FullRank, ByMinor e => check_minor table m m e
  | Deficient, ByBound b => (0 < m) && check_bound table m m.-1 b
  | Rank r, ByMinorAndBound e b => check_minor table m r e && check_bound table m r b
  | LambdaMin lo hi, ByFactor L power x => check_lower s g table m lo L power && check_upper s g table m hi x
  | Determined ks, ByBasis r e vs =>
      [&& all known ks, check_minor table m r e, check_nulls table m vs, m <= r + size vs
        & all (fun k => let h := asked k in all (orthogonal [:: h]) vs) ks]
  | Determined ks, ByRelations es =>
      [&& all known ks, Nat.eqb (size es) (size ks)
        & all (fun ke => check_relation table m (asked ke.1) ke.2) (zip ks es)]
  | Undetermined ks, ByNull v =>
      [&& all known ks, Nat.eqb (size v) m, orthogonal table v & all (fun k => ~~ orthogonal [:: asked k] v) ks]
  | Undetermined ks, ByExtension r b es =>
      [&& all known ks, check_bound table m r b, Nat.eqb (size es) (size ks)
        & all (fun ke => check_minor (rcons table (asked ke.1)) m r.+1 ke.2) (zip ks es)]
  | LabelsConsistent, ByFit vs =>
      [&& 0 < o, Nat.eqb (size vs) o, check_nulls labelled (m + o) vs & m < last_place (head [::] vs)]
  | LabelsInconsistent, ByLabelRelation v =>
      let sum := combine (m + o) v labelled in
      [&& 0 < o, Nat.eqb (size v) (size table), ~~ nonzero (take m sum) & nonzero (drop m sum)]
  | LabelsInconsistent, ByLabelExtension r b a e =>
      [&& a < o, check_bound table m r b
        & check_minor [seq rcons hy.1 (nth Z0 hy.2 a) | hy <- zip table labels] m.+1 r.+1 e]
  | Inexpressible A B, ByResiduals vs =>
      [&& 0 < o, Z.ltb 0 A, Z.ltb 0 B, 0 < size table, Nat.eqb (size vs) o, all (check_cancels table m) vs
        & check_residuals s g table labels A B vs]
  | _, _ => false
  end.

(* Of the paper's layer: the state of an example, its products S_jk, and what it asks; a feature is a product of both. *)
Definition packed_state (d : nat) (e : integer_example) : seq Z :=
  let rows := [seq coordinate e a | a <- iota 0 d] in
  [seq zdot (nth [::] rows ab.1) (nth [::] rows ab.2) | ab <- pair_list d].
Definition zasked (e : integer_example) : seq Z := nth [::] (zcolumns e) (zquery e).
Definition same_row (u v : seq Z) : bool := Nat.eqb (size u) (size v) && all (fun xy => Z.eqb xy.1 xy.2) (zip u v).

Definition group_query (data : seq integer_example) (g : group) : seq Z :=
  if pluck 0 data (members g) is e :: _ then zasked e else [::].
Definition check_group (d : nat) (data : seq integer_example) (g : group) : bool :=
  let examples := pluck 0 data (members g) in
  let q := size (pair_list d) in
  let states := map (packed_state d) examples in
  let u := group_query data g in
  [&& plucks (size data) (members g), 0 < size examples, all (fun e => same_row (zasked e) u) examples,
      check_minor states q (rank_of_group g) (minor_of_group g) & check_bound states q (rank_of_group g) (bound_of_group g)].

(* s without ks, both increasing. *)
Fixpoint strike (s ks : seq nat) : seq nat :=
  match s, ks with
  | x :: s', k :: ks' => if Nat.eqb x k then strike s' ks' else x :: strike s' ks
  | _, _ => s
  end.

(* The rank is r: that of the groups, which have independent queries, and no example adds to it. *)
Definition check_groups (d : nat) (data : seq integer_example) (r : nat) (gs : seq group) (w : minor) : bool :=
  [&& all (check_group d data) gs, check_minor (map (group_query data) gs) d (size gs) w, Nat.eqb (sumn (map rank_of_group gs)) r
    & Nat.eqb r (size (pair_list d) * d) || Nat.eqb (size (foldl strike (iota 0 (size data)) (map members gs))) 0].

(* The paper's layer. All tokens are multiples of 2^E, all labels of 2^(3 E). Queries have no labels. *)
Definition check (d o : nat) (E : Z) (data queries : seq dyadic_example) (c : claim) (e : evidence) : bool :=
  let row x := zfeatures d (integers E x) in
  [&& all (well_formed d o E) data, all (well_formed d 0 E) queries
    & match c, e with
      | Rank r, ByGroups gs w => check_groups d (map (integers E) data) r gs w
      | _, _ => check_claim (size (slot_list d)) o (Z.mul 6 E) 1 (map row data) [seq zlabel (integers E x) | x <- data]
                  (map row queries) c e
      end].

(* Every other layer, in the units of layers.v. *)
Definition check_layer (l : layer) (P o : nat) (E D : Z) (data queries : seq layer_example) (c : claim) (e : evidence) : bool :=
  let row := layer_row P E D l in
  [&& well_formed_layer P E D l, all (well_formed_in P o E D l) data, all (well_formed_in P 0 E D l) queries
    & check_claim (size (entries l)) o (Z.mul (Z.of_nat (2 * P)) E) (Z.mul D D) (map row data) (map (layer_labels P E D) data)
        (map row queries) c e].
