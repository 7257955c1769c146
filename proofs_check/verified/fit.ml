(* Does a layer fit data? Its sizes and the limits of FORMAT.md, section 6. Not verified: what does not fit is refused before it is checked. *)
open Dataset

let max_weight_bits = 1 lsl 20
let max_state_bits = 1 lsl 31
let max_features = 1 lsl 25

(* x, phi, gates, s or u. *)
let matrix (data : dataset) name =
  List.assoc name (List.combine column_names data.columns)

let rows data name = (matrix data name).rows

(* The number of monomials of this degree in d coordinates; more than max_features are not counted. *)
let monomials d degree =
  let rec go k count = if k > degree || count > max_features then count else go (k + 1) (count * (d + k - 1) / k) in
  go 1 1

(* (q, m, psi). *)
let sizes layer (data : dataset) =
  let d = data.d and one = if Layer.has layer "affine" then 1 else 0 in
  match layer.Layer.degrees with
  | Some (a, b) ->
    List.fold_left (fun (q, m, psi) p ->
        let states = monomials d (p + 1) and asks = monomials d p in
        q + states, m + asks, psi + (if states > max_features then states else states * asks))
      (0, 0, 0) (List.init (b + 1 - a) (fun i -> a + i))
  | None ->
    let q, m =
      if Layer.has layer "moments" then rows data "s", rows data "u"
      else
        let mapped = Layer.has layer "mapped" in
        let summand = if mapped then d * rows data "phi" else if layer.by_key then d * d else (d + one) * (d + one + 1) / 2 in
        summand * Layer.num_kinds layer + one,
        if mapped then rows data "phi" else if Layer.has layer "cross" then rows data "x" + one else d + one in
    q, m, (if q > max_features || m > max_features then max_features + 1 else q * m)

(* What the layer needs and the data do not have. *)
let lacks layer (data : dataset) =
  let missing (word, name) = Layer.has layer word && rows data name = 0 in
  if Layer.has layer "moments" then (if rows data "s" = 0 then Some "s and u" else None)
  else if data.d = 0 then Some "tokens"
  else match List.find_opt missing [ "mapped", "phi"; "cross", "x"; "gates", "gates" ] with
    | Some (_, name) -> Some name
    | None ->
      let keys = if not layer.Layer.by_key then 1 else if Layer.has layer "mapped" then rows data "phi" else data.d in
      if Layer.has layer "gates" && rows data "gates" <> keys then Some "gates of that size" else None

let longest sets =
  List.fold_left (fun n data ->
      let n = ref n in
      for s = 0 to num_sequences data - 1 do n := max !n (data.offsets.(s + 1) - data.offsets.(s)) done;
      !n) 1 sets

let gates_of layer sets =
  if Layer.has layer "gates" then List.concat_map (fun data -> Array.to_list (matrix data "gates").entries) sets else []

(* The least power of two that makes all gates integers. *)
let gate_power layer sets =
  List.fold_left (fun power g -> max power (- Z.to_int (Dyadic.of_float g).Checker.exponent)) 0 (gates_of layer sets)

(* The bit length of x - 1: the logarithm of x, rounded up. *)
let ceil_log2 x = Z.numbits (Z.pred x)

(* k of section 6. *)
let weight_bits layer sets =
  let decays, entries = Layer.denominators layer in
  let power = gate_power layer sets in
  let scaled g = let x = Dyadic.of_float g in Z.shift_left (Z.abs x.Checker.mantissa) (Z.to_int x.exponent + power) in
  let step =
    if Layer.has layer "gates" then List.fold_left (fun most g -> Z.max most (scaled g)) (Z.shift_left Z.one power) (gates_of layer sets)
    else decays in
  ceil_log2 step * (longest sets - 1) + ceil_log2 entries

(* A number that makes integers of all weights. *)
let common_denominator layer sets =
  let decays, entries = Layer.denominators layer in
  let steps = longest sets - 1 in
  Z.mul entries (Z.shift_left (Z.pow decays steps) (gate_power layer sets * steps))

(* Why the layer does not fit the data and, if they are given too, the queries. *)
let misfit layer sets =
  match List.find_map (lacks layer) sets with
  | Some what -> Some ("the layer finds no " ^ what)
  | None ->
    let first = List.hd sets in
    let q, m, psi = sizes layer first in
    let bits = weight_bits layer sets in
    if bits > max_weight_bits || psi > max_features || q > max_state_bits / (64 + bits) then
      Some "the layer has too many features, or too large weights"
    else if List.exists (fun (data : dataset) -> data.d <> first.d || sizes layer data <> (q, m, psi)) sets then
      Some "the queries have another dimension"
    else None
