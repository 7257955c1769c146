"""Of the corpus, grouped/: data sets whose sequences end in few query tokens, a proof of the rank of each by groups, and the same
proof with one change. Standard library only."""
import pathlib
import random
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "checker"))
from exact_data import Data  # noqa: E402
from grouped_proofs import grouped_faults, grouped_proof  # noqa: E402
from paper_cases import as_floats, files_of, proof_files  # noqa: E402


def one_hot(d, k):
    return [Fraction(int(a == k)) for a in range(d)]


def drawn(seed, queries, counts, lengths=(2, 3), columns=None):
    """counts[g] sequences that end in queries[g], groups interleaved; `columns`: these coordinates only, but for the query."""
    rng = random.Random("grouped %s" % seed)
    d = len(queries[0])
    order = [g for g, count in enumerate(counts) for _ in range(count)]
    rng.shuffle(order)

    def token():
        return [Fraction(rng.randint(-6, 6), rng.choice((1, 1, 2, 4))) if columns is None or a in columns else Fraction(0) for a in range(d)]

    return Data([[token() for _ in range(rng.choice(lengths) - 1)] + [list(queries[g])] for g in order])


def asked_elsewhere():
    """The query stands first or last; −0 in it is 0."""
    queries = [one_hot(2, 0), one_hot(2, 1)]
    data = as_floats(drawn("asked", queries, [5, 4], (3,)))
    data.query = [2 if i % 3 else 0 for i in range(len(data.sequences))]
    for i, tokens in enumerate(data.sequences):
        if data.query[i] == 0:
            tokens[0], tokens[2] = tokens[2], tokens[0]
            tokens[0] = [-0.0 if x == 0 else x for x in tokens[0]]
    return data


def data_sets():
    """Name -> (data, queries chosen or None, whether few-examples may stand)."""
    half = Fraction(1, 2)
    skew = [[Fraction(1), half, Fraction(0)], [Fraction(2), Fraction(-1), Fraction(3)], [Fraction(0), Fraction(0), half]]
    found = {
        "one_hot_2": (drawn("2", [one_hot(2, k) for k in range(2)], [4, 3]), None, True),
        "one_hot_3": (drawn("3", [one_hot(3, k) for k in range(3)], [6, 7, 8]), None, True),
        "skew": (drawn("skew", skew, [7, 6, 6]), None, True),
        "few": (drawn("few", [one_hot(3, k) for k in range(3)], [6, 2, 3]), None, True),
        "few_by_nulls": (drawn("few", [one_hot(3, k) for k in range(3)], [6, 2, 3]), None, False),
        "missing_query": (drawn("missing", [one_hot(3, 2), one_hot(3, 0)], [7, 8]), None, True),
        "plane": (drawn("plane", [one_hot(3, k) for k in range(2)], [6, 7], columns=(0, 1)), None, True),
        "alone": (drawn("alone", skew[1:2], [4], (1,)), None, True),
    }
    labelled = drawn("labels", [one_hot(2, k) for k in range(2)], [4, 4])
    labelled.kind, labelled.labels, labelled.o = "per_sequence", [[Fraction(i % 3)] for i in range(8)], 1
    found["labels"] = (labelled, None, True)
    others = [one_hot(2, 0), one_hot(2, 1), [Fraction(1), Fraction(1)], [Fraction(3), Fraction(-1)]]
    found["among_others"] = (drawn("others", others, [4, 2, 5, 1]), [others[0], others[2]], True)
    found["asked"] = (asked_elsewhere(), None, True)
    found["one_query"] = (drawn("one", [one_hot(2, 1)], [4]), None, True)
    return found


def cases():
    for order, (name, (data, chosen, few)) in enumerate(data_sets().items()):
        data = as_floats(data)
        # Both sides of the bound below which attest-check eliminates in another way.
        modulus = (2 ** 61 - 1, 2 ** 26 - 5)[order % 2]
        yield "data/%s.npz" % name, files_of(data), "data"
        lines = grouped_proof(data, name, chosen, few, modulus)
        yield from proof_files(name, lines, grouped_faults(lines, data))
