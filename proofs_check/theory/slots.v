(* The coordinates of cubic features: an unordered pair j <= k of token coordinates, and a third one. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Slots.
Variable d : nat.

(* An unordered pair j <= k of coordinates, and a slot: such a pair and a coordinate l. *)
Definition upair := {jk : 'I_d * 'I_d | (jk.1 <= jk.2)%N}.
Definition slot := (upair * 'I_d)%type.
Definition psi := #|{: slot}|.

Definition lo (s : slot) : 'I_d := (val s.1).1.
Definition hi (s : slot) : 'I_d := (val s.1).2.

Lemma lo_hi (s : slot) : (lo s <= hi s)%N.
Proof. exact: (valP s.1). Qed.

Lemma slot_eq (s t : slot) : lo s = lo t -> hi s = hi t -> s.2 = t.2 -> s = t.
Proof.
case: s t => [s l] [t m]; rewrite /lo /hi /= => eqlo eqhi ->; congr (_, _); apply: val_inj.
by rewrite [val s]surjective_pairing eqlo eqhi -surjective_pairing.
Qed.

Lemma sum_upair_le (V : zmodType) (F : 'I_d * 'I_d -> V) :
  \sum_(jk : upair) F (val jk) = \sum_(jk : 'I_d * 'I_d | (jk.1 <= jk.2)%N) F jk.
Proof.
rewrite [RHS](reindex_omap (val : upair -> _) insub) /=; last first.
  by move=> jk le; rewrite insubT.
by apply: eq_bigl => jk; rewrite valK eqxx (valP jk).
Qed.

(* A sum over all ordered pairs, folded onto the unordered ones. *)
Lemma sum_upair (V : zmodType) (F : 'I_d -> 'I_d -> V) :
  \sum_j \sum_k F j k =
  \sum_(jk : upair) (F (val jk).1 (val jk).2
                     + (if (val jk).1 == (val jk).2 then 0 else F (val jk).2 (val jk).1)).
Proof.
rewrite (sum_upair_le (fun jk => F jk.1 jk.2 + (if jk.1 == jk.2 then 0 else F jk.2 jk.1))).
rewrite big_split pair_big /= (bigID (fun jk : 'I_d * 'I_d => (jk.1 <= jk.2)%N)) /=; congr (_ + _).
rewrite (reindex (fun jk : 'I_d * 'I_d => (jk.2, jk.1))) /=; last first.
  by apply: onW_bij; exists (fun jk : 'I_d * 'I_d => (jk.2, jk.1)); case.
rewrite big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => -[j k] _ /=.
rewrite -ltnNge ltn_neqAle (inj_eq val_inj).
by case: eqP; case: leqP.
Qed.

Lemma card_upair : #|{: upair}| = 'C(d.+1, 2).
Proof.
rewrite card_sig -sum1_card.
rewrite -(pair_big_dep xpredT (fun j k : 'I_d => (j <= k)%N) (fun _ _ => 1%N)) /=.
rewrite (exchange_big_dep xpredT) //=.
rewrite -triangular_sum big_nat_recl // add0n big_mkord; apply: eq_bigr => k _.
rewrite (eq_bigl (fun j : 'I_d => (j < k.+1)%N)); last by move=> j; rewrite ltnS.
by rewrite (big_ord_narrow (ltn_ord k)) sum1_card card_ord.
Qed.

Lemma psiE : psi = (d * 'C(d.+1, 2))%N.
Proof. by rewrite /psi card_prod card_upair card_ord mulnC. Qed.
End Slots.
