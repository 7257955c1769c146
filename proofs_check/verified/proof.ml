(* Turns a proof into a claim and evidence for Checker.check, which alone decides. Evidence needs no trust: if it is read
   wrongly, true claims are refused, and none that is false is accepted. `judge` tries the verified checks block by block,
   so that a refusal names its line. Not verified. *)
open Reader
open Problem

(* `judge line reason test`: rejects the proof if we are judging and the test fails. *)
let read r p ~judging =
  p.listed := 0;
  let judge line reason test = if judging && not (test ()) then raise (Rejected (line, reason)) in
  let prime_of_minor size =
    expect r "prime ";
    let prime = integer r "\n" in
    let fine = Z.gt prime Z.one && Z.is_odd prime && Z.numbits prime <= 62 && Z.probab_prime prime 32 > 0 in
    require r (fine && size <= 16384) "not an odd prime below 2^62, or too large a minor";
    require r (List.for_all (fun b -> not (Z.divisible b prime)) p.denominators) "the prime divides a denominator of the layer";
    prime in
  let list word limit size =
    expect r word;
    let found = indices r limit in
    require r (List.length found = size) "a wrong number of them";
    found in
  let judge_minor table width size found =
    judge r.line "the minor is 0 mod the prime" (fun () -> Checker.check_minor (table ()) width size found);
    found in
  let minor size ?(last_row = []) ?(last_column = []) table width =
    let prime = prime_of_minor size in
    let rows = list "rows" p.num_examples (size - List.length last_row) @ last_row in
    let columns = list "columns" p.psi (size - List.length last_column) @ last_column in
    judge_minor table width size { Checker.prime; rows_of = rows; columns_of_minor = columns } in
  let features () = Lazy.force p.table in
  let plain_minor size = minor size features p.psi in
  let nulls count width table =
    let rec go count least =
      if count = 0 then []
      else begin
        expect r "null";
        let line, terms = vector r width in
        let stop = List.fold_left (fun _ (k, _) -> k) (-1) terms in
        require r (least <= stop) "the vector is empty or ends too far left";
        (line, dense p width terms) :: go (count - 1) (stop + 1)
      end in
    let found = go count 0 in
    (* Row by row, as the other checkers do: the line is that of the first vector at the first row it fails on. *)
    if judging then
      List.iteri (fun i row ->
          List.iter (fun (line, v) ->
              judge line (Printf.sprintf "not orthogonal to row %d" i) (fun () -> Checker.orthogonal [ row ] v)) found)
        (table ());
    found in
  let bound rank =
    if take r "few-examples\n" then begin
      require r (p.num_examples <= rank) "there are more examples than that";
      Checker.FewExamples
    end else Checker.NullVectors (List.map snd (nulls (p.psi - rank) p.psi features)) in
  let rank after = number r 0 p.psi after in
  let dyadic_field after =
    let mantissa = integer r "*2^" in
    let exponent = number r (-20000) 20000 after in
    { Checker.mantissa; exponent = Z.of_int exponent } in
  let lambda_min () =
    let lo = dyadic_field " " in
    let hi = dyadic_field "\n" in
    let factor, power =
      if Z.sign lo.Checker.mantissa <= 0 then [], 0
      else begin
        expect r "factor ";
        let power = number r (-20000) 20000 " " in
        let size = p.psi * (p.psi + 1) / 2 in
        let bytes = 32 + 2 * (p.degree * (1024 - p.e) + p.bits) / 8 in
        require r (size <= (1 lsl 31) / bytes) "too large a matrix";
        let least = min p.square (min (Z.to_int lo.Checker.exponent) (2 * power)) in  (* the unit of the residual *)
        require_small (size * (bytes - least / 8) / 16) "words of a residual";
        let entry i j = integer r (if i = p.psi - 1 && j = i then "\n" else " ") in
        let rec row i j = if j > i then [] else let x = entry i j in x :: row i (j + 1) in
        let rec rows i = if i = p.psi then [] else let first = row i 0 in first :: rows (i + 1) in
        rows 0, power
      end in
    let square = Z.of_int p.square in
    judge r.line "not diagonally dominant" (fun () ->
        Checker.check_lower square p.divisor (features ()) p.psi lo factor (Z.of_int power));
    expect r "upper";
    let _, terms = vector r p.psi in
    let x = dense p p.psi terms in
    judge r.line "the Rayleigh quotient exceeds the upper bound" (fun () ->
        Checker.check_upper square p.divisor (features ()) p.psi hi x);
    Checker.LambdaMin (lo, hi), Checker.ByFactor (factor, Z.of_int power, x) in
  let asked k = (Lazy.force p.asked).(k) in
  let determined ks =
    require r (ks <> []) "no query is listed";
    let evidence =
      if take r "basis " then begin
        let rank = rank "\n" in
        let minor = plain_minor rank in
        let found = nulls (p.psi - rank) p.psi features in
        List.iter (fun k -> List.iter (fun (line, v) ->
            judge line (Printf.sprintf "not orthogonal to query %d" k) (fun () -> Checker.orthogonal [ asked k ] v)) found) ks;
        Checker.ByBasis (rank, minor, List.map snd found)
      end else
        Checker.ByRelations (List.map (fun k ->
            expect r "relation ";
            let c = integer r "" in
            require r (Z.sign c <> 0) "the query takes no part";
            let _, terms = vector r p.num_examples in
            let e = c, dense p p.num_examples terms in
            judge r.line "the features do not cancel" (fun () -> Checker.check_relation (features ()) p.psi (asked k) e);
            e) ks) in
    Checker.Determined ks, evidence in
  let undetermined ks =
    require r (ks <> []) "no query is listed";
    let evidence =
      if take r "extend " then begin
        let rank = rank "\n" in
        let bound = bound rank in
        Checker.ByExtension (rank, bound, List.map (fun k ->
            let table () = features () @ [ asked k ] in
            minor (rank + 1) ~last_row:[ p.num_examples ] table p.psi) ks)
      end else begin
        let v = snd (List.hd (nulls 1 p.psi features)) in
        List.iter (fun k -> judge r.line (Printf.sprintf "orthogonal to query %d" k) (fun () ->
            not (Checker.orthogonal [ asked k ] v))) ks;
        Checker.ByNull v
      end in
    Checker.Undetermined ks, evidence in
  let consistent () =
    require r (p.o > 0) "there are no labels";
    let found = nulls p.o (p.psi + p.o) (fun () -> labelled p) in
    let line, first = List.hd found in
    if not (Checker.last_place first > p.psi) then raise (Rejected (line, "there is no label in it"));
    Checker.LabelsConsistent, Checker.ByFit (List.map snd found) in
  let inconsistent () =
    let evidence =
      if take r "extend " then begin
        let rank = rank "\n" in
        let bound = bound rank in
        expect r "output ";
        let a = number r 0 (p.o - 1) "\n" in
        let table () = List.map2 (fun row y -> row @ [ List.nth y a ]) (features ()) (Lazy.force p.labels) in
        let minor = minor (rank + 1) ~last_column:[ p.psi ] table (p.psi + 1) in
        Checker.ByLabelExtension (rank, bound, a, minor)
      end else begin
        expect r "relation";
        let _, terms = vector r p.num_examples in
        let v = dense p p.num_examples terms in
        let sum = lazy (Checker.combine (p.psi + p.o) v (labelled p)) in
        judge r.line "the features do not cancel" (fun () ->
            not (Checker.nonzero (List.filteri (fun k _ -> k < p.psi) (Lazy.force sum))));
        judge r.line "the labels cancel too" (fun () ->
            Checker.nonzero (List.filteri (fun k _ -> k >= p.psi) (Lazy.force sum)));
        Checker.ByLabelRelation v
      end in
    Checker.LabelsInconsistent, evidence in
  let inexpressible () =
    let above = integer r " " in
    let below = integer r "\n" in
    let reduced = Z.sign above > 0 && Z.sign below > 0 && Z.equal (Z.gcd above below) Z.one in
    require r (reduced && p.o > 0) "not a positive fraction in lowest terms, or no labels";
    let rec relations a =
      if a = p.o then []
      else begin
        expect r "relation";
        let _, terms = vector r p.num_examples in
        let v = dense p p.num_examples terms in
        judge r.line "the features do not cancel" (fun () -> Checker.check_cancels (features ()) p.psi v);
        v :: relations (a + 1)
      end in
    let found = relations 0 in
    judge r.line "the risk may be smaller" (fun () ->
        Checker.check_residuals (Z.of_int p.square) p.divisor (features ()) (Lazy.force p.labels) above below found);
    Checker.Inexpressible (above, below), Checker.ByResiduals found in
  let group d q (examples : Checker.integer_example array) =
    expect r "group";
    let members = indices r p.num_examples in
    require r (members <> []) "the group is empty";
    let mine = List.map (fun i -> examples.(i)) members in
    let query = Checker.zasked (List.hd mine) in
    require r (List.for_all (fun e -> Checker.same_row (Checker.zasked e) query) mine) "the group has more than one query";
    expect r "rank ";
    let rank = number r 0 q "\n" in
    let states = lazy (List.map (Checker.packed_state d) mine) in
    let table () = Lazy.force states in
    let prime = prime_of_minor rank in
    let rows = list "rows" p.num_examples rank in
    let rec places k members rows =
      match members, rows with
      | _, [] -> []
      | i :: members, j :: rows when i = j -> k :: places (k + 1) members rows
      | _ :: members, rows -> places (k + 1) members rows
      | [], _ -> reject r "not all of them are in the group" in
    let rows_of = places 0 members rows in
    let columns = list "columns" q rank in
    let minor_of_group = judge_minor table q rank { Checker.prime; rows_of; columns_of_minor = columns } in
    let bound_of_group =
      if take r "few-examples\n" then begin
        require r (List.length members <= rank) "there are more examples in the group than that";
        Checker.FewExamples
      end else Checker.NullVectors (List.map snd (nulls (q - rank) q table)) in
    { Checker.members; rank_of_group = rank; minor_of_group; bound_of_group }, query in
  let grouped () =
    let claimed = rank "\n" in
    let d, examples = match p.paper's_examples with
      | Some (d, examples) -> d, Lazy.force examples
      | None -> reject r "only of the paper's layer, without labels for each prefix" in
    expect r "groups ";
    let count = number r 1 d "\n" in
    let rec groups k = if k = 0 then [] else let first = group d (d * (d + 1) / 2) examples in first :: groups (k - 1) in
    let found, queries = List.split (groups count) in
    let prime = prime_of_minor count in
    let columns = list "columns" d count in
    let rows_of = List.init count Fun.id in
    let minor = judge_minor (fun () -> queries) d count { Checker.prime; rows_of; columns_of_minor = columns } in
    let sum f = List.fold_left (fun total g -> total + f g) 0 found in
    require r (sum (fun g -> g.Checker.rank_of_group) = claimed) "the ranks of the groups have another sum";
    require r (claimed = p.psi || sum (fun g -> List.length g.Checker.members) = p.num_examples) "an example is in no group";
    Checker.Rank claimed, Checker.ByGroups (found, minor) in
  let result =
    if take r "full-rank\n" then let m = plain_minor p.psi in Checker.FullRank, Checker.ByMinor m
    else if take r "deficient\n" then let b = bound (p.psi - 1) in Checker.Deficient, Checker.ByBound b
    else if take r "rank " then begin
      let rank = rank "\n" in
      let m = plain_minor rank in
      let b = bound rank in
      Checker.Rank rank, Checker.ByMinorAndBound (m, b)
    end
    else if take r "grouped " then grouped ()
    else if take r "lambda-min " then lambda_min ()
    else if take r "determined" then determined (indices r p.num_queries)
    else if take r "undetermined" then undetermined (indices r p.num_queries)
    else if take r "labels-consistent\n" then consistent ()
    else if take r "inexpressible " then inexpressible ()
    else begin
      require r (take r "labels-inconsistent\n") "unknown claim";
      inconsistent ()
    end in
  finish r;
  result

(* The layer, after the line `data`. *)
let read_layer r =
  if not (take r "layer ") then None
  else begin
    let text = rest_of_line r in
    match Layer.read text with
    | exception Layer.Not_canonical -> reject r "not the canonical text of a layer"
    | layer ->
      r.at <- r.at + String.length text;
      expect r "\n";
      Some layer
  end

(* The claim, as written, if the verified checker accepts the proof. *)
let verify text (data : Dataset.dataset) (queries : Dataset.dataset list) =
  let r = start text in
  expect r "attest-proof 1\n";
  expect r ("data " ^ Dataset.describe data ^ "\n");
  let layer = read_layer r in
  let fit sets = Option.iter (reject r) (Fit.misfit (Option.value layer ~default:Layer.linear) sets) in
  fit [ data ];
  List.iter (fun q ->
      expect r ("queries " ^ Dataset.describe q ^ "\n");
      fit [ data; q ]) queries;
  expect r "claim ";
  let again () = { r with at = r.at } in
  let p = match layer with
    | None -> paper's data queries ~by_groups:(begins r "grouped ")
    | Some layer -> of_layer layer data queries in
  let accepted =
    match read (again ()) p ~judging:false with
    | claim, evidence -> p.check claim evidence
    | exception Rejected _ -> false in
  if not accepted then begin
    ignore (read (again ()) p ~judging:true);
    reject r "the verified checker does not accept the evidence"
  end;
  rest_of_line r
