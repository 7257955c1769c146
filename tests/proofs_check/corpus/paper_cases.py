"""Of the corpus, the proofs about the paper's layer: from each seed a random data set, a proof of every kind that it admits, and for
each proof minimally wrong ones. Standard library only.

Each wrong proof is a valid one with one change, which makes its evidence false; its verdict names the line that fails."""
import pathlib
import random
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "checker"))
from exact_data import Data, echelon, flat, npy, npz, null_basis, transpose  # noqa: E402
from make_examples import enclosure, listed, minor, nulls, proof, rank, relation, vector  # noqa: E402

SEEDS = range(15)


def draw(rng, deficient, kind):
    """d of 2 or 3; dyadic numbers; if asked for, deficient features: of tokens in a plane, or of one token each."""
    d = 2 if kind == "per_prefix" else rng.choice((2, 2, 3))
    psi = d * d * (d + 1) // 2

    def token():
        x = [Fraction(rng.randint(-6, 6), rng.choice((1, 1, 2, 4))) for _ in range(d)]
        return x[:-1] + [x[0]] if deficient and d == 3 else x

    def length():
        return 1 if deficient and d == 2 else rng.randint(2, 3)

    count = psi + rng.randint(0, 2) if rng.random() < 0.7 else psi - 1  # the last: few examples
    sequences = [[token() for _ in range(length())] for _ in range(count)]
    if kind == "per_prefix":
        sequences = sequences[:max(2, count // 2)]
    query = [rng.randrange(len(s)) for s in sequences] if kind == "none" and rng.random() < 0.5 else None
    data = Data(sequences, query=query)
    asked = Data([[token() for _ in range(min(2, length()))] for _ in range(2)] +
                 [[[Fraction(rng.randint(-6, 6)) for _ in range(d)] for _ in range(2)] for _ in range(2)])
    if kind != "none":
        data.kind = kind
        H = data.features()
        p = [[Fraction(rng.randint(-2, 2)) for _ in range(psi)] for _ in range(2)]
        data.labels = [[sum(h * c for h, c in zip(row, column)) for column in p] for row in H]
        data.o = 2
    return data, asked


def as_floats(data):
    data.sequences = [[[float(x) for x in token] for token in s] for s in data.sequences]
    data.labels = [[float(x) for x in row] for row in data.labels]
    return data


def files_of(data):
    offsets = data.offsets()
    arrays = {"tokens": npy((offsets[-1], data.d), flat(data.sequences)), "offsets": npy((len(offsets),), offsets, "<i8")}
    if data.query:
        arrays["query"] = npy((len(data.query),), data.query, "<i8")
    if data.labels:
        arrays["y_prefix" if data.kind == "per_prefix" else "y"] = npy((len(data.labels), data.o), flat(data.labels))
    return npz(arrays)


def proofs_of(data, asked, enclose=lambda H: enclosure(H, 24, 40)):
    """Name -> (files, lines) of every kind of proof that these data admit; of lambda-min where `enclose` finds one."""
    H, Q = data.features(), asked.features()
    psi, r = len(H[0]), rank(H)
    found = {}
    inside = [k for k, row in enumerate(Q) if rank(H + [row]) == r]
    outside = [k for k, row in enumerate(Q) if rank(H + [row]) > r]
    basis = nulls(H)
    if r == psi:
        found["full_rank"] = ("d", ["claim full-rank"] + minor(H))
        found["lambda_min"] = ("d", enclose(H))
    else:
        found["deficient_null"] = ("d", ["claim deficient"] + basis[:1])
        found["lambda_min_zero"] = ("d", ["claim lambda-min 0*2^0 0*2^0", "upper" + vector(null_basis(H)[0])])
        if len(H) < psi:
            found["deficient_few"] = ("d", ["claim deficient", "few-examples"])
    found["rank"] = ("d", ["claim rank %d" % r] + minor(H) + basis)
    if len(H) == r < psi:
        found["rank_few"] = ("d", ["claim rank %d" % r] + minor(H) + ["few-examples"])
    if inside:
        found["determined_basis"] = ("d q", ["claim determined" + listed(inside), "basis %d" % r] + minor(H) + basis)
        found["determined_relation"] = ("d q", ["claim determined" + listed(inside)] + [relation(H, Q[k]) for k in inside])
    if outside:
        seeing = [v for v in null_basis(H) if all(sum(a * b for a, b in zip(v, Q[k])) != 0 for k in outside)]
        if seeing:
            found["undetermined_null"] = ("d q", ["claim undetermined" + listed(outside), "null" + vector(seeing[0])])
        found["undetermined_extend"] = ("d q", ["claim undetermined" + listed(outside), "extend %d" % r] + basis +
                                        [line for k in outside for line in minor(H, Q[k])])
    if data.o:
        y = data.y()
        both = [h + row for h, row in zip(H, y)]
        if rank(both) == r:
            found["labels_consistent"] = ("d", ["claim labels-consistent"] + nulls(both)[-data.o:])
        elif rank([h + row[:1] for h, row in zip(H, y)]) > r:
            found["labels_extend"] = ("d", ["claim labels-inconsistent", "extend %d" % r] + basis + ["output 0"] +
                                      minor(H, labels=[row[0] for row in y]))
            left = null_basis(transpose(H))
            breaks = [v for v in left if any(sum(c * row[a] for c, row in zip(v, y)) != 0 for a in range(data.o))]
            found["labels_relation"] = ("d", ["claim labels-inconsistent", "relation" + vector(breaks[0])])
    return {name: (files, lines) for name, (files, lines) in found.items() if lines}


def number(lines, start):
    """The first line that begins like this, counted from 1."""
    return next((i + 1 for i, line in enumerate(lines) if line.startswith(start)), None)


def wrong_proofs(lines, psi):
    """(name, lines, line that fails): one change to a valid proof."""
    def changed(at, new):
        return lines[:at - 1] + ([new] if new is not None else []) + lines[at:]

    at = number(lines, "data")
    yield "another_data_set", changed(at, lines[at - 1][:-1] + ("0" if lines[at - 1][-1] != "0" else "1")), at
    at = number(lines, "claim")
    yield "unknown_claim", changed(at, "claim " + lines[at - 1].split(" ")[1].upper()), at
    yield "left_over", lines + ["few-examples"], len(lines) + 1
    at = number(lines, "prime")
    if at:
        yield "composite", changed(at, "prime 2305843009213693953"), at
        rows = number(lines, "rows")
        last = number(lines, "columns")
        yield "row_missing", changed(rows, " ".join(lines[rows - 1].split(" ")[:-1])), rows
        columns = lines[last - 1].split(" ")
        if len(columns) > 2:
            yield "columns_out_of_order", changed(last, " ".join(columns[:1] + columns[-1:] + columns[1:-1])), last
    at = number(lines, "null")
    if at:
        place, value = lines[at - 1].split(" ")[1].split(":")
        rest = lines[at - 1].split(" ")[2:]
        sign = " ".join(["null", "%s:%d" % (place, int(value) + 1 or 1)] + rest)
        yield "null_changed", changed(at, sign), at
        yield "null_empty", changed(at, "null"), at
        yield "null_outside", changed(at, lines[at - 1] + " %d:1" % (psi + 100)), at
    at = number(lines, "relation")
    if at:
        yield "relation_empty", changed(at, " ".join(lines[at - 1].split(" ")[:2]).split(":")[0] if ":" not in lines[at - 1].split(" ")[1]
                                        else "relation"), at
    at = number(lines, "factor")
    if at:
        fields = lines[at - 1].split(" ")
        yield "factor_zero", changed(at, " ".join(fields[:2] + ["0"] * (len(fields) - 2))), at
        yield "factor_short", changed(at, " ".join(fields[:-1])), at
        claim = number(lines, "claim")
        low, high = lines[claim - 1].split(" ")[2:]
        yield "upper_below", changed(claim, "claim lambda-min %s %s" % (low, low)), number(lines, "upper")
    at = number(lines, "few-examples")
    if at and lines[at - 2].startswith("claim deficient"):
        yield "few_twice", changed(at, "few-examples few-examples"), at
    at = number(lines, "basis")
    if at:
        yield "basis_larger", changed(at, "basis %d" % (int(lines[at - 1].split(" ")[1]) + 1)), number(lines, "rows") \
            if int(lines[at - 1].split(" ")[1]) < psi else at


def proof_files(title, lines, faults):
    """A valid proof and, for each fault (its name, the lines with it, the number of the line that a checker must name), a wrong one:
    name, lines and verdict."""
    yield "valid/%s.cert" % title, lines, "VERIFIED " + lines[number(lines, "claim ") - 1][len("claim "):]
    for fault, wrong, line in faults:
        yield "wrong/%s__%s.cert" % (title, fault), wrong, "REJECTED line %d" % line if line else "exit 4"


def cases():
    """(name, bytes of a data file or lines of a proof, "data" or the verdict on the proof)."""
    for seed in SEEDS:
        rng = random.Random(seed)
        kind = ("none", "per_sequence", "per_prefix")[seed % 3]
        data, asked = draw(rng, deficient=seed % 2 == 1, kind=kind)
        if kind == "per_sequence" and seed % 4 < 2:
            data.labels[0][0] += 1  # no longer consistent, if there are enough examples
        data, asked = as_floats(data), as_floats(asked)
        names = {"d": "s%02d" % seed, "q": "s%02d_queries" % seed}
        sets = {names["d"]: data, names["q"]: asked}
        for name, (files, evidence) in proofs_of(data, asked).items():
            files = " ".join(names[f] for f in files.split())
            for part in files.split():
                yield "data/%s.npz" % part, files_of(sets[part]), "data"
            lines = proof(sets, files, evidence).rstrip("\n").split("\n")
            psi = data.d * data.d * (data.d + 1) // 2
            yield from proof_files("%s_%s" % (names["d"], name), lines, wrong_proofs(lines, psi))
