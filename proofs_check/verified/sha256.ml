(* SHA-256 (FIPS 180-4), in integers of 63 bits. Not verified. *)
let mask = 0xffffffff

(* The fractional parts of roots of the first primes, as FIPS 180-4 defines its constants. *)
let primes =
  let rec from n found =
    if List.length found = 64 then Array.of_list (List.rev found)
    else from (n + 1) (if List.exists (fun p -> n mod p = 0) found then found else n :: found) in
  from 2 []

(* floor(2^32 x^(1/k)) mod 2^32 *)
let root k x = Z.to_int (Z.logand (Z.root (Z.shift_left (Z.of_int x) (32 * k)) k) (Z.of_int mask))
let round_constant = Array.map (root 3) primes

let digest message =
  let size = String.length message in
  let padded = (size + 72) / 64 * 64 in
  let bytes = Bytes.make padded '\000' in
  Bytes.blit_string message 0 bytes 0 size;
  Bytes.set bytes size '\x80';
  Bytes.set_int64_be bytes (padded - 8) (Int64.of_int (8 * size));
  let state = Array.init 8 (fun i -> root 2 primes.(i)) in
  let w = Array.make 64 0 in
  let rotate x n = (x lsr n) lor (x lsl (32 - n)) land mask in
  for block = 0 to padded / 64 - 1 do
    for i = 0 to 15 do
      w.(i) <- Int32.to_int (Bytes.get_int32_be bytes (64 * block + 4 * i)) land mask
    done;
    for i = 16 to 63 do
      let u = w.(i - 15) and v = w.(i - 2) in
      w.(i) <- (w.(i - 16) + (rotate u 7 lxor rotate u 18 lxor (u lsr 3)) + w.(i - 7)
                + (rotate v 17 lxor rotate v 19 lxor (v lsr 10))) land mask
    done;
    let s = Array.copy state in
    for i = 0 to 63 do
      let a = s.(0) and b = s.(1) and c = s.(2) and e = s.(4) in
      let t = s.(7) + (rotate e 6 lxor rotate e 11 lxor rotate e 25)
              + ((e land s.(5)) lxor (lnot e land mask land s.(6))) + round_constant.(i) + w.(i) in
      let t2 = (rotate a 2 lxor rotate a 13 lxor rotate a 22) + ((a land b) lxor (a land c) lxor (b land c)) in
      Array.blit s 0 s 1 7;
      s.(4) <- (s.(4) + t) land mask;
      s.(0) <- (t + t2) land mask
    done;
    Array.iteri (fun i x -> state.(i) <- (state.(i) + x) land mask) s
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") state))
