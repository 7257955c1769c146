(* How many heads reach every coefficient matrix: the smaller of o d and d (d + 1) / 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Attest Require Import slots linear_attention.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section UnorderedPairs.
Variable d : nat.
Implicit Types j k l : 'I_d.

Definition ordered j k : 'I_d * 'I_d := if (j <= k)%N then (j, k) else (k, j).

Lemma orderedP j k : ((ordered j k).1 <= (ordered j k).2)%N.
Proof. by rewrite /ordered; case: (leqP j k) => [|/ltnW]. Qed.

Definition pair_of j k : upair d := Sub (ordered j k) (orderedP j k).

Lemma pair_ofC j k : pair_of j k = pair_of k j.
Proof.
apply: val_inj; rewrite /= /ordered; case: (ltngtP j k) => // e.
by rewrite (val_inj e).
Qed.

Lemma pair_of_val (jk : upair d) : pair_of (val jk).1 (val jk).2 = jk.
Proof. by apply: val_inj; rewrite /= /ordered (valP jk) -surjective_pairing. Qed.
End UnorderedPairs.

Section SymmetricHeads.
Variables (R : realFieldType) (d o : nat) (P : 'M[R]_(psi d, o)).
Implicit Types j k l : 'I_d.

Definition wanted a j k l : R := P (enum_rank (pair_of j k, l)) a.

(* What the head of the pair {k, l} takes from coordinate j: the pairwise sums of the shares of three different indices
   are the coefficients, and three numbers are determined by their pairwise sums. *)
Definition share a j k l : R :=
  if j == k then wanted a j j l else if j == l then wanted a j j k
  else if k == l then wanted a j k k - wanted a k k j
  else (wanted a j k l + wanted a j l k - wanted a k l j) / 2%:R.

Lemma shareC a j k l : share a j k l = share a j l k.
Proof.
rewrite /share /wanted [k == l]eq_sym [pair_of k l]pair_ofC; case: eqP => [<- | _]; first by case: eqP => [<- |].
case: eqP => // _; case: eqP => [-> // | _].
by rewrite [P (enum_rank (pair_of j k, _)) a + _]addrC.
Qed.

Lemma share_square a j l : share a j j l = wanted a j j l.
Proof. by rewrite /share eqxx. Qed.

Lemma share_sum a j k l : j != k -> share a j k l + share a k j l = wanted a j k l.
Proof.
move=> jk; have kj : (k == j) = false by rewrite eq_sym (negPf jk).
have wantedC x y z : wanted a x y z = wanted a y x z by rewrite /wanted pair_ofC.
rewrite /share (negPf jk) kj; case: (eqVneq j l) => [<- | jl].
  by rewrite kj [wanted a k j j]wantedC addrC subrK.
case: (eqVneq k l) => [<- | kl]; first by rewrite subrK.
rewrite -mulrDl [wanted a k j l]wantedC; apply: (canLR (mulfK _)); first by rewrite pnatr_eq0.
by rewrite -2!addrA addrACA [_ - _ + _]addrA subrK subrr addr0 mulr_natr mulr2n.
Qed.

(* One head for each unordered pair {k, l}: the queries' matrix is E_kl + E_lk, or E_kk. *)
Definition head_of_pair (kl : upair d) : head R d o :=
  (\matrix_(a, j) share a j (val kl).1 (val kl).2, \matrix_(k, l) (pair_of k l == kl)%:R).
Definition layer_of_pairs : layer R d o := [seq head_of_pair kl | kl <- enum [finType of upair d]].

Lemma size_layer_of_pairs : size layer_of_pairs = 'C(d.+1, 2).
Proof. by rewrite size_map -cardE card_upair. Qed.

Lemma sum_heads a j k l : \sum_(h <- layer_of_pairs) h.1 a j * h.2 k l = share a j k l.
Proof.
rewrite big_map big_enum (bigD1 (pair_of k l)) //= big1 ?addr0 => [|kl ne]; rewrite !mxE.
  by rewrite eqxx mulr1 /= /ordered; case: leqP => // _; rewrite shareC.
by rewrite eq_sym (negPf ne) mulr0.
Qed.

Theorem layer_of_pairsK : coefficients layer_of_pairs = P.
Proof.
apply/matrixP => i a; rewrite mxE /coefficient big_split /=; set s := enum_val i.
have P_s : P i a = wanted a (lo s) (hi s) s.2.
  by rewrite /wanted /lo /hi pair_of_val -surjective_pairing enum_valK.
rewrite sum_heads P_s; case: (eqVneq (lo s) (hi s)) => [<- | ne].
  by rewrite big1_eq addr0 share_square.
by rewrite sum_heads share_sum.
Qed.
End SymmetricHeads.

Definition enough_heads (d o k : nat) : bool := (minn (o * d) 'C(d.+1, 2) <= k)%N.

(* Enough heads: every coefficient matrix is that of a layer of at most k heads. *)
Theorem enough_heads_reach (R : realFieldType) d o k (P : 'M[R]_(psi d, o)) : enough_heads d o k ->
  exists2 T : layer R d o, (size T <= k)%N & coefficients T = P.
Proof.
rewrite /enough_heads geq_min => /orP[] le.
  by exists (layer_of P); rewrite ?size_layer_of ?layer_ofK.
by exists (layer_of_pairs P); rewrite ?size_layer_of_pairs ?layer_of_pairsK.
Qed.
