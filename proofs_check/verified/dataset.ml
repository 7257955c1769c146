(* Data sets, FORMAT.md section 5, and their canonical digest, section 1. Not verified. *)
open Archive
open Npy

(* One column for each example or token, column after column; no rows: there are none. *)
type matrix = { rows : int; entries : float array }

type dataset = {
  d : int;
  o : int;
  prefixes : bool;              (* a label for each token *)
  offsets : int array;
  query : int array option;
  labels : float array;
  tokens : float array;
  columns : matrix list;        (* x, phi, gates, s, u *)
}

let column_names = [ "x"; "phi"; "gates"; "s"; "u" ]
let num_sequences data = Array.length data.offsets - 1
let num_tokens data = data.offsets.(num_sequences data)
let num_examples data = if data.prefixes then num_tokens data else num_sequences data

(* Those of column_names that the layer of a proof reads, by the words of its first line that begins with layer. *)
let layer_arrays proof =
  let rec line_from at =
    let stop = Option.value (String.index_from_opt proof at '\n') ~default:(String.length proof) in
    let word = "layer " in
    let n = String.length word in
    if stop - at >= n && String.sub proof at n = word then String.sub proof at (stop - at)
    else if stop + 1 < String.length proof then line_from (stop + 1)
    else "" in
  let words = String.split_on_char ' ' (line_from 0) in
  if List.mem "delta" words then raise (Archive.Not_supported "a layer delta");
  let read (word, names) = if List.mem word words then names else [] in
  List.concat_map read [ "cross", [ "x" ]; "mapped", [ "phi" ]; "gates", [ "gates" ]; "gates=vector", [ "gates" ]; "moments", [ "s"; "u" ] ]

let indices array =
  require (array.integral && List.length array.shape = 1) "offsets, query are lists of integers";
  Array.map int_of_float array.values

let check_sequences offsets query count =
  let sequences = Array.length offsets - 1 in
  require (sequences > 0 && offsets.(0) = 0 && offsets.(sequences) = count) "offsets do not cover the tokens";
  Option.iter (fun q -> require (Array.length q = sequences) "query has a wrong length") query;
  for s = 0 to sequences - 1 do
    let q = match query with Some q -> q.(s) | None -> 0 in
    require (0 <= q && q < offsets.(s + 1) - offsets.(s)) "bad sequence"
  done

let read_tokens arrays =
  let get name = List.assoc_opt name arrays in
  let has name = get name <> None in
  let ragged = has "offsets" in
  let tokens = match List.filter_map get [ "Z"; "tokens"; "context" ] with
    | [ tokens ] when not (has "Z" && ragged) -> tokens
    | _ -> raise (Bad_file "needs Z or tokens, not both") in
  require (List.length tokens.shape = (if ragged then 2 else 3)) "bad tokens";
  let d = List.nth tokens.shape (List.length tokens.shape - 1) in
  require (d <= 400) "the dimension is above 400";
  let count = Array.length tokens.values / d and length = List.nth tokens.shape 1 in
  let offsets = match get "offsets" with
    | Some offsets -> indices offsets
    | None -> Array.init (count / length + 1) (fun s -> s * length) in
  let query = Option.map indices (get "query") in
  check_sequences offsets query count;
  let prefixes = has "y_prefix" in
  require (not (prefixes && (has "y" || has "query"))) "y_prefix excludes y and query";
  { d; o = 0; prefixes; offsets; query; labels = [||]; tokens = tokens.values; columns = [] }

(* s and u stand for all else: N sequences of one token each, which has no entries. *)
let read_moments arrays =
  let others = List.filter (fun (name, _) -> not (List.mem name [ "s"; "u"; "y" ])) arrays in
  require (others = [] && List.mem_assoc "s" arrays && List.mem_assoc "u" arrays) "s and u go together, and with y alone";
  let count = List.hd (List.assoc "s" arrays).shape in
  { d = 0; o = 0; prefixes = false; offsets = Array.init (count + 1) Fun.id; query = None; labels = [||]; tokens = [||];
    columns = [] }

let read_labels data arrays =
  match List.assoc_opt (if data.prefixes then "y_prefix" else "y") arrays with
  | None -> data
  | Some y ->
    let o = Array.length y.values / num_examples data in
    let other = if data.prefixes then [ num_sequences data; data.offsets.(1); o ] else [ num_sequences data ] in
    require (o > 0 && o * num_examples data = Array.length y.values && (y.shape = [ num_examples data; o ] || y.shape = other))
      "bad labels";
    { data with o; labels = y.values }

(* Of shape (count, rows), or (N, n, rows) where these are tokens; gates may be one number each. *)
let read_matrix data arrays name =
  match List.assoc_opt name arrays with
  | None -> { rows = 0; entries = [||] }
  | Some array ->
    let by_token = name = "phi" || name = "gates" in
    let count = if by_token then num_tokens data else num_examples data in
    let rows = Array.length array.values / count and grid = [ num_sequences data; data.offsets.(1) ] in
    let fits = array.shape = [ count; rows ] || ((by_token || data.prefixes) && array.shape = grid @ [ rows ])
               || (name = "gates" && rows = 1 && (array.shape = [ count ] || array.shape = grid)) in
    require (fits && rows > 0 && rows * count = Array.length array.values) ("bad " ^ name);
    { rows; entries = array.values }

(* From the bytes of an .npz file; of column_names these. *)
let read zip names =
  let arrays = List.map Npy.read
      (Archive.extract zip ([ "Z"; "tokens"; "context"; "offsets"; "y"; "y_prefix"; "query" ] @ names)) in
  let moments = List.mem_assoc "s" arrays || List.mem_assoc "u" arrays in
  let data = read_labels (if moments then read_moments arrays else read_tokens arrays) arrays in
  require (not (List.mem_assoc "x" arrays && data.query <> None)) "x excludes query";
  { data with columns = List.map (read_matrix data arrays) column_names }

(* PROBLEM of the grammar. *)
let describe data =
  let sequences = num_sequences data and count = num_tokens data in
  let kind = if data.prefixes then 2 else if data.o > 0 then 1 else 0 in
  let more = List.exists (fun m -> m.rows > 0) data.columns in
  let bytes = Buffer.create (8 * (Array.length data.tokens + sequences + 16)) in
  let int x = Buffer.add_int64_le bytes (Int64.of_int x) in
  let float x = Buffer.add_int64_le bytes (Int64.bits_of_float x) in
  Buffer.add_string bytes (if more then "attest-dataset-2\n" else "attest-dataset-1\n");
  List.iter int [ data.d; data.o; kind; sequences; count ];
  Array.iter int data.offsets;
  (match data.query with None -> int 0 | Some q -> int 1; Array.iter int q);
  Array.iter float data.labels;
  Array.iter float data.tokens;
  let matrix m =
    int m.rows;
    int (if m.rows = 0 then 0 else Array.length m.entries / m.rows);
    Array.iter float m.entries in
  if more then List.iter matrix data.columns;
  Printf.sprintf "dimension %d outputs %d labels %s sequences %d tokens %d sha256 %s" data.d data.o
    [| "none"; "per_sequence"; "per_prefix" |].(kind) sequences count (Sha256.digest (Buffer.contents bytes))
