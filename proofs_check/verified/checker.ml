
type __ = Obj.t
let __ = let rec f _ = Obj.repr f in Obj.repr f

(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

type comparison =
| Eq
| Lt
| Gt

(** val pred : int -> int **)

let pred = fun n -> Stdlib.max 0 (n-1)

(** val add : int -> int -> int **)

let rec add = (+)

(** val mul : int -> int -> int **)

let rec mul = ( * )

(** val sub : int -> int -> int **)

let rec sub = fun n m -> Stdlib.max 0 (n-m)

type reflect =
| ReflectT
| ReflectF

module Nat =
 struct
  (** val succ : int -> int **)

  let succ x =
    Stdlib.Int.succ x

  (** val pred : int -> int **)

  let pred n0 =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> n0)
      (fun u -> u)
      n0

  (** val ltb : int -> int -> bool **)

  let ltb n0 m =
    (<=) (Stdlib.Int.succ n0) m

  (** val even : int -> bool **)

  let rec even n0 =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> true)
      (fun n1 ->
      (fun fO fS n -> if n=0 then fO () else fS (n-1))
        (fun _ -> false)
        (fun n' -> even n')
        n1)
      n0

  (** val odd : int -> bool **)

  let odd n0 =
    negb (even n0)

  (** val div2 : int -> int **)

  let rec div2 = fun n -> n/2
 end

module Pos =
 struct
  (** val succ : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec succ = Big_int_Z.succ_big_int

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec add = Big_int_Z.add_big_int

  (** val add_carry :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  and add_carry x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add_carry p q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p q))
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add p q))
        (fun _ -> Big_int_Z.mult_int_big_int 2 (succ p))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (succ q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        Big_int_Z.unit_big_int)
        y)
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pred_double x =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (Big_int_Z.mult_int_big_int 2 p))
      (fun p ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (pred_double p))
      (fun _ -> Big_int_Z.unit_big_int)
      x

  (** val pred_N : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pred_N x =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p -> (Big_int_Z.mult_int_big_int 2 p))
      (fun p -> (pred_double p))
      (fun _ -> Big_int_Z.zero_big_int)
      x

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec mul = Big_int_Z.mult_big_int

  (** val iter : ('a1 -> 'a1) -> 'a1 -> Big_int_Z.big_int -> 'a1 **)

  let rec iter f x n0 =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun n' -> f (iter f (iter f x n') n'))
      (fun n' -> iter f (iter f x n') n')
      (fun _ -> f x)
      n0

  (** val div2 : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2 p =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> p0)
      (fun p0 -> p0)
      (fun _ -> Big_int_Z.unit_big_int)
      p

  (** val div2_up : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2_up p =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> succ p0)
      (fun p0 -> p0)
      (fun _ -> Big_int_Z.unit_big_int)
      p

  (** val compare_cont :
      comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let rec compare_cont = (fun c x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then c else if s < 0 then Lt else Gt)

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let rec eqb p q =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 -> eqb p0 q0)
        (fun _ -> false)
        (fun _ -> false)
        q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun q0 -> eqb p0 q0)
        (fun _ -> false)
        q)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun _ -> false)
        (fun _ -> true)
        q)
      p

  (** val coq_Nsucc_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let coq_Nsucc_double x =
    (fun fO fp n -> if Big_int_Z.sign_big_int n <= 0 then fO () else fp n)
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p ->
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x)) p))
      x

  (** val coq_Ndouble : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let coq_Ndouble n0 =
    (fun fO fp n -> if Big_int_Z.sign_big_int n <= 0 then fO () else fp n)
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p -> (Big_int_Z.mult_int_big_int 2 p))
      n0

  (** val coq_lor :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec coq_lor p q =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (coq_lor p0 q0))
        (fun q0 ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (coq_lor p0 q0))
        (fun _ -> p)
        q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (coq_lor p0 q0))
        (fun q0 -> Big_int_Z.mult_int_big_int 2 (coq_lor p0 q0))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        p0)
        q)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> q)
        (fun q0 ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        q0)
        (fun _ -> q)
        q)
      p

  (** val coq_land :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec coq_land p q =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 -> coq_Nsucc_double (coq_land p0 q0))
        (fun q0 -> coq_Ndouble (coq_land p0 q0))
        (fun _ -> Big_int_Z.unit_big_int)
        q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 -> coq_Ndouble (coq_land p0 q0))
        (fun q0 -> coq_Ndouble (coq_land p0 q0))
        (fun _ -> Big_int_Z.zero_big_int)
        q)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> Big_int_Z.unit_big_int)
        (fun _ -> Big_int_Z.zero_big_int)
        (fun _ -> Big_int_Z.unit_big_int)
        q)
      p

  (** val ldiff :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec ldiff p q =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 -> coq_Ndouble (ldiff p0 q0))
        (fun q0 -> coq_Nsucc_double (ldiff p0 q0))
        (fun _ -> (Big_int_Z.mult_int_big_int 2 p0))
        q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 -> coq_Ndouble (ldiff p0 q0))
        (fun q0 -> coq_Ndouble (ldiff p0 q0))
        (fun _ -> p)
        q)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> Big_int_Z.zero_big_int)
        (fun _ -> Big_int_Z.unit_big_int)
        (fun _ -> Big_int_Z.zero_big_int)
        q)
      p

  (** val of_succ_nat : int -> Big_int_Z.big_int **)

  let rec of_succ_nat n0 =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun x -> succ (of_succ_nat x))
      n0
 end

module N =
 struct
  (** val succ_pos : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let succ_pos n0 =
    (fun fO fp n -> if Big_int_Z.sign_big_int n <= 0 then fO () else fp n)
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p -> Pos.succ p)
      n0

  (** val coq_lor :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let coq_lor n0 m =
    (fun fO fp n -> if Big_int_Z.sign_big_int n <= 0 then fO () else fp n)
      (fun _ -> m)
      (fun p ->
      (fun fO fp n -> if Big_int_Z.sign_big_int n <= 0 then fO () else fp n)
        (fun _ -> n0)
        (fun q -> (Pos.coq_lor p q))
        m)
      n0

  (** val ldiff :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let ldiff n0 m =
    (fun fO fp n -> if Big_int_Z.sign_big_int n <= 0 then fO () else fp n)
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p ->
      (fun fO fp n -> if Big_int_Z.sign_big_int n <= 0 then fO () else fp n)
        (fun _ -> n0)
        (fun q -> Pos.ldiff p q)
        m)
      n0
 end

module Z =
 struct
  (** val double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p -> (Big_int_Z.mult_int_big_int 2 p))
      (fun p -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2 p))
      x

  (** val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let succ_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p ->
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      p))
      (fun p -> Big_int_Z.minus_big_int (Pos.pred_double p))
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pred_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.minus_big_int Big_int_Z.unit_big_int)
      (fun p -> (Pos.pred_double p))
      (fun p -> Big_int_Z.minus_big_int
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x)) p))
      x

  (** val pos_sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pos_sub x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> double (pos_sub p q))
        (fun q -> succ_double (pos_sub p q))
        (fun _ -> (Big_int_Z.mult_int_big_int 2 p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> pred_double (pos_sub p q))
        (fun q -> double (pos_sub p q))
        (fun _ -> (Pos.pred_double p))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2
        q))
        (fun q -> Big_int_Z.minus_big_int (Pos.pred_double q))
        (fun _ -> Big_int_Z.zero_big_int)
        y)
      x

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let add = Big_int_Z.add_big_int

  (** val opp : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let opp = Big_int_Z.minus_big_int

  (** val pred : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pred = Big_int_Z.pred_big_int

  (** val sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let sub = Big_int_Z.sub_big_int

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let mul = Big_int_Z.mult_big_int

  (** val pow_pos :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pow_pos z0 =
    Pos.iter (mul z0) Big_int_Z.unit_big_int

  (** val pow :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pow x y =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p -> pow_pos x p)
      (fun _ -> Big_int_Z.zero_big_int)
      y

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let leb = Big_int_Z.le_big_int

  (** val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let ltb = Big_int_Z.lt_big_int

  (** val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let eqb = Big_int_Z.eq_big_int

  (** val min :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let min = Big_int_Z.min_big_int

  (** val abs : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let abs = Big_int_Z.abs_big_int

  (** val of_nat : int -> Big_int_Z.big_int **)

  let of_nat = Big_int_Z.big_int_of_int

  (** val of_N : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let of_N = (fun p -> p)

  (** val pos_div_eucl :
      Big_int_Z.big_int -> Big_int_Z.big_int ->
      Big_int_Z.big_int * Big_int_Z.big_int **)

  let rec pos_div_eucl a b =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' =
        add (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) r)
          Big_int_Z.unit_big_int
      in
      if ltb r' b
      then ((mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q), r')
      else ((add
              (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q)
              Big_int_Z.unit_big_int), (sub r' b)))
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) r in
      if ltb r' b
      then ((mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q), r')
      else ((add
              (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q)
              Big_int_Z.unit_big_int), (sub r' b)))
      (fun _ ->
      if leb (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) b
      then (Big_int_Z.zero_big_int, Big_int_Z.unit_big_int)
      else (Big_int_Z.unit_big_int, Big_int_Z.zero_big_int))
      a

  (** val div_eucl :
      Big_int_Z.big_int -> Big_int_Z.big_int ->
      Big_int_Z.big_int * Big_int_Z.big_int **)

  let div_eucl = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> (zero_big_int, x)
  | 1 -> quomod_big_int x y
  | _ -> let (q, r) = quomod_big_int (add_int_big_int (-1) x) y in
          (add_int_big_int (-1) q, add_big_int (add_int_big_int 1 y) r))

  (** val div :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> zero_big_int
  | 1 -> div_big_int x y
  | _ -> add_int_big_int (-1) (div_big_int (add_int_big_int (-1) x) y))

  (** val modulo :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let modulo = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> x
  | 1 -> mod_big_int x y
  | _ -> add_big_int y (add_int_big_int 1 (mod_big_int (add_int_big_int (-1) x) y)))

  (** val div2 : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2 z0 =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> (Pos.div2 p))
        (fun _ -> (Pos.div2 p))
        (fun _ -> Big_int_Z.zero_big_int)
        p)
      (fun p -> Big_int_Z.minus_big_int (Pos.div2_up p))
      z0

  (** val shiftl :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let shiftl = Big_int_Z.(fun x y ->
  let y = int_of_big_int y in
  if y < 0 then shift_right_big_int x (-y)
  else shift_left_big_int x y)

  (** val shiftr :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let shiftr = Big_int_Z.(fun x y ->
  let y = int_of_big_int y in
  if y < 0 then shift_left_big_int x (-y)
  else shift_right_big_int x y)

  (** val coq_land :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let coq_land = Big_int_Z.and_big_int

  (** val ones : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let ones n0 =
    pred (shiftl Big_int_Z.unit_big_int n0)
 end

type ('aT, 'rT) simpl_fun =
  'aT -> 'rT
  (* singleton inductive, whose constructor was SimplFun *)

(** val fun_of_simpl : ('a1, 'a2) simpl_fun -> 'a1 -> 'a2 **)

let fun_of_simpl f =
  f

(** val iffP : bool -> reflect -> reflect **)

let iffP _ pb =
  let _evar_0_ = fun _ _ _ -> ReflectT in
  let _evar_0_0 = fun _ _ _ -> ReflectF in
  (match pb with
   | ReflectT -> _evar_0_ __ __ __
   | ReflectF -> _evar_0_0 __ __ __)

(** val idP : bool -> reflect **)

let idP = function
| true -> ReflectT
| false -> ReflectF

type 't pred0 = 't -> bool

type 't simpl_pred = ('t, bool) simpl_fun

(** val simplPred : 'a1 pred0 -> 'a1 simpl_pred **)

let simplPred p =
  p

module PredOfSimpl =
 struct
  (** val coerce : 'a1 simpl_pred -> 'a1 pred0 **)

  let coerce =
    fun_of_simpl
 end

type 't rel = 't -> 't pred0

type 't simpl_rel = 't -> 't simpl_pred

(** val rel_of_simpl : 'a1 simpl_rel -> 'a1 rel **)

let rel_of_simpl sr x =
  PredOfSimpl.coerce (sr x)

(** val simplRel : 'a1 rel -> 'a1 simpl_rel **)

let simplRel r x =
  simplPred (r x)

module Equality =
 struct
  type 't axiom = 't -> 't -> reflect

  type 't mixin_of = { op : 't rel; mixin_of__1 : 't axiom }

  (** val op : 'a1 mixin_of -> 'a1 rel **)

  let op m =
    m.op

  type coq_type =
    __ mixin_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  (** val coq_class : coq_type -> sort mixin_of **)

  let coq_class cT =
    cT
 end

(** val eq_op : Equality.coq_type -> Equality.sort rel **)

let eq_op t =
  (Equality.coq_class t).Equality.op

(** val eqn : int -> int -> bool **)

let rec eqn m n0 =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ ->
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> true)
      (fun _ -> false)
      n0)
    (fun m' ->
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> false)
      (fun n' -> eqn m' n')
      n0)
    m

(** val eqnP : int Equality.axiom **)

let eqnP n0 m =
  iffP (eqn n0 m) (idP (eqn n0 m))

(** val nat_eqMixin : int Equality.mixin_of **)

let nat_eqMixin =
  { Equality.op = eqn; Equality.mixin_of__1 = eqnP }

(** val nat_eqType : Equality.coq_type **)

let nat_eqType =
  Obj.magic nat_eqMixin

(** val addn_rec : int -> int -> int **)

let addn_rec =
  add

(** val addn : int -> int -> int **)

let addn =
  addn_rec

(** val subn_rec : int -> int -> int **)

let subn_rec =
  sub

(** val subn : int -> int -> int **)

let subn =
  subn_rec

(** val leq : int -> int -> bool **)

let leq m n0 =
  eq_op nat_eqType (Obj.magic subn m n0) (Obj.magic 0)

(** val ltn : int simpl_rel **)

let ltn =
  simplRel (fun m n0 -> leq (Stdlib.Int.succ m) n0)

(** val iter0 : int -> ('a1 -> 'a1) -> 'a1 -> 'a1 **)

let rec iter0 n0 f x =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> x)
    (fun i -> f (iter0 i f x))
    n0

(** val muln_rec : int -> int -> int **)

let muln_rec =
  mul

(** val muln : int -> int -> int **)

let muln =
  muln_rec

(** val nat_of_bool : bool -> int **)

let nat_of_bool = function
| true -> Stdlib.Int.succ 0
| false -> 0

(** val size : 'a1 list -> int **)

let rec size = function
| [] -> 0
| _ :: s' -> Stdlib.Int.succ (size s')

(** val head : 'a1 -> 'a1 list -> 'a1 **)

let head x0 = function
| [] -> x0
| x :: _ -> x

(** val ncons : int -> 'a1 -> 'a1 list -> 'a1 list **)

let ncons n0 x =
  iter0 n0 (fun x0 -> x :: x0)

(** val nseq : int -> 'a1 -> 'a1 list **)

let nseq n0 x =
  ncons n0 x []

(** val cat : 'a1 list -> 'a1 list -> 'a1 list **)

let rec cat s1 s2 =
  match s1 with
  | [] -> s2
  | x :: s1' -> x :: (cat s1' s2)

(** val rcons : 'a1 list -> 'a1 -> 'a1 list **)

let rec rcons s z0 =
  match s with
  | [] -> z0 :: []
  | x :: s' -> x :: (rcons s' z0)

(** val last : 'a1 -> 'a1 list -> 'a1 **)

let rec last x = function
| [] -> x
| x' :: s' -> last x' s'

(** val nth : 'a1 -> 'a1 list -> int -> 'a1 **)

let rec nth x0 s n0 =
  match s with
  | [] -> x0
  | x :: s' ->
    ((fun fO fS n -> if n=0 then fO () else fS (n-1))
       (fun _ -> x)
       (fun n' -> nth x0 s' n')
       n0)

(** val filter : 'a1 pred0 -> 'a1 list -> 'a1 list **)

let rec filter a = function
| [] -> []
| x :: s' -> if a x then x :: (filter a s') else filter a s'

(** val has : 'a1 pred0 -> 'a1 list -> bool **)

let rec has a = function
| [] -> false
| x :: s' -> (||) (a x) (has a s')

(** val all : 'a1 pred0 -> 'a1 list -> bool **)

let rec all a = function
| [] -> true
| x :: s' -> (&&) (a x) (all a s')

(** val drop : int -> 'a1 list -> 'a1 list **)

let rec drop n0 s = match s with
| [] -> s
| _ :: s' ->
  ((fun fO fS n -> if n=0 then fO () else fS (n-1))
     (fun _ -> s)
     (fun n' -> drop n' s')
     n0)

(** val take : int -> 'a1 list -> 'a1 list **)

let rec take n0 = function
| [] -> []
| x :: s' ->
  ((fun fO fS n -> if n=0 then fO () else fS (n-1))
     (fun _ -> [])
     (fun n' -> x :: (take n' s'))
     n0)

(** val catrev : 'a1 list -> 'a1 list -> 'a1 list **)

let rec catrev s1 s2 =
  match s1 with
  | [] -> s2
  | x :: s1' -> catrev s1' (x :: s2)

(** val rev : 'a1 list -> 'a1 list **)

let rev s =
  catrev s []

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| x :: s' -> (f x) :: (map f s')

(** val iota : int -> int -> int list **)

let rec iota m n0 =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun n' -> m :: (iota (Stdlib.Int.succ m) n'))
    n0

(** val foldr : ('a1 -> 'a2 -> 'a2) -> 'a2 -> 'a1 list -> 'a2 **)

let rec foldr f z0 = function
| [] -> z0
| x :: s' -> f x (foldr f z0 s')

(** val sumn : int list -> int **)

let sumn =
  foldr addn 0

(** val foldl : ('a2 -> 'a1 -> 'a2) -> 'a2 -> 'a1 list -> 'a2 **)

let rec foldl f z0 = function
| [] -> z0
| x :: s' -> foldl f (f z0 x) s'

(** val zip : 'a1 list -> 'a2 list -> ('a1 * 'a2) list **)

let rec zip s t =
  match s with
  | [] -> []
  | x :: s' -> (match t with
                | [] -> []
                | y :: t' -> (x, y) :: (zip s' t'))

(** val flatten : 'a1 list list -> 'a1 list **)

let flatten s =
  foldr cat [] s

(** val path : 'a1 rel -> 'a1 -> 'a1 list -> bool **)

let rec path e x = function
| [] -> true
| y :: p' -> (&&) (e x y) (path e y p')

(** val sorted : 'a1 rel -> 'a1 list -> bool **)

let sorted e = function
| [] -> true
| x :: s' -> path e x s'

(** val zdot :
    Big_int_Z.big_int list -> Big_int_Z.big_int list -> Big_int_Z.big_int **)

let rec zdot u v =
  match u with
  | [] -> Big_int_Z.zero_big_int
  | x :: u' ->
    (match v with
     | [] -> Big_int_Z.zero_big_int
     | y :: v' -> Z.add (Z.mul x y) (zdot u' v'))

type dyadic = { mantissa : Big_int_Z.big_int; exponent : Big_int_Z.big_int }

(** val align : Big_int_Z.big_int -> dyadic -> Big_int_Z.big_int **)

let align e x =
  Z.shiftl x.mantissa (Z.sub x.exponent e)

(** val aligned : Big_int_Z.big_int -> dyadic -> bool **)

let aligned e x =
  Z.leb e x.exponent

(** val pair_list : int -> (int * int) list **)

let pair_list d =
  cat
    (filter (fun ab -> leq (Stdlib.Int.succ (fst ab)) (snd ab))
      (flatten (map (fun a -> map (fun b -> (a, b)) (iota 0 d)) (iota 0 d))))
    (map (fun a -> (a, a)) (iota 0 d))

(** val slot_list : int -> ((int * int) * int) list **)

let slot_list d =
  flatten (map (fun ab -> map (fun l -> (ab, l)) (iota 0 d)) (pair_list d))

type dyadic_example = { columns_of : dyadic list list; query_of : int;
                        label_of : dyadic list }

type integer_example = { zcolumns : Big_int_Z.big_int list list;
                         zquery : int; zlabel : Big_int_Z.big_int list }

(** val integers : Big_int_Z.big_int -> dyadic_example -> integer_example **)

let integers e e0 =
  { zcolumns = (map (fun x -> map (align e) x) e0.columns_of); zquery =
    e0.query_of; zlabel =
    (map
      (align
        (Z.mul
          ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
          Big_int_Z.unit_big_int) e)) e0.label_of) }

(** val well_formed :
    int -> int -> Big_int_Z.big_int -> dyadic_example -> bool **)

let well_formed d o e e0 =
  (&&) (leq (Stdlib.Int.succ e0.query_of) (size e0.columns_of))
    ((&&)
      (all (fun x -> (&&) ((=) (size x) d) (all (aligned e) x)) e0.columns_of)
      ((&&) ((=) (size e0.label_of) o)
        (all
          (aligned
            (Z.mul
              ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
              Big_int_Z.unit_big_int) e)) e0.label_of)))

(** val coordinate : integer_example -> int -> Big_int_Z.big_int list **)

let coordinate e a =
  map (fun x -> nth Big_int_Z.zero_big_int x a) e.zcolumns

(** val zfeatures : int -> integer_example -> Big_int_Z.big_int list **)

let zfeatures d e =
  let rows = map (fun a -> coordinate e a) (iota 0 d) in
  let z0 = nth [] e.zcolumns e.zquery in
  flatten
    (map (fun ab ->
      let s = zdot (nth [] rows (fst ab)) (nth [] rows (snd ab)) in
      map (fun l -> Z.mul s (nth Big_int_Z.zero_big_int z0 l)) (iota 0 d))
      (pair_list d))

type kernel =
| Decay of Big_int_Z.big_int * Big_int_Z.big_int
| Window of int
| Lag of int
| Beyond of int
| Table of (Big_int_Z.big_int * Big_int_Z.big_int) list

type weighting =
| ByKernels of kernel list
| ByGates of int

type term =
| One
| Sum of int * int list

type layer = { weights : weighting; blocks : (term list * int list list) list }

(** val entries : layer -> (term * int list) list **)

let entries l =
  flatten
    (map (fun b ->
      flatten (map (fun s -> map (fun q -> (s, q)) (snd b)) (fst b)))
      l.blocks)

type layer_example = { tokens_of : dyadic list list;
                       gates_of : dyadic list list; asks : dyadic list;
                       answers : dyadic list }

(** val without_one : bool -> int list -> int list **)

let without_one affine0 js =
  if affine0
  then map pred (filter (fun i -> leq (Stdlib.Int.succ 0) i) js)
  else js

(** val asking : bool -> int -> int list list **)

let asking affine0 m =
  map (fun i -> without_one affine0 (i :: []))
    (iota 0 (addn (nat_of_bool affine0) m))

(** val attention_blocks :
    bool -> int -> int -> int -> (term list * int list list) list **)

let attention_blocks affine0 kinds d m =
  ((cat
     (flatten
       (map (fun g ->
         map (fun ab -> Sum (g,
           (without_one affine0 ((fst ab) :: ((snd ab) :: [])))))
           (pair_list (addn (nat_of_bool affine0) d))) (iota 0 kinds)))
     (if affine0 then One :: [] else [])), (asking affine0 m)) :: []

(** val mapped_blocks :
    int -> int -> int -> (term list * int list list) list **)

let mapped_blocks kinds d m =
  ((flatten
     (map (fun g ->
       map (fun jk -> Sum (g, jk))
         (flatten
           (map (fun j -> map (fun k -> j :: ((addn d k) :: [])) (iota 0 m))
             (iota 0 d)))) (iota 0 kinds))), (asking false m)) :: []

(** val gated_blocks : int -> (term list * int list list) list **)

let gated_blocks d =
  ((flatten
     (map (fun j -> map (fun k -> Sum (k, (j :: (k :: [])))) (iota 0 d))
       (iota 0 d))), (asking false d)) :: []

(** val gated_mapped_blocks :
    int -> int -> (term list * int list list) list **)

let gated_mapped_blocks d m =
  ((flatten
     (map (fun j ->
       map (fun k -> Sum (k, (j :: ((addn d k) :: [])))) (iota 0 m))
       (iota 0 d))), (asking false m)) :: []

(** val moment_blocks : int -> int -> (term list * int list list) list **)

let moment_blocks q m =
  ((map (fun i -> Sum (0, (i :: []))) (iota 0 q)), (asking false m)) :: []

(** val monomials : int -> int -> int -> int list list **)

let rec monomials lo d p =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [] :: [])
    (fun p' ->
    flatten
      (map (fun i ->
        map (fun js -> i :: js) (monomials i (subn (addn lo d) i) p'))
        (iota lo d)))
    p

(** val degree_blocks :
    int -> int -> int -> (term list * int list list) list **)

let degree_blocks a b d =
  map (fun p ->
    ((map (fun js -> Sum (0, js)) (monomials 0 d (Stdlib.Int.succ p))),
    (monomials 0 d p))) (iota a (subn (Stdlib.Int.succ b) a))

(** val num_weights : weighting -> int **)

let num_weights = function
| ByKernels ks -> size ks
| ByGates k -> k

(** val zero : dyadic **)

let zero =
  { mantissa = Big_int_Z.zero_big_int; exponent = Big_int_Z.zero_big_int }

(** val decay_ratios :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list **)

let rec decay_ratios a b x n0 =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun n' ->
    x :: (decay_ratios a b ((Z.mul (fst x) a), (Z.mul (snd x) b)) n'))
    n0

(** val indicator : bool -> Big_int_Z.big_int * Big_int_Z.big_int **)

let indicator b =
  ((if b then Big_int_Z.unit_big_int else Big_int_Z.zero_big_int),
    Big_int_Z.unit_big_int)

(** val kernel_ratios :
    kernel -> int -> (Big_int_Z.big_int * Big_int_Z.big_int) list **)

let kernel_ratios k n0 =
  match k with
  | Decay (a, b) ->
    decay_ratios a b (Big_int_Z.unit_big_int, Big_int_Z.unit_big_int) n0
  | Window w ->
    map (fun delta -> indicator (leq (Stdlib.Int.succ delta) w)) (iota 0 n0)
  | Lag i -> map (fun delta -> indicator ((=) delta i)) (iota 0 n0)
  | Beyond i -> map (fun delta -> indicator (leq i delta)) (iota 0 n0)
  | Table t ->
    map (fun delta ->
      nth (Big_int_Z.zero_big_int, Big_int_Z.unit_big_int) t delta)
      (iota 0 n0)

(** val ratio_of : dyadic -> Big_int_Z.big_int * Big_int_Z.big_int **)

let ratio_of x =
  if Z.leb Big_int_Z.zero_big_int x.exponent
  then ((Z.shiftl x.mantissa x.exponent), Big_int_Z.unit_big_int)
  else (x.mantissa, (Z.shiftl Big_int_Z.unit_big_int (Z.opp x.exponent)))

(** val behind :
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) * (Big_int_Z.big_int * Big_int_Z.big_int)
    list **)

let rec behind = function
| [] -> ((Big_int_Z.unit_big_int, Big_int_Z.unit_big_int), [])
| g :: gates' ->
  let pw = behind gates' in
  (((Z.mul (fst g) (fst (fst pw))), (Z.mul (snd g) (snd (fst pw)))),
  ((fst pw) :: (snd pw)))

(** val ratios :
    weighting -> layer_example -> (Big_int_Z.big_int * Big_int_Z.big_int)
    list list **)

let ratios w e =
  match w with
  | ByKernels ks -> map (fun k -> rev (kernel_ratios k (size e.tokens_of))) ks
  | ByGates k ->
    map (fun k0 ->
      snd (behind (map (fun g -> ratio_of (nth zero g k0)) e.gates_of)))
      (iota 0 k)

(** val whole :
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    Big_int_Z.big_int **)

let whole d r =
  Z.div (Z.mul (fst r) d) (snd r)

(** val divides :
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) -> bool **)

let divides d r =
  if Z.eqb (snd r) Big_int_Z.zero_big_int
  then false
  else Z.eqb (Z.mul (whole d r) (snd r)) (Z.mul (fst r) d)

(** val degree : (term * int list) -> int **)

let degree f =
  addn (match fst f with
        | One -> 0
        | Sum (_, js) -> size js) (size (snd f))

(** val zproduct : Big_int_Z.big_int list -> int list -> Big_int_Z.big_int **)

let rec zproduct x = function
| [] -> Big_int_Z.unit_big_int
| i :: js' -> Z.mul (nth Big_int_Z.zero_big_int x i) (zproduct x js')

(** val zsum :
    Big_int_Z.big_int list -> Big_int_Z.big_int list list -> int list ->
    Big_int_Z.big_int **)

let rec zsum ws xs js =
  match ws with
  | [] -> Big_int_Z.zero_big_int
  | w :: ws' ->
    (match xs with
     | [] -> Big_int_Z.zero_big_int
     | x :: xs' -> Z.add (Z.mul w (zproduct x js)) (zsum ws' xs' js))

(** val zstate :
    Big_int_Z.big_int -> Big_int_Z.big_int list list -> Big_int_Z.big_int
    list list -> term -> Big_int_Z.big_int **)

let zstate d ws xs = function
| One -> d
| Sum (g, js) -> zsum (nth [] ws g) xs js

(** val raised :
    Big_int_Z.big_int -> int -> (term * int list) -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let raised e p f x =
  Z.shiftl x (Z.mul (Z.opp e) (Z.of_nat (subn p (degree f))))

(** val layer_row :
    int -> Big_int_Z.big_int -> Big_int_Z.big_int -> layer -> layer_example
    -> Big_int_Z.big_int list **)

let layer_row p e d l e0 =
  let ws = map (map (whole d)) (ratios l.weights e0) in
  let xs = map (map (align e)) e0.tokens_of in
  let u = map (align e) e0.asks in
  flatten
    (map (fun b ->
      flatten
        (map (fun s ->
          let x = zstate d ws xs s in
          map (fun q -> raised e p (s, q) (Z.mul x (zproduct u q))) (snd b))
          (fst b))) l.blocks)

(** val layer_labels :
    int -> Big_int_Z.big_int -> Big_int_Z.big_int -> layer_example ->
    Big_int_Z.big_int list **)

let layer_labels p e d e0 =
  map (fun y -> Z.mul d (align (Z.mul (Z.of_nat p) e) y)) e0.answers

(** val well_formed_layer :
    int -> Big_int_Z.big_int -> Big_int_Z.big_int -> layer -> bool **)

let well_formed_layer p e d l =
  (&&) (Z.leb e Big_int_Z.zero_big_int)
    ((&&) (Z.ltb Big_int_Z.zero_big_int d)
      (all (fun f ->
        (&&) (leq (degree f) p)
          (match fst f with
           | One -> true
           | Sum (g, _) -> leq (Stdlib.Int.succ g) (num_weights l.weights)))
        (entries l)))

(** val well_formed_in :
    int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> layer ->
    layer_example -> bool **)

let well_formed_in p o e d l e0 =
  (&&) (all (all (aligned e)) e0.tokens_of)
    ((&&) (all (aligned e) e0.asks)
      ((&&)
        (match l.weights with
         | ByKernels _ -> true
         | ByGates _ -> (=) (size e0.gates_of) (size e0.tokens_of))
        ((&&) (all (all (divides d)) (ratios l.weights e0))
          ((&&) ((=) (size e0.answers) o)
            (all (aligned (Z.mul (Z.of_nat p) e)) e0.answers)))))

(** val power :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let rec power p b e =
  (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
    (fun e' ->
    let s = power p b e' in Z.modulo (Z.mul (Z.modulo (Z.mul s s) p) b) p)
    (fun e' -> let s = power p b e' in Z.modulo (Z.mul s s) p)
    (fun _ -> Z.modulo b p)
    e

(** val inverse :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let inverse p b =
  (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
    (fun _ -> Big_int_Z.unit_big_int)
    (fun e -> power p b e)
    (fun _ ->
    Big_int_Z.unit_big_int)
    (Z.sub p (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int))

(** val low : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let low mask u =
  Z.coq_land u mask

(** val pack :
    Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int **)

let rec pack b = function
| [] -> Big_int_Z.zero_big_int
| x :: u' -> Z.add x (Z.shiftl (pack b u') b)

(** val unpack :
    Big_int_Z.big_int -> Big_int_Z.big_int -> int -> Big_int_Z.big_int ->
    Big_int_Z.big_int list **)

let rec unpack b mask n0 u =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun n' -> (low mask u) :: (unpack b mask n' (Z.shiftr u b)))
    n0

(** val pick :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int list ->
    Big_int_Z.big_int list -> (Big_int_Z.big_int * Big_int_Z.big_int list)
    option **)

let rec pick p mask seen = function
| [] -> None
| u :: rest ->
  if Z.eqb (Z.modulo (low mask u) p) Big_int_Z.zero_big_int
  then pick p mask (u :: seen) rest
  else Some (u, (catrev seen rest))

(** val clear :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let clear p b mask t u =
  Z.shiftr (Z.add u (Z.mul (Z.sub p (Z.modulo (low mask u) p)) t)) b

(** val eliminate :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int -> int ->
    Big_int_Z.big_int list -> bool **)

let rec eliminate p b mask r rows =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> true)
    (fun r' ->
    match pick p mask [] rows with
    | Some p0 ->
      let (u, rest) = p0 in
      let inv = inverse p (low mask u) in
      if Z.eqb (Z.modulo (Z.mul (low mask u) inv) p) Big_int_Z.unit_big_int
      then eliminate p b mask r'
             (map
               (clear p b mask
                 (pack b
                   (map (fun x -> Z.modulo (Z.mul x inv) p)
                     (unpack b mask r u)))) rest)
      else false
    | None -> false)
    r

(** val full_rank_mod :
    Big_int_Z.big_int -> int -> Big_int_Z.big_int list list -> bool **)

let full_rank_mod p r rows =
  let b = (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
    Big_int_Z.unit_big_int)))))))
  in
  (&&) (Z.leb (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) p)
    ((&&)
      (Z.ltb (Z.add p (Z.mul (Z.of_nat r) (Z.mul p p)))
        (Z.pow (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) b))
      (eliminate p b (Z.ones b) r
        (map (fun row -> pack b (map (fun x -> Z.modulo x p) row)) rows)))

(** val add_multiple :
    Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int list ->
    Big_int_Z.big_int list **)

let rec add_multiple f u t =
  match u with
  | [] -> []
  | x :: u' ->
    (match t with
     | [] -> []
     | y :: t' -> (Z.add x (Z.mul f y)) :: (add_multiple f u' t'))

type claim =
| FullRank
| Deficient
| Rank of int
| LambdaMin of dyadic * dyadic
| Determined of int list
| Undetermined of int list
| LabelsConsistent
| LabelsInconsistent
| Inexpressible of Big_int_Z.big_int * Big_int_Z.big_int

type minor = { prime : Big_int_Z.big_int; rows_of : int list;
               columns_of_minor : int list }

type bound =
| FewExamples
| NullVectors of Big_int_Z.big_int list list

type group = { members : int list; rank_of_group : int;
               minor_of_group : minor; bound_of_group : bound }

type evidence =
| ByMinor of minor
| ByBound of bound
| ByMinorAndBound of minor * bound
| ByFactor of Big_int_Z.big_int list list * Big_int_Z.big_int
   * Big_int_Z.big_int list
| ByBasis of int * minor * Big_int_Z.big_int list list
| ByRelations of (Big_int_Z.big_int * Big_int_Z.big_int list) list
| ByNull of Big_int_Z.big_int list
| ByExtension of int * bound * minor list
| ByFit of Big_int_Z.big_int list list
| ByLabelRelation of Big_int_Z.big_int list
| ByLabelExtension of int * bound * int * minor
| ByResiduals of Big_int_Z.big_int list list
| ByGroups of group list * minor

(** val pluck : int -> 'a1 list -> int list -> 'a1 list **)

let rec pluck i s ks =
  match s with
  | [] -> []
  | x :: s' ->
    (match ks with
     | [] -> []
     | k :: ks' ->
       if (=) i k
       then x :: (pluck (Stdlib.Int.succ i) s' ks')
       else pluck (Stdlib.Int.succ i) s' ks)

(** val plucks : int -> int list -> bool **)

let plucks n0 ks =
  (=) (size (pluck 0 (iota 0 n0) ks)) (size ks)

(** val check_minor :
    Big_int_Z.big_int list list -> int -> int -> minor -> bool **)

let check_minor table m r e =
  (&&) (plucks (size table) e.rows_of)
    ((&&) (plucks m e.columns_of_minor)
      ((&&) ((=) (size e.columns_of_minor) r)
        (full_rank_mod e.prime r
          (map (fun row -> pluck 0 row e.columns_of_minor)
            (pluck 0 table e.rows_of)))))

(** val orthogonal :
    Big_int_Z.big_int list list -> Big_int_Z.big_int list -> bool **)

let orthogonal table v =
  all (fun row -> Z.eqb (zdot row v) Big_int_Z.zero_big_int) table

(** val nonzero : Big_int_Z.big_int list -> bool **)

let nonzero v =
  has (fun x -> negb (Z.eqb x Big_int_Z.zero_big_int)) v

(** val last_place : Big_int_Z.big_int list -> int **)

let rec last_place = function
| [] -> 0
| x :: u ->
  let n0 = last_place u in
  if leq (Stdlib.Int.succ 0) n0
  then Stdlib.Int.succ n0
  else if Z.eqb x Big_int_Z.zero_big_int then 0 else Stdlib.Int.succ 0

(** val check_nulls :
    Big_int_Z.big_int list list -> int -> Big_int_Z.big_int list list -> bool **)

let check_nulls table m vs =
  (&&) (all (fun v -> (=) (size v) m) vs)
    ((&&) (all (orthogonal table) vs)
      (sorted (rel_of_simpl ltn) (0 :: (map last_place vs))))

(** val check_bound :
    Big_int_Z.big_int list list -> int -> int -> bound -> bool **)

let check_bound table m r = function
| FewExamples -> leq (size table) r
| NullVectors vs -> (&&) (check_nulls table m vs) (leq m (addn r (size vs)))

(** val combine :
    int -> Big_int_Z.big_int list -> Big_int_Z.big_int list list ->
    Big_int_Z.big_int list **)

let rec combine m v table =
  match v with
  | [] -> nseq m Big_int_Z.zero_big_int
  | x :: v' ->
    (match table with
     | [] -> nseq m Big_int_Z.zero_big_int
     | row :: table' ->
       let rest = combine m v' table' in
       if Z.eqb x Big_int_Z.zero_big_int
       then rest
       else add_multiple x rest row)

(** val check_relation :
    Big_int_Z.big_int list list -> int -> Big_int_Z.big_int list ->
    (Big_int_Z.big_int * Big_int_Z.big_int list) -> bool **)

let check_relation table m row e =
  (&&) (negb (Z.eqb (fst e) Big_int_Z.zero_big_int))
    ((&&) ((=) (size (snd e)) (size table))
      (negb (nonzero (add_multiple (fst e) (combine m (snd e) table) row))))

(** val gram :
    int -> Big_int_Z.big_int list list -> Big_int_Z.big_int list list **)

let gram m table =
  foldr (fun h g ->
    map (fun xg -> add_multiple (fst xg) (snd xg) h) (zip h g))
    (nseq m (nseq m Big_int_Z.zero_big_int)) table

(** val residual :
    int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int list list -> Big_int_Z.big_int list list ->
    Big_int_Z.big_int list list **)

let residual m g l w g0 l0 =
  map (fun i ->
    let g_i = nth [] g0 i in
    let l_i = nth [] l0 i in
    map (fun j ->
      Z.sub
        (Z.sub (Z.mul g (nth Big_int_Z.zero_big_int g_i j))
          (if (=) i j then l else Big_int_Z.zero_big_int))
        (Z.mul w (zdot l_i (nth [] l0 j)))) (iota 0 m)) (iota 0 m)

(** val sum_abs : Big_int_Z.big_int list -> Big_int_Z.big_int **)

let sum_abs u =
  foldr (fun x s -> Z.add (Z.abs x) s) Big_int_Z.zero_big_int u

(** val check_dominant : Big_int_Z.big_int list list -> bool **)

let check_dominant a =
  all (fun ir ->
    let x = nth Big_int_Z.zero_big_int (snd ir) (fst ir) in
    Z.leb (sum_abs (snd ir)) (Z.add x (Z.abs x))) (zip (iota 0 (size a)) a)

(** val check_lower :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int list list ->
    int -> dyadic -> Big_int_Z.big_int list list -> Big_int_Z.big_int -> bool **)

let check_lower s g table m lo l power1 =
  let n0 = Z.of_nat (size table) in
  let e =
    Z.min s
      (Z.min lo.exponent
        (Z.mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) power1))
  in
  (&&) (Z.ltb Big_int_Z.zero_big_int n0)
    ((||) (Z.leb lo.mantissa Big_int_Z.zero_big_int)
      ((&&) ((=) (size l) m)
        ((&&) (all (fun row -> leq (size row) m) l)
          (check_dominant
            (residual m (Z.shiftl Big_int_Z.unit_big_int (Z.sub s e))
              (Z.mul (Z.mul n0 g)
                (Z.shiftl lo.mantissa (Z.sub lo.exponent e)))
              (Z.mul (Z.mul n0 g)
                (Z.shiftl Big_int_Z.unit_big_int
                  (Z.sub
                    (Z.mul (Big_int_Z.mult_int_big_int 2
                      Big_int_Z.unit_big_int) power1) e))) (gram m table) l)))))

(** val check_upper :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int list list ->
    int -> dyadic -> Big_int_Z.big_int list -> bool **)

let check_upper s g table m hi x =
  let image =
    foldr (fun row sum0 -> let y = zdot row x in Z.add (Z.mul y y) sum0)
      Big_int_Z.zero_big_int table
  in
  let e = Z.min s hi.exponent in
  (&&) ((=) (size x) m)
    ((&&) (nonzero x)
      (Z.leb (Z.shiftl image (Z.sub s e))
        (Z.mul (Z.mul (Z.mul (Z.of_nat (size table)) g) (zdot x x))
          (Z.shiftl hi.mantissa (Z.sub hi.exponent e)))))

(** val add_share :
    Big_int_Z.big_int list list -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    Big_int_Z.big_int list -> int -> Big_int_Z.big_int * Big_int_Z.big_int **)

let add_share labels sum0 v a =
  let below = zdot v v in
  let top = zdot v (map (fun y -> nth Big_int_Z.zero_big_int y a) labels) in
  if Z.eqb below Big_int_Z.zero_big_int
  then sum0
  else ((Z.add (Z.mul (Z.mul top top) (snd sum0)) (Z.mul (fst sum0) below)),
         (Z.mul below (snd sum0)))

(** val shares :
    Big_int_Z.big_int list list -> int -> Big_int_Z.big_int list list ->
    Big_int_Z.big_int * Big_int_Z.big_int **)

let rec shares labels a = function
| [] -> (Big_int_Z.zero_big_int, Big_int_Z.unit_big_int)
| v :: vs' -> add_share labels (shares labels (Stdlib.Int.succ a) vs') v a

(** val check_cancels :
    Big_int_Z.big_int list list -> int -> Big_int_Z.big_int list -> bool **)

let check_cancels table m v =
  (&&) ((=) (size v) (size table)) (negb (nonzero (combine m v table)))

(** val check_residuals :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int list list ->
    Big_int_Z.big_int list list -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int list list -> bool **)

let check_residuals s g table labels a b vs =
  let sum0 = shares labels 0 vs in
  let e = Z.min s Big_int_Z.zero_big_int in
  Z.leb
    (Z.shiftl (Z.mul (Z.mul (Z.mul (Z.of_nat (size table)) a) g) (snd sum0))
      (Z.opp e)) (Z.shiftl (Z.mul b (fst sum0)) (Z.sub s e))

(** val check_claim :
    int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
    list list -> Big_int_Z.big_int list list -> Big_int_Z.big_int list list
    -> claim -> evidence -> bool **)

let check_claim m o s g table labels queries0 c e =
  let asked = fun k -> nth [] queries0 k in
  let known = fun k -> leq (Stdlib.Int.succ k) (size queries0) in
  let labelled = map (fun hy -> cat (fst hy) (snd hy)) (zip table labels) in
  (match c with
   | FullRank ->
     (match e with
      | ByMinor e0 -> check_minor table m m e0
      | _ -> false)
   | Deficient ->
     (match e with
      | ByBound b ->
        (&&) (leq (Stdlib.Int.succ 0) m) (check_bound table m (pred m) b)
      | _ -> false)
   | Rank r ->
     (match e with
      | ByMinorAndBound (e0, b) ->
        (&&) (check_minor table m r e0) (check_bound table m r b)
      | _ -> false)
   | LambdaMin (lo, hi) ->
     (match e with
      | ByFactor (l, power1, x) ->
        (&&) (check_lower s g table m lo l power1)
          (check_upper s g table m hi x)
      | _ -> false)
   | Determined ks ->
     (match e with
      | ByBasis (r, e0, vs) ->
        (&&) (all known ks)
          ((&&) (check_minor table m r e0)
            ((&&) (check_nulls table m vs)
              ((&&) (leq m (addn r (size vs)))
                (all (fun k ->
                  let h = asked k in all (orthogonal (h :: [])) vs) ks))))
      | ByRelations es ->
        (&&) (all known ks)
          ((&&) ((=) (size es) (size ks))
            (all (fun ke -> check_relation table m (asked (fst ke)) (snd ke))
              (zip ks es)))
      | _ -> false)
   | Undetermined ks ->
     (match e with
      | ByNull v ->
        (&&) (all known ks)
          ((&&) ((=) (size v) m)
            ((&&) (orthogonal table v)
              (all (fun k -> negb (orthogonal ((asked k) :: []) v)) ks)))
      | ByExtension (r, b, es) ->
        (&&) (all known ks)
          ((&&) (check_bound table m r b)
            ((&&) ((=) (size es) (size ks))
              (all (fun ke ->
                check_minor (rcons table (asked (fst ke))) m (Stdlib.Int.succ
                  r) (snd ke)) (zip ks es))))
      | _ -> false)
   | LabelsConsistent ->
     (match e with
      | ByFit vs ->
        (&&) (leq (Stdlib.Int.succ 0) o)
          ((&&) ((=) (size vs) o)
            ((&&) (check_nulls labelled (addn m o) vs)
              (leq (Stdlib.Int.succ m) (last_place (head [] vs)))))
      | _ -> false)
   | LabelsInconsistent ->
     (match e with
      | ByLabelRelation v ->
        let sum0 = combine (addn m o) v labelled in
        (&&) (leq (Stdlib.Int.succ 0) o)
          ((&&) ((=) (size v) (size table))
            ((&&) (negb (nonzero (take m sum0))) (nonzero (drop m sum0))))
      | ByLabelExtension (r, b, a, e0) ->
        (&&) (leq (Stdlib.Int.succ a) o)
          ((&&) (check_bound table m r b)
            (check_minor
              (map (fun hy ->
                rcons (fst hy) (nth Big_int_Z.zero_big_int (snd hy) a))
                (zip table labels)) (Stdlib.Int.succ m) (Stdlib.Int.succ r)
              e0))
      | _ -> false)
   | Inexpressible (a, b) ->
     (match e with
      | ByResiduals vs ->
        (&&) (leq (Stdlib.Int.succ 0) o)
          ((&&) (Z.ltb Big_int_Z.zero_big_int a)
            ((&&) (Z.ltb Big_int_Z.zero_big_int b)
              ((&&) (leq (Stdlib.Int.succ 0) (size table))
                ((&&) ((=) (size vs) o)
                  ((&&) (all (check_cancels table m) vs)
                    (check_residuals s g table labels a b vs))))))
      | _ -> false))

(** val packed_state : int -> integer_example -> Big_int_Z.big_int list **)

let packed_state d e =
  let rows = map (fun a -> coordinate e a) (iota 0 d) in
  map (fun ab -> zdot (nth [] rows (fst ab)) (nth [] rows (snd ab)))
    (pair_list d)

(** val zasked : integer_example -> Big_int_Z.big_int list **)

let zasked e =
  nth [] e.zcolumns e.zquery

(** val same_row :
    Big_int_Z.big_int list -> Big_int_Z.big_int list -> bool **)

let same_row u v =
  (&&) ((=) (size u) (size v))
    (all (fun xy -> Z.eqb (fst xy) (snd xy)) (zip u v))

(** val group_query :
    integer_example list -> group -> Big_int_Z.big_int list **)

let group_query data g =
  match pluck 0 data g.members with
  | [] -> []
  | e :: _ -> zasked e

(** val check_group : int -> integer_example list -> group -> bool **)

let check_group d data g =
  let examples = pluck 0 data g.members in
  let q = size (pair_list d) in
  let states = map (packed_state d) examples in
  let u = group_query data g in
  (&&) (plucks (size data) g.members)
    ((&&) (leq (Stdlib.Int.succ 0) (size examples))
      ((&&) (all (fun e -> same_row (zasked e) u) examples)
        ((&&) (check_minor states q g.rank_of_group g.minor_of_group)
          (check_bound states q g.rank_of_group g.bound_of_group))))

(** val strike : int list -> int list -> int list **)

let rec strike s ks =
  match s with
  | [] -> s
  | x :: s' ->
    (match ks with
     | [] -> s
     | k :: ks' -> if (=) x k then strike s' ks' else x :: (strike s' ks))

(** val check_groups :
    int -> integer_example list -> int -> group list -> minor -> bool **)

let check_groups d data r gs w =
  (&&) (all (check_group d data) gs)
    ((&&) (check_minor (map (group_query data) gs) d (size gs) w)
      ((&&) ((=) (sumn (map (fun g -> g.rank_of_group) gs)) r)
        ((||) ((=) r (muln (size (pair_list d)) d))
          ((=)
            (size
              (foldl strike (iota 0 (size data))
                (map (fun g -> g.members) gs))) 0))))

(** val check :
    int -> int -> Big_int_Z.big_int -> dyadic_example list -> dyadic_example
    list -> claim -> evidence -> bool **)

let check d o e data queries0 c e0 =
  let row = fun x -> zfeatures d (integers e x) in
  (&&) (all (well_formed d o e) data)
    ((&&) (all (well_formed d 0 e) queries0)
      (match c with
       | Rank r ->
         (match e0 with
          | ByGroups (gs, w) -> check_groups d (map (integers e) data) r gs w
          | _ ->
            check_claim (size (slot_list d)) o
              (Z.mul (Big_int_Z.mult_int_big_int 2
                ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
                Big_int_Z.unit_big_int)) e) Big_int_Z.unit_big_int
              (map row data) (map (fun x -> (integers e x).zlabel) data)
              (map row queries0) c e0)
       | _ ->
         check_claim (size (slot_list d)) o
           (Z.mul (Big_int_Z.mult_int_big_int 2
             ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
             Big_int_Z.unit_big_int)) e) Big_int_Z.unit_big_int
           (map row data) (map (fun x -> (integers e x).zlabel) data)
           (map row queries0) c e0))

(** val check_layer :
    layer -> int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    layer_example list -> layer_example list -> claim -> evidence -> bool **)

let check_layer l p o e d data queries0 c e0 =
  let row = layer_row p e d l in
  (&&) (well_formed_layer p e d l)
    ((&&) (all (well_formed_in p o e d l) data)
      ((&&) (all (well_formed_in p 0 e d l) queries0)
        (check_claim (size (entries l)) o
          (Z.mul (Z.of_nat (muln (Stdlib.Int.succ (Stdlib.Int.succ 0)) p)) e)
          (Z.mul d d) (map row data) (map (layer_labels p e d) data)
          (map row queries0) c e0)))

type 't ops = { zero0 : 't; one : 't; plus : ('t -> 't -> 't);
                times : ('t -> 't -> 't); minus : ('t -> 't) }

type decay =
| NoDecay
| FixedDecay
| LearnedDecay

type attention_plan = { num_groups : int; share : int; num_keys : int;
                        num_values : int; adds_input : bool;
                        is_causal : bool; is_rotary : bool; decay_of : 
                        decay; with_q : bool; with_k : bool; with_v : 
                        bool; with_o : bool }

type mlp_plan = { width : int; is_cube : bool; adds_its_input : bool;
                  with_m : bool }

type sublayer =
| Attention of attention_plan
| Mlp of mlp_plan

(** val decays : attention_plan -> bool **)

let decays l =
  match l.decay_of with
  | NoDecay -> false
  | _ -> true

(** val learns_decays : attention_plan -> bool **)

let learns_decays l =
  match l.decay_of with
  | LearnedDecay -> true
  | _ -> false

(** val residual_of : sublayer -> bool **)

let residual_of = function
| Attention l0 -> l0.adds_input
| Mlp l0 -> l0.adds_its_input

(** val output_bias : sublayer -> bool **)

let output_bias = function
| Attention l0 -> l0.with_o
| Mlp l0 -> l0.with_m

type kind =
| InK
| InV
| BiasK
| BiasV
| InQ
| OutO
| BiasQ
| Gamma
| BiasO
| InW
| BiasW
| OutW

type name = { kind_of : kind; site : int; group_of_name : int;
              head_of_name : int; row_of : int; column_of : int }

(** val kind_code : kind -> int **)

let kind_code = function
| InK -> 0
| InV -> Stdlib.Int.succ 0
| BiasK -> Stdlib.Int.succ (Stdlib.Int.succ 0)
| BiasV -> Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0))
| InQ ->
  Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0)))
| OutO ->
  Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ 0))))
| BiasQ ->
  Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ 0)))))
| Gamma ->
  Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0))))))
| BiasO ->
  Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    0)))))))
| InW ->
  Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ 0))))))))
| BiasW ->
  Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ 0)))))))))
| OutW ->
  Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0))))))))))

(** val block : kind -> int -> int -> int -> int -> int -> name list **)

let block k s g h rows columns =
  flatten
    (map (fun i ->
      map (fun j -> { kind_of = k; site = s; group_of_name = g;
        head_of_name = h; row_of = i; column_of = j }) (iota 0 columns))
      (iota 0 rows))

(** val given : bool -> 'a1 list -> 'a1 list **)

let given b s =
  if b then s else []

(** val names_of_head :
    int -> int -> attention_plan -> int -> int -> name list **)

let names_of_head d s l g h =
  cat (block InQ s g h l.num_keys d)
    (cat (block OutO s g h d l.num_values)
      (cat
        (given l.with_q (block BiasQ s g h l.num_keys (Stdlib.Int.succ 0)))
        (given (learns_decays l)
          (block Gamma s g h (Stdlib.Int.succ 0) (Stdlib.Int.succ 0)))))

(** val names_of_group : int -> int -> attention_plan -> int -> name list **)

let names_of_group d s l g =
  cat (block InK s g 0 l.num_keys d)
    (cat (block InV s g 0 l.num_values d)
      (cat
        (given l.with_k (block BiasK s g 0 l.num_keys (Stdlib.Int.succ 0)))
        (cat
          (given l.with_v
            (block BiasV s g 0 l.num_values (Stdlib.Int.succ 0)))
          (flatten (map (fun h -> names_of_head d s l g h) (iota 0 l.share))))))

(** val names_of : int -> int -> sublayer -> name list **)

let names_of d s = function
| Attention l0 ->
  cat
    (flatten (map (fun g -> names_of_group d s l0 g) (iota 0 l0.num_groups)))
    (given l0.with_o (block BiasO s 0 0 d (Stdlib.Int.succ 0)))
| Mlp l0 ->
  cat (block InW s 0 0 l0.width d)
    (cat (given l0.with_m (block BiasW s 0 0 l0.width (Stdlib.Int.succ 0)))
      (cat (block OutW s 0 0 d l0.width)
        (given l0.with_m (block BiasO s 0 0 d (Stdlib.Int.succ 0)))))

(** val names : int -> int -> sublayer list -> name list **)

let rec names d s = function
| [] -> []
| l :: ls' -> cat (names_of d s l) (names d (Stdlib.Int.succ s) ls')

type 't point = { theta : (name -> 't); fixed_decay : (int -> int -> 't);
                  cosine : (int -> int -> 't); sine : (int -> int -> 't) }

(** val sum : 'a1 ops -> int -> (int -> 'a1) -> 'a1 **)

let rec sum o n0 f =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> o.zero0)
    (fun n' -> o.plus (sum o n' f) (f n'))
    n0

(** val power0 : 'a1 ops -> 'a1 -> int -> 'a1 **)

let rec power0 o x n0 =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> o.one)
    (fun n' -> o.times (power0 o x n') x)
    n0

(** val on : 'a1 ops -> bool -> 'a1 -> 'a1 **)

let on o b x =
  if b then x else o.zero0

(** val tab : int -> int -> (int -> int -> 'a1) -> 'a1 list list **)

let tab rows columns f =
  map (fun i -> map (fun j -> f i j) (iota 0 columns)) (iota 0 rows)

(** val get : 'a1 ops -> 'a1 list list -> int -> int -> 'a1 **)

let get o x i j =
  nth o.zero0 (nth [] x i) j

(** val affine :
    'a1 ops -> int -> int -> (int -> int -> 'a1) -> (int -> 'a1) -> 'a1 list
    list -> 'a1 list list **)

let affine o rows columns a b x =
  let a' = tab rows columns a in
  tab (size x) rows (fun j i ->
    o.plus (sum o columns (fun k -> o.times (get o a' i k) (get o x j k)))
      (b i))

(** val rotation : 'a1 ops -> 'a1 point -> int -> int -> int -> 'a1 * 'a1 **)

let rec rotation o x s pair i =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> (o.one, o.zero0))
    (fun i' ->
    let (c, v) = rotation o x s pair i' in
    ((o.plus (o.times c (x.cosine s pair))
       (o.minus (o.times v (x.sine s pair)))),
    (o.plus (o.times v (x.cosine s pair)) (o.times c (x.sine s pair)))))
    i

(** val rotate :
    'a1 ops -> 'a1 point -> int -> int -> 'a1 list list -> 'a1 list list **)

let rotate o x s columns x0 =
  tab (size x0) columns (fun i k ->
    let (c, v) = rotation o x s (Nat.div2 k) i in
    if Nat.odd k
    then o.plus (o.times v (get o x0 i (Nat.pred k)))
           (o.times c (get o x0 i k))
    else o.plus (o.times c (get o x0 i k))
           (o.minus (o.times v (get o x0 i (Nat.succ k)))))

(** val turned :
    'a1 ops -> 'a1 point -> int -> attention_plan -> 'a1 list list -> 'a1
    list list **)

let turned o x s l =
  let a = l.num_keys in
  (fun x0 -> if l.is_rotary then rotate o x s a x0 else x0)

(** val keys :
    'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
    int -> 'a1 list list **)

let keys o d x s l =
  let a = l.num_keys in
  (fun x0 g ->
  turned o x s l
    (affine o a d (fun i j ->
      x.theta { kind_of = InK; site = s; group_of_name = g; head_of_name = 0;
        row_of = i; column_of = j }) (fun i ->
      on o l.with_k
        (x.theta { kind_of = BiasK; site = s; group_of_name = g;
          head_of_name = 0; row_of = i; column_of = 0 })) x0))

(** val queries :
    'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
    int -> int -> 'a1 list list **)

let queries o d x s l =
  let a = l.num_keys in
  (fun x0 g h ->
  turned o x s l
    (affine o a d (fun i j ->
      x.theta { kind_of = InQ; site = s; group_of_name = g; head_of_name = h;
        row_of = i; column_of = j }) (fun i ->
      on o l.with_q
        (x.theta { kind_of = BiasQ; site = s; group_of_name = g;
          head_of_name = h; row_of = i; column_of = 0 })) x0))

(** val vectors :
    'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
    int -> 'a1 list list **)

let vectors o d x s l =
  let v = l.num_values in
  (fun x0 g ->
  affine o v d (fun i j ->
    x.theta { kind_of = InV; site = s; group_of_name = g; head_of_name = 0;
      row_of = i; column_of = j }) (fun i ->
    on o l.with_v
      (x.theta { kind_of = BiasV; site = s; group_of_name = g; head_of_name =
        0; row_of = i; column_of = 0 })) x0)

(** val decay_at : 'a1 point -> int -> attention_plan -> int -> int -> 'a1 **)

let decay_at x s l g h =
  if learns_decays l
  then x.theta { kind_of = Gamma; site = s; group_of_name = g; head_of_name =
         h; row_of = 0; column_of = 0 }
  else x.fixed_decay s (addn (muln g l.share) h)

(** val weight :
    'a1 ops -> 'a1 point -> int -> attention_plan -> 'a1 list list -> 'a1
    list list -> int -> int -> int -> int -> 'a1 **)

let weight o x s l =
  let a = l.num_keys in
  (fun k q g h i j ->
  if (&&) ((||) l.is_causal (decays l)) (Nat.ltb j i)
  then o.zero0
  else let score = sum o a (fun k0 -> o.times (get o k i k0) (get o q j k0))
       in
       if decays l
       then o.times score (power0 o (decay_at x s l g h) (subn j i))
       else score)

(** val mixed :
    'a1 ops -> 'a1 point -> int -> attention_plan -> 'a1 list list -> 'a1
    list list -> 'a1 list list -> int -> int -> 'a1 list list **)

let mixed o x s l =
  let v = l.num_values in
  (fun k v0 q g h ->
  let t = size v0 in
  let w = tab t t (fun j i -> weight o x s l k q g h i j) in
  tab t v (fun j k0 ->
    sum o t (fun i -> o.times (get o v0 i k0) (get o w j i))))

(** val head_outputs :
    'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
    'a1 list list -> 'a1 list list -> int -> int -> 'a1 list list **)

let head_outputs o d x s l =
  let v = l.num_values in
  (fun x0 k v0 g h ->
  affine o d v (fun i k0 ->
    x.theta { kind_of = OutO; site = s; group_of_name = g; head_of_name = h;
      row_of = i; column_of = k0 }) (fun _ -> o.zero0)
    (mixed o x s l k v0 (queries o d x s l x0 g h) g h))

(** val attention :
    'a1 ops -> int -> 'a1 point -> int -> attention_plan -> 'a1 list list ->
    'a1 list list **)

let attention o d x s l x0 =
  let y =
    map (fun g ->
      let k = keys o d x s l x0 g in
      let v = vectors o d x s l x0 g in
      map (fun h -> head_outputs o d x s l x0 k v g h) (iota 0 l.share))
      (iota 0 l.num_groups)
  in
  tab (size x0) d (fun j i ->
    o.plus
      (o.plus (on o l.adds_input (get o x0 j i))
        (sum o l.num_groups (fun g ->
          sum o l.share (fun h -> get o (nth [] (nth [] y g) h) j i))))
      (on o l.with_o
        (x.theta { kind_of = BiasO; site = s; group_of_name = 0;
          head_of_name = 0; row_of = i; column_of = 0 })))

(** val activation : 'a1 ops -> bool -> 'a1 -> 'a1 **)

let activation o cube y =
  if cube then o.times (o.times y y) y else o.times y y

(** val mlp :
    'a1 ops -> int -> 'a1 point -> int -> mlp_plan -> 'a1 list list -> 'a1
    list list **)

let mlp o d x s l x0 =
  let h =
    affine o l.width d (fun i j ->
      x.theta { kind_of = InW; site = s; group_of_name = 0; head_of_name = 0;
        row_of = i; column_of = j }) (fun i ->
      on o l.with_m
        (x.theta { kind_of = BiasW; site = s; group_of_name = 0;
          head_of_name = 0; row_of = i; column_of = 0 })) x0
  in
  let y =
    affine o d l.width (fun i k ->
      x.theta { kind_of = OutW; site = s; group_of_name = 0; head_of_name =
        0; row_of = i; column_of = k }) (fun i ->
      on o l.with_m
        (x.theta { kind_of = BiasO; site = s; group_of_name = 0;
          head_of_name = 0; row_of = i; column_of = 0 }))
      (tab (size x0) l.width (fun j k ->
        activation o l.is_cube (get o h j k)))
  in
  tab (size x0) d (fun j i ->
    o.plus (on o l.adds_its_input (get o x0 j i)) (get o y j i))

(** val step :
    'a1 ops -> int -> 'a1 point -> int -> sublayer -> 'a1 list list -> 'a1
    list list **)

let step o d x s l x0 =
  match l with
  | Attention l0 -> attention o d x s l0 x0
  | Mlp l0 -> mlp o d x s l0 x0

(** val run :
    'a1 ops -> int -> 'a1 point -> int -> sublayer list -> 'a1 list list ->
    'a1 list list **)

let rec run o d x s ls x0 =
  match ls with
  | [] -> x0
  | l :: ls' -> run o d x (Stdlib.Int.succ s) ls' (step o d x s l x0)

(** val readout : bool -> 'a1 list list -> 'a1 list **)

let readout last_only y =
  if last_only then last [] y else flatten y

(** val outputs :
    'a1 ops -> int -> 'a1 point -> bool -> sublayer list -> 'a1 list list
    list -> 'a1 list **)

let outputs o d x last_only ls examples =
  flatten (map (fun x0 -> readout last_only (run o d x 0 ls x0)) examples)

type field =
| Keys of int * int * int * int
| Turns of int * int * int * bool
| Values of int * int * int * int
| Mix of int * int * int * int
| MixHeads of int * int * int
| Neuron of int * int * bool
| Basis of int * int * int
| Shift of int * int * bool

(** val mixes_heads : int -> attention_plan -> bool **)

let mixes_heads d l =
  (&&) ((=) l.share (Stdlib.Int.succ 0))
    ((&&) ((=) l.num_keys d)
      ((&&) ((=) l.num_values d)
        ((&&) (negb (decays l))
          ((&&) (negb l.is_rotary)
            ((&&) (negb l.with_q) ((&&) (negb l.with_k) (negb l.with_v)))))))

(** val fields_within :
    int -> (int -> int -> int -> bool) -> int -> sublayer -> field list **)

let fields_within d regular s = function
| Attention l0 ->
  cat
    (flatten
      (map (fun g ->
        if l0.is_rotary
        then flatten
               (map (fun k ->
                 map (fun b -> Turns (s, g, k, b)) (false :: (true :: [])))
                 (iota 0 (Nat.div2 l0.num_keys)))
        else flatten
               (map (fun i ->
                 map (fun j -> Keys (s, g, i, j)) (iota 0 l0.num_keys))
                 (iota 0 l0.num_keys))) (iota 0 l0.num_groups)))
    (cat
      (flatten
        (map (fun g ->
          flatten
            (map (fun i ->
              map (fun j -> Values (s, g, i, j)) (iota 0 l0.num_values))
              (iota 0 l0.num_values))) (iota 0 l0.num_groups)))
      (cat
        (flatten
          (map (fun g ->
            flatten
              (map (fun h ->
                map (fun k -> Mix (s, g, h, k))
                  (filter (fun k -> (||) ((=) h k) (negb (decays l0)))
                    (iota 0 l0.share))) (iota 0 l0.share)))
            (iota 0 l0.num_groups)))
        (given (mixes_heads d l0)
          (flatten
            (map (fun h ->
              map (fun k -> MixHeads (s, h, k))
                (filter (fun k -> (&&) (negb ((=) h k)) (regular s h k))
                  (iota 0 l0.num_groups))) (iota 0 l0.num_groups))))))
| Mlp l0 -> map (fun i -> Neuron (s, i, l0.is_cube)) (iota 0 l0.width)

(** val takes_shift : sublayer -> bool **)

let takes_shift = function
| Attention l0 ->
  (&&) l0.with_q
    ((&&) l0.with_k ((&&) l0.with_v ((||) (negb l0.adds_input) l0.with_o)))
| Mlp l0 -> l0.with_m

(** val fields_between : int -> int -> sublayer -> sublayer -> field list **)

let fields_between d s l l' =
  cat
    (given ((&&) (negb (residual_of l)) (negb (residual_of l')))
      (flatten
        (map (fun i -> map (fun j -> Basis (s, i, j)) (iota 0 d)) (iota 0 d))))
    (given ((&&) (output_bias l) (takes_shift l'))
      (map (fun i -> Shift (s, i, (residual_of l'))) (iota 0 d)))

(** val fields :
    int -> (int -> int -> int -> bool) -> int -> sublayer list -> field list **)

let rec fields d regular s = function
| [] -> []
| l :: ls' ->
  cat (fields_within d regular s l)
    (cat (match ls' with
          | [] -> []
          | l' :: _ -> fields_between d s l l')
      (fields d regular (Stdlib.Int.succ s) ls'))

(** val product :
    'a1 ops -> int -> (int -> int -> 'a1) -> (int -> int -> 'a1) -> int ->
    int -> 'a1 **)

let product o d' a b i j =
  sum o d' (fun k -> o.times (a i k) (b k j))

(** val entry : (name -> 'a1) -> kind -> int -> int -> int -> int -> 'a1 **)

let entry th k s g i j =
  th { kind_of = k; site = s; group_of_name = g; head_of_name = 0; row_of =
    i; column_of = j }

(** val velocity :
    'a1 ops -> int -> (name -> 'a1) -> (int -> int -> int -> int -> int ->
    'a1) -> (int -> int -> int -> int -> int -> 'a1) -> field -> name -> 'a1 **)

let velocity o d th inverse_k inverse_v f n0 =
  let { kind_of = k; site = s; group_of_name = g; head_of_name = h; row_of =
    i; column_of = j } = n0
  in
  (match f with
   | Keys (s', g', p, q) ->
     (match k with
      | InK ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) i q)))
          (o.minus
            (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
              row_of = p; column_of = j }))
      | BiasK ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) i q)))
          (o.minus
            (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
              row_of = p; column_of = j }))
      | InQ ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) i p)))
          (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
            row_of = q; column_of = j })
      | BiasQ ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) i p)))
          (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
            row_of = q; column_of = j })
      | _ -> o.zero0)
   | Turns (s', g', r, b) ->
     if b
     then (match k with
           | InK ->
             on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) (Nat.div2 i) r)))
               (if Nat.odd i
                then th { kind_of = k; site = s; group_of_name = g;
                       head_of_name = h; row_of = (Nat.pred i); column_of =
                       j }
                else o.minus
                       (th { kind_of = k; site = s; group_of_name = g;
                         head_of_name = h; row_of = (Nat.succ i); column_of =
                         j }))
           | BiasK ->
             on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) (Nat.div2 i) r)))
               (if Nat.odd i
                then th { kind_of = k; site = s; group_of_name = g;
                       head_of_name = h; row_of = (Nat.pred i); column_of =
                       j }
                else o.minus
                       (th { kind_of = k; site = s; group_of_name = g;
                         head_of_name = h; row_of = (Nat.succ i); column_of =
                         j }))
           | InQ ->
             on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) (Nat.div2 i) r)))
               (if Nat.odd i
                then th { kind_of = k; site = s; group_of_name = g;
                       head_of_name = h; row_of = (Nat.pred i); column_of =
                       j }
                else o.minus
                       (th { kind_of = k; site = s; group_of_name = g;
                         head_of_name = h; row_of = (Nat.succ i); column_of =
                         j }))
           | BiasQ ->
             on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) (Nat.div2 i) r)))
               (if Nat.odd i
                then th { kind_of = k; site = s; group_of_name = g;
                       head_of_name = h; row_of = (Nat.pred i); column_of =
                       j }
                else o.minus
                       (th { kind_of = k; site = s; group_of_name = g;
                         head_of_name = h; row_of = (Nat.succ i); column_of =
                         j }))
           | _ -> o.zero0)
     else (match k with
           | InK ->
             on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) (Nat.div2 i) r)))
               (o.minus (th n0))
           | BiasK ->
             on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) (Nat.div2 i) r)))
               (o.minus (th n0))
           | InQ ->
             on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) (Nat.div2 i) r)))
               (th n0)
           | BiasQ ->
             on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) (Nat.div2 i) r)))
               (th n0)
           | _ -> o.zero0)
   | Values (s', g', p, q) ->
     (match k with
      | InV ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) i p)))
          (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
            row_of = q; column_of = j })
      | BiasV ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) i p)))
          (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
            row_of = q; column_of = j })
      | OutO ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) j q)))
          (o.minus
            (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
              row_of = i; column_of = p }))
      | _ -> o.zero0)
   | Mix (s', g', h', k') ->
     (match k with
      | InQ ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) h h')))
          (th { kind_of = k; site = s; group_of_name = g; head_of_name = k';
            row_of = i; column_of = j })
      | OutO ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) h k')))
          (o.minus
            (th { kind_of = k; site = s; group_of_name = g; head_of_name =
              h'; row_of = i; column_of = j }))
      | BiasQ ->
        on o ((&&) ((=) s s') ((&&) ((=) g g') ((=) h h')))
          (th { kind_of = k; site = s; group_of_name = g; head_of_name = k';
            row_of = i; column_of = j })
      | _ -> o.zero0)
   | MixHeads (s', h', k') ->
     (match k with
      | InQ ->
        on o ((&&) ((=) s s') ((=) g h'))
          (product o d (inverse_k s h' k')
            (product o d (fun i0 j0 -> entry th InK s k' j0 i0)
              (entry th InQ s k')) i j)
      | OutO ->
        on o ((&&) ((=) s s') ((=) g k'))
          (o.minus
            (product o d
              (product o d (entry th OutO s h') (entry th InV s h'))
              (inverse_v s h' k') i j))
      | _ -> o.zero0)
   | Neuron (s', p, cube) ->
     (match k with
      | InW -> on o ((&&) ((=) s s') ((=) i p)) (th n0)
      | BiasW -> on o ((&&) ((=) s s') ((=) i p)) (th n0)
      | OutW ->
        on o ((&&) ((=) s s') ((=) j p))
          (o.minus
            (o.plus (if cube then o.plus (th n0) (th n0) else th n0) (th n0)))
      | _ -> o.zero0)
   | Basis (s', p, q) ->
     (match k with
      | InK ->
        on o ((&&) ((=) s (Nat.succ s')) ((=) j q))
          (o.minus
            (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
              row_of = i; column_of = p }))
      | InV ->
        on o ((&&) ((=) s (Nat.succ s')) ((=) j q))
          (o.minus
            (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
              row_of = i; column_of = p }))
      | InQ ->
        on o ((&&) ((=) s (Nat.succ s')) ((=) j q))
          (o.minus
            (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
              row_of = i; column_of = p }))
      | OutO ->
        on o ((&&) ((=) s s') ((=) i p))
          (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
            row_of = q; column_of = j })
      | BiasO ->
        on o ((&&) ((=) s s') ((=) i p))
          (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
            row_of = q; column_of = j })
      | InW ->
        on o ((&&) ((=) s (Nat.succ s')) ((=) j q))
          (o.minus
            (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
              row_of = i; column_of = p }))
      | OutW ->
        on o ((&&) ((=) s s') ((=) i p))
          (th { kind_of = k; site = s; group_of_name = g; head_of_name = h;
            row_of = q; column_of = j })
      | _ -> o.zero0)
   | Shift (s', p, residual0) ->
     (match k with
      | BiasK ->
        on o ((=) s (Nat.succ s'))
          (o.minus
            (th { kind_of = InK; site = s; group_of_name = g; head_of_name =
              h; row_of = i; column_of = p }))
      | BiasV ->
        on o ((=) s (Nat.succ s'))
          (o.minus
            (th { kind_of = InV; site = s; group_of_name = g; head_of_name =
              h; row_of = i; column_of = p }))
      | BiasQ ->
        on o ((=) s (Nat.succ s'))
          (o.minus
            (th { kind_of = InQ; site = s; group_of_name = g; head_of_name =
              h; row_of = i; column_of = p }))
      | BiasO ->
        if (=) s s'
        then on o ((=) i p) o.one
        else on o ((&&) ((=) s (Nat.succ s')) ((&&) residual0 ((=) i p)))
               (o.minus o.one)
      | BiasW ->
        on o ((=) s (Nat.succ s'))
          (o.minus
            (th { kind_of = InW; site = s; group_of_name = g; head_of_name =
              h; row_of = i; column_of = p }))
      | _ -> o.zero0))

(** val plus_mod :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let plus_mod p x y =
  let s = Z.add x y in if Z.ltb s p then s else Z.sub s p

(** val times_mod :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let times_mod p x y =
  Z.modulo (Z.mul x y) p

(** val minus_mod :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let minus_mod p x =
  if Z.eqb x Big_int_Z.zero_big_int then x else Z.sub p x

(** val residue_ops : Big_int_Z.big_int -> Big_int_Z.big_int ops **)

let residue_ops p =
  { zero0 = Big_int_Z.zero_big_int; one = Big_int_Z.unit_big_int; plus =
    (plus_mod p); times = (times_mod p); minus = (minus_mod p) }

(** val slope_ops :
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ops **)

let slope_ops p =
  { zero0 = (Big_int_Z.zero_big_int, Big_int_Z.zero_big_int); one =
    (Big_int_Z.unit_big_int, Big_int_Z.zero_big_int); plus = (fun x y ->
    ((plus_mod p (fst x) (fst y)), (plus_mod p (snd x) (snd y)))); times =
    (fun x y -> ((times_mod p (fst x) (fst y)),
    (plus_mod p (times_mod p (fst x) (snd y)) (times_mod p (snd x) (fst y)))));
    minus = (fun x -> ((minus_mod p (fst x)), (minus_mod p (snd x)))) }

(** val turn_denominator : Big_int_Z.big_int -> Big_int_Z.big_int **)

let turn_denominator x =
  Z.add Big_int_Z.unit_big_int (Z.mul x x)

(** val turn_of :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int * Big_int_Z.big_int **)

let turn_of p x =
  let w = inverse p (turn_denominator x) in
  ((times_mod p (Z.sub Big_int_Z.unit_big_int (Z.mul x x)) w),
  (times_mod p
    (Z.mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) x) w))

(** val turns : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

let turns p x =
  Z.eqb (times_mod p (turn_denominator x) (inverse p (turn_denominator x)))
    Big_int_Z.unit_big_int

(** val inverse_fits :
    Big_int_Z.big_int -> int -> (int -> int -> Big_int_Z.big_int) -> (int ->
    int -> Big_int_Z.big_int) -> bool **)

let inverse_fits p d a b =
  all (fun i ->
    all (fun j ->
      Z.eqb
        (Z.modulo
          (Z.sub (product (residue_ops p) d a b i j)
            (if (=) i j
             then Big_int_Z.unit_big_int
             else Big_int_Z.zero_big_int)) p) Big_int_Z.zero_big_int)
      (iota 0 d)) (iota 0 d)

type stack_evidence = { modulus : Big_int_Z.big_int;
                        parameters_of : (Big_int_Z.big_int * int) list list
                                        list list list list;
                        decays_of : Big_int_Z.big_int list list;
                        angles_of : Big_int_Z.big_int list list;
                        examples_of : Big_int_Z.big_int list list list;
                        inverses_k : Big_int_Z.big_int list list list list;
                        inverses_v : Big_int_Z.big_int list list list list;
                        output_places : int list;
                        parameter_places : int list; field_places : int list;
                        field_columns : int list }

(** val fetch : stack_evidence -> name -> Big_int_Z.big_int * int **)

let fetch e n0 =
  let { kind_of = k; site = s; group_of_name = g; head_of_name = h; row_of =
    i; column_of = j } = n0
  in
  nth (Big_int_Z.zero_big_int, 0)
    (nth []
      (nth [] (nth [] (nth [] (nth [] e.parameters_of s) (kind_code k)) g) h)
      i) j

(** val parameter : stack_evidence -> name -> Big_int_Z.big_int **)

let parameter e n0 =
  fst (fetch e n0)

(** val numbered : stack_evidence -> int -> name list -> bool **)

let rec numbered e i = function
| [] -> true
| n0 :: ns' ->
  (&&) ((=) (snd (fetch e n0)) i) (numbered e (Stdlib.Int.succ i) ns')

(** val shaped : int -> int -> stack_evidence -> bool **)

let shaped d tokens e =
  all (fun x ->
    (&&) ((=) (size x) tokens) (all (fun x0 -> (=) (size x0) d) x))
    e.examples_of

(** val slopes :
    int -> bool -> sublayer list -> stack_evidence ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list list -> int ->
    Big_int_Z.big_int list **)

let slopes d only_last ls e rotations k =
  let rotation_at = fun s i ->
    nth (Big_int_Z.unit_big_int, Big_int_Z.zero_big_int) (nth [] rotations s)
      i
  in
  let x = { theta = (fun n0 ->
    let (value, i) = fetch e n0 in
    (value,
    (if (=) i k then Big_int_Z.unit_big_int else Big_int_Z.zero_big_int)));
    fixed_decay = (fun s i ->
    ((nth Big_int_Z.zero_big_int (nth [] e.decays_of s) i),
    Big_int_Z.zero_big_int)); cosine = (fun s i -> ((fst (rotation_at s i)),
    Big_int_Z.zero_big_int)); sine = (fun s i -> ((snd (rotation_at s i)),
    Big_int_Z.zero_big_int)) }
  in
  map snd
    (outputs (slope_ops e.modulus) d x only_last ls
      (map (fun x0 ->
        map (fun token -> map (fun c -> (c, Big_int_Z.zero_big_int)) token) x0)
        e.examples_of))

(** val check_derivative :
    int -> int -> bool -> sublayer list -> stack_evidence -> int -> bool **)

let check_derivative d tokens only_last ls e d0 =
  let rotations = map (map (turn_of e.modulus)) e.angles_of in
  let rows =
    map (fun k ->
      pluck 0 (slopes d only_last ls e rotations k) e.output_places)
      e.parameter_places
  in
  (&&) (numbered e 0 (names d 0 ls))
    ((&&) (shaped d tokens e)
      ((&&) (all (all (turns e.modulus)) e.angles_of)
        ((&&) ((=) (size e.output_places) d0)
          ((&&) ((=) (size e.parameter_places) d0)
            ((&&)
              (all (fun k -> Nat.ltb k (size (names d 0 ls)))
                e.parameter_places)
              ((&&) (all (fun row -> (=) (size row) d0) rows)
                (full_rank_mod e.modulus d0 rows)))))))

(** val matrix_at :
    Big_int_Z.big_int list list list list -> int -> int -> int -> int ->
    Big_int_Z.big_int **)

let matrix_at ms s g i j =
  nth Big_int_Z.zero_big_int (nth [] (nth [] (nth [] ms s) g) i) j

(** val invertible :
    int -> stack_evidence -> kind -> Big_int_Z.big_int list list list list ->
    bool list list **)

let invertible d e k ms =
  map (fun s ->
    map (fun g ->
      inverse_fits e.modulus d (fun i j ->
        parameter e { kind_of = k; site = s; group_of_name = g;
          head_of_name = 0; row_of = i; column_of = j }) (matrix_at ms s g))
      (iota 0 (size (nth [] ms s)))) (iota 0 (size ms))

(** val flag : bool list list -> int -> int -> bool **)

let flag fs s g =
  nth false (nth [] fs s) g

(** val inverse_entry :
    int -> Big_int_Z.big_int list list list list -> bool list list -> int ->
    int -> int -> int -> Big_int_Z.big_int **)

let inverse_entry d ms fs s g i j =
  if (&&) (flag fs s g) ((&&) (Nat.ltb i d) (Nat.ltb j d))
  then matrix_at ms s g i j
  else Big_int_Z.zero_big_int

(** val check_fields : int -> sublayer list -> stack_evidence -> bool **)

let check_fields d ls e =
  let fk = invertible d e InK e.inverses_k in
  let fv = invertible d e InV e.inverses_v in
  let all_fields =
    fields d (fun s h k -> (&&) (flag fk s h) (flag fv s k)) 0 ls
  in
  let ns = pluck 0 (names d 0 ls) e.field_columns in
  let row = fun f ->
    map (fun n0 ->
      velocity (residue_ops e.modulus) d (parameter e) (fun s h _ i j ->
        inverse_entry d e.inverses_k fk s h j i) (fun s _ k i j ->
        inverse_entry d e.inverses_v fv s k i j) f n0) ns
  in
  (&&) (plucks (size all_fields) e.field_places)
    ((&&) (plucks (size (names d 0 ls)) e.field_columns)
      (full_rank_mod e.modulus (size e.field_columns)
        (map row (pluck 0 all_fields e.field_places))))

(** val check_stack :
    int -> int -> bool -> sublayer list -> stack_evidence -> int -> bool **)

let check_stack d tokens only_last ls e d0 =
  (&&) (check_derivative d tokens only_last ls e d0)
    ((&&) (check_fields d ls e)
      ((=) (addn d0 (size e.field_columns)) (size (names d 0 ls))))
