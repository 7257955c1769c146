
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

let without_one affine js =
  if affine
  then map pred (filter (fun i -> leq (Stdlib.Int.succ 0) i) js)
  else js

(** val asking : bool -> int -> int list list **)

let asking affine m =
  map (fun i -> without_one affine (i :: []))
    (iota 0 (addn (nat_of_bool affine) m))

(** val attention_blocks :
    bool -> int -> int -> int -> (term list * int list list) list **)

let attention_blocks affine kinds d m =
  ((cat
     (flatten
       (map (fun g ->
         map (fun ab -> Sum (g,
           (without_one affine ((fst ab) :: ((snd ab) :: [])))))
           (pair_list (addn (nat_of_bool affine) d))) (iota 0 kinds)))
     (if affine then One :: [] else [])), (asking affine m)) :: []

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

let check_lower s g table m lo l power0 =
  let n0 = Z.of_nat (size table) in
  let e =
    Z.min s
      (Z.min lo.exponent
        (Z.mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) power0))
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
                      Big_int_Z.unit_big_int) power0) e))) (gram m table) l)))))

(** val check_upper :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int list list ->
    int -> dyadic -> Big_int_Z.big_int list -> bool **)

let check_upper s g table m hi x =
  let image =
    foldr (fun row sum -> let y = zdot row x in Z.add (Z.mul y y) sum)
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

let add_share labels sum v a =
  let below = zdot v v in
  let top = zdot v (map (fun y -> nth Big_int_Z.zero_big_int y a) labels) in
  if Z.eqb below Big_int_Z.zero_big_int
  then sum
  else ((Z.add (Z.mul (Z.mul top top) (snd sum)) (Z.mul (fst sum) below)),
         (Z.mul below (snd sum)))

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
  let sum = shares labels 0 vs in
  let e = Z.min s Big_int_Z.zero_big_int in
  Z.leb
    (Z.shiftl (Z.mul (Z.mul (Z.mul (Z.of_nat (size table)) a) g) (snd sum))
      (Z.opp e)) (Z.shiftl (Z.mul b (fst sum)) (Z.sub s e))

(** val check_claim :
    int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
    list list -> Big_int_Z.big_int list list -> Big_int_Z.big_int list list
    -> claim -> evidence -> bool **)

let check_claim m o s g table labels queries c e =
  let asked = fun k -> nth [] queries k in
  let known = fun k -> leq (Stdlib.Int.succ k) (size queries) in
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
      | ByFactor (l, power0, x) ->
        (&&) (check_lower s g table m lo l power0)
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
        let sum = combine (addn m o) v labelled in
        (&&) (leq (Stdlib.Int.succ 0) o)
          ((&&) ((=) (size v) (size table))
            ((&&) (negb (nonzero (take m sum))) (nonzero (drop m sum))))
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

let check d o e data queries c e0 =
  let row = fun x -> zfeatures d (integers e x) in
  (&&) (all (well_formed d o e) data)
    ((&&) (all (well_formed d 0 e) queries)
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
              (map row queries) c e0)
       | _ ->
         check_claim (size (slot_list d)) o
           (Z.mul (Big_int_Z.mult_int_big_int 2
             ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
             Big_int_Z.unit_big_int)) e) Big_int_Z.unit_big_int
           (map row data) (map (fun x -> (integers e x).zlabel) data)
           (map row queries) c e0))

(** val check_layer :
    layer -> int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    layer_example list -> layer_example list -> claim -> evidence -> bool **)

let check_layer l p o e d data queries c e0 =
  let row = layer_row p e d l in
  (&&) (well_formed_layer p e d l)
    ((&&) (all (well_formed_in p o e d l) data)
      ((&&) (all (well_formed_in p 0 e d l) queries)
        (check_claim (size (entries l)) o
          (Z.mul (Z.of_nat (muln (Stdlib.Int.succ (Stdlib.Int.succ 0)) p)) e)
          (Z.mul d d) (map row data) (map (layer_labels p e d) data)
          (map row queries) c e0)))
