"""Writes proofs_check/corpus/layers: for every family of layers one data set, proofs about it, and some of the same proofs with one
change. The results are committed: neither building nor testing runs this. Standard library only."""
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "checker"))
from layer_data import FAMILIES, kinds_of  # noqa: E402
from layer_proofs import evidence_faults, layer_faults, problem_of, proofs  # noqa: E402
from make_corpus import proof_files, write_corpus  # noqa: E402

OUT = HERE.parents[2] / "proofs_check" / "corpus" / "layers"


def every(step, start, items):
    """Some of the items: different ones for another start."""
    items = list(items)
    return [items[(start + i * step) % len(items)] for i in range(min(3, len(items)))]


def proofs_of_family(index, name):
    """(file, content or lines, line of expected.txt or None)."""
    family = FAMILIES[name]
    kinds = kinds_of(family)
    kind, ragged = kinds[index % len(kinds)]
    data, asked = problem_of(name, kind, ragged, 10)
    files = ("%s.npz" % name, "%s_queries.npz" % name)
    ragged = ragged or len({len(s) for s in data.sequences}) > 1
    yield "data/" + files[0], data.file(ragged), None
    yield "data/" + files[1], asked.file(), None
    psi = len(data.features()[0])
    made = proofs(data, asked, [file[:-len(".npz")] for file in files])
    for title, lines in every(1, index, sorted(made.items())):
        wrong = list(every(3, index, evidence_faults(lines, psi)))
        late, usual = ([fault for fault in layer_faults(lines, family) if (fault[0] == "layer_late") == is_late] for is_late in (True, False))
        wrong += every(7, index, usual) + late
        yield from proof_files("%s__%s" % (name, title), lines, wrong)


def corpus():
    return itertools.chain.from_iterable(proofs_of_family(*each) for each in enumerate(FAMILIES))


if __name__ == "__main__":
    write_corpus(OUT, corpus())
