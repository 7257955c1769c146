(* What a proof is about, as the verified checker takes it: examples in dyadic numbers, and their units. Not verified; that the examples
   are those of the data is trusted, the units are not. *)

(* For each example the first and the last token of its columns, and the query's column. *)
let columns_of (data : Dataset.dataset) =
  let sequence s =
    let first = data.offsets.(s) and stop = data.offsets.(s + 1) in
    if data.prefixes then List.init (stop - first) (fun t -> first, first + t, first + t)
    else
      let query = match data.query with Some q -> q.(s) | None -> stop - first - 1 in
      [ first, stop - 1, first + query ] in
  List.concat_map sequence (List.init (Dataset.num_sequences data) Fun.id)

(* Column number c of a matrix with columns of so many rows. *)
let column rows entries c = List.init rows (fun a -> Dyadic.of_float entries.(c * rows + a))
let columns rows entries = Array.init (if rows = 0 then 0 else Array.length entries / rows) (column rows entries)
let between all first last = List.init (last - first + 1) (fun t -> all.(first + t))

(* With the paper's layer. *)
let examples (data : Dataset.dataset) =
  let tokens = columns data.d data.tokens in
  List.mapi (fun i (first, last, query) ->
      { Checker.columns_of = between tokens first last; query_of = query - first; label_of = column data.o data.labels i })
    (columns_of data)

(* With another one. *)
let layer_examples layer (data : Dataset.dataset) =
  let matrix name = let m = Fit.matrix data name in columns m.Dataset.rows m.entries in
  let moments = Layer.has layer "moments" in
  let tokens = if moments then matrix "s" else columns data.d data.tokens in
  let phi = if Layer.has layer "mapped" then matrix "phi" else [||] in
  let gates = if Layer.has layer "gates" then matrix "gates" else [||] in
  let by_example = if moments then matrix "u" else if Layer.has layer "cross" then matrix "x" else [||] in
  let whole = if phi = [||] then tokens else Array.map2 (@) tokens phi in
  List.mapi (fun i (first, last, query) ->
      { Checker.tokens_of = between whole first last; gates_of = (if gates = [||] then [] else between gates first last);
        asks = (if by_example <> [||] then by_example.(i) else if phi <> [||] then phi.(query) else tokens.(query));
        answers = column data.o data.labels i })
    (columns_of data)

let least = List.fold_left (fun e x -> min e (Z.to_int x.Checker.exponent))

(* The largest E <= 0 such that what is read is a multiple of 2^E and labels are of 2^(degree E). *)
let common_exponent degree reads labels =
  let e = List.fold_left (List.fold_left least) 0 reads in
  let y = List.fold_left least 0 labels in
  min e (if y < 0 then (y - degree + 1) / degree else 0)

(* The bits of a product of so many numbers that are read, in units of 2^e, at most. *)
let product_bits degree e reads =
  let top = List.fold_left (fun most x -> max most (Z.numbits x.Checker.mantissa + Z.to_int x.exponent)) e in
  degree * (List.fold_left (fun most vectors -> List.fold_left (fun m x -> max m (top x)) most vectors) e reads - e)

type problem = {
  o : int;
  psi : int;
  e : int;
  degree : int;                     (* of a feature; labels are multiples of 2^(degree e), divided by a denominator of `bits` bits *)
  bits : int;
  square : int;                     (* the square of the unit is 2^square / divisor *)
  divisor : Z.t;
  denominators : Z.t list;          (* in the text of the layer *)
  check : Checker.claim -> Checker.evidence -> bool;
  num_examples : int;
  num_queries : int;
  table : Z.t list list Lazy.t;     (* for judging, as the two below *)
  labels : Z.t list list Lazy.t;
  asked : Z.t list array Lazy.t;
  paper's_examples : (int * Checker.integer_example array Lazy.t) option;  (* d, and what groups are made of *)
  listed : int ref;                 (* entries of the vectors read, zeros too *)
}

let require_small count what =
  if count > Archive.max_numbers then raise (Archive.Not_supported ("more than 10^7 " ^ what))

(* Of the tokens of all examples; a prefix repeats those of the one before. *)
let num_tokens (data : Dataset.dataset) =
  let sum = ref 0 in
  for s = 0 to Dataset.num_sequences data - 1 do
    let n = data.offsets.(s + 1) - data.offsets.(s) in
    sum := !sum + if data.prefixes then n * (n + 1) / 2 else n
  done;
  !sum

(* Of entries with so many bits. *)
let require_small_table sets psi bits =
  List.iter (fun set -> require_small (Dataset.num_examples set * psi * (1 + bits / 64)) "words of the table") sets

let without_labels examples = List.map (fun x -> { x with Checker.label_of = [] }) examples

(* By groups no table of features is made, but one of states. *)
let paper's (data : Dataset.dataset) queries ~by_groups =
  let states = data.d * (data.d + 1) / 2 in
  let psi = data.d * states in
  let sets = data :: queries in
  List.iter (fun set -> require_small (data.d * num_tokens set) "coordinates of examples") sets;
  let examples_of_data = examples data and asked = without_labels (List.concat_map examples queries) in
  let reads = List.map (fun x -> x.Checker.columns_of) (examples_of_data @ asked) in
  let e = common_exponent 3 reads (List.map (fun x -> x.Checker.label_of) examples_of_data) in
  require_small_table sets (if by_groups then states else psi) (product_bits 3 e reads);
  let integers = Checker.integers (Z.of_int e) in
  let row x = Checker.zfeatures data.d (integers x) in
  { o = data.o; psi; e; degree = 3; bits = 0; square = 6 * e; divisor = Z.one; denominators = [];
    check = Checker.check data.d data.o (Z.of_int e) examples_of_data asked;
    num_examples = Dataset.num_examples data; num_queries = List.length asked; table = lazy (List.map row examples_of_data);
    labels = lazy (List.map (fun x -> (integers x).Checker.zlabel) examples_of_data);
    asked = lazy (Array.of_list (List.map row asked));
    paper's_examples = if data.prefixes then None else Some (data.d, lazy (Array.of_list (List.map integers examples_of_data)));
    listed = ref 0 }

let max_layer_features = 100_000  (* lists of more may be too long for the stack *)

(* Of a layer that fits the data and the queries. *)
let of_layer layer (data : Dataset.dataset) queries =
  let sets = data :: queries in
  let _, _, psi = Fit.sizes layer data and bits = Fit.weight_bits layer sets in
  let words = 1 + bits / 64 and kinds = max (Layer.num_kinds layer) (Fit.rows data "gates") in
  if psi > max_layer_features then raise (Archive.Not_supported "a layer of more than 10^5 features");
  List.iter (fun set ->
      require_small (num_tokens set * (data.d + Fit.rows set "phi" + 4 * kinds * words)) "words of examples and their weights") sets;
  let rows = Fit.rows data in
  let meaning = Layer.meaning layer ~d:data.d ~gates:(rows "gates") ~q:(rows "s")
      ~m:(if Layer.has layer "moments" then rows "u" else if Layer.has layer "mapped" then rows "phi" else rows "x") in
  let degree = Layer.degree layer and divisor = Fit.common_denominator layer sets in
  let examples_of_data = layer_examples layer data in
  let asked = List.map (fun x -> { x with Checker.answers = [] }) (List.concat_map (layer_examples layer) queries) in
  let reads = List.map (fun x -> x.Checker.asks :: x.Checker.tokens_of) (examples_of_data @ asked) in
  let e = common_exponent degree reads (List.map (fun x -> x.Checker.answers) examples_of_data) in
  require_small_table sets psi (product_bits degree e reads + bits);
  let row = Checker.layer_row degree (Z.of_int e) divisor meaning in
  let decays, entries = Layer.denominators layer in
  { o = data.o; psi; e; degree; bits; square = 2 * degree * e; divisor = Z.mul divisor divisor; denominators = [ decays; entries ];
    check = Checker.check_layer meaning degree data.o (Z.of_int e) divisor examples_of_data asked;
    num_examples = Dataset.num_examples data; num_queries = List.length asked; table = lazy (List.map row examples_of_data);
    labels = lazy (List.map (Checker.layer_labels degree (Z.of_int e) divisor) examples_of_data);
    asked = lazy (Array.of_list (List.map row asked)); paper's_examples = None; listed = ref 0 }

let dense p size terms =
  p.listed := !(p.listed) + size;
  require_small !(p.listed) "entries of vectors";
  let rec go k terms =
    if k = size then [] else match terms with
      | (j, x) :: rest when j = k -> x :: go (k + 1) rest
      | _ -> Z.zero :: go (k + 1) terms in
  go 0 terms

let labelled p = List.map2 (@) (Lazy.force p.table) (Lazy.force p.labels)
