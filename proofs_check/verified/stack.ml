(* Proofs about stacks of layers, FORMAT.md section 8: the text becomes the stack, which is trusted, and the evidence, which is not.
   Checker.check_stack alone says that D is the dimension. Not verified. *)
open Reader

let max_parameters = 8192
let max_entries = 1 lsl 26         (* of J, and of the fields *)
let max_work = 2_000_000_000       (* products for the slopes along all parameters named: some minutes *)
let max_size = 2000                (* of a minor *)

let bit r word = expect r word; number r 0 1 "" = 1
let size r word least last = expect r word; number r least last ""
let not_supported what = raise (Archive.Not_supported what)

(* A layer: its attention, perhaps an MLP behind it, and what it has of constants. *)
type layer = { softmax : bool; sublayers : Checker.sublayer list; fixed : int; pairs : int }

let read_layer r d =
  expect r "stack-layer ";
  let softmax = take r "softmax" in
  if not softmax then expect r "linear";
  let heads = size r " heads " 1 256 in
  let groups = size r " groups " 1 256 in
  let key = size r " key " 1 256 in
  let value = size r " value " 1 256 in
  let residual = bit r " residual " in
  let causal = bit r " causal " in
  let rotary = bit r " rotary " in
  expect r " decay ";
  let decay =
    if take r "fixed" then Checker.FixedDecay
    else if take r "learned" then Checker.LearnedDecay
    else begin expect r "none"; Checker.NoDecay end in
  expect r " biases ";
  let none = take r "none" in
  let letter l = not none && take r l in
  let with_q = letter "q" in
  let with_k = letter "k" in
  let with_v = letter "v" in
  let with_o = letter "o" in
  let with_m = letter "m" in
  require r (none || with_q || with_k || with_v || with_o || with_m) "expected none or letters of qkvom";
  expect r " mlp ";
  let degree = if take r "square" then 2 else if take r "cube" then 3 else begin expect r "none"; 0 end in
  let width = size r " width " (min degree 1) (if degree > 0 then 1024 else 0) in
  require r (heads mod groups = 0) "heads do not divide into these groups";
  require r (not rotary || key mod 2 = 0) "a rotary key of odd size";
  require r (not softmax || decay = Checker.NoDecay) "softmax with a decay";
  require r (not with_m || degree > 0) "biases of an MLP that is not there";
  expect r "\n";
  let attention = Checker.Attention {
      num_groups = groups; share = heads / groups; num_keys = key; num_values = value; adds_input = residual; is_causal = causal;
      is_rotary = rotary; decay_of = decay; with_q; with_k; with_v; with_o } in
  let mlp = Checker.Mlp { width; is_cube = degree = 3; adds_its_input = residual; with_m } in
  let fixed = if decay = Checker.FixedDecay then heads else 0 in
  (* How many parameters, before they are listed. *)
  let biases = (if with_k then key else 0) + if with_v then value else 0 in
  let each = ((key + value) * d) + (if with_q then key else 0) + if decay = Checker.LearnedDecay then 1 else 0 in
  let count = (groups * (((key + value) * d) + biases)) + (heads * each) + (if with_o then d else 0) + (2 * width * d)
    + if with_m then width + d else 0 in
  { softmax; sublayers = (if degree > 0 then [ attention; mlp ] else [ attention ]); fixed; pairs = (if rotary then key / 2 else 0) }, count

(* So many integers, the rest of the line. *)
let numbers r count =
  List.init count (fun k ->
      let value = integer r (if k + 1 < count then " " else "\n") in
      require r (Z.numbits value <= 62) "a number is out of range";
      value)

(* The inverse of a matrix of residues, or nothing: by elimination. *)
let inverse p a =
  let n = Array.length a in
  let wide = Array.init n (fun i -> Array.init (2 * n) (fun j -> if j < n then a.(i).(j) else if j = n + i then Z.one else Z.zero)) in
  let reduce c =
    match List.find_opt (fun i -> Z.sign wide.(i).(c) <> 0) (List.init (n - c) (fun i -> c + i)) with
    | None -> false
    | Some i ->
      let pivot = wide.(i) in
      wide.(i) <- wide.(c);
      let scale = Z.invert pivot.(c) p in
      wide.(c) <- Array.map (fun x -> Z.erem (Z.mul x scale) p) pivot;
      Array.iteri (fun i row ->
          if i <> c then wide.(i) <- Array.mapi (fun j x -> Z.erem (Z.sub x (Z.mul row.(c) wide.(c).(j))) p) row) wide;
      true in
  if List.for_all reduce (List.init n Fun.id) then
    List.init n (fun i -> Array.to_list (Array.sub wide.(i) n n))
  else []

(* Names with their values and numbers, as the lists that Checker.fetch looks them up in. *)
let nested names values sites =
  let table = Hashtbl.create 1024 in
  let sizes = Hashtbl.create 64 in  (* by site and kind: groups, heads, rows, columns *)
  List.iteri (fun number ({ Checker.kind_of; site; group_of_name; head_of_name; row_of; column_of } as name) ->
      let kind = Checker.kind_code kind_of in
      let g, h, i, j = try Hashtbl.find sizes (site, kind) with Not_found -> 0, 0, 0, 0 in
      Hashtbl.replace sizes (site, kind) (max g (group_of_name + 1), max h (head_of_name + 1), max i (row_of + 1), max j (column_of + 1));
      Hashtbl.replace table name (values.(number), number)) names;
  let entry name = try Hashtbl.find table name with Not_found -> Z.zero, 0 in
  let kinds = Checker.[ InK; InV; BiasK; BiasV; InQ; OutO; BiasQ; Gamma; BiasO; InW; BiasW; OutW ] in
  List.init sites (fun site ->
      List.map (fun kind_of ->
          let g, h, i, j = try Hashtbl.find sizes (site, Checker.kind_code kind_of) with Not_found -> 0, 0, 0, 0 in
          List.init g (fun group_of_name -> List.init h (fun head_of_name -> List.init i (fun row_of -> List.init j (fun column_of ->
              entry { Checker.kind_of; site; group_of_name; head_of_name; row_of; column_of })))))
        kinds)

(* Products for the outputs of one example. *)
let work d tokens sublayers =
  let of_sublayer = function
    | Checker.Attention l ->
      let heads = l.num_groups * l.share in
      (tokens * d * ((l.num_groups + heads) * (l.num_keys + l.num_values))) + (heads * tokens * tokens * (l.num_keys + l.num_values))
    | Checker.Mlp l -> tokens * (2 * d * l.width) in
  List.fold_left (fun sum l -> sum + of_sublayer l) 0 sublayers

(* The claim, as written. *)
let verify text =
  let r = start text in
  expect r "attest-proof 1\n";
  let d = size r "stack dimension " 1 256 in
  let num_layers = size r " layers " 1 64 in
  let tokens = size r " tokens " 1 64 in
  expect r " readout ";
  let last = take r "last\n" in
  if not last then expect r "all\n";
  let rec layers left count =
    if left = 0 then []
    else begin
      let layer, more = read_layer r d in
      require r (count + more <= max_parameters) "too many parameters";
      layer :: layers (left - 1) (count + more)
    end in
  let layers = layers num_layers 0 in
  expect r "claim ";
  let claim = rest_of_line r in
  expect r "dimension ";
  let dimension = number r 0 max_int "\n" in
  expect r "prime ";
  let prime = integer r "\n" in
  require r (Z.geq prime (Z.of_int 3) && Z.numbits prime <= 31 && Z.is_odd prime && Z.probab_prime prime 32 > 0) "not an odd prime below 2^31";
  if List.exists (fun l -> l.softmax) layers then not_supported "a stack with softmax";
  let sublayers = List.concat_map (fun l -> l.sublayers) layers in
  let names = Checker.names d 0 sublayers in
  let count = List.length names in
  expect r "parameters ";
  let residue x = Z.erem x prime in
  let parameters = Array.of_list (List.map residue (numbers r count)) in
  (* Constants stand at the attention of a layer. *)
  let constants = List.concat_map (fun l ->
      let count = l.fixed + l.pairs in
      let all = if count > 0 then begin expect r "constants "; List.map residue (numbers r count) end else [] in
      let decays = List.filteri (fun k _ -> k < l.fixed) all in
      let angles = List.filteri (fun k _ -> k >= l.fixed) all in
      require r (List.for_all (Checker.turns prime) angles) "1 + x^2 vanishes";
      (decays, angles) :: List.map (fun _ -> [], []) (List.tl l.sublayers)) layers in
  let outputs = if last then d else d * tokens in
  let rec examples number =
    if number > 0 && not (begins r "example ") then []
    else begin
      expect r "example ";
      let values = Array.of_list (List.map residue (numbers r (d * tokens))) in
      require r ((number + 1) * outputs * count <= max_entries) "too many outputs";
      let example = List.init tokens (fun j -> List.init d (fun i -> values.((j * d) + i))) in
      example :: examples (number + 1)
    end in
  let examples = examples 0 in
  let list word limit size =
    expect r word;
    let found = indices r limit in
    require r (List.length found = size) "a wrong number of them";
    found in
  let rows = list "rows" (outputs * List.length examples) dimension in
  let columns = list "columns" count dimension in
  if dimension > max_size || dimension * List.length examples > max_work / work d tokens sublayers then
    not_supported "too large a stack";
  let parameters_of = nested names parameters (List.length sublayers) in
  let evidence = {
    Checker.modulus = prime; parameters_of; decays_of = List.map fst constants; angles_of = List.map snd constants;
    examples_of = examples; inverses_k = []; inverses_v = []; output_places = rows; parameter_places = columns;
    field_places = []; field_columns = [] } in
  let at_columns = r.line in
  (* Lines are judged in their order: where one behind is wrong, that minor may be too. *)
  let judge_minor () =
    if not (Checker.check_derivative d tokens last sublayers evidence dimension) then
      raise (Rejected (at_columns, "the minor is 0 mod the prime")) in
  if begins r "bound\n" then begin
    judge_minor ();
    not_supported (Printf.sprintf "a bound, that the dimension is at most %d. That it is at least %d is verified" dimension dimension)
  end;
  let inverses kind =
    List.mapi (fun site -> function
        | Checker.Attention l when Checker.mixes_heads d l ->
          List.init l.num_groups (fun g ->
              let name row_of column_of = { Checker.kind_of = kind; site; group_of_name = g; head_of_name = 0; row_of; column_of } in
              inverse prime (Array.init d (fun i -> Array.init d (fun j -> Checker.parameter evidence (name i j)))))
        | _ -> []) sublayers in
  let evidence = { evidence with Checker.inverses_k = inverses Checker.InK; inverses_v = inverses Checker.InV } in
  let flags kind inverses = Checker.invertible d evidence kind inverses in
  let of_k = flags Checker.InK evidence.inverses_k and of_v = flags Checker.InV evidence.inverses_v in
  let fields = Checker.fields d (fun s h k -> Checker.flag of_k s h && Checker.flag of_v s k) 0 sublayers in
  let whole () =
    expect r "field-rows";
    let num_fields = List.length fields in
    require r (num_fields * count <= max_entries) "too many fields";
    let size = count - dimension in
    let chosen = indices r num_fields in
    require r (List.length chosen = size) "a wrong number of them";
    let field_columns = list "field-columns" count size in
    let at_fields = r.line in
    if size > max_size then not_supported "too large a stack";
    { evidence with Checker.field_places = chosen; field_columns }, at_fields, (match finish r with () -> None | exception wrong -> Some wrong) in
  match whole () with
  | exception (Rejected _ as wrong) -> judge_minor (); raise wrong
  | evidence, at_fields, left_over ->
    (* Only this says yes. *)
    if left_over <> None || not (Checker.check_stack d tokens last sublayers evidence dimension) then begin
      judge_minor ();
      if left_over = None || not (Checker.check_fields d sublayers evidence) then raise (Rejected (at_fields, "the minor of the fields is 0"));
      Option.iter raise left_over
    end;
    claim
