"""Data sets of proof files, read in plain Python: .npz files, canonical digests, and the integer table of features and
labels. Part of check_certificate.py; written from proofs_check/checker/FORMAT.md, sections 1, 3 and 5."""
import hashlib
import struct
import zlib


class BadFile(Exception):
    """A file cannot be read or breaks the data format."""


def well_formed(condition, reason):
    if not condition:
        raise BadFile(reason)


def zip_entries(raw):
    """Name -> contents, as a function, of every entry of a zip file."""
    end = raw.rfind(b"PK\5\6")
    well_formed(end >= 0, "not a zip file")
    count, _, at = struct.unpack_from("<HII", raw, end + 10)
    if end >= 20 and raw[end - 20:end - 16] == b"PK\6\7":
        wide = struct.unpack_from("<Q", raw, end - 12)[0]
        count, _, at = struct.unpack_from("<QQQ", raw, wide + 32)
    entries = {}
    for _ in range(count):
        well_formed(raw[at:at + 4] == b"PK\1\2", "the zip directory is damaged")
        method, = struct.unpack_from("<H", raw, at + 10)
        sizes = list(struct.unpack_from("<II", raw, at + 20))
        names, extras, comments = struct.unpack_from("<HHH", raw, at + 28)
        fields = [sizes[1], sizes[0], struct.unpack_from("<I", raw, at + 42)[0]]  # size, packed size, header
        name = raw[at + 46:at + 46 + names].decode("latin-1")
        extra = raw[at + 46 + names:at + 46 + names + extras]
        while len(extra) >= 4:
            kind, length = struct.unpack_from("<HH", extra)
            body = extra[4:4 + length]
            for i in range(3):
                if kind == 1 and fields[i] == 0xffffffff:
                    fields[i], body = struct.unpack_from("<Q", body)[0], body[8:]
            extra = extra[4 + length:]
        well_formed(name not in entries, name + " occurs twice")
        entries[name] = (method, *fields)
        at += 46 + names + extras + comments
    return entries


def unpack(raw, method, size, packed_size, header):
    names, extras = struct.unpack_from("<HH", raw, header + 26)
    first = header + 30 + names + extras
    packed = raw[first:first + packed_size]
    well_formed(len(packed) == packed_size and method in (0, 8), "a zip entry is cut off or packed in an unknown way")
    well_formed(size // 1032 <= packed_size and size < 2**31, "an array is too large")
    if method == 0:
        return packed
    inflater = zlib.decompressobj(-15)
    contents = inflater.decompress(packed, size + 1)
    well_formed(len(contents) == size and inflater.eof, "a zip entry does not inflate")
    return contents


def read_npy(contents, name):
    """(shape, values in C order, are they integers)."""
    well_formed(contents[:6] == b"\x93NUMPY", name + " is not an .npy file")
    start = 10 if contents[6] == 1 else 12
    length, = struct.unpack_from("<H" if contents[6] == 1 else "<I", contents, 8)
    header = contents[start:start + length].decode("latin-1")

    def value(key):
        at = header.find("'%s': " % key)
        well_formed(at >= 0, name + " has no " + key)
        return header[at + len(key) + 4:]

    code = value("descr")[1:4]
    letters = {"<f4": "f", "<f8": "d", "|i1": "b", "|u1": "B", "<i2": "h", "<u2": "H", "<i4": "i", "<u4": "I",
               "<i8": "q", "<u8": "Q"}
    well_formed(code in letters, name + " has an unknown type")
    shape = [int(n) for n in value("shape").split(")")[0].strip("(").split(",") if n.strip()]
    count = 1
    for n in shape:
        count *= n
    body = contents[start + length:]
    well_formed(len(shape) <= 3 and len(body) == count * int(code[2]), name + " does not fill its shape")
    values = list(struct.unpack("<%d%s" % (count, letters[code]), body))
    if value("fortran_order").startswith("True"):
        positions = [0]
        step = 1
        for n in shape:
            positions = [(p, i * step) for p in positions for i in range(n)]
            positions = [p + s for p, s in positions]
            step *= n
        values = [values[p] for p in positions]
    integral = code[1] != "f"
    well_formed(not integral or all(-2**53 <= v <= 2**53 for v in values), "an integer is beyond 2^53")
    well_formed(integral or all(v - v == 0 for v in values), name + " holds a NaN or an infinity")
    return shape, values, integral


class Data:
    """Sequences of tokens, tokens being lists of d doubles, and labels, one list for each example."""

    def __init__(self, raw):
        """From the bytes of an .npz file."""
        try:
            entries = zip_entries(raw)
            wanted = ("Z", "tokens", "offsets", "y", "y_prefix", "query")
            self.read({n: read_npy(unpack(raw, *entries[n + ".npy"]), n) for n in wanted if n + ".npy" in entries})
        except (struct.error, ValueError, IndexError, zlib.error) as error:
            raise BadFile(error) from None

    def read(self, arrays):
        well_formed(("Z" in arrays) != ("tokens" in arrays), "needs Z or tokens, not both")
        shape, values, _ = arrays.get("Z") or arrays["tokens"]
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
        self.query = self.indices(arrays["query"]) if "query" in arrays else []
        lengths = [b - a for a, b in zip(offsets, offsets[1:])]
        well_formed("query" not in arrays or len(self.query) == len(lengths), "bad length of query")
        well_formed(all(0 <= q < n for q, n in zip(self.query, lengths)), "a query column is outside its sequence")
        self.prefixes = "y_prefix" in arrays
        well_formed(not (self.prefixes and ("y" in arrays or "query" in arrays)), "y_prefix excludes y and query")
        self.num_examples = len(tokens) if self.prefixes else len(lengths)
        self.labels, self.o = [[] for _ in range(self.num_examples)], 0
        if self.prefixes or "y" in arrays:
            shape, values, _ = arrays["y_prefix" if self.prefixes else "y"]
            o = self.o = len(values) // self.num_examples
            allowed = [[len(tokens), o], [len(lengths), lengths[0], o]] if self.prefixes else [[len(lengths), o], [len(lengths)]]
            well_formed(o > 0 and shape in allowed, "bad labels")
            self.labels = [[float(v) + 0.0 for v in values[i * o:(i + 1) * o]] for i in range(self.num_examples)]

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
        canonical = b"attest-dataset-1\n" + struct.pack("<%dq" % len(ints), *ints) + struct.pack("<%dd" % len(doubles), *doubles)
        return "dimension %d outputs %d labels %s sequences %d tokens %d sha256 %s" % (
            self.d, self.o, kinds[kind], N, T, hashlib.sha256(canonical).hexdigest())

    def examples(self):
        """For every example its columns and its query column."""
        for s, (first, last) in enumerate(zip(self.offsets, self.offsets[1:])):
            if self.prefixes:
                for end in range(first, last):
                    yield self.tokens[first:end + 1], self.tokens[end]
            else:
                yield self.tokens[first:last], self.tokens[first + self.query[s] if self.query else last - 1]


def denominator(numbers):
    """The least power of two that makes all these doubles integers."""
    return max([1] + [x.as_integer_ratio()[1] for x in numbers])


class Table:
    """The integer table: rows of features and labels, both multiplied by scale^3; and the queries' rows of features."""

    def __init__(self, data, queries):
        sets = [data] + ([queries] if queries else [])
        self.scale = max(denominator(x for token in each.tokens for x in token) for each in sets)
        labels = denominator(v for row in data.labels for v in row)
        while self.scale ** 3 < labels:
            self.scale *= 2
        self.psi, self.o = data.d * data.d * (data.d + 1) // 2, data.o
        self.features = [self.row(columns, z) for columns, z in data.examples()]
        self.labels = [[self.integer(v, self.scale ** 3) for v in row] for row in data.labels]
        self.queries = [self.row(columns, z) for columns, z in queries.examples()] if queries else []

    @staticmethod
    def integer(x, scale):
        numerator, denominator_ = x.as_integer_ratio()
        return numerator * (scale // denominator_)

    def row(self, columns, z):
        d = len(z)
        columns = [[self.integer(x, self.scale) for x in column] for column in columns]
        z = [self.integer(x, self.scale) for x in z]
        pairs = [(a, b) for a in range(d) for b in range(a + 1, d)] + [(a, a) for a in range(d)]
        return [S * x for S in (sum(c[a] * c[b] for c in columns) for a, b in pairs) for x in z]
