"""Layers and small data sets for them: features straight from the definitions, in fractions, with layers given as Python objects,
not as text. It shares no code with the checkers. Standard library only."""
import hashlib
import itertools
import math
import random
import struct
from fractions import Fraction

from exact_data import KINDS, Data, flat, npy, npz


class Family:
    """A layer: its text and what the text means. `kernels` are functions of δ."""

    def __init__(self, text, kernels=(), form="tokens", gates=None, cross=False, affine=False, degrees=None, d=2):
        self.text, self.form, self.gates, self.cross, self.affine, self.degrees, self.d = text, form, gates, cross, affine, degrees, d
        self.kernels = list(kernels)


def power(numerator, denominator=1):
    return lambda delta: Fraction(numerator, denominator) ** delta


def window(width):
    return lambda delta: Fraction(delta < width)


def lag(l):
    return lambda delta: Fraction(delta == l)


def beyond(lags):
    return lambda delta: Fraction(delta >= lags)


def table(*entries):
    return lambda delta: Fraction(entries[delta]) if delta < len(entries) else Fraction(0)


THIRD, FIFTH = Fraction(1, 3), Fraction(1, 5)
FAMILIES = {
    "decay": Family("decay=1,1/2", [power(1), power(1, 2)]),
    "decay_thirds": Family("decay=2/3,3/5", [power(2, 3), power(3, 5)]),
    "window": Family("window=1,2", [window(1), window(2)]),
    "lags": Family("lags=2", [lag(0), lag(1), beyond(2)]),
    "table": Family("table=1:-1/3:2,0:1", [table(1, -THIRD, 2), table(0, 1)]),
    "mixed": Family("decay=1/3 table=1/5:1 window=2 decay=1", [power(1, 3), table(FIFTH, 1), window(2), power(1)], d=1),
    "affine": Family("affine", affine=True),
    "window_affine": Family("window=2 affine", [window(2)], affine=True, d=1),
    "decay_affine": Family("decay=2/3,1 affine", [power(2, 3), power(1)], affine=True, d=1),
    "cross": Family("cross", cross=True),
    "cross_affine": Family("cross affine", cross=True, affine=True, d=1),
    "lags_cross": Family("lags=1 cross", [lag(0), beyond(1)], cross=True),
    "decay_cross_affine": Family("decay=1,1/3 cross affine", [power(1), power(1, 3)], cross=True, affine=True, d=1),
    "gates": Family("gates", gates="scalar"),
    "gates_cross_affine": Family("gates cross affine", gates="scalar", cross=True, affine=True, d=1),
    "gates_vector": Family("gates=vector", gates="vector"),
    "mapped": Family("mapped", form="mapped"),
    "mapped_decay": Family("mapped decay=1/2,1", [power(1, 2), power(1)], form="mapped", d=1),
    "mapped_gates": Family("mapped gates", form="mapped", gates="scalar"),
    "mapped_gates_vector": Family("mapped gates=vector", form="mapped", gates="vector"),
    "degree_0": Family("degree=0", form="degree", degrees=[0]),
    "degree_1": Family("degree=1", form="degree", degrees=[1]),
    "degree_2": Family("degree=2", form="degree", degrees=[2]),
    "degree_0_2": Family("degree=0..2", form="degree", degrees=[0, 1, 2]),
    "degree_1_3": Family("degree=1..3", form="degree", degrees=[1, 2, 3], d=1),
    "moments": Family("moments", form="moments"),
    "delta": Family("delta", form="delta"),
    "delta_gates": Family("delta gates", form="delta", gates="scalar"),
    "delta_gates_vector": Family("delta gates=vector", form="delta", gates="vector", d=1),
    "delta_gates_cross": Family("delta gates cross", form="delta", gates="scalar", cross=True, d=1),
}
NAMES = ("x", "phi", "gates", "s", "u", "keys", "beta")
BY_TOKEN = ("phi", "gates", "keys", "beta")


def of_degree(z, degree):
    """All monomials, by their sorted lists of factors."""
    return [math.prod((z[i] for i in factors), start=Fraction(1))
            for factors in itertools.product(range(len(z)), repeat=degree) if list(factors) == sorted(factors)]


class LayerData(Data):
    """`columns`: name -> list of lists, one for each example (x, s, u) or token (the others)."""

    def __init__(self, family, sequences, columns, labels=None, kind="none", query=None):
        super().__init__(sequences, labels, kind, query)
        self.family, self.columns = family, columns

    def ends(self):
        """(number of the example, first token, last token, sequence), tokens counted over all sequences."""
        offsets = self.offsets()
        if self.kind == "per_prefix":
            return [(t, first, t, s) for s, (first, stop) in enumerate(zip(offsets, offsets[1:])) for t in range(first, stop)]
        return [(s, first, stop - 1, s) for s, (first, stop) in enumerate(zip(offsets, offsets[1:]))]

    def column(self, name, at):
        return [Fraction(v) for v in self.columns[name][at]]

    def token(self, t):
        z = [Fraction(v) for v in self.all_tokens()[t]]
        return [Fraction(1)] + z if self.family.affine else z

    def all_tokens(self):
        return [token for s in self.sequences for token in s]

    def summand(self, t, degree):
        z = self.token(t)
        if degree is not None:
            return of_degree(z, degree + 1)
        if self.family.form == "mapped":
            return [a * b for a in z for b in self.column("phi", t)]
        if self.family.gates == "vector":
            return [a * b for a in z for b in z]
        D = len(z)
        return [z[a] * z[b] for a in range(D) for b in range(a + 1, D)] + [v * v for v in z]

    def kept(self, first, last):
        """Of a delta rule, token by token: what is held under the key fades, then the token joins."""
        K = len(self.columns["keys"][0])
        M = [[Fraction(0)] * K for _ in range(self.d)]
        for t in range(first, last + 1):
            k, beta = self.column("keys", t), self.column("beta", t)[0]
            g = self.column("gates", t) if self.family.gates else [Fraction(1)]
            for row, z in zip(M, self.token(t)):
                row[:] = [g[a % len(g)] * row[a] for a in range(K)]
                missing = z - sum(x * y for x, y in zip(row, k))
                row[:] = [x + beta * missing * y for x, y in zip(row, k)]
        return [x for row in M for x in row]

    def sums(self, first, last, degree=None):
        if self.family.form == "delta":
            return self.kept(first, last)
        if self.family.gates:
            s = None
            for t in range(first, last + 1):
                x, g = self.summand(t, degree), self.column("gates", t)
                s = x if s is None else [g[j % len(g)] * old + new for j, (old, new) in enumerate(zip(s, x))]
            return s
        s = []
        for kernel in self.family.kernels or [power(1)]:
            total = [Fraction(0)] * len(self.summand(last, degree))
            for t in range(first, last + 1):
                total = [old + kernel(last - t) * new for old, new in zip(total, self.summand(t, degree))]
            s += total
        return s

    def features(self):
        rows = []
        for i, first, last, sequence in self.ends():
            family = self.family
            asked = first + self.query[sequence] if self.query else last
            if family.form == "moments":
                blocks = [(self.column("s", i), self.column("u", i))]
            elif family.degrees:
                blocks = [(self.sums(first, last, p), of_degree(self.token(asked), p)) for p in family.degrees]
            else:
                s = self.sums(first, last) + ([Fraction(1)] if family.affine else [])
                u = self.column("phi", asked) if family.form == "mapped" else \
                    [Fraction(1)] * family.affine + self.column("x", i) if family.cross else self.token(asked)
                blocks = [(s, u)]
            rows.append([a * b for s, u in blocks for a in s for b in u])
        return rows

    def problem(self):
        if not self.columns:
            return super().problem()
        offsets = self.offsets()
        N, T = len(self.sequences), offsets[-1]
        keys = not {"keys", "beta"}.isdisjoint(self.columns)
        canonical = b"attest-dataset-3\n" if keys else b"attest-dataset-2\n"
        ints = [self.d, self.o, KINDS.index(self.kind), N, T] + offsets + ([1] + self.query if self.query else [0])
        canonical += struct.pack("<%dq" % len(ints), *ints)
        for v in flat(self.labels) + flat(self.sequences):
            canonical += struct.pack("<d", v + 0.0)
        for name in NAMES if keys else NAMES[:5]:
            vectors = self.columns.get(name, [])
            canonical += struct.pack("<qq", len(vectors[0]) if vectors else 0, len(vectors))
            canonical += b"".join(struct.pack("<d", v + 0.0) for v in flat(vectors))
        return "dimension %d outputs %d labels %s sequences %d tokens %d sha256 %s" % (
            self.d, self.o, self.kind, N, T, hashlib.sha256(canonical).hexdigest())

    def arrays(self, ragged):
        """Name -> .npy; if ragged, one row for each token, else by sequence."""
        offsets = self.offsets()
        N, T, n = len(self.sequences), offsets[-1], offsets[1]
        prefixes = self.kind == "per_prefix"

        def stored(vectors, by_token):
            shape = (T, len(vectors[0])) if ragged else (N, n, len(vectors[0]))
            return npy(shape if by_token else (len(vectors), len(vectors[0])), flat(vectors))

        arrays = {}
        if self.d:
            name = "context" if self.family.cross else "tokens"
            arrays[name] = npy((T, self.d) if ragged else (N, n, self.d), flat(self.sequences))
            if ragged:
                arrays["offsets"] = npy((N + 1,), offsets, "<i8")
        if self.query:
            arrays["query"] = npy((N,), self.query, "<i8")
        if self.labels:
            arrays["y_prefix" if prefixes else "y"] = stored(self.labels, prefixes)
        for name, vectors in self.columns.items():
            if name in ("gates", "beta") and len(vectors[0]) == 1:
                arrays[name] = npy((T,) if ragged else (N, n), flat(vectors))
            else:
                arrays[name] = stored(vectors, name in BY_TOKEN or name == "x" and prefixes)
        return arrays

    def file(self, ragged=True):
        return npz(self.arrays(ragged))


def draw(rng, family, kind, ragged, count, most=3, query=False):
    """A data set of small dyadic numbers."""
    def vector(size):
        return [rng.randint(-6, 6) / rng.choice((1, 1, 2, 4)) for _ in range(size)]

    moments = family.form == "moments"
    d = 0 if moments else family.d
    lengths = [1] * count if moments else [rng.randint(1, most) if ragged else most for _ in range(count)]
    sequences = [[vector(d) for _ in range(n)] for n in lengths]
    tokens = sum(lengths)
    examples = tokens if kind == "per_prefix" else count
    sizes = {"x": (examples, 2, family.cross), "phi": (tokens, 2, family.form == "mapped"),
             "gates": (tokens, 1 if family.gates == "scalar" else 2, family.gates), "s": (count, 3, moments), "u": (count, 2, moments),
             "keys": (tokens, 2, family.form == "delta"), "beta": (tokens, 1, family.form == "delta")}
    shrunk = {"keys": 4, "beta": 4}  # so that states stay small
    columns = {name: [[v / shrunk.get(name, 1) for v in vector(size)] for _ in range(many)] for name, (many, size, wanted) in sizes.items() if wanted}
    asked = [rng.randrange(n) for n in lengths] if query and kind != "per_prefix" and not family.cross and not moments else None
    labels = [vector(2) for _ in range(examples)] if kind != "none" else None
    return LayerData(family, sequences, columns, labels, kind, asked)


def kinds_of(family):
    """(label kind, ragged) that the family can have."""
    if family.form == "moments":
        return [("none", False), ("per_sequence", False)]
    return [("none", False), ("per_sequence", True), ("per_prefix", False), ("per_prefix", True)]


def seeded(*parts):
    return random.Random(" ".join(str(part) for part in parts))
