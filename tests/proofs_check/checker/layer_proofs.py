"""Proofs about data of any layer, and the same proofs with one change that must be found out. Standard library only."""
import math
import pathlib
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "corpus"), str(HERE.parents[2] / "scripts")]
from certificate_data import layer_arrays  # noqa: E402
from layer_data import FAMILIES, draw, seeded  # noqa: E402
from paper_cases import number, proofs_of, wrong_proofs  # noqa: E402
from make_examples import least_eigenvector, listed, proof, vector  # noqa: E402

OTHER_SPELLINGS = ("{} linear", "affine affine", "linear", " {}", "{} ", "{}=1", "decay={}", "Decay=1", "degree=1..1", "decay=2/4", "decay=1/2 decay=1/3",
                   "affine cross", "window=01", "lags=0", "table=1:-0", "mapped affine", "gates decay=1/2", "moments affine",
                   "degree=2 affine", "gates=vector affine", "decay=3/2", "window=1000001", "lags=1000", "degree=13", "decay=0")


def problem_of(family_name, kind, ragged, seed):
    """(data, queries): full rank, deficient or with few examples, labels that fit or not, as the seed decides."""
    family = FAMILIES[family_name]
    rng = seeded(family_name, kind, ragged, seed)
    psi = len(draw(rng, family, "none", False, 1).features()[0])
    count = psi + rng.randint(0, 2) if rng.random() < 0.6 else max(1, psi - rng.randint(1, 3))
    data = draw(rng, family, kind, ragged, count if kind != "per_prefix" else max(2, count // 2), query=rng.random() < 0.3)
    if rng.random() < 0.3:  # the first example again
        n = len(data.sequences[0])
        data.sequences.append(data.sequences[0])
        repeated = {"x": n if kind == "per_prefix" else 1, "phi": n, "gates": n, "s": 1, "u": 1, "keys": n, "beta": n}
        for name, vectors in data.columns.items():
            vectors += vectors[:repeated[name]]
        data.query = data.query and data.query + data.query[:1]
        data.labels = data.labels and data.labels + [[0.0, 1.0] for _ in range(repeated["x"])]
    elif data.labels and rng.random() < 0.7:  # these fit; dyadic weights are enough where the layer's are
        p = [[rng.randint(-2, 2) for _ in range(psi)] for _ in range(2)]
        exact = [[sum(h * c for h, c in zip(row, column)) for column in p] for row in data.features()]
        if all(v.denominator & (v.denominator - 1) == 0 and abs(v.numerator) < 2**53 for row in exact for v in row):
            data.labels = [[float(v) for v in row] for row in exact]
    asked = draw(rng, family, "none", True, 3)
    while not all(map(any, asked.features())):  # of a query without features nothing need be proved
        asked = draw(rng, family, "none", True, 3)
    return data, asked


def enclosure(H):
    """Claim and evidence of lambda-min, within a factor of two of the truth; None where rounding L costs more than that."""
    size = len(H[0])
    gram = [[sum(row[i] * row[j] for row in H) / len(H) for j in range(size)] for i in range(size)]
    least, x = least_eigenvector(gram)
    places = 8 - math.floor(math.log2(least))
    scale = Fraction(2) ** places
    lower, upper = (math.floor(least * factor * scale) / scale for factor in (0.5, 2))
    L = [[Fraction(0)] * size for _ in gram]
    for i in range(size):
        for j in range(i + 1):
            rest = gram[i][j] - (lower * 3 / 2 if i == j else 0) - sum(L[i][k] * L[j][k] for k in range(j))
            if i == j and rest <= 0:
                return None
            L[i][j] = Fraction(round((math.sqrt(rest) if i == j else rest / L[j][j]) * 2**60), 2**60)
    R = [[gram[i][j] - lower * (i == j) - sum(L[i][k] * L[j][k] for k in range(size)) for j in range(size)] for i in range(size)]
    x = [round(v * 10**8) for v in x]
    image = sum(sum(h * v for h, v in zip(row, x)) ** 2 for row in H) / len(H)
    if any(2 * R[i][i] < sum(map(abs, R[i])) for i in range(size)) or image > upper * sum(v * v for v in x):
        return None
    entries = [int(L[i][j] * 2**60) for i in range(size) for j in range(i + 1)]
    bounds = " ".join("%d*2^%d" % (bound * scale, -places) for bound in (lower, upper))
    return ["claim lambda-min " + bounds, "factor -60" + listed(entries), "upper" + vector(x)]


def proofs(data, asked, names):
    """Name -> lines of every kind of proof that these data admit; `names` are those of the two files."""
    sets = dict(zip(names, (data, asked)))
    found = {}
    for name, (files, evidence) in proofs_of(data, asked, enclosure).items():
        lines = proof(sets, " ".join(names["dq".index(f)] for f in files.split()), evidence).rstrip("\n").split("\n")
        lines.insert(number(lines, "data "), "layer " + data.family.text)
        found[name] = lines
    return found


def layer_faults(lines, family):
    """(name, lines, line that fails): the layer spelled otherwise, or one that the data do not have. Data of whose arrays one is not
    read by the words of the line are not those named; None where they cannot be read at all."""
    at = number(lines, "layer ")

    def failing(text):
        own, read = (set(layer_arrays(b"layer " + each.encode())) for each in (family.text, text))
        return at if own <= read else None if family.form == "moments" else at - 1

    for i, spelling in enumerate(OTHER_SPELLINGS):
        text = spelling.format(family.text, family.text)
        yield "spelling_%02d" % i, lines[:at - 1] + ["layer " + text] + lines[at:], failing(text)
    other = "cross" if family.form == "moments" else "moments"
    yield "layer_of_other_data", lines[:at - 1] + ["layer " + other] + lines[at:], failing(other)
    yield "layer_empty", lines[:at - 1] + ["layer"] + lines[at:], failing("")
    yield "layer_twice", lines[:at] + lines[at - 1:], at + 1
    if family.form == "moments":  # its arrays are read, but the paper's layer finds no tokens
        claim = number(lines, "claim ")
        yield "layer_late", lines[:at - 1] + lines[at:claim] + [lines[at - 1]] + lines[claim:], at - 1


def evidence_faults(lines, psi):
    """Those of the paper's layer, but for one that may leave a proof: `few-examples` bounds a full rank as well as nothing does."""
    return [fault for fault in wrong_proofs(lines, psi) if fault[0] != "left_over" or number(lines, "claim rank ") is None]


def faults(lines, family, psi, spellings):
    return list(layer_faults(lines, family)) * spellings + evidence_faults(lines, psi)
