"""risk_tamper_test.py ROOT BIN COUNT: COUNT tamperings with proofs of the least risk, each of which takes away what the proof shows: an
entry of a relation or a label of the data another number, a relation shortened or of another output, the risk said to be larger. Every checker
refuses every one. Standard library only."""
import collections
import pathlib
import random
import sys
import tempfile
from fractions import Fraction

ROOT, BIN, COUNT = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
sys.argv[1:] = [str(ROOT), BIN]
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(folder) for folder in (TESTS / "theory", TESTS / "checker", TESTS / "corpus", ROOT / "scripts")]
from agreement_test import line_of  # noqa: E402
from broken_examples import signed  # noqa: E402
from checker_batch import NOT_SUPPORTED, checkers, verdicts  # noqa: E402
from certificate_data import Data, layer_arrays  # noqa: E402
from certificate_features import Table  # noqa: E402
from certificate_layer import Layer  # noqa: E402
from corpus import unpacked  # noqa: E402


def features(text, content):
    layer = next((line[len("layer "):] for line in text.split("\n") if line.startswith("layer ")), None)
    return Table(Data(content, layer_arrays(text.encode())), None, Layer(layer) if layer else None).features


def with_entry(line, k, value):
    fields = line.split(" ")
    fields[k] = "%s:%d" % (fields[k].split(":")[0], value)
    return " ".join(fields)


def tamper(rng, lines, H):
    """(what, lines): a change after which the evidence does not prove the claim; None where the draw does not apply."""
    at = rng.choice([i for i, line in enumerate(lines) if line.startswith("relation ")])
    fields = lines[at].split(" ")
    k = rng.randrange(1, len(fields))
    i, value = map(int, fields[k].split(":"))
    claim = next(j for j, line in enumerate(lines) if line.startswith("claim "))
    way = rng.choice(("entry", "sign", "dropped", "risk", "other output"))
    changed = list(lines)
    if way == "risk":
        above, below = map(int, lines[claim].split(" ")[2:])
        larger = Fraction(above, below) * (1 + Fraction(1, rng.randint(1, 10 ** 9)))
        changed[claim] = "claim inexpressible %d %d" % larger.as_integer_ratio()
    elif way == "other output":
        where = [j for j, line in enumerate(lines) if line.startswith("relation")]
        changed[where[0]], changed[where[-1]] = lines[where[-1]], lines[where[0]]
    elif not any(H[i]):
        return None  # its features cancel whatever its coefficient is
    elif way == "dropped":
        changed[at] = " ".join(fields[:k] + fields[k + 1:])
    else:
        changed[at] = with_entry(lines[at], k, -value if way == "sign" else value + rng.choice((-1, 1)) * rng.randint(1, 9) or 1)
    return None if changed == lines else (way, changed)


def main():
    rng = random.Random(1)
    ways, cases, wrong = [], [], 0
    with unpacked() as corpus, tempfile.TemporaryDirectory() as folder:
        proofs = sorted((corpus / "risk" / "valid").iterdir())
        while len(cases) < COUNT:
            text = rng.choice(proofs).read_text()
            file = corpus / "risk" / "data" / line_of(text, "# files: ")
            made = tamper(rng, text.split("\n")[:-2], features(text, file.read_bytes()))
            if made is None:
                continue
            ways.append(made[0])
            cases.append([pathlib.Path(folder) / ("%d.cert" % len(cases)), file])
            cases[-1][0].write_bytes(signed("\n".join(made[1]) + "\n").encode())
        answers = {name: verdicts(command, cases) for name, command in checkers(ROOT, BIN).items()}
    for i, way in enumerate(ways):
        found = {name: each[i][0] for name, each in answers.items() if each[i][0] != NOT_SUPPORTED}
        known = set(found.values())
        if len(known) != 1 or not known.pop().startswith("1 line "):
            wrong += 1
            print("risk_tamper_test: %s of %s: %s" % (way, cases[i][1].name, found), file=sys.stderr)
    counts = collections.Counter(ways)
    print("risk_tamper_test: %d tamperings by %s: %d not refused; %s" % (COUNT, ", ".join(answers), wrong, dict(counts)))
    return wrong > 0 or min(counts.values()) < COUNT // 20


if __name__ == "__main__":
    sys.exit(main())
