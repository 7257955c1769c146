(* Doubles as dyadic numbers. Not verified. *)
let of_float x =
  let bits = Int64.bits_of_float x in
  let exponent = Int64.to_int (Int64.logand (Int64.shift_right_logical bits 52) 0x7ffL) in
  let fraction = Int64.to_int (Int64.logand bits 0xfffffffffffffL) in
  let m = if exponent = 0 then fraction else fraction lor (1 lsl 52) in
  let rec odd m e = if m land 1 = 0 then odd (m / 2) (e + 1) else m, e in
  if m = 0 then { Checker.mantissa = Z.zero; exponent = Z.zero }
  else
    let m, e = odd m (max exponent 1 - 1075) in
    { Checker.mantissa = Z.of_int (if Int64.compare bits 0L < 0 then -m else m); exponent = Z.of_int e }
