"""The data sets of the proof examples, and the files that hold them: every layout, type and method once."""
import zipfile
from fractions import Fraction

from exact_data import Data, flat, npy, npz, transpose


def sequences(*matrices):
    """The paper's d×n matrices as lists of tokens."""
    return [transpose(Z) for Z in matrices]


# A unimodular six-set (det H = 1) and five sequences of rank 5.
D6 = sequences([[0, 0, 1], [0, 1, 0]], [[0, 1, 0], [0, 0, 1]], [[1, 0, 1], [0, 1, 0]],
               [[1, 1, 0], [0, 0, 1]], [[1, 0, 1], [1, 1, 0]], [[1, 1, 0], [1, 0, 1]])
D5 = sequences([[0, 0], [0, 1]], [[0, 1], [0, 0]], [[0, 1], [0, 1]], [[-1, 1], [1, 1]], [[0, 2], [1, 1]])
ONE = [[[a, b]] for a, b in ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (3, 1))]
RAGGED = [[[0.5, -1.25]], [[1, 0], [0, 1], [0.1, 0.2]], [[0.75, 1], [-2, 1]], [[1, 1], [1, 0]]]
P = [[2, 0], [-1, 0.5], [0.25, 1], [0, 0], [3, -2], [1, 1]]


def predict(sequences_):
    return [[float(sum(h * Fraction(p[a]) for h, p in zip(row, P))) for a in range(2)]
            for row in Data(sequences_).features()]


def data_sets():
    noisy = [[row[0] + 0.1 * (i * i % 5)] for i, row in enumerate(predict(D6 + D6[:2]))]
    return {
        "d6": Data(D6),
        "d5": Data(D5),
        "one": Data(ONE),
        "consistent": Data(D6 + D6[:1], predict(D6 + D6[:1]), "per_sequence"),
        "noisy": Data(D6 + D6[:2], noisy, "per_sequence"),
        "twice": Data(D5 + [D5[2], D5[1]], [[float(i)] for i in range(6)] + [[7.5]], "per_sequence"),
        "prefixes": Data(RAGGED, [[float(i), -0.0] for i in range(8)], "per_prefix"),
        "asked": Data(D6, query=[1, 1, 0, 2, 1, 0]),
        "triple": Data([[[3, 0]]] + ONE + D6),
        "tiny": Data([[[x * 2.0**-300 for x in token] for token in s] for s in D6]),
        "queries": Data([[[1, 2]], [[1, 0], [0, 1]], [[-1, 0], [1, 1]], [[5, -3]], D5[3]]),
        "queries_one": Data([[[1, 1]], [[2, 3]], [[0.3, -7]]]),
    }


def data_files(data):
    tokens = {name: flat(set_.sequences) for name, set_ in data.items()}
    Z = {name: flat([transpose(s) for s in set_.sequences]) for name, set_ in data.items()}
    y = {name: flat(set_.labels) for name, set_ in data.items()}

    def ragged(name, token_type, offset_type):
        offsets = data[name].offsets()
        return {"tokens": npy((offsets[-1], 2), tokens[name], token_type), "offsets": npy((len(offsets),), offsets, offset_type)}

    files = {
        "d6": {"Z": npy((6, 2, 3), Z["d6"])},
        "d5": {"tokens": npy((5, 2, 2), tokens["d5"], "|i1"), "meta": npy((2,), [123, 125], "|u1")},
        "one": {"tokens": npy((7, 1, 2), tokens["one"], "<i4", True)},
        "consistent": {"Z": npy((7, 2, 3), Z["consistent"], "<f4", True), "y": npy((7, 2), y["consistent"], "<f8", True)},
        "noisy": {"Z": npy((8, 2, 3), Z["noisy"], "<i8"), "y": npy((8,), y["noisy"])},
        "twice": {"tokens": npy((7, 2, 2), tokens["twice"], "<i2"), "y": npy((7, 1), y["twice"], "<f4")},
        "prefixes": ragged("prefixes", "<f8", "<i8") | {"y_prefix": npy((8, 2), y["prefixes"])},
        "asked": {"Z": npy((6, 2, 3), Z["asked"]), "query": npy((6,), data["asked"].query, "<i8")},
        "triple": ragged("triple", "<f8", "<i4"),
        "tiny": {"Z": npy((6, 2, 3), Z["tiny"])},
        "queries": ragged("queries", "<f4", "<i8"),
        "queries_one": {"tokens": npy((3, 1, 2), tokens["queries_one"])},
    }
    stored = ("d6", "triple")
    return {name: npz(arrays, zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED) for name, arrays in files.items()}
