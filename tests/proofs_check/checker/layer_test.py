"""layer_test.py ROOT PROBE BIN: what makes features of data. For every layer and every shape of data the features of attest-check's
library (PROBE), those of scripts/check_certificate.py and those of layer_data.py, which follows the definitions, are equal; and
both checkers take the same texts for layers, and have the same limits. Standard library only."""
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT, PROBE, BIN = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(ROOT / "scripts")]
from broken_examples import signed  # noqa: E402
from certificate_data import Data, layer_arrays  # noqa: E402
from certificate_features import Table, misfit  # noqa: E402
from certificate_layer import Layer, NotCanonical  # noqa: E402
from checker_batch import checkers, verdicts  # noqa: E402
from layer_data import FAMILIES, Family, LayerData, draw, kinds_of, seeded  # noqa: E402

SEEDS = range(3)
# Texts that are layers, beside those of FAMILIES; and texts that are not.
CANONICAL = ("decay=1", "decay=31/32", "window=1000000", "lags=999", "table=0", "table=1:0:-7/3", "lags=1 lags=2", "cross", "affine",
             "decay=1/2 window=1 decay=1/2", "gates cross", "gates affine", "mapped window=3,3", "degree=12", "degree=0..12",
             "decay=" + ",".join(["1"] * 1000), "table=1/1" + "0" * 999, "window=1,2 lags=997", "delta cross", "delta gates=vector cross")
OTHER = ("", " ", "linear", "decay", "decay=", "decay=0", "decay=-1/2", "decay=3/2", "decay=2/4", "decay=1/1", "decay=01", "decay=0.5", "decay=1/-2",
         "decay=+1", "decay=1,,1", "decay=1,", "decay=1 decay=1/2", "decay=1/2/3", "window=0", "window=1000001", "window=2/1", "window=01",
         "window=-1", "lags=0", "lags=1000", "lags=1,2", "lags=", "table=", "table=1::1", "table=-0", "table=0/5", "table=1:2,", "degree=13",
         "degree=-1", "degree=2..2", "degree=3..2", "degree=1..", "degree=..2", "degree=1..2..3", "degree=01", "degree", "gates=scalar", "gates=",
         "gates=vector affine", "gates=vector cross", "gates decay=1", "gates window=2", "decay=1 gates", "mapped affine", "mapped cross",
         "moments affine", "moments moments", "moments decay=1", "degree=1 decay=1", "degree=1 affine", "affine cross", "affine decay=1",
         "cross decay=1", "decay=1  affine", " decay=1", "decay=1 ", "Decay=1", "affine=1", "cross cross", "mapped degree=1", "rotary=1",
         "decay=\u0661", "decay=" + ",".join(["1"] * 1001), "table=1/1" + "0" * 1000, "window=1,2 lags=998", "mapped gates cross",
         "degree=1..2 cross", "gates gates=vector", "gates=vector gates", "decay=1\tcross", "mapped=1", "table=1/3:2/6", "delta affine", "delta decay=1",
         "mapped delta", "delta mapped", "delta=1", "delta delta", "gates delta", "delta window=2", "delta degree=1", "moments delta")


def is_layer(text):
    try:
        return bool(Layer(text))
    except NotCanonical:
        return False


def probe(*arguments, lines=()):
    run = subprocess.run([str(PROBE), *map(str, arguments)], input="".join(line + "\n" for line in lines), capture_output=True, text=True,
                         check=True)
    return run.stdout.split("\n")[:-1]


def mutants(count):
    rng = seeded("texts")
    texts = [family.text for family in FAMILIES.values()] + list(CANONICAL[:15]) + list(OTHER[:60])
    for _ in range(count):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(len(text) + 1)
            way = rng.randrange(4)
            if way == 0:
                text = text[:at] + rng.choice("0123456789/:,=- .") + text[at:]
            elif way == 1:
                text = text[:at] + text[at + 1:]
            else:
                words = text.split(" ") + rng.choice(texts).split(" ")
                text = " ".join(rng.sample(words, rng.randint(1, min(3, len(words)))))
        yield text


def check_texts():
    texts = [family.text for family in FAMILIES.values()] + list(CANONICAL) + list(OTHER) + list(mutants(5000))
    found = [line == "1" for line in probe("texts", lines=texts)]
    known = len(FAMILIES) + len(CANONICAL)
    expected = [True] * known + [False] * len(OTHER)
    wrong = [text[:60] for text, one, other in zip(texts, found, map(is_layer, texts)) if one != other]
    wrong += [text[:60] for text, one, other in zip(texts, found, expected) if one != other]
    print("layer_test: %d texts, %d of them layers" % (len(texts), sum(found)))
    assert len(found) == len(texts) and known + 300 < sum(found) < len(texts) - 300
    return ["text '%s'" % text for text in wrong]


def fractions(line):
    return [Fraction(word) for word in line.split(" ")]


def python_rows(data, queries, layer):
    table = Table(data, queries, layer)
    rows = [h + y for h, y in zip(table.features, table.labels)] + table.queries
    return [[Fraction(x, table.unit) for x in row] for row in rows]


def check_features(folder):
    wrong, count = [], 0
    for name, family in FAMILIES.items():
        for kind, ragged in kinds_of(family):
            for seed in SEEDS:
                rng = seeded(name, kind, ragged, seed)
                data = draw(rng, family, kind, ragged, 4, query=seed == 1)
                queries = draw(rng, family, "none", True, 2)
                files = [folder / "data.npz", folder / "queries.npz"]
                for path, each, layout in zip(files, (data, queries), (ragged, True)):
                    path.write_bytes(each.file(layout))
                expected = [h + y for h, y in zip(data.features(), data.y() or [[]] * 99)] + queries.features()
                read = [Data(path.read_bytes()) for path in files]
                layer = Layer(family.text)
                same = not misfit(layer, read) and python_rows(*read, layer) == expected
                same = same and [each.describe() for each in read] == [data.problem(), queries.problem()]
                if not same or list(map(fractions, probe(family.text, *files))) != expected:
                    wrong.append("features of %s, %s, ragged %s, seed %d%s" % (family.text, kind, ragged, seed, "" if same else " (Python)"))
                count += 1
    print("layer_test: %d data sets" % count)
    return wrong


def ones(length, d=1, count=1, **columns):
    """Sequences of tokens (1, 1, …)."""
    return LayerData(Family(""), [[[1.0] * d for _ in range(length)] for _ in range(count)], columns)


def cases_of_limits():
    """(layer, data, queries, prime, "VERIFIED full-rank", the line that fails or the exit code of unreadable data); data line 2,
    layer 3, then queries, claim."""
    googol = "decay=1/1" + "0" * 999  # 3319 bits a step
    mersenne = 2**61 - 1
    full = "VERIFIED full-rank"
    yield googol, ones(316), None, mersenne, full
    yield googol, ones(317), None, mersenne, "line 3"
    yield googol, ones(2), ones(316), mersenne, full
    yield googol, ones(2), ones(317), mersenne, "line 4"
    yield googol, ones(316, d=64), None, mersenne, "line 3"
    yield "degree=12", ones(1, d=20), None, mersenne, "line 3"
    yield "degree=0..12", ones(1, d=400), None, mersenne, "line 3"
    yield "decay=1/%d" % mersenne, ones(2), None, mersenne, "line 5"
    yield "decay=1/%d" % mersenne, ones(2), None, 2**31 - 1, full
    yield "decay=1/%d" % mersenne, ones(1), None, mersenne, "line 5"
    yield "table=1:1/%d" % mersenne, ones(1), None, mersenne, "line 5"
    big = 2.0**1000  # 1000 bits a step
    yield "gates", ones(1049, gates=[[big]] * 1049), None, mersenne, full
    yield "gates", ones(1050, gates=[[big]] * 1050), None, mersenne, "line 3"
    tiny = 2.0**-1000
    yield "gates", ones(1049, gates=[[tiny]] * 1049), None, mersenne, full
    yield "gates", ones(1050, gates=[[tiny]] * 1050), None, mersenne, "line 3"
    yield "gates", ones(2, gates=[[1.0]] * 2), ones(2), mersenne, "line 4"
    yield "gates", ones(2, gates=[[1.0, 1.0]] * 2), None, mersenne, "line 3"
    yield "gates=vector", ones(2, gates=[[1.0, 1.0]] * 2), None, mersenne, "line 3"
    yield "delta", ones(2, keys=[[1.0]] * 2, beta=[[1.0, 1.0]] * 2), None, mersenne, "line 3"
    yield "delta", ones(2, keys=[[1.0]] * 2), None, mersenne, "line 3"
    yield "delta", ones(2, beta=[[1.0]] * 2), None, mersenne, "line 3"
    yield "delta gates=vector", ones(2, keys=[[1.0, 2.0]] * 2, beta=[[0.5]] * 2, gates=[[0.5]] * 2), None, mersenne, "line 3"
    yield "delta", ones(1, keys=[[1.0]], beta=[[1.0]]), ones(1, keys=[[1.0, 1.0]], beta=[[1.0]]), mersenne, "line 4"
    large = 2.0**512  # 2^1024 and 1: 1025 bits a step
    yield "delta", ones(1024, keys=[[large]] * 1024, beta=[[1.0]] * 1024), None, mersenne, full
    yield "delta", ones(1025, keys=[[large]] * 1025, beta=[[1.0]] * 1025), None, mersenne, "line 3"
    yield "cross", ones(1, x=[[2.0]]), ones(1, x=[[2.0, 3.0]]), mersenne, "line 4"
    yield "affine", ones(1), ones(1, d=2), mersenne, "line 4"
    yield "mapped", ones(1, phi=[[1.0]]), ones(1, d=2, phi=[[1.0]]), mersenne, "line 4"
    yield "moments", ones(1), None, mersenne, "line 3"
    moments = LayerData(Family("moments"), [[[]]], {"s": [[2.0]], "u": [[3.0]]})
    yield "moments", moments, None, mersenne, full
    yield "decay=1", moments, None, mersenne, "4"
    yield None, moments, None, mersenne, "4"
    yield None, ones(1, x=[[2.0]]), None, mersenne, full


def named(data, layer):
    """The data as the layer reads them."""
    read = layer_arrays(b"layer " + (layer or "").encode())
    return LayerData(data.family, data.sequences, {name: data.columns[name] for name in read if name in data.columns}).problem()


def check_limits(folder):
    cases = list(cases_of_limits())
    wrong, files_of = [], []
    for i, (layer, data, queries, prime, _) in enumerate(cases):
        text = ["attest-proof 1", "data " + named(data, layer)] + (["layer " + layer] if layer else [])
        text += ["queries " + named(queries, layer)] if queries else []
        text += ["claim full-rank", "prime %d" % prime, "rows 0", "columns 0"]
        files = [folder / ("limit%d.%s" % (i, role)) for role in ("cert", "data", "queries")][:3 if queries else 2]
        for path, content in zip(files, (signed("\n".join(text) + "\n").encode(), data.file(), queries and queries.file())):
            path.write_bytes(content)
        files_of.append(files)
    programs = checkers(ROOT, BIN)
    answers = [verdicts(programs[name], files_of) for name in ("attest-check", "check_certificate.py")]
    for case, (one, _), (other, _) in zip(cases, *answers):
        expected = {"V": "0 ", "l": "1 "}.get(case[-1][0], "") + case[-1]
        if one != expected or other != expected:
            wrong.append("limit %s: attest-check %s, Python %s, expected %s" % ((case[0] or "")[:30], one, other, expected))
    print("layer_test: %d proofs at the limits" % len(cases))
    return wrong


def main():
    with tempfile.TemporaryDirectory() as folder:
        wrong = check_texts() + check_features(pathlib.Path(folder)) + check_limits(pathlib.Path(folder))
    for what in wrong[:20]:
        print("layer_test:", what, file=sys.stderr)
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
