"""Of the corpus, layers/: for every family of layers one data set, proofs about it, and some of the same proofs with one change.
Standard library only."""
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "checker"))
from layer_data import FAMILIES, kinds_of  # noqa: E402
from layer_proofs import evidence_faults, layer_faults, problem_of, proofs  # noqa: E402
from paper_cases import number, proof_files  # noqa: E402


def every(step, start, items):
    """At most three of the items, each once: different ones for another start."""
    items = list(items)
    return [items[k] for k in dict.fromkeys((start + i * step) % len(items) for i in range(min(3, len(items))))]


def proofs_of_family(index, name):
    family = FAMILIES[name]
    kinds = kinds_of(family)
    kind, ragged = kinds[index % len(kinds)]
    data, asked = problem_of(name, kind, ragged, 10)
    files = ("%s.npz" % name, "%s_queries.npz" % name)
    ragged = ragged or len({len(s) for s in data.sequences}) > 1
    yield "data/" + files[0], data.file(ragged), "data"
    psi = len(data.features()[0])
    made = every(1, index, sorted(proofs(data, asked, [file[:-len(".npz")] for file in files]).items()))
    if any(number(lines, "queries ") for _, lines in made):
        yield "data/" + files[1], asked.file(), "data"
    for title, lines in made:
        wrong = list(every(3, index, evidence_faults(lines, psi)))
        late, usual = ([fault for fault in layer_faults(lines, family) if (fault[0] == "layer_late") == is_late] for is_late in (True, False))
        wrong += every(7, index, usual) + late
        yield from proof_files("%s__%s" % (name, title), lines, wrong)


def cases():
    return itertools.chain.from_iterable(proofs_of_family(*each) for each in enumerate(FAMILIES))
