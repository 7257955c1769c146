"""layer_tamper_test.py ROOT BIN [COUNT [SHARE]]: proofs about data of every layer. Both checkers verify them, reject the same proofs
with one change at the line expected, and agree in exit code, claim and line on COUNT (200) tampered proofs and data of each family, of
which they accept none whose claim exact arithmetic refutes. Of the changes each proof has one in SHARE (1), each time others.
Standard library only."""
import collections
import pathlib
import sys
import tempfile
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
ROOT, BIN = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 200
SHARE = int(sys.argv[4]) if len(sys.argv) > 4 else 1
sys.path[:0] = [str(HERE), str(ROOT / "scripts")]
import check_certificate  # noqa: E402
from broken_examples import signed  # noqa: E402
from checker_batch import checkers, verdicts  # noqa: E402
from claim_oracle import claim_holds  # noqa: E402
from exact_data import npy, npz  # noqa: E402
from layer_data import FAMILIES, NAMES, kinds_of, seeded  # noqa: E402
from layer_proofs import OTHER_SPELLINGS, faults, layer_faults, problem_of, proofs  # noqa: E402
from risk_proofs import risk_faults, risk_proof  # noqa: E402
from tampering import tamper  # noqa: E402


class Batch:
    """Proofs for both checkers, with what is known of them."""

    def __init__(self, folder):
        self.folder, self.cases = folder, []

    def add(self, text, files, data, queries, expected=None):
        proof = self.folder / ("%d.cert" % len(self.cases))
        proof.write_bytes(text.encode("latin-1"))
        self.cases.append(([proof] + files, data, queries, expected))

    def judged(self):
        """(files, data, queries, expected, verdict of attest-check, of the Python checker)."""
        programs = checkers(ROOT, BIN)
        files = [case[0] for case in self.cases]
        both = [verdicts(programs[name], files) for name in ("attest-check", "check_certificate.py")]
        for case, (one, _), (other, _) in zip(self.cases, *both):
            yield (*case, one, other)


def other_columns(rng, data):
    """The file with an array changed, missing or of another shape: what is read may be refused, or not be what was proved."""
    arrays = data.arrays(True)
    name = rng.choice([n for n in arrays if n in NAMES] or list(arrays))
    way = rng.randrange(4)
    if way == 0:
        del arrays[name]
    elif way == 1:
        raw = bytearray(arrays[name])
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
        arrays[name] = bytes(raw)
    elif way == 2:
        arrays[rng.choice(NAMES)] = npy((2, 2), [1.0, 0.5, 2.0, 0.0])
    else:
        arrays[rng.choice(NAMES)] = arrays.pop(name)
    return npz(arrays)


def tampered(rng, lines, donors):
    """Changed lines; sometimes another layer's text."""
    way = rng.random()
    at = next(i for i, line in enumerate(lines) if line.startswith("layer "))
    if way < 0.15:
        other = rng.choice([family.text for family in FAMILIES.values()])
        spelling = rng.choice(OTHER_SPELLINGS + ("{}",) * 20).format(other)
        return lines[:at] + ["layer " + spelling] + lines[at + 1:]
    return tamper(rng, lines, donors)


def refusal(line):
    """The verdict on a proof that is wrong at this line; None: its layer cannot read the data."""
    return "1 line %d" % line if line else "4"


def some(faults, name, turn):
    """One in SHARE of them, other ones for the next proof and for another family."""
    return list(faults)[(turn + list(FAMILIES).index(name)) % SHARE::SHARE]


def check_family(name, batch, counts):
    """Adds the proofs of one family, and what is made of them."""
    family = FAMILIES[name]
    made = []
    for seed, (kind, ragged) in enumerate(kinds_of(family)):
        data, asked = problem_of(name, kind, ragged, seed)
        paths = [batch.folder / ("%s_%d_%s.npz" % (name, seed, role)) for role in "dq"]
        ragged = ragged or len({len(s) for s in data.sequences}) > 1
        for path, each, layout in zip(paths, (data, asked), (ragged, True)):
            path.write_bytes(each.file(layout))
        psi = len(data.features()[0])
        group = []
        for title, lines in proofs(data, asked, ("data", "queries")).items():
            queries = asked if any(line.startswith("queries ") for line in lines) else None
            files = paths if queries else paths[:1]
            claim = next(line[len("claim "):] for line in lines if line.startswith("claim "))
            batch.add(signed("\n".join(lines) + "\n"), files, data, queries, "0 VERIFIED " + claim)
            for _, wrong, line in some(faults(lines, family, psi, spellings=not made and not group), name, len(made) + len(group)):
                batch.add(signed("\n".join(wrong) + "\n"), files, data, queries, refusal(line))
            group.append((lines, files, data, queries))
            counts[title] += 1
        lines = risk_proof(data, "data") if data.labels else None
        if lines:
            claim = next(line[len("claim "):] for line in lines if line.startswith("claim "))
            batch.add(signed("\n".join(lines) + "\n"), paths[:1], data, None, "0 VERIFIED " + claim)
            for _, wrong, line in some([*risk_faults(lines, data.features()), *layer_faults(lines, family)], name, len(made) + len(group)):
                batch.add(signed("\n".join(wrong) + "\n"), paths[:1], data, None, refusal(line))
            group.append((lines, paths[:1], data, None))
            counts["inexpressible"] += 1
        made += [(*each, [lines for lines, *_ in group]) for each in group]
    rng = seeded("tamper", name)
    for t in range(COUNT):
        lines, files, data, queries, donors = rng.choice(made)
        if rng.random() < 0.15:
            moved = batch.folder / ("%s_moved_%d.npz" % (name, t))
            moved.write_bytes(other_columns(rng, data))
            try:  # truthfully named, if it can be read
                read = check_certificate.layer_arrays("\n".join(lines).encode("latin-1"))
                new = "data " + check_certificate.Data(moved.read_bytes(), read).describe()
                lines = [new if line.startswith("data ") else line for line in lines]
            except check_certificate.BadFile:
                pass
            batch.add(signed("\n".join(lines) + "\n"), [moved] + files[1:], None, queries)
        else:
            lines = tampered(rng, lines, donors)
            if rng.random() < 0.3:
                lines = tamper(rng, lines, donors)
            batch.add(signed("\n".join(lines) + "\n"), files, data, queries)


def rows_of(data, layer_text, read):
    """Features of the definitions if the layer is the family's own, else of the Python checker, which layer_test.py compares."""
    if data is not None and data.family.text == layer_text:
        return data.features()
    table = check_certificate.Table(read, None, check_certificate.Layer(layer_text) if layer_text else check_certificate.Layer())
    return [[Fraction(x, table.unit) for x in row] for row in table.features]


def refuted(files, data, queries, claim):
    proof, *contents = [path.read_bytes() for path in files]
    text = next((line[len("layer "):] for line in proof.decode("latin-1").split("\n") if line.startswith("layer ")), "")
    sets = [check_certificate.Data(content, check_certificate.layer_arrays(proof)) for content in contents]
    H = rows_of(data, text, sets[0])
    Q = rows_of(queries, text, sets[1]) if queries is not None else []
    return not claim_holds(claim, H, Q, [[Fraction(v) for v in row] for row in sets[0].labels])


def main():
    wrong, counts, verdicts = [], collections.Counter(), collections.Counter()
    for name in FAMILIES:
        with tempfile.TemporaryDirectory() as folder:
            batch = Batch(pathlib.Path(folder))
            check_family(name, batch, counts)
            for files, data, queries, expected, one, other in batch.judged():
                verdicts[("as expected " if expected else "tampered ") + one[0]] += 1
                false = not expected and one.startswith("0") and refuted(files, data, queries, one[len("0 VERIFIED "):])
                if one != other or expected and one != expected or false:
                    wrong.append("%s: attest-check %s, Python %s, expected %s%s" % (name, one, other, expected, " BUT FALSE" if false else ""))
                    keep = pathlib.Path("layer-%s-%d.cert" % (name, len(wrong)))
                    keep.write_bytes(files[0].read_bytes())
    print("layer_tamper_test: %s; %s" % (dict(counts), dict(verdicts)))
    for what in wrong[:20]:
        print("layer_tamper_test:", what, file=sys.stderr)
    return len(wrong) > 0 or min(counts[k] for k in ("full_rank", "rank", "lambda_min", "determined_relation", "labels_relation",
                                                    "labels_consistent", "inexpressible")) < 5 or verdicts["tampered 0"] < len(FAMILIES)


if __name__ == "__main__":
    sys.exit(main())
