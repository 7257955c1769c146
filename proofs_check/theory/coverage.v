(* The bound with confidence of docs/certificates.md: how likely a fresh draw is outside of the span of N independent
   ones, for every law of finitely many outcomes. A draw is one example or several, a matrix with a row for each. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Coverage.
Variables (R : realFieldType) (F : fieldType) (m : nat) (draw : finType) (k : draw -> nat).
Variables (X : forall z, 'M[F]_(k z, m)) (law : draw -> R) (N : nat).
Hypotheses (law_ge0 : forall z, 0 <= law z) (law_1 : \sum_z law z = 1).
Implicit Types (x y : {ffun 'I_N -> draw}) (T : {set 'I_N}).

(* The draws at the places T, what they span, and how likely a fresh draw is not in it. *)
Definition span x T : 'M[F]_m := (\sum_(i in T) <<X (x i)>>)%MS.
Definition inside x T z : bool := (X z <= span x T)%MS.
Definition open x T : R := \sum_z law z * (~~ inside x T z)%:R.
Definition spans x T : bool := (span x setT <= span x T)%MS.

(* Of independent draws. *)
Definition probability x : R := \prod_i law (x i).

(* The share, among the sets of n places, of those that span what all do. *)
Definition share x n : R := (\sum_(T : {set 'I_N} | #|T| == n) (spans x T)%:R) / 'C(N, n)%:R.

Lemma inside_self x T i : i \in T -> inside x T (x i).
Proof. by move=> iT; rewrite /inside (sumsmx_sup i) // genmxE. Qed.

Lemma spansE x T : spans x T = [forall i, (i \notin T) ==> inside x T (x i)].
Proof.
apply/sumsmx_subP/forallP => [all_in i | all_in i _].
  by apply/implyP => _; have := all_in i; rewrite genmxE; apply.
rewrite genmxE; case: (boolP (i \in T)) => [/(inside_self x) // | out]; by have /implyP/(_ out) := all_in i.
Qed.

Lemma span_local x y T : {in T, forall i, x i = y i} -> span x T = span y T.
Proof. by move=> same; apply: eq_bigr => i iT; rewrite same. Qed.

Lemma closedE x T : 1 - open x T = \sum_z law z * (inside x T z)%:R.
Proof.
rewrite -{1}law_1 -sumrB; apply: eq_bigr => z _.
by case: (inside x T z); rewrite /= ?mulr1 ?mulr0 ?subr0 ?subrr.
Qed.

Lemma closed_ge0 x T : 0 <= 1 - open x T.
Proof. by rewrite closedE sumr_ge0 // => z _; rewrite mulr_ge0 ?ler0n. Qed.

Lemma open_all x T : spans x T -> open x setT = open x T.
Proof.
move=> all_in; apply: eq_bigr => z _; congr (_ * (~~ _)%:R); apply/idP/idP => [le | le].
  exact: submx_trans le all_in.
by apply: submx_trans le _; apply/sumsmx_subP => i _; rewrite (sumsmx_sup i).
Qed.

Lemma probability_ge0 x : 0 <= probability x.
Proof. exact: prodr_ge0. Qed.

Lemma probability_1 : \sum_x probability x = 1.
Proof. by rewrite -(bigA_distr_bigA (fun _ => law)); under eq_bigr do rewrite law_1; rewrite big1_eq. Qed.

(* A set of places chosen without looking at the draws. *)
Lemma places_mean T : \sum_x probability x * ((spans x T)%:R * (1 - open x setT)^-1 ^+ (N - #|T|)) <= 1.
Proof.
have size_rest : (N - #|T| = #|~: T|)%N by rewrite [RHS]cardsCs card_ord setCK.
pose key x : {ffun 'I_N -> option draw} := [ffun i => if i \in T then Some (x i) else None].
rewrite -[leRHS]probability_1 (partition_big key xpredT) // [leRHS](partition_big key xpredT) //=.
apply: ler_sum => r _; case: (pickP (fun x => key x == r)) => [x0 /eqP r_x0 | none]; last by rewrite !big_pred0.
pose Q i := [pred z | (i \in T) ==> (z == x0 i)].
have keyE x : (key x == r) = (x \in family Q).
  rewrite -r_x0; apply/eqP/familyP => [/ffunP same i | same].
    by apply/implyP => iT; have := same i; rewrite !ffunE iT => -[->].
  by apply/ffunP => i; rewrite !ffunE; have := same i; rewrite inE; case: (i \in T) => //= /eqP->.
rewrite (eq_bigl _ _ keyE) [leRHS](eq_bigl _ _ keyE) -(bigA_distr_big_dep Q (fun _ z => law z)).
pose c := 1 - open x0 T.
pose G i z := law z * (if i \in T then 1 else (inside x0 T z)%:R * c^-1).
rewrite (eq_bigr (fun x => \prod_i G i (x i))) => [|x /familyP x_Q]; last first.
  have same : {in T, forall i, x i = x0 i} by move=> i iT; have := x_Q i; rewrite inE iT => /eqP.
  rewrite /G big_split; congr (_ * _); rewrite (bigID (mem T)) /=.
  rewrite [X in _ = X * _]big1 ?mul1r => [|i iT]; last by rewrite ifT.
  rewrite (eq_bigr (fun i => (inside x0 T (x i))%:R * c^-1)) => [|i /negPf->] //.
  rewrite big_split /= [X in _ = _ * X](eq_bigl (fun i => i \in ~: T)) => [|i]; last by rewrite inE.
  rewrite prodr_const -size_rest; case: (boolP (spans x T)) => [all_in | not_all].
    rewrite (open_all all_in) /c; have -> : open x T = open x0 T.
      by apply: eq_bigr => z _; rewrite /inside (span_local same).
    congr (_ * _); rewrite [RHS]big1 // => i out.
    by move: all_in; rewrite spansE => /forallP/(_ i)/implyP/(_ out); rewrite /inside (span_local same) => ->.
  move: not_all; rewrite spansE negb_forall => /existsP[i]; rewrite negb_imply => /andP[out].
  by rewrite /inside (span_local same) => /negPf not_in; rewrite (bigD1 i) //= /inside not_in !mul0r.
rewrite -(bigA_distr_big_dep Q G); apply: ler_prod => i _.
have c_ge0 : 0 <= c by apply: closed_ge0.
apply/andP; split.
  apply: sumr_ge0 => z _; rewrite mulr_ge0 //; case: ifP => _; by rewrite ?ler01 ?mulr_ge0 ?ler0n ?invr_ge0.
rewrite /G; case: (boolP (i \in T)) => [iT | out]; first by apply: ler_sum => z _; rewrite mulr1.
rewrite (eq_bigl xpredT) => [|z]; last by rewrite inE (negPf out).
rewrite [leRHS](eq_bigl xpredT) => [|z]; last by rewrite inE (negPf out).
rewrite law_1; under eq_bigr do rewrite mulrA; rewrite -mulr_suml -closedE -/c.
by case: (eqVneq c 0) => [-> | nz]; rewrite ?mul0r ?ler01 // divff.
Qed.

Lemma share_mean n : (n <= N)%N -> \sum_x probability x * (share x n * (1 - open x setT)^-1 ^+ (N - n)) <= 1.
Proof.
move=> le; have C_pos : 0 < 'C(N, n)%:R :> R by rewrite ltr0n bin_gt0.
pose G T x := probability x * ((spans x T)%:R * (1 - open x setT)^-1 ^+ (N - #|T|)).
rewrite (eq_bigr (fun x => (\sum_(T : {set 'I_N} | #|T| == n) G T x) / 'C(N, n)%:R)) => [|x _]; last first.
  rewrite /share [_ / _ * _]mulrAC mulrA; congr (_ / _); rewrite mulr_suml mulr_sumr.
  by apply: eq_bigr => T /eqP size_T; rewrite /G size_T.
rewrite -mulr_suml ler_pdivr_mulr // mul1r exchange_big.
have -> : 'C(N, n)%:R = \sum_(T : {set 'I_N} | #|T| == n) 1 :> R.
  by rewrite -{1}(card_ord N) -card_draws -sum1_card natr_sum; apply: eq_bigl => T; rewrite inE.
by apply: ler_sum => T _; apply: places_mean.
Qed.

(* Shares may be estimated, by chances of their own (w, with the law q) that are right in the mean or too small. The
   bound eps solves the equation of docs/certificates.md; 1 stands for none. *)
Section Confidence.
Variables (chance : finType) (q : chance -> R) (weight : 'I_N -> R) (delta : R).
Variables (estimate : chance -> {ffun 'I_N -> draw} -> 'I_N -> R) (eps : chance -> {ffun 'I_N -> draw} -> R).
Hypotheses (q_ge0 : forall w, 0 <= q w) (weight_ge0 : forall n, 0 <= weight n) (weight_1 : \sum_n weight n = 1).
Hypotheses (delta_pos : 0 < delta) (estimate_ge0 : forall w x n, 0 <= estimate w x n).
Hypothesis in_the_mean : forall x n, \sum_w q w * estimate w x n <= share x n.

Definition weighed w x (u : R) : R := \sum_n weight n * estimate w x n * (1 - u)^-1 ^+ (N - n).
Hypothesis solves : forall w x, eps w x < 1 -> delta^-1 <= weighed w x (eps w x).

Lemma weighed_ge0 w x u : 0 <= 1 - u -> 0 <= weighed w x u.
Proof. by move=> ge; apply: sumr_ge0 => n _; rewrite !mulr_ge0 ?exprn_ge0 ?invr_ge0. Qed.

Lemma weighed_mean : \sum_w \sum_x q w * probability x * weighed w x (open x setT) <= 1.
Proof.
rewrite exchange_big /=.
have step x : \sum_w q w * probability x * weighed w x (open x setT)
  <= \sum_n weight n * (probability x * (share x n * (1 - open x setT)^-1 ^+ (N - n))).
  under eq_bigr do rewrite mulr_sumr; rewrite exchange_big /=; apply: ler_sum => n _.
  have -> : \sum_w q w * probability x * (weight n * estimate w x n * (1 - open x setT)^-1 ^+ (N - n))
    = weight n * (probability x * ((\sum_w q w * estimate w x n) * (1 - open x setT)^-1 ^+ (N - n))).
    rewrite mulr_suml !mulr_sumr; apply: eq_bigr => w _.
    by rewrite [q w * _]mulrC -!mulrA [in RHS]mulrCA; congr (_ * _); rewrite mulrCA; congr (_ * _); rewrite !mulrA.
  apply: ler_wpmul2l => //; apply: ler_wpmul2l; first exact: probability_ge0.
  by apply: ler_wpmul2r; rewrite ?exprn_ge0 ?invr_ge0 ?closed_ge0.
apply: le_trans (ler_sum _ (fun x _ => step x)) _.
rewrite exchange_big /= -[leRHS]weight_1; apply: ler_sum => n _; rewrite -mulr_sumr -[leRHS]mulr1.
by apply: ler_wpmul2l => //; apply: share_mean; apply: ltnW.
Qed.

(* With probability at least 1 - delta a fresh draw is outside with probability less than eps. *)
Theorem coverage_with_confidence :
  \sum_w \sum_x q w * probability x * ((eps w x < 1) && (eps w x <= open x setT))%:R <= delta.
Proof.
rewrite -[leRHS]mulr1; apply: le_trans (ler_wpmul2l (ltW delta_pos) weighed_mean).
rewrite mulr_sumr; apply: ler_sum => w _; rewrite mulr_sumr; apply: ler_sum => x _.
rewrite mulrCA; case: (eqVneq (probability x) 0) => [-> | p_nz]; first by rewrite !mulr0 !mul0r.
apply: ler_wpmul2l; first by rewrite mulr_ge0 ?probability_ge0.
case: (boolP (_ && _)) => [/andP[lt le] | _]; last by rewrite mulr_ge0 ?weighed_ge0 ?closed_ge0 // ltW.
rewrite -ler_pdivr_mull // mulr1; apply: le_trans (solves lt) _; apply: ler_sum => n _.
apply: ler_wpmul2l; first by rewrite mulr_ge0.
have eps_pos : 0 < 1 - eps w x by rewrite subr_gt0.
have open_pos : 0 < 1 - open x setT.
  rewrite closedE (bigD1 (x n)) //= inside_self ?inE // mulr1 ltr_paddr //.
    by apply: sumr_ge0 => z _; rewrite mulr_ge0 ?ler0n.
  rewrite lt_def law_ge0 andbT; apply: contra p_nz => /eqP zero.
  by rewrite /probability (bigD1 n) //= zero mul0r.
by rewrite ler_expn2r ?nnegrE ?invr_ge0 ?(ltW eps_pos) ?(ltW open_pos) // lef_pinv ?posrE // ler_sub.
Qed.
End Confidence.

(* As many draws as the rank span what all do. *)
Lemma few_span x : exists2 T : {set 'I_N}, spans x T & (#|T| <= \rank (span x setT))%N.
Proof.
suff grow n : exists2 T : {set 'I_N}, (#|T| <= n)%N & spans x T || (n <= \rank (span x T))%N.
  have [T size_T /orP[all_in | large]] := grow (\rank (span x setT)); exists T => //.
  have sub : (span x T <= span x setT)%MS by apply/sumsmx_subP => i _; rewrite (sumsmx_sup i).
  have [_ e] := mxrank_leqif_sup sub; rewrite /spans -e eqn_leq large.
  by rewrite mxrankS.
elim: n => [|n [T size_T /orP[all_in | large]]]; first by exists set0; rewrite ?cards0 ?orbT.
  by exists T; rewrite ?all_in ?leqW.
case: (boolP (spans x T)) => [all_in | ]; first by exists T; rewrite ?all_in ?leqW.
rewrite spansE negb_forall => /existsP[i]; rewrite negb_imply => /andP[out not_in].
exists (i |: T); first by rewrite cardsU1 out.
apply/orP; right; apply: leq_ltn_trans large _; rewrite ltn_neqAle.
have sub : (span x T <= span x (i |: T))%MS.
  by apply/sumsmx_subP => j jT; rewrite (sumsmx_sup j) // !inE jT orbT.
rewrite mxrankS // andbT; have [_ ->] := mxrank_leqif_sup sub.
by apply: contra not_in => le; apply: submx_trans le; rewrite (sumsmx_sup i) ?genmxE // !inE eqxx.
Qed.

Lemma share_least x r n : (n <= N)%N -> (\rank (span x setT) <= r)%N -> 'C(N - r, N - n)%:R / 'C(N, n)%:R <= share x n.
Proof.
move=> n_le le; rewrite /share ler_wpmul2r ?invr_ge0 ?ler0n //.
have [K all_in size_K] := few_span x.
have size_rest (T : {set 'I_N}) : #|~: T| = (N - #|T|)%N by rewrite [LHS]cardsCs card_ord setCK.
rewrite -natr_sum ler_nat; apply: (@leq_trans 'C(#|~: K|, N - n)).
  by apply: leq_bin2l; rewrite size_rest leq_sub2l // (leq_trans size_K).
rewrite -cards_draws -(card_imset _ (@setC_inj _)) -sum1_card big_mkcond [leqRHS]big_mkcond /=.
apply: leq_sum => T _; case: ifP => // /imsetP[A]; rewrite inE => /andP[sub /eqP size_A] ->.
rewrite size_rest size_A subKn // eqxx lt0b; apply: submx_trans all_in _.
by apply/sumsmx_subP => i iK; rewrite (sumsmx_sup i) // inE; apply: contraL iK => /(subsetP sub); rewrite inE.
Qed.

(* Before the draws are seen: a bound for features of rank r. *)
Theorem coverage_before_draws (weight : 'I_N -> R) r delta eps : (forall x, \rank (span x setT) <= r)%N ->
  (forall n, 0 <= weight n) -> \sum_n weight n = 1 -> 0 < delta -> eps < 1 ->
  delta^-1 <= \sum_(n < N) weight n * ('C(N - r, N - n)%:R / 'C(N, n)%:R) * (1 - eps)^-1 ^+ (N - n) ->
  \sum_x probability x * (eps <= open x setT)%R%:R <= delta.
Proof.
move=> small weight_ge0 weight_1 delta_pos lt solves.
pose least (_ : unit) x (n : 'I_N) : R := 'C(N - r, N - n)%:R / 'C(N, n)%:R.
have sum_unit (G : unit -> R) : \sum_w G w = G tt by rewrite (bigD1 tt) //= big1 ?addr0 // => -[].
have least_ge0 u x n : 0 <= least u x n by rewrite divr_ge0 ?ler0n.
have in_the_mean x n : \sum_w 1 * least w x n <= share x n.
  by rewrite sum_unit mul1r; apply: share_least => //; apply: ltnW.
have := @coverage_with_confidence _ _ weight delta least (fun _ _ => eps) (fun _ => ler01) weight_ge0 weight_1
  delta_pos least_ge0 in_the_mean (fun _ _ _ => solves).
by rewrite sum_unit; under eq_bigr do rewrite lt mul1r.
Qed.
End Coverage.
