(* Ranks of matrices of functions, at most points and at one: the theorems of docs/depth.md, as statements about ranks.

   K holds functions of the parameters, such as polynomials, or functions analytic on a connected space. All that is
   used of them: a product of functions that are not 0 is not 0, and such a function is not 0 somewhere. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Attest Require Import spans.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Minors.
Variable F : fieldType.

Lemma minor_exists m n (A : 'M[F]_(m, n)) :
  exists (f : 'I_(\rank A) -> 'I_m) (g : 'I_(\rank A) -> 'I_n), \det (mxsub f g A) != 0.
Proof.
have full : row_full (rowsub (maxrankfun A) A)^T by rewrite /row_full mxrank_tr; apply: maxrowsub_free.
exists (maxrankfun A), (fullrankfun full); have := fullrowsub_unit full; rewrite unitmxE unitfE -det_tr.
by congr (\det _ != 0); apply/matrixP => i j; rewrite !mxE.
Qed.

Lemma minor_below m n r (A : 'M[F]_(m, n)) (f : 'I_r -> 'I_m) (g : 'I_r -> 'I_n) :
  \det (mxsub f g A) != 0 -> (r <= \rank A)%N.
Proof. by move=> nz; apply: (@minor_rank _ _ _ _ _ _ f g); rewrite row_full_unit unitmxE unitfE. Qed.
End Minors.

(* A homomorphism into any field gives a lower bound: integers modulo a prime, or that of docs/depth.md for softmax. *)
Theorem image_rank (S : comRingType) (k F : fieldType) (f : {rmorphism S -> k}) (g : {rmorphism S -> F}) m n
    (A : 'M[S]_(m, n)) : injective g -> (\rank (map_mx f A) <= \rank (map_mx g A))%N.
Proof.
move=> inj; have [rows [cols nz]] := minor_exists (map_mx f A); apply: (@minor_below _ _ _ _ _ rows cols).
move: nz; rewrite -!map_mxsub !det_map_mx; apply: contra => /eqP zero.
by rewrite (inj (\det (mxsub rows cols A)) 0) ?rmorph0 ?zero.
Qed.

Corollary prime_rank (F : numFieldType) p m n (A : 'M[int]_(m, n)) :
  (\rank (map_mx intr A : 'M['F_p]_(m, n)) <= \rank (map_mx intr A : 'M[F]_(m, n)))%N.
Proof. exact: (image_rank [rmorphism of intr] (g := [rmorphism of intr]) A (@intr_inj F)). Qed.

Section Functions.
Variables (F : fieldType) (K : idomainType) (point : Type) (at_ : point -> {rmorphism K -> F}).
Hypothesis nonzero : forall f : K, f != 0 -> exists u, at_ u f != 0.
Notation value u A := (map_mx (at_ u) A).

(* Where one function is not 0, the rank is at least what it is at s. *)
Lemma rank_near m n (A : 'M[K]_(m, n)) s :
  exists2 f : K, at_ s f != 0 & forall u, at_ u f != 0 -> (\rank (value s A) <= \rank (value u A))%N.
Proof.
have [rows [cols nz]] := minor_exists (value s A); exists (\det (mxsub rows cols A)).
  by rewrite -det_map_mx map_mxsub.
by move=> u nz_u; apply: (@minor_below _ _ _ _ _ rows cols); rewrite -map_mxsub det_map_mx.
Qed.

Lemma at_neq0 u f : at_ u f != 0 -> f != 0.
Proof. by apply: contra => /eqP->; rewrite rmorph0. Qed.

(* Two matrices have these ranks at one point. *)
Lemma ranks_together m n m' n' (A : 'M[K]_(m, n)) (B : 'M[K]_(m', n')) s t :
  exists u, (\rank (value s A) <= \rank (value u A))%N /\ (\rank (value t B) <= \rank (value u B))%N.
Proof.
have [[f f_s near_A] [g g_t near_B]] := (rank_near A s, rank_near B t).
have [u] : exists u, at_ u (f * g) != 0 by apply: nonzero; rewrite mulf_neq0 ?(at_neq0 f_s) ?(at_neq0 g_t).
by rewrite rmorphM mulf_eq0 negb_or => /andP[f_u g_u]; exists u; rewrite near_A ?near_B.
Qed.

(* J x: the derivative of the outputs on the inputs x, a row for each number, in the P parameters. The rows of G are
   fields along which no output changes. *)
Variables (P q : nat) (inputs : Type) (outputs : inputs -> nat) (J : forall x, 'M[K]_(outputs x, P)) (G : 'M[K]_(q, P)).
Notation derivative x u := (value u (J x)).

(* Fields at any point t bound the rank at every point s. *)
Theorem rank_and_fields o (A : 'M[K]_(o, P)) s t : A *m G^T = 0 -> (\rank (value s A) + \rank (value t G) <= P)%N.
Proof.
move=> symmetries; have [u [le_A le_G]] := ranks_together A G s t; apply: leq_trans (leq_add le_A le_G) _.
by rewrite -[\rank (value u G)]mxrank_tr; apply: mulmx0_rank_max; rewrite map_trmx -map_mxM symmetries map_mx0.
Qed.

(* The functional dimension: no inputs have a larger rank at any parameters, and some have it. *)
Definition dimension (D : nat) : Prop :=
  (forall x u, \rank (derivative x u) <= D)%N /\ exists x u, \rank (derivative x u) = D.

(* Theorem A: ranks at one point that add up to P prove the dimension, and are exact. *)
Theorem one_point_dimension x s : (forall x, J x *m G^T = 0) ->
  (P <= \rank (derivative x s) + \rank (value s G))%N ->
  dimension (\rank (derivative x s)) /\ (\rank (derivative x s) + \rank (value s G) = P)%N.
Proof.
move=> symmetries enough; split; last by apply/eqP; rewrite eqn_leq enough rank_and_fields.
split; last by exists x, s.
by move=> y u; rewrite -(leq_add2r (\rank (value s G))); apply: leq_trans enough; apply: rank_and_fields.
Qed.

(* The same from images of both matrices under one homomorphism: modulo a prime, say. *)
Theorem proof_file_dimension (S : comRingType) (k : fieldType) (f : {rmorphism S -> k}) (g : {rmorphism S -> F}) x s
    (Jx : 'M[S]_(outputs x, P)) (Gx : 'M[S]_(q, P)) : injective g -> (forall x, J x *m G^T = 0) ->
  map_mx g Jx = derivative x s -> map_mx g Gx = value s G -> (P <= \rank (map_mx f Jx) + \rank (map_mx f Gx))%N ->
  dimension (\rank (map_mx f Jx)) /\ \rank (map_mx f Jx) = \rank (derivative x s).
Proof.
move=> inj symmetries JE GE enough; have [le_J le_G] := (image_rank f Jx inj, image_rank f Gx inj).
rewrite JE GE in le_J le_G; have [dim sum] := one_point_dimension symmetries (leq_trans enough (leq_add le_J le_G)).
suff -> : \rank (map_mx f Jx) = \rank (derivative x s) by [].
apply/eqP; rewrite eqn_leq le_J -(leq_add2r (\rank (value s G))) sum; apply: leq_trans enough _.
by rewrite leq_add2l.
Qed.

(* Theorem B, as far as ranks go: the rank on the data x is D at s, and with other inputs it is nowhere larger. *)
Section Data.
Variables (D : nat) (x : inputs) (s : point).
Hypothesis bound : forall z u, (\rank (col_mx (derivative x u) (derivative z u)) <= D)%N.
Hypothesis rank_s : \rank (derivative x s) = D.

Lemma inside_where u z : (D <= \rank (derivative x u))%N -> (derivative z u <= derivative x u)%MS.
Proof.
move=> large; set A := derivative x u; set B := derivative z u.
have sub : (A <= col_mx A B)%MS by rewrite -addsmxE addsmxSl.
have [_ e] := mxrank_leqif_sup sub.
apply: submx_trans (_ : B <= col_mx A B)%MS _; first by rewrite -addsmxE addsmxSr.
by rewrite -e eqn_leq mxrankS //= (leq_trans (bound z u)).
Qed.

(* The rank on the data is constant where one function is not 0, as it is not at s; and there the derivative on any
   other inputs is made of the rows of that on the data. These are the hypotheses of the constant-rank theorem. *)
Theorem constant_rank_near : exists2 f : K, at_ s f != 0 &
  forall u, at_ u f != 0 -> \rank (derivative x u) = D /\ forall z, (derivative z u <= derivative x u)%MS.
Proof.
have [f f_s near] := rank_near (J x) s; exists f => // u /near; rewrite rank_s => large.
split; last by move=> z; apply: inside_where.
apply/eqP; rewrite eqn_leq large andbT; apply: leq_trans (bound x u).
by apply: mxrankS; rewrite -addsmxE addsmxSl.
Qed.

(* A velocity, any vector of functions, that changes no output on the data changes none. *)
Theorem data_velocity (v : 'cV[K]_P) z : J x *m v = 0 -> J z *m v = 0.
Proof.
move=> still; have [f f_s near] := constant_rank_near; apply/matrixP => i j; rewrite [RHS]mxE; apply/eqP.
apply: contraT => nz; have [u] := nonzero (mulf_neq0 (at_neq0 f_s) nz).
rewrite rmorphM mulf_eq0 negb_or => /andP[f_u]; have [_ /(_ z)/submxP[C JzE]] := near u f_u.
have : value u (J z *m v) = 0 by rewrite map_mxM JzE -mulmxA -map_mxM still map_mx0 mulmx0.
by move/matrixP/(_ i j); rewrite !mxE => ->; rewrite eqxx.
Qed.
End Data.

(* So ranks at one point that add up to P prove that these data determine, as far as ranks go. *)
Theorem one_point_determines x s : (forall x, J x *m G^T = 0) ->
  (P <= \rank (derivative x s) + \rank (value s G))%N ->
  (exists2 f : K, at_ s f != 0 & forall u, at_ u f != 0 ->
    \rank (derivative x u) = \rank (derivative x s) /\ forall z, (derivative z u <= derivative x u)%MS) /\
  forall (v : 'cV[K]_P) z, J x *m v = 0 -> J z *m v = 0.
Proof.
move=> symmetries enough.
have bound z u : (\rank (col_mx (derivative x u) (derivative z u)) <= \rank (derivative x s))%N.
  rewrite -map_col_mx -(leq_add2r (\rank (value s G))); apply: leq_trans enough; apply: rank_and_fields.
  by rewrite mul_col_mx !symmetries col_mx0.
by split=> [|v z]; [apply: constant_rank_near bound _ | apply: data_velocity bound _ _ _].
Qed.
End Functions.

(* Of data that are not enough: some velocity keeps their outputs, and changes those on z, if the rows of z's derivative
   are not made of theirs. *)
Theorem open_velocity (F : fieldType) P o o' (Jx : 'M[F]_(o, P)) (Jz : 'M[F]_(o', P)) : ~~ (Jz <= Jx)%MS ->
  exists v : 'cV[F]_P, Jx *m v = 0 /\ Jz *m v != 0.
Proof.
rewrite submxE => nz; suff /existsP[j nz_j] : [exists j, Jz *m col j (cokermx Jx) != 0].
  by exists (col j (cokermx Jx)); split=> //; rewrite colE mulmxA mulmx_coker mul0mx.
apply: contraR nz; rewrite negb_exists => /forallP zero; apply/eqP/matrixP => i j.
by have := zero j; rewrite negbK colE mulmxA -colE => /eqP/matrixP/(_ i 0); rewrite !mxE.
Qed.

(* Polynomials in one variable, of which a field without characteristic has points enough. *)
Lemma polynomial_nonzero (F : numFieldType) (p : {poly F}) : p != 0 -> exists u, horner_eval u p != 0.
Proof.
move=> nz; pose points := [seq i%:R : F | i <- iota 0 (size p)].
have /allPn[_ /mapP[i _ ->] not_root] : ~~ all (root p) points.
  apply/negP => roots; have uniq_points : uniq points.
    by rewrite map_inj_uniq ?iota_uniq // => i j /eqP; rewrite eqr_nat => /eqP.
  by have := max_poly_roots nz roots uniq_points; rewrite size_map size_iota ltnn.
by exists i%:R; rewrite /horner_eval.
Qed.

(* Polynomials in n variables, and their values at x 0, ..., x (n - 1). *)
Fixpoint polynomials (F : fieldType) (n : nat) : idomainType :=
  if n is n'.+1 then [idomainType of {poly polynomials F n'}] else [idomainType of F].
Fixpoint value_at (F : fieldType) (n : nat) (x : nat -> F) : {rmorphism polynomials F n -> F} :=
  match n return {rmorphism polynomials F n -> F} with
  | 0 => [rmorphism of idfun]
  | n'.+1 => [rmorphism of horner_eval (x n') \o map_poly (value_at n' x)]
  end.

(* What the theorems ask of functions holds of polynomials in any number of parameters. *)
Theorem polynomials_nonzero (F : numFieldType) n (p : polynomials F n) : p != 0 -> exists x, value_at n x p != 0.
Proof.
elim: n p => [|n IH] p nz; first by exists (fun _ => 0).
have [x nz_x] : exists x, value_at n x (lead_coef p) != 0 by apply: IH; rewrite lead_coef_eq0.
have [|u nz_u] := @polynomial_nonzero F (map_poly (value_at n x) p).
  apply: contraNneq nz_x => zero; have := congr1 (fun r : {poly F} => r`_(size p).-1) zero.
  by rewrite coef_map coef0 => ->.
pose y i := if (i < n)%N then x i else u.
suff same : value_at n y =1 value_at n x by exists y; rewrite /= /y ltnn (eq_map_poly same).
move=> {p nz nz_x nz_u}; suff local k (x' : nat -> F) : (forall i, (i < k)%N -> y i = x' i) -> value_at k y =1 value_at k x'.
  by apply: local => i lt; rewrite /y lt.
elim: k => [|k IHk] // same q /=; rewrite (eq_map_poly (IHk _)) => [|i lt]; last by apply: same; apply: ltnW.
by rewrite same.
Qed.

(* Along a polynomial curve of parameters: y and y' are the outputs on the data and on other inputs, v is the velocity,
   and the chain rule holds. The rank on the data is D at one of its points. Then outputs that stay on the data stay on
   the other inputs. *)
Theorem polynomial_curve (F : numFieldType) P D o o' (Jx : 'M[{poly F}]_(o, P)) (Jz : 'M[{poly F}]_(o', P))
    (v : 'cV[{poly F}]_P) (y : 'cV[{poly F}]_o) (y' : 'cV[{poly F}]_o') (s : F) :
  map_mx (@deriv F) y = Jx *m v -> map_mx (@deriv F) y' = Jz *m v ->
  (forall u, \rank (map_mx (horner_eval u) (col_mx Jx Jz)) <= D)%N -> \rank (map_mx (horner_eval s) Jx) = D ->
  (forall u, map_mx (horner_eval u) y = map_mx (horner_eval s) y) ->
  forall u, map_mx (horner_eval u) y' = map_mx (horner_eval s) y'.
Proof.
move=> chain chain' bound rank_s still.
pose J b := match b return 'M[{poly F}]_(if b then o else o', P) with true => Jx | false => Jz end.
have bound_J b u : (\rank (col_mx (map_mx (horner_eval u) (J true)) (map_mx (horner_eval u) (J b))) <= D)%N.
  rewrite -map_col_mx; case: b; last exact: bound.
  apply: leq_trans (bound u); rewrite !map_col_mx; apply: mxrankS.
  by rewrite -addsmxE addsmx_sub andbb -addsmxE addsmxSl.
have stays (p : {poly F}) : p^`() = 0 -> p = (p`_0)%:P.
  move=> p'; apply/polyP => -[|i]; rewrite coefC //=; apply/eqP.
  by have := congr1 (fun r : {poly F} => r`_i) p'; rewrite coef_deriv coef0 => /eqP; rewrite mulrn_eq0.
have Jx_v : J true *m v = 0.
  rewrite -[LHS]chain; apply/matrixP => i j; rewrite !mxE.
  suff -> : y i j = (horner_eval s (y i j))%:P by rewrite derivC.
  apply/eqP; rewrite -subr_eq0; apply: contraT => /polynomial_nonzero[u].
  by have /matrixP/(_ i j) := still u; rewrite !mxE /horner_eval hornerD hornerN hornerC => ->; rewrite subrr eqxx.
have := @data_velocity F _ F (fun u => [rmorphism of horner_eval u]) (@polynomial_nonzero F) P bool _ J D true s
  bound_J rank_s v false Jx_v.
rewrite -[LHS]chain' => still' u.
apply/matrixP => i j; have /matrixP/(_ i j) := still'; rewrite !mxE => /stays ->.
by rewrite /horner_eval !hornerC.
Qed.
