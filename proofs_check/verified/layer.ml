(* The text of a layer, FORMAT.md section 6, and what it means to the verified checker. Not verified, and trusted: a text that is read
   wrongly would be another layer's. *)
exception Not_canonical

let max_text = 1 lsl 20
let max_digits = 1000
let max_kernels = 1000
let max_window = 1_000_000
let max_degree = 12

type t = {
  words : string list;              (* without parameters, each once *)
  kernels : Checker.kernel list;
  by_key : bool;                    (* gates=vector: one gate for each coordinate of the key *)
  degrees : (int * int) option;
}

let linear = { words = []; kernels = []; by_key = false; degrees = None }
let has layer word = List.mem word layer.words
let canonical condition = if not condition then raise Not_canonical

let integer text =
  let signed = String.length text > 0 && text.[0] = '-' in
  let digits = if signed then String.sub text 1 (String.length text - 1) else text in
  canonical (digits <> "" && String.length digits <= max_digits && String.for_all (fun c -> '0' <= c && c <= '9') digits);
  canonical (digits.[0] <> '0' || text = "0");
  Z.of_string text

let whole text least most =
  let value = integer text in
  canonical (Z.leq (Z.of_int least) value && Z.leq value (Z.of_int most));
  Z.to_int value

let fraction text =
  match String.split_on_char '/' text with
  | [ above ] -> integer above, Z.one
  | [ above; below ] ->
    let above = integer above and below = integer below in
    canonical (Z.gt below Z.one && Z.equal (Z.gcd above below) Z.one);
    above, below
  | _ -> raise Not_canonical

let decay text =
  let above, below = fraction text in
  canonical (Z.sign above > 0 && Z.leq above below);
  Checker.Decay (above, below)

(* Tables may be longer than the stack is deep. *)
let map f list = List.rev (List.rev_map f list)

let kernels_of name parameters =
  let each read = List.map read (String.split_on_char ',' parameters) in
  match name with
  | "lags" ->
    let count = whole parameters 1 (max_kernels - 1) in
    List.init count (fun l -> Checker.Lag l) @ [ Checker.Beyond count ]
  | "window" -> each (fun text -> Checker.Window (whole text 1 max_window))
  | "table" -> each (fun text -> Checker.Table (map fraction (String.split_on_char ':' text)))
  | _ -> each decay

let range parameters =
  match String.index_opt parameters '.' with
  | None -> let p = whole parameters 0 max_degree in p, p
  | Some i ->
    let n = String.length parameters in
    canonical (i + 1 < n && parameters.[i + 1] = '.');
    let a = whole (String.sub parameters 0 i) 0 max_degree in
    let b = whole (String.sub parameters (i + 2) (n - i - 2)) 0 max_degree in
    canonical (a < b);
    a, b

(* Where words stand in a layer's text; kernels may come in several words. *)
let place = function
  | "moments" | "mapped" | "degree" -> 0
  | "gates" -> 1
  | "decay" | "window" | "lags" | "table" -> 2
  | "cross" -> 3
  | "affine" -> 4
  | _ -> raise Not_canonical

let add (layer, before) word =
  let name, parameters = match String.index_opt word '=' with
    | None -> word, None
    | Some i -> String.sub word 0 i, Some (String.sub word (i + 1) (String.length word - i - 1)) in
  let here = place name in
  let another = here = 2 && (before <> name || name = "lags") in
  canonical (before = "" || place before < here || (place before = here && another));
  let layer = { layer with words = if has layer name then layer.words else name :: layer.words } in
  match parameters with
  | Some parameters when here = 2 ->
    let kernels = layer.kernels @ kernels_of name parameters in
    canonical (List.length kernels <= max_kernels);
    { layer with kernels }, name
  | Some parameters when name = "degree" -> { layer with degrees = Some (range parameters) }, name
  | Some parameters ->
    canonical (name = "gates" && parameters = "vector");
    { layer with by_key = true }, name
  | None ->
    canonical (here <> 2 && name <> "degree");
    layer, name

(* From canonical text. *)
let read text =
  canonical (String.length text <= max_text);
  let layer, _ = List.fold_left add (linear, "") (String.split_on_char ' ' text) in
  let alone = has layer "moments" || layer.degrees <> None in
  canonical (List.length layer.words = 1 || not alone);
  canonical (not (has layer "gates" && layer.kernels <> []));
  canonical (not ((has layer "cross" || has layer "affine") && (has layer "mapped" || layer.by_key)));
  layer

(* The least common denominators of the decays, and of the entries of tables. *)
let denominators layer =
  let lcm = List.fold_left Z.lcm Z.one in
  lcm (List.map (function Checker.Decay (_, below) -> below | _ -> Z.one) layer.kernels),
  lcm (List.concat_map (function Checker.Table entries -> map snd entries | _ -> []) layer.kernels)

(* The number of factors of a feature at most. *)
let degree layer = match layer.degrees with Some (_, b) -> 2 * b + 1 | None -> if has layer "moments" then 2 else 3

let num_kinds layer = max 1 (List.length layer.kernels)

(* For d coordinates, gates of so many rows, states of q entries and m of what is mapped, crosses or asks. *)
let meaning layer ~d ~gates ~q ~m =
  let blocks =
    if has layer "moments" then Checker.moment_blocks q m
    else match layer.degrees with
      | Some (a, b) -> Checker.degree_blocks a b d
      | None ->
        if has layer "mapped" then (if layer.by_key then Checker.gated_mapped_blocks d m else Checker.mapped_blocks (num_kinds layer) d m)
        else if layer.by_key then Checker.gated_blocks d
        else Checker.attention_blocks (has layer "affine") (num_kinds layer) d (if has layer "cross" then m else d) in
  let weights =
    if has layer "gates" then Checker.ByGates gates
    else Checker.ByKernels (if layer.kernels = [] then [ Checker.Beyond 0 ] else layer.kernels) in
  { Checker.weights; blocks }
