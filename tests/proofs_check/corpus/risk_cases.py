"""Of the corpus, risk/: data sets whose labels no layer of the kind fits, for the paper's layer and some others, a proof of the least
training risk of each, and the same proof with one change. Standard library only."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "checker"))
from exact_data import Data  # noqa: E402
from layer_data import FAMILIES, draw, seeded  # noqa: E402
from paper_cases import files_of, proof_files  # noqa: E402
from risk_proofs import risk_faults, risk_proof  # noqa: E402

LAYERS = ("decay", "decay_thirds", "lags", "affine", "cross", "gates", "gates_vector", "mapped", "degree_0_2", "moments")


def word_problem(length):
    """Tokens one-hot, the label is 1 where both letters occur oddly often: a sum of counts cannot tell."""
    letters = [[1.0, 0.0], [0.0, 1.0]]
    words = [[k >> t & 1 for t in range(length)] for k in range(2 ** length)]
    return Data([[letters[x] for x in word] for word in words], [[float(sum(word) % 2)] for word in words], "per_sequence")


def data_sets():
    """Name -> (data, bytes of the file)."""
    found = {"parity_3": word_problem(3), "parity_4": word_problem(4)}
    # One example twice, with two labels, among fewer examples than features; an output that is fitted beside one that is not.
    few = Data([[[1.0, 2.0]], [[0.5, -1.0], [2.0, 0.25]], [[1.0, 2.0]]], [[1.0, 3.0], [0.0, 0.0], [2.5, 3.0]], "per_sequence")
    asked = Data([[[float(i), 1.0], [1.0, float(i * i % 5)]] for i in range(9)], [[float(i % 3), float(i)] for i in range(9)],
                 "per_sequence", query=[i % 2 for i in range(9)])
    prefixes = Data([[[1.0, 0.5], [0.0, -2.0], [3.0, 1.0]], [[1.0, 0.5], [2.0, 2.0], [1.0, 1.0], [0.25, 0.0]], [[1.0, 0.5]]],
                    [[float(i * i % 7) / 4] for i in range(8)], "per_prefix")
    # Features of zero examples cancel by themselves.
    nothing = Data([[[0.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], [[1.0], [2.0], [-3.0]], "per_sequence")
    found |= {"few": few, "asked": asked, "prefixes": prefixes, "nothing": nothing}
    files = {name: (data, files_of(data)) for name, data in found.items()}
    for name in LAYERS:
        family = FAMILIES[name]
        rng = seeded("risk", name)
        psi = len(draw(rng, family, "none", False, 1).features()[0])
        kind = "per_prefix" if name in ("lags", "gates") else "per_sequence"
        data = draw(rng, family, kind, name != "moments", psi + 3)
        files[name] = (data, data.file(len({len(s) for s in data.sequences}) > 1))
    return files


def cases():
    for name, (data, content) in data_sets().items():
        yield "data/%s.npz" % name, content, "data"
        lines = risk_proof(data, name)
        yield from proof_files(name, lines, risk_faults(lines, data.features()))
