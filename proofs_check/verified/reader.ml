(* Walks through a proof, FORMAT.md section 2; rejects it, with the line, where it is not as expected. Not verified. *)
exception Rejected of int * string

type t = {
  text : string;
  stop : int;               (* where the end line begins *)
  mutable at : int;
  mutable line : int;       (* of the characters taken last *)
  mutable next_line : int;  (* of the characters to come *)
}

let max_digits = 100_000

(* Where the last line that begins with end does; else 0. *)
let rec end_line text at =
  match String.rindex_from_opt text at '\n' with
  | Some i when i + 5 <= String.length text && String.sub text i 5 = "\nend " -> i + 1
  | Some i when i > 0 -> end_line text (i - 1)
  | _ -> 0

let start text =
  let stop = end_line text (String.length text - 1) in
  let ending = "end " ^ Sha256.digest_of text stop ^ "\n" in
  if String.length text <> stop + String.length ending || String.sub text stop (String.length ending) <> ending then begin
    let line = ref 1 in
    for i = 0 to stop - 1 do if text.[i] = '\n' then incr line done;
    raise (Rejected (!line, "expected end and the SHA-256 of the lines before"))
  end;
  { text; stop; at = 0; line = 1; next_line = 1 }

(* A proof about a stack of layers has no data: its first line behind line 1 that is no comment begins with stack. *)
let is_about_stack text =
  let begins at word = at + String.length word <= String.length text && String.sub text at (String.length word) = word in
  let rec first_word at =
    if not (begins at "#") then begins at "stack"
    else match String.index_from_opt text at '\n' with Some stop -> first_word (stop + 1) | None -> false in
  let first = "attest-proof 1\n" in
  begins 0 first && first_word (String.length first)

let reject r reason = raise (Rejected (r.line, reason))
let require r condition reason = if not condition then reject r reason

let begins r word =
  let n = String.length word in
  r.at + n <= r.stop && String.sub r.text r.at n = word

let take r word =
  let found = begins r word in
  if found then begin
    r.at <- r.at + String.length word;
    r.line <- r.next_line;
    if word <> "" && word.[String.length word - 1] = '\n' then r.next_line <- r.next_line + 1
  end;
  while r.next_line > r.line && begins r "#" do
    r.at <- String.index_from r.text r.at '\n' + 1;
    r.next_line <- r.next_line + 1
  done;
  found

let expect r word =
  if not (take r word) then
    let name = if word = "\n" then "the end of the line" else List.hd (String.split_on_char '\n' word) in
    raise (Rejected (r.next_line, "expected " ^ name))

let integer r after =
  let digit c = '0' <= c && c <= '9' in
  let stop = ref (r.at + if begins r "-" then 1 else 0) in
  let first = !stop in
  while !stop < r.stop && digit r.text.[!stop] do incr stop done;
  let plain = !stop > first && (r.text.[first] <> '0' || !stop = r.at + 1) in
  require r plain "expected an integer";
  require r (!stop - first <= max_digits) "an integer has more than 100000 digits";
  let value = Z.of_substring r.text ~pos:r.at ~len:(!stop - r.at) in
  r.at <- !stop;
  expect r after;
  value

let number r least last after =
  let value = integer r after in
  require r (Z.leq (Z.of_int least) value && Z.leq value (Z.of_int last)) "a number is out of range or order";
  Z.to_int value

let indices r limit =
  let rec go least found =
    if take r "\n" then List.rev found
    else begin
      expect r " ";
      let k = number r least (limit - 1) "" in
      go (k + 1) (k :: found)
    end in
  go 0 []

(* Its line, its terms. *)
let vector r limit =
  let line = r.next_line in
  let rec go least found =
    if take r "\n" then line, List.rev found
    else begin
      expect r " ";
      let k = number r least (limit - 1) ":" in
      let value = integer r "" in
      require r (Z.sign value <> 0) "a listed entry is 0";
      go (k + 1) ((k, value) :: found)
    end in
  go 0 []

let rest_of_line r = String.sub r.text r.at (String.index_from r.text r.at '\n' - r.at)
let finish r = if r.at <> r.stop then raise (Rejected (r.next_line, "expected end"))
