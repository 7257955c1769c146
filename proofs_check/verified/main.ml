(* attest-verified PROOF.cert [DATA.npz [QUERIES.npz]], or attest-verified --batch LIST: the answers and exit codes of
   FORMAT.md section 2, from the checker that is proved in proofs_check/theory. A line of LIST holds the two or three files
   of one proof, with tabs between them; for each it prints the exit code and the answer, and exits 0 itself. *)
let usage = "usage: attest-verified PROOF.cert [DATA.npz [QUERIES.npz]]"
let max_proof = 1 lsl 26

(* The bytes of a regular file that is not larger: opening a pipe would wait. *)
let read_file path limit =
  let bad = Archive.Bad_file "cannot be read, or is too large" in
  match Unix.stat path with
  | exception Unix.Unix_error _ -> raise bad
  | { Unix.st_kind; st_size; _ } ->
    if st_kind <> Unix.S_REG || st_size > limit then raise bad;
    match open_in_bin path with
    | exception Sys_error _ -> raise bad
    | channel ->
      Fun.protect ~finally:(fun () -> close_in channel) (fun () ->
          try really_input_string channel st_size with Sys_error _ | End_of_file -> raise bad)

(* The exit code and a line, for a proof, its data and perhaps its queries. *)
let answer paths =
  let path = ref "" in
  let read limit file = path := file; read_file file limit in
  let stop code message = code, "attest-verified: " ^ message in
  match paths with
  | proof :: sets when List.length sets <= 2 ->
    (match
       let text = read max_proof proof in
       let load file = Dataset.read (read Archive.max_bytes file) (Dataset.layer_arrays text) in
       if Reader.is_about_stack text <> (sets = []) then None
       else match List.map load sets with
         | [] -> Some (Stack.verify text)
         | data :: queries -> Some (Proof.verify text data queries)
     with
     | Some claim -> 0, "VERIFIED " ^ claim
     | None -> 2, usage
     | exception Reader.Rejected (line, reason) -> 1, Printf.sprintf "REJECTED: line %d: %s" line reason
     | exception Archive.Not_supported what -> stop 3 (!path ^ ": not supported: " ^ what)
     | exception Stack_overflow -> stop 3 (!path ^ ": not supported: lists too long for the stack")
     | exception Archive.Bad_file reason -> stop 4 (!path ^ ": " ^ reason)
     | exception Out_of_memory -> stop 5 "out of memory")
  | _ -> 2, usage

let check_batch path =
  match open_in path with
  | exception Sys_error _ -> prerr_endline ("attest-verified: " ^ path ^ ": cannot be read"); exit 4
  | list ->
    (try
       while true do
         let code, line = answer (String.split_on_char '\t' (input_line list)) in
         Printf.printf "%d %s\n%!" code line
       done
     with End_of_file -> ())

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [ "--batch"; path ] -> check_batch path
  | paths ->
    let code, line = answer paths in
    (if code < 2 then print_endline else prerr_endline) line;
    exit code
