"""Data sets of proof files, read in plain Python: .npz files and canonical digests. Part of check_certificate.py; written from
proofs_check/checker/FORMAT.md, sections 1 and 5."""
import hashlib
import math
import re
import struct
import zlib


MAX_BYTES = 2**31  # of a data file
MAX_NUMBERS = 2**28  # of an array
MANY_NUMBERS = 10**7  # of an array that plain Python may take up
MAX_HEADER = 1000
HEADER = re.compile(rb"\{'descr': '(<f4|<f8|\|[iu]1|<[iu][248])', 'fortran_order': (True|False), "
                    rb"'shape': \(([1-9]\d{0,8}),(?: ([1-9]\d{0,8})(?:, ([1-9]\d{0,8}))?)?\), \} *\n")
LETTERS = {"f4": "f", "f8": "d", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}
COLUMNS = ("x", "phi", "gates", "s", "u", "keys", "beta")  # what some layers read
BY_TOKEN = ("phi", "gates", "keys", "beta")
ARRAYS = ("Z", "tokens", "context", "offsets", "y", "y_prefix", "query")
READERS = {"cross": ["x"], "mapped": ["phi"], "gates": ["gates"], "gates=vector": ["gates"], "moments": ["s", "u"], "delta": ["keys", "beta"]}


def layer_arrays(proof):
    """The arrays that the layer of a proof, bytes, reads, by the words of its first line that begins with layer."""
    line = re.search(rb"^layer (.*)$", proof, re.MULTILINE)
    words = line.group(1).decode("latin-1").split(" ") if line else []
    return [name for word, names in READERS.items() if word in words for name in names]


class BadFile(Exception):
    """A file cannot be read or breaks the data format."""


class TooLarge(Exception):
    """The file may be good, but plain Python would take too long."""


def well_formed(condition, reason):
    if not condition:
        raise BadFile(reason)


def number(raw, at, size):
    well_formed(at + size <= len(raw), "the file is cut off")
    return int.from_bytes(raw[at:at + size], "little")


def zip_records(raw):
    """Name -> record of the zip directory. The file must be one archive from its first byte to its last, so that readers who
    search for its parts find the same."""
    end = max(len(raw) - 22, 0)
    well_formed(raw[end:end + 8] == b"PK\5\6\0\0\0\0" and raw[end + 20:] == b"\0\0", "not a zip file, or bytes follow it")
    # Readers take such bytes for a zip64 locator, in a comment too, and follow it.
    well_formed(end < 20 or raw[end - 20:end - 16] != b"PK\6\7", "it has zip64 records")
    count, size, at = struct.unpack_from("<HII", raw, end + 10)
    well_formed(raw[:2] == b"PK" and at + size == end, "bytes precede the zip file, or it has zip64 records")
    records = {}
    while at < end:
        well_formed(raw[at:at + 4] == b"PK\1\2", "the zip directory is damaged")
        names, extras, comments = (number(raw, at + offset, 2) for offset in (28, 30, 32))
        record = raw[at:at + 46 + names + extras + comments]
        name = record[46:46 + names]
        extra = record[46 + names:46 + names + extras]
        at += 46 + names + extras + comments
        well_formed(at <= end, "the zip directory is damaged")
        field = 0
        while field < len(extra):
            well_formed(number(extra, field, 2) != 0x7075, "a zip entry has two names")
            field += 4 + number(extra, field + 2, 2)
        well_formed(b"\0" not in name, "a zip entry's name has a zero in it")
        well_formed(name not in records, "two zip entries have one name")
        records[name] = record
    well_formed(len(records) == count, "the zip directory is damaged")
    return records


def unpack(raw, record):
    """The contents of the entry with this record."""
    flags, method, _, _, crc, packed_size, size, names = struct.unpack_from("<HHHHIIIH", record, 8)
    header = number(record, 42, 4)
    local = raw[header:header + 30 + names]
    well_formed(len(local) == 30 + names, "the file is cut off")
    later = flags & 8 or local[18:26] == b"\xff" * 8  # behind the data, or in a zip64 field as NumPy writes it
    well_formed(local[:4] == b"PK\3\4" and local[6:10] == record[8:12] and (later or local[14:26] == record[16:28]) and
                local[26:28] == record[28:30] and local[30:] == record[46:46 + names],
                "two headers of a zip entry contradict each other")
    well_formed(flags & ~0x80e == 0 and method in (0, 8), "neither stored nor deflated")
    first = header + len(local) + number(local, 28, 2)
    packed = raw[first:first + packed_size]
    well_formed(len(packed) == packed_size, "the file is cut off")
    # Deflate cannot do better than 1032 : 1, so a forged size allocates nothing.
    well_formed(size < MAX_BYTES and (size == packed_size if method == 0 else size // 1032 <= packed_size),
                "an array is too large for its zip entry")
    contents = packed
    if method == 8:
        inflater = zlib.decompressobj(-15)
        contents = inflater.decompress(packed, size + 1)
        well_formed(len(contents) == size and inflater.eof and not inflater.unused_data, "a zip entry does not inflate")
    well_formed(zlib.crc32(contents) == crc, "a zip entry has a wrong checksum")
    return contents


def read_npy(contents, name):
    """(shape, values in C order, are they integers)."""
    version = number(contents, 6, 2)
    start, width = (10, 2) if version == 1 else (12, 4)
    length = number(contents, 8, width)
    form = HEADER.fullmatch(contents[start:start + min(length, MAX_HEADER)])
    well_formed(contents[:6] == b"\x93NUMPY" and 1 <= version <= 3 and length <= MAX_HEADER and form,
                name + " is not an .npy file of numbers")
    code = form.group(1).decode()
    shape = [int(size) for size in form.group(3, 4, 5) if size]
    count = math.prod(shape)
    body = contents[start + length:]
    well_formed(count <= MAX_NUMBERS and len(body) == count * int(code[2]), name + " does not fill its shape")
    if count > MANY_NUMBERS:
        raise TooLarge("%s holds more than %d numbers" % (name, MANY_NUMBERS))
    values = list(struct.unpack("<%d%s" % (count, LETTERS[code[1:]]), body))
    if form.group(2) == b"True":
        positions = [0]
        step = 1
        for n in shape:
            positions = [p + i * step for p in positions for i in range(n)]
            step *= n
        values = [values[p] for p in positions]
    integral = code[1] != "f"
    well_formed(not integral or all(-2**53 <= v <= 2**53 for v in values), "an integer is beyond 2^53")
    well_formed(integral or all(v - v == 0 for v in values), name + " holds a NaN or an infinity")
    return shape, values, integral


class Data:
    """Sequences of tokens, tokens being lists of d doubles, and labels, one list for each example."""

    def __init__(self, raw, columns=COLUMNS):
        """From the bytes of an .npz file; of the layers' arrays these."""
        names = ARRAYS + tuple(columns)
        try:
            records = zip_records(raw)
            for name in names:
                well_formed(name.encode() not in records, "a zip entry %s lacks .npy" % name)
            files = {name: records.get(name.encode() + b".npy") for name in names}
            self.read({name: read_npy(unpack(raw, record), name) for name, record in files.items() if record})
        except (struct.error, zlib.error) as error:
            raise BadFile(error) from None

    def read(self, arrays):
        if "s" in arrays or "u" in arrays:  # N sequences of one token each, which has no entries
            well_formed({"s", "u"} <= set(arrays) <= {"s", "u", "y"}, "s and u go together, and with y alone")
            N = arrays["s"][0][0]
            self.d, self.offsets, self.tokens = 0, list(range(N + 1)), [[]] * N
        else:
            self.read_tokens(arrays)
        N, T = len(self.offsets) - 1, len(self.tokens)
        lengths = [b - a for a, b in zip(self.offsets, self.offsets[1:])]
        self.query = self.indices(arrays["query"]) if "query" in arrays else []
        well_formed("query" not in arrays or len(self.query) == N, "bad length of query")
        well_formed(all(0 <= q < n for q, n in zip(self.query, lengths)), "a query column is outside its sequence")
        self.prefixes = "y_prefix" in arrays
        well_formed(not (self.prefixes and ("y" in arrays or "query" in arrays)), "y_prefix excludes y and query")
        well_formed(not ("x" in arrays and self.query), "x excludes query")
        self.num_examples = T if self.prefixes else N
        self.labels, self.o = [[] for _ in range(self.num_examples)], 0
        if self.prefixes or "y" in arrays:
            shape, values, _ = arrays["y_prefix" if self.prefixes else "y"]
            o = self.o = len(values) // self.num_examples
            allowed = [[T, o], [N, lengths[0], o]] if self.prefixes else [[N, o], [N]]
            well_formed(o > 0 and o * self.num_examples == len(values) and shape in allowed, "bad labels")
            self.labels = [[float(v) + 0.0 for v in values[i * o:(i + 1) * o]] for i in range(self.num_examples)]
        self.columns = {name: self.read_columns(arrays, name, lengths[0]) for name in COLUMNS}

    def read_tokens(self, arrays):
        named = [name for name in ("Z", "tokens", "context") if name in arrays]
        well_formed(len(named) == 1, "needs Z or tokens, not both")
        shape, values, _ = arrays[named[0]]
        ragged = "offsets" in arrays
        well_formed(len(shape) == (2 if ragged else 3) and values and not (ragged and "Z" in arrays), "bad tokens")
        self.d = shape[1] if "Z" in arrays else shape[-1]
        well_formed(self.d <= 400, "the dimension is above 400")
        if "Z" in arrays:
            N, d, n = shape
            tokens = [[values[(s * d + a) * n + t] for a in range(d)] for s in range(N) for t in range(n)]
        else:
            tokens = [values[i:i + self.d] for i in range(0, len(values), self.d)]
        length = len(tokens) if ragged else len(tokens) // shape[0]
        offsets = self.indices(arrays["offsets"]) if ragged else list(range(0, len(tokens) + 1, length))
        well_formed(len(offsets) > 1 and offsets[0] == 0 and offsets[-1] == len(tokens), "bad offsets")
        well_formed(all(a < b for a, b in zip(offsets, offsets[1:])), "a sequence is empty")
        self.offsets = offsets
        self.tokens = [[float(x) + 0.0 for x in token] for token in tokens]

    def read_columns(self, arrays, name, first_length):
        """A list of numbers for each example (x, s, u) or token (the others); empty if there are none."""
        if name not in arrays:
            return []
        shape, values, _ = arrays[name]
        by_token = name in BY_TOKEN
        count = len(self.tokens) if by_token else self.num_examples
        sequences = [len(self.offsets) - 1, first_length]
        allowed = [[count]] + [sequences] * (by_token or self.prefixes)
        rows = shape[-1]
        if name in ("gates", "beta") and (shape == [count] or shape == sequences and math.prod(shape) == count):
            rows = 1
        else:
            well_formed(shape[:-1] in allowed, "bad " + name)
        well_formed(rows * count == len(values), "bad " + name)
        return [[float(v) + 0.0 for v in values[i * rows:(i + 1) * rows]] for i in range(count)]

    @staticmethod
    def indices(array):
        well_formed(array[2] and len(array[0]) == 1, "offsets and query are lists of integers")
        return array[1]

    def describe(self):
        """PROBLEM of the grammar: the shape, and the SHA-256 of the canonical form."""
        kinds = ("none", "per_sequence", "per_prefix")
        kind = 2 if self.prefixes else 1 if self.o else 0
        N, T = len(self.offsets) - 1, len(self.tokens)
        ints = [self.d, self.o, kind, N, T] + self.offsets + ([1] + self.query if self.query else [0])
        doubles = [v for row in self.labels for v in row] + [v for token in self.tokens for v in token]
        keys = bool(self.columns["keys"] or self.columns["beta"])
        names = COLUMNS if keys else COLUMNS[:5] if any(self.columns.values()) else ()
        canonical = b"attest-dataset-%d\n" % (3 if keys else 2 if names else 1)
        canonical += struct.pack("<%dq" % len(ints), *ints) + struct.pack("<%dd" % len(doubles), *doubles)
        for name in names:
            vectors = self.columns[name]
            flat = [v for vector in vectors for v in vector]
            canonical += struct.pack("<2q", len(vectors[0]) if vectors else 0, len(vectors)) + struct.pack("<%dd" % len(flat), *flat)
        return "dimension %d outputs %d labels %s sequences %d tokens %d sha256 %s" % (
            self.d, self.o, kinds[kind], N, T, hashlib.sha256(canonical).hexdigest())

    def examples(self):
        """For every example its number, the numbers of its tokens and that of its query token."""
        for s, (first, last) in enumerate(zip(self.offsets, self.offsets[1:])):
            if self.prefixes:
                for end in range(first, last):
                    yield end, range(first, end + 1), end
            else:
                yield s, range(first, last), first + self.query[s] if self.query else last - 1
