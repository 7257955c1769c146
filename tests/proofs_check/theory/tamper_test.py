"""tamper_test.py ROOT BIN COUNT [SEED [RESULT]]: tampers COUNT times with the valid proofs of the corpus and the examples, with
their data, and with proofs about stacks. The checkers agree in exit code, claim and line on every one (what one does not support aside), each ends by itself,
within ten seconds and 1 GB, and accepts no claim that exact arithmetic refutes. RESULT: a JSON file of what was found. Without
attest-verified: exit 77. Standard library only."""
import collections
import functools
import json
import multiprocessing
import os
import pathlib
import random
import sys
import tempfile
from fractions import Fraction

ROOT, BIN, COUNT = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "checker"), str(HERE.parent / "corpus"), str(ROOT / "scripts")]
from agreement_test import cases  # noqa: E402
from broken_examples import signed  # noqa: E402
from certificate_data import BadFile, Data, layer_arrays  # noqa: E402
from certificate_features import Table  # noqa: E402
from certificate_layer import Layer  # noqa: E402
from checker_batch import BYTES, NOT_SUPPORTED, SECONDS, checkers, verdicts  # noqa: E402
from claim_oracle import claim_holds  # noqa: E402
from corpus import unpacked  # noqa: E402
from stack_proofs import VALID, dimension_of, may_leave_out, texts  # noqa: E402
from tampering import tamper, tamper_arrays, tamper_bytes  # noqa: E402

BATCH = 500
WORKERS = 2 * (os.cpu_count() or 1)  # one works while another's files are written
SKIPPED = 77


class Tampering:
    """Writes tampered proofs and data into a folder, from valid ones."""

    def __init__(self, folder, valid, rng):
        self.folder, self.rng, self.number = pathlib.Path(folder), rng, 0
        self.proofs, self.donors = [], collections.defaultdict(list)
        for proof, files, _ in valid:
            lines = proof.read_bytes().decode("latin-1").split("\n")[:-2]
            self.proofs.append((lines, files))
            self.donors[tuple(files)].append(lines)

    def save(self, content, suffix):
        path = self.folder / ("%d%s" % (self.number, suffix))
        path.write_bytes(content)
        return path

    def other_data(self, lines, files):
        """Changed data, mostly named truthfully."""
        rng = self.rng
        content = rng.choice((tamper_bytes, tamper_arrays, tamper_arrays))(rng, files[0].read_bytes())
        try:
            if rng.random() < 0.9:
                new = "data " + Data(content, layer_arrays("\n".join(lines).encode())).describe()
                lines = [new if line.startswith("data ") else line for line in lines]
        except BadFile:
            pass
        return lines, [self.save(content, ".npz")] + files[1:]

    def draw(self):
        """The files of a case."""
        rng = self.rng
        self.number += 1
        lines, files = rng.choice(self.proofs)
        if files and rng.random() < 0.25:
            lines, files = self.other_data(lines, files)
        else:
            donors = self.donors[tuple(files)]
            for _ in range(rng.choice((1, 1, 2))):
                kept = [] if files else lines[:1]  # else it is not about a stack, and has no data
                lines = kept + tamper(rng, lines[len(kept):] or [""], donors)
        text = "\n".join(lines) + "\n"
        complete = signed(text) if rng.random() < 0.98 else text
        return [self.save(complete.encode("latin-1"), ".cert")] + files


def refuted(claim, files, known={}):
    """Is the claim false of the data, as the Python checker reads them? Or of the stack that is named."""
    proof, *sets = [path.read_bytes() for path in files]
    if not sets:
        return claim != "dimension %d" % dimension_of(proof.decode("latin-1"))
    layer = next((line[len("layer "):] for line in proof.decode("latin-1").split("\n") if line.startswith("layer ")), None)
    key = (claim, layer, *sets)
    if key not in known:
        data, queries = ([Data(content, layer_arrays(proof)) for content in sets] + [None])[:2]
        table = Table(data, queries, Layer(layer) if layer else Layer())
        H, Q, Y = ([[Fraction(x, table.unit) for x in row] for row in rows] for rows in (table.features, table.queries, table.labels))
        known[key] = not claim_holds(claim, H, Q, Y)
    return known[key]


OPPOSITE = {"full-rank": "deficient", "deficient": "full-rank", "labels-consistent": "labels-inconsistent", "labels-inconsistent": "labels-consistent"}


def oracle_sees_falsehood(valid):
    """The opposite of what a valid proof claims is refuted, and the claim is not."""
    seen = 0
    for proof, files, expected in valid:
        claim = expected[len("0 VERIFIED "):]
        if claim in OPPOSITE:
            seen += 1
            if refuted(claim, [proof, *files]) or not refuted(OPPOSITE[claim], [proof, *files]):
                return False
    return seen > 20


def judge(found, files, counts):
    """What is wrong with the answers to one case; '' if nothing."""
    answers = {name: answer for name, (answer, _) in found.items() if answer != NOT_SUPPORTED}
    for name, (answer, _) in found.items():
        left_out = answer == NOT_SUPPORTED and len(files) == 1 and may_leave_out(name, files[0].read_text("latin-1"))
        counts["%s %s" % ("stacks left out by" if left_out else "not supported by", name)] += answer == NOT_SUPPORTED
    if len(set(answers.values())) != 1:
        return "they differ"
    answer = min(answers.values())
    usage = answer[0] == "2" and len(files) == 1  # no longer about a stack
    counts[{"0": "verified", "1": "rejected", "4": "unreadable"}.get(answer[0], "without data" if usage else "ended otherwise")] += 1
    if answer[0] not in "014" and not usage:
        return "ended otherwise"
    if answer[0] == "0":
        claim = answer[len("0 VERIFIED "):]
        counts["verified " + claim.split(" ")[0]] += 1
        counts["verified with a layer"] += b"\nlayer " in files[0].read_bytes()
        return "the claim is false" if refuted(claim, files) else ""
    return ""


def keep(files, what, found):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tampered-", dir="."))
    for path in files:
        (folder / path.name).write_bytes(path.read_bytes())
    print("tamper_test: %s: %s, kept in %s" % (what, found, folder), file=sys.stderr)


def run_batch(valid, start):
    """(counts, how many wrong, longest seconds of each checker) of one batch, which depends on SEED and START alone."""
    programs, counts, wrong = checkers(ROOT, BIN), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        tampering = Tampering(folder, valid, random.Random("%d %d" % (SEED, start)))
        drawn = [tampering.draw() for _ in range(min(BATCH, COUNT - start))]
        answers = {name: verdicts(command, drawn) for name, command in programs.items()}
        for i, files in enumerate(drawn):
            found = {name: each[i] for name, each in answers.items()}
            what = judge(found, files, counts)
            if what:
                wrong += 1
                keep(files, what, found)
    return counts, wrong, {name: max(seconds for _, seconds in each) for name, each in answers.items()}


def main():
    programs = checkers(ROOT, BIN)
    if len(programs) < 3:
        print("tamper_test: SKIPPED: attest-check or attest-verified is not built in %s; scripts/theory --checker builds the second" % BIN)
        return SKIPPED
    with unpacked() as corpus:
        valid = [case for case in cases(corpus) if case[2].startswith("0")]
        for number, (name, text) in enumerate(texts().items()):
            path = pathlib.Path(corpus) / ("stack%d.cert" % number)
            path.write_text(signed(text))
            valid.append((path, [], "0 VERIFIED dimension %d" % VALID[name][1]))
        return tamper_all(programs, valid)


def tamper_all(programs, valid):
    assert oracle_sees_falsehood(valid)
    counts, wrong, longest, done = collections.Counter(), 0, dict.fromkeys(programs, 0.0), 0
    with multiprocessing.Pool(WORKERS) as pool:
        for batch_counts, batch_wrong, batch_longest in pool.imap_unordered(functools.partial(run_batch, valid), range(0, COUNT, BATCH)):
            counts.update(batch_counts)
            wrong += batch_wrong
            longest = {name: max(longest[name], batch_longest[name]) for name in programs}
            done += 1
            if done % 20 == 0:
                print("tamper_test: %d of %d, %d wrong" % (done * BATCH, COUNT, wrong), file=sys.stderr, flush=True)
    result = {"command": "scripts/theory --tamperings", "tamperings": COUNT, "seed": SEED, "wrong": wrong, "answers": dict(sorted(counts.items())),
              "longest_seconds": {name: round(seconds, 3) for name, seconds in longest.items()}, "limits": {"seconds": SECONDS, "bytes": BYTES}}
    print("tamper_test:", json.dumps(result))
    if len(sys.argv) > 5:
        pathlib.Path(sys.argv[5]).write_text(json.dumps(result, indent=2) + "\n")
    return wrong > 0 or min(counts[kind] for kind in ("verified", "rejected", "unreadable")) < COUNT // 100


if __name__ == "__main__":
    sys.exit(main())
