(* The members of an .npz file, FORMAT.md section 5: one zip archive from its first byte to its last. Not verified. *)
exception Bad_file of string
exception Not_supported of string

let require condition reason = if not condition then raise (Bad_file reason)
let max_bytes = 1 lsl 31
let max_numbers = 10_000_000  (* of an array, or of a table: lists of more take up the memory *)

let part bytes first count =
  require (first >= 0 && count >= 0 && first <= String.length bytes && count <= String.length bytes - first)
    "the file is cut off";
  String.sub bytes first count

(* Little-endian, of two or four bytes. *)
let number bytes first width =
  let bytes = part bytes first width in
  if width = 2 then String.get_uint16_le bytes 0 else Int32.to_int (String.get_int32_le bytes 0) land 0xffffffff

let crc_table = lazy (Array.init 256 (fun i ->
    let rec go c n = if n = 0 then c else go (if c land 1 = 1 then (c lsr 1) lxor 0xedb88320 else c lsr 1) (n - 1) in
    go i 8))

let crc32 bytes =
  let table = Lazy.force crc_table in
  String.fold_left (fun c x -> table.((c lxor Char.code x) land 255) lxor (c lsr 8)) 0xffffffff bytes lxor 0xffffffff

let second_name = 0x7075  (* an extra field with another spelling of the name *)

let rec check_extra extra at =
  if at < String.length extra then begin
    require (number extra at 2 <> second_name) "a zip entry has two names";
    check_extra extra (at + 4 + number extra (at + 2) 2)
  end

(* The records of the directory, by name. *)
let records zip =
  let stop = max (String.length zip - 22) 0 in
  require (part zip stop 8 = "PK\005\006\000\000\000\000" && number zip (stop + 20) 2 = 0) "not a zip file, or bytes follow it";
  (* Readers take such bytes for a zip64 locator, in a comment too, and follow it. *)
  require (stop < 20 || part zip (stop - 20) 4 <> "PK\006\007") "it has zip64 records";
  let start = number zip (stop + 16) 4 in
  require (start + number zip (stop + 12) 4 = stop && part zip 0 2 = "PK") "bytes precede the zip file, or it has zip64 records";
  let found = Hashtbl.create 16 in
  let rec go at =
    if at < stop then begin
      require (part zip at 4 = "PK\001\002") "the zip directory is damaged";
      let names = number zip (at + 28) 2 and extras = number zip (at + 30) 2 in
      let record = part zip at (46 + names + extras + number zip (at + 32) 2) in
      require (at + String.length record <= stop) "the zip directory is damaged";
      let name = String.sub record 46 names in
      check_extra (String.sub record (46 + names) extras) 0;
      require (not (String.contains name '\000')) "a zip entry's name has a zero in it";
      require (not (Hashtbl.mem found name)) "two zip entries have one name";
      Hashtbl.add found name record;
      go (at + String.length record)
    end in
  go start;
  require (Hashtbl.length found = number zip (stop + 10) 2) "the zip directory is damaged";
  found

(* The contents of the member with this record. *)
let unpack zip record =
  let names = number record 28 2 and header = number record 42 4 in
  let local = part zip header (30 + names) in
  let flags = number record 8 2 and coding = number record 10 2 in
  let later = flags land 8 <> 0 || String.sub local 18 8 = String.make 8 '\xff' in
  let same at_local at_record count = String.sub local at_local count = String.sub record at_record count in
  require (String.sub local 0 4 = "PK\003\004" && same 6 8 4 && (later || same 14 16 12) && same 26 28 2 && same 30 46 names)
    "two headers of a zip entry contradict each other";
  require (flags land lnot 0x80e = 0 && (coding = 0 || coding = 8)) "neither stored nor deflated";
  let size = number record 24 4 in
  let packed = part zip (header + String.length local + number local 28 2) (number record 20 4) in
  (* Deflate cannot do better than 1032 : 1, so a forged size allocates nothing. *)
  require (size < max_bytes && if coding = 0 then size = String.length packed else size / 1032 <= String.length packed)
    "an array is too large for its zip entry";
  if size > 8 * max_numbers + 1024 then raise (Not_supported "an array of more than 10^7 numbers");
  let contents =
    if coding = 0 then packed
    else try Inflate.inflate packed size with Inflate.Damaged -> raise (Bad_file "a zip entry does not inflate") in
  require (crc32 contents = number record 16 4) "a zip entry has a wrong checksum";
  contents

(* The .npy files of these names that are there; a member without .npy would come before one with it. *)
let extract zip names =
  let found = records zip in
  List.filter_map (fun name ->
      require (not (Hashtbl.mem found name)) ("a zip entry " ^ name ^ " lacks .npy");
      Option.map (fun record -> name, unpack zip record) (Hashtbl.find_opt found (name ^ ".npy"))) names
