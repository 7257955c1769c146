(* The layers of FORMAT.md, section 6: what their features are over an ordered field, and the same in integers as a checker
   computes them. A state's entry is a weighted sum over the tokens of a product of their coordinates, or 1. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify ssrZ.
From Attest Require Import integer_vectors dyadic feature_order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

(* kappa(delta), delta the distance from the last token: (a/b)^delta; 1 below w; 1 at i; 1 from i on; a list of fractions. *)
Inductive kernel := Decay of Z & Z | Window of nat | Lag of nat | Beyond of nat | Table of seq (Z * Z).
Inductive weighting := ByKernels of seq kernel | ByGates of nat.  (* so many gates for each token *)

(* 1, or the sum over the tokens of weight number g times the product of these coordinates. *)
Inductive term := One | Sum of nat & seq nat.

(* The features: in each block, every state's entry times every product of coordinates of what asks. *)
Record layer := Layer { weights : weighting; blocks : seq (seq term * seq (seq nat)) }.
Definition entries (l : layer) : seq (term * seq nat) := flatten [seq [seq (s, q) | s <- b.1, q <- b.2] | b <- blocks l].

(* Tokens, for layers that map them with the mapped ones below; the gates of each; the query features u; labels. *)
Record layer_example := LayerExample {
  tokens_of : seq (seq dyadic); gates_of : seq (seq dyadic); asks : seq dyadic; answers : seq dyadic }.

(* The layers by their words, for d coordinates, m of what asks or is mapped, and so many kinds of weights. With `affine`
   coordinate 0 is the constant 1 and leaves the product. *)
Definition without_one (affine : bool) (js : seq nat) : seq nat := if affine then [seq i.-1 | i <- js & 0 < i] else js.
Definition asking (affine : bool) (m : nat) : seq (seq nat) := [seq without_one affine [:: i] | i <- iota 0 (affine + m)].
Definition attention_blocks (affine : bool) (kinds d m : nat) : seq (seq term * seq (seq nat)) :=
  [:: ([seq Sum g (without_one affine [:: ab.1; ab.2]) | g <- iota 0 kinds, ab <- pair_list (affine + d)]
       ++ (if affine then [:: One] else [::]), asking affine m)].
Definition mapped_blocks (kinds d m : nat) : seq (seq term * seq (seq nat)) :=
  [:: ([seq Sum g jk | g <- iota 0 kinds, jk <- [seq [:: j; d + k] | j <- iota 0 d, k <- iota 0 m]], asking false m)].
Definition gated_blocks (d : nat) : seq (seq term * seq (seq nat)) :=
  [:: ([seq Sum k [:: j; k] | j <- iota 0 d, k <- iota 0 d], asking false d)].
Definition gated_mapped_blocks (d m : nat) : seq (seq term * seq (seq nat)) :=
  [:: ([seq Sum k [:: j; d + k] | j <- iota 0 d, k <- iota 0 m], asking false m)].
Definition moment_blocks (q m : nat) : seq (seq term * seq (seq nat)) :=
  [:: ([seq Sum 0 [:: i] | i <- iota 0 q], asking false m)].

(* The monomials of degree p in the d coordinates from lo on, each sorted, in lexicographic order. *)
Fixpoint monomials (lo d p : nat) : seq (seq nat) :=
  match p with
  | 0 => [:: [::]]
  | p'.+1 => flatten [seq [seq i :: js | js <- monomials i (lo + d - i) p'] | i <- iota lo d]
  end.
Definition degree_blocks (a b d : nat) : seq (seq term * seq (seq nat)) :=
  [seq ([seq Sum 0 js | js <- monomials 0 d p.+1], monomials 0 d p) | p <- iota a (b.+1 - a)].

Definition num_weights (w : weighting) : nat := match w with ByKernels ks => size ks | ByGates K => K end.
Definition zero := Dyadic Z0 Z0.

(* Fractions are pairs. *)
Fixpoint decay_ratios (a b : Z) (x : Z * Z) (n : nat) : seq (Z * Z) :=
  if n is n'.+1 then x :: decay_ratios a b (Z.mul x.1 a, Z.mul x.2 b) n' else [::].
Definition indicator (b : bool) : Z * Z := (if b then 1%ZZ else Z0, 1%ZZ).
Definition kernel_ratios (k : kernel) (n : nat) : seq (Z * Z) :=
  match k with
  | Decay a b => decay_ratios a b (1%ZZ, 1%ZZ) n
  | Window w => [seq indicator (delta < w) | delta <- iota 0 n]
  | Lag i => [seq indicator (Nat.eqb delta i) | delta <- iota 0 n]
  | Beyond i => [seq indicator (i <= delta) | delta <- iota 0 n]
  | Table t => [seq nth (Z0, 1%ZZ) t delta | delta <- iota 0 n]
  end.
Definition ratio_of (x : dyadic) : Z * Z :=
  if Z.leb 0 (exponent x) then (Z.shiftl (mantissa x) (exponent x), 1%ZZ)
  else (mantissa x, Z.shiftl 1 (Z.opp (exponent x))).

(* The product of all gates, and for each the product of those behind it. *)
Fixpoint behind (gates : seq (Z * Z)) : (Z * Z) * seq (Z * Z) :=
  if gates is g :: gates' then let pw := behind gates' in ((Z.mul g.1 pw.1.1, Z.mul g.2 pw.1.2), pw.1 :: pw.2)
  else ((1%ZZ, 1%ZZ), [::]).
Definition ratios (w : weighting) (e : layer_example) : seq (seq (Z * Z)) :=
  match w with
  | ByKernels ks => [seq rev (kernel_ratios k (size (tokens_of e))) | k <- ks]
  | ByGates K => [seq (behind [seq ratio_of (nth zero g k) | g <- gates_of e]).2 | k <- iota 0 K]
  end.

(* In units: coordinates of 2^E, weights of 1/D, features and labels of 2^(P E) / D, P at least a feature's degree. *)
Definition whole (D : Z) (r : Z * Z) : Z := Z.div (Z.mul r.1 D) r.2.
Definition divides (D : Z) (r : Z * Z) : bool := if Z.eqb r.2 0 then false else Z.eqb (Z.mul (whole D r) r.2) (Z.mul r.1 D).
Definition degree (f : term * seq nat) : nat := (if f.1 is Sum _ js then size js else 0) + size f.2.
Fixpoint zproduct (x : seq Z) (js : seq nat) : Z := if js is i :: js' then Z.mul (nth Z0 x i) (zproduct x js') else 1%ZZ.
Fixpoint zsum (ws : seq Z) (xs : seq (seq Z)) (js : seq nat) : Z :=
  match ws, xs with w :: ws', x :: xs' => Z.add (Z.mul w (zproduct x js)) (zsum ws' xs' js) | _, _ => Z0 end.
Definition zstate (D : Z) (ws : seq (seq Z)) (xs : seq (seq Z)) (s : term) : Z :=
  if s is Sum g js then zsum (nth [::] ws g) xs js else D.
Definition raised (E : Z) (P : nat) (f : term * seq nat) (x : Z) : Z :=
  Z.shiftl x (Z.mul (Z.opp E) (Z.of_nat (P - degree f))).
Definition layer_row (P : nat) (E D : Z) (l : layer) (e : layer_example) : seq Z :=
  let ws := map (map (whole D)) (ratios (weights l) e) in
  let xs := map (map (align E)) (tokens_of e) in
  let u := map (align E) (asks e) in
  flatten [seq flatten [seq (let x := zstate D ws xs s in [seq raised E P (s, q) (Z.mul x (zproduct u q)) | q <- b.2])
                       | s <- b.1] | b <- blocks l].
Definition layer_labels (P : nat) (E D : Z) (e : layer_example) : seq Z :=
  [seq Z.mul D (align (Z.mul (Z.of_nat P) E) y) | y <- answers e].

Definition well_formed_layer (P : nat) (E D : Z) (l : layer) : bool :=
  [&& Z.leb E 0, Z.ltb 0 D & all (fun f => (degree f <= P) && (if f.1 is Sum g _ then g < num_weights (weights l) else true)) (entries l)].
Definition well_formed_in (P o : nat) (E D : Z) (l : layer) (e : layer_example) : bool :=
  [&& all (all (aligned E)) (tokens_of e), all (aligned E) (asks e),
      (if weights l is ByGates _ then Nat.eqb (size (gates_of e)) (size (tokens_of e)) else true),
      all (all (divides D)) (ratios (weights l) e),
      Nat.eqb (size (answers e)) o & all (aligned (Z.mul (Z.of_nat P) E)) (answers e)].

Section Meaning.
Local Open Scope ring_scope.
Variable R : realFieldType.

Definition fraction (r : Z * Z) : R := embed R r.1 / embed R r.2.
Definition kernel_value (k : kernel) (delta : nat) : R :=
  match k with
  | Decay a b => (embed R a / embed R b) ^+ delta
  | Window w => (delta < w)%N%:R
  | Lag i => (delta == i)%:R
  | Beyond i => (i <= delta)%N%:R
  | Table t => fraction (nth (Z0, 1%ZZ) t delta)
  end.

(* The weight of token t: of its distance from the last, or the product of the gates of all later tokens. *)
Definition weight_value (w : weighting) (e : layer_example) (g t : nat) : R :=
  let n := size (tokens_of e) in
  match w with
  | ByKernels ks => kernel_value (nth (Beyond 0) ks g) (n - t.+1)
  | ByGates _ => \prod_(t.+1 <= u < n) value R (nth zero (nth [::] (gates_of e) u) g)
  end.
Definition product_of (x : seq dyadic) (js : seq nat) : R := \prod_(i <- js) value R (nth zero x i).
Definition state_value (w : weighting) (e : layer_example) (s : term) : R :=
  match s with
  | One => 1
  | Sum g js => \sum_(t < size (tokens_of e)) weight_value w e g t * product_of (nth [::] (tokens_of e) t) js
  end.
Definition layer_feature (l : layer) (e : layer_example) (f : term * seq nat) : R :=
  state_value (weights l) e f.1 * product_of (asks e) f.2.
Definition layer_features (l : layer) (e : layer_example) : 'rV[R]_(size (entries l)) :=
  \row_k layer_feature l e (nth (One, [::]) (entries l) k).

Lemma decay_ratiosE a b x n t : (t < n)%N -> fraction (nth (Z0, 1%ZZ) (decay_ratios a b x n) t) = fraction x * fraction (a, b) ^+ t.
Proof.
elim: n x t => [|n IH] x [|t] //=; first by rewrite expr0 mulr1.
by rewrite ltnS => /IH ->; rewrite exprS /fraction /= !embedM invfM mulrA mulrACA.
Qed.

Lemma fraction_indicator b : fraction (indicator b) = b%:R.
Proof. by case: b; rewrite /fraction /= ?mul0r // divr1. Qed.

Lemma size_kernel_ratios k n : size (kernel_ratios k n) = n.
Proof. by case: k => [a b|w|i|i|t]; rewrite ?size_map ?size_iota //=; elim: n (1%ZZ, 1%ZZ) => //= n IH x; rewrite IH. Qed.

Lemma kernel_ratiosE k n t : (t < n)%N -> fraction (nth (Z0, 1%ZZ) (kernel_ratios k n) t) = kernel_value k t.
Proof.
move=> lt; case: k => [a b|w|i|i|table] /=; last by rewrite (nth_map 0%N) ?size_iota // nth_iota.
- by rewrite decay_ratiosE // /fraction /= divr1 mul1r.
- by rewrite (nth_map 0%N) ?size_iota // nth_iota // fraction_indicator.
- by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n fraction_indicator; case: Nat.eqb_spec => [-> | /eqP/negPf ->]; rewrite ?eqxx.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // fraction_indicator.
Qed.

Lemma fraction_ratio x : fraction (ratio_of x) = value R x.
Proof.
rewrite /ratio_of /value; case: Z.leb_spec => le; rewrite /fraction /=.
  by rewrite embed_shiftl // divr1.
rewrite embed_shiftl; last by lia.
rewrite mul1r; congr (_ * _); apply: (mulIf (power2_neq0 R (Z.opp (exponent x)))).
rewrite mulVf ?power2_neq0 // -power2D /power2; by have -> : Z.add (exponent x) (Z.opp (exponent x)) = Z0 by lia.
Qed.

Lemma behind_all gates : fraction (behind gates).1 = \prod_(g <- gates) fraction g.
Proof.
elim: gates => [|g gates IH]; first by rewrite big_nil /fraction /= divr1.
by rewrite big_cons -IH /fraction /= !embedM invfM mulrACA.
Qed.

Lemma behindE gates t : (t < size gates)%N ->
  fraction (nth (Z0, 1%ZZ) (behind gates).2 t) = \prod_(g <- drop t.+1 gates) fraction g.
Proof.
elim: gates t => [|g gates IH] [|t] //= lt; first by rewrite drop0 behind_all.
by rewrite IH.
Qed.

Lemma size_behind gates : size (behind gates).2 = size gates.
Proof. by elim: gates => //= g gates ->. Qed.

Lemma power2X E k : power2 R E ^+ k = power2 R (Z.mul (Z.of_nat k) E).
Proof. by elim: k => [|k IH]; rewrite ?expr0 ?exprS ?IH -?power2D; [| congr power2; lia]. Qed.

Section Unit.
Variables (P : nat) (E D : Z) (l : layer).
Hypothesis wf_l : well_formed_layer P E D l.

Definition layer_unit : R := power2 R (Z.mul (Z.of_nat P) E) / embed R D.

Lemma D_neq0 : embed R D != 0.
Proof. by rewrite embed_eq0; apply/eqP; case/and3P: wf_l => _ /Z.ltb_lt; lia. Qed.

Lemma layer_unit_neq0 : layer_unit != 0.
Proof. by rewrite mulf_neq0 ?power2_neq0 // invr_neq0 ?D_neq0. Qed.

Lemma layer_unit_sqr : embed R (Z.mul D D) * layer_unit ^+ 2 = power2 R (Z.mul (Z.of_nat (2 * P)) E).
Proof.
rewrite exprMn exprVn embedM -expr2 mulrCA mulfV ?sqrf_eq0 ?D_neq0 // mulr1 expr2 -power2D; congr power2; lia.
Qed.

End Unit.

Section Example.
Variables (P o : nat) (E D : Z) (l : layer) (e : layer_example).
Hypotheses (wf_l : well_formed_layer P E D l) (wf : well_formed_in P o E D l e).
Notation n := (size (tokens_of e)).
Notation ws := (ratios (weights l) e).
Notation xs := (map (map (align E)) (tokens_of e)).

Lemma ratiosE g : (g < num_weights (weights l))%N -> size (nth [::] ws g) = n /\
  forall t, (t < n)%N -> fraction (nth (Z0, 1%ZZ) (nth [::] ws g) t) = weight_value (weights l) e g t.
Proof.
case/and3P: wf => _ _ /andP[size_g _]; case: (weights l) size_g => [ks | K] /= size_g lt.
  rewrite (nth_map (Beyond 0)) // size_rev size_kernel_ratios; split=> // t t_lt.
  by rewrite nth_rev size_kernel_ratios // kernel_ratiosE // ltn_subrL (leq_ltn_trans _ t_lt).
move/Nat.eqb_eq: size_g => size_g; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n size_behind size_map size_g.
split=> // t t_lt; rewrite behindE ?size_map ?size_g // -map_drop big_map.
rewrite (big_nth [::]) size_drop size_g [in RHS](_ : t.+1 = 0 + t.+1)%N // big_addn.
by apply: eq_bigr => u _; rewrite nth_drop addnC fraction_ratio.
Qed.

Lemma value_nth x i : all (aligned E) x -> value R (nth zero x i) = power2 R E * embed R (nth Z0 (map (align E) x) i).
Proof.
move=> /(all_nthP zero) fine; case: (ltnP i (size x)) => [lt | ge].
  by rewrite (nth_map zero) // (alignE R (fine _ lt)).
by rewrite !nth_default ?size_map // /value embed0 mul0r mulr0.
Qed.

Lemma productE x js : all (aligned E) x -> product_of x js = power2 R E ^+ size js * embed R (zproduct (map (align E) x) js).
Proof.
move=> fine; rewrite /product_of; elim: js => [|i js IH]; first by rewrite big_nil expr0 mul1r.
by rewrite big_cons IH (value_nth _ fine) /= embedM exprS mulrACA.
Qed.

Lemma wholeE r : divides D r -> fraction r * embed R D = embed R (whole D r).
Proof.
rewrite /divides; case: Z.eqb_spec => // nz /Z.eqb_eq same.
have nz' : embed R r.2 != 0 by rewrite embed_eq0; apply/eqP.
by move/(congr1 (embed R)): same; rewrite !embedM => same; apply: (mulIf nz'); rewrite same /fraction mulrAC divfK.
Qed.

Lemma zsumE rs xs0 js : all (divides D) rs -> all (all (aligned E)) xs0 -> size rs = size xs0 ->
  embed R D * (\sum_(t < size xs0) fraction (nth (Z0, 1%ZZ) rs t) * product_of (nth [::] xs0 t) js)
  = power2 R E ^+ size js * embed R (zsum (map (whole D) rs) (map (map (align E)) xs0) js).
Proof.
elim: rs xs0 => [|r rs IH] [|x xs0] //=; first by rewrite big_ord0 !mulr0.
case/andP=> div divs /andP[fine fines] [size_r]; rewrite big_ord_recl mulrDr IH // embedD embedM mulrDr; congr (_ + _).
by rewrite mulrA [_ * fraction r]mulrC (wholeE div) (productE _ fine) mulrCA.
Qed.

Lemma zstateE s : (if s is Sum g _ then g < num_weights (weights l) else true)%N ->
  embed R D * state_value (weights l) e s
  = power2 R E ^+ (if s is Sum _ js then size js else 0%N) * embed R (zstate D (map (map (whole D)) ws) xs s).
Proof.
case: s => [|g js] /= lt; first by rewrite mulr1 mul1r.
have [size_w value_w] := ratiosE lt; case/and5P: wf => tokens _ _ divs _.
have g_lt : (g < size ws)%N by case: (weights l) lt => [ks|K] lt /=; rewrite size_map ?size_iota.
rewrite (nth_map [::]) // -zsumE //; last exact: (all_nthP [::] divs).
by congr (_ * _); apply: eq_bigr => t _; rewrite value_w.
Qed.

Lemma layer_featureE f : (degree f <= P)%N && (if f.1 is Sum g _ then g < num_weights (weights l) else true)%N ->
  layer_feature l e f = layer_unit P E D
    * embed R (raised E P f (Z.mul (zstate D (map (map (whole D)) ws) xs f.1) (zproduct (map (align E) (asks e)) f.2))).
Proof.
case/and3P: wf_l => /Z.leb_le E_le _ _ /andP[le lt]; have [_ asked _ _] := and4P wf.
apply: (mulfI (D_neq0 wf_l)); rewrite [RHS]mulrA [embed R D * layer_unit P E D]mulrC /layer_unit divfK ?(D_neq0 wf_l) //.
rewrite [LHS]mulrA zstateE // (productE _ asked) mulrACA -exprD -embedM -/(degree f) /raised embed_shiftl; last by nia.
rewrite mulrCA -power2D power2X mulrC; congr (_ * power2 _ _); rewrite -/(degree f); nia.
Qed.

Notation zfeature f := (raised E P f (Z.mul (zstate D (map (map (whole D)) ws) xs f.1) (zproduct (map (align E) (asks e)) f.2))).

Lemma layer_row_map : layer_row P E D l e = [seq zfeature f | f <- entries l].
Proof. by rewrite /entries map_flatten -map_comp; congr flatten; apply: eq_map => b /=; rewrite map_allpairs. Qed.

Lemma size_layer_row : size (layer_row P E D l e) = size (entries l).
Proof. by rewrite layer_row_map size_map. Qed.

Theorem layer_rowE : layer_features l e = layer_unit P E D *: to_vector R (size (entries l)) (layer_row P E D l e).
Proof.
have /and3P[_ _ /(all_nthP (One, [::])) fine] := wf_l.
by apply/rowP => k; rewrite !mxE layer_row_map (nth_map (One, [::])) // layer_featureE // fine.
Qed.

Lemma layer_labelsE a : (a < o)%N ->
  value R (nth zero (answers e) a) = layer_unit P E D * embed R (nth Z0 (layer_labels P E D e) a).
Proof.
case/and3P: wf => _ _ /and3P[_ _ /andP[/Nat.eqb_eq size_a /(all_nthP zero) fine]] lt.
rewrite (nth_map zero) ?size_a // embedM mulrA divfK ?(D_neq0 wf_l) //.
by rewrite (alignE R (fine _ _)) ?size_a.
Qed.

Lemma size_layer_labels : size (layer_labels P E D e) = o.
Proof. by case/and3P: wf => _ _ /and3P[_ _ /andP[/Nat.eqb_eq size_a _]]; rewrite size_map. Qed.
End Example.
End Meaning.
