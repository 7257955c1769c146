(* Fields that mix heads, scale neurons, and lie between two sublayers; and so all fields of a stack: no output changes. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify.
From Attest Require Import stacks stack_relations stack_slopes stack_fields.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
End Sublayers.
