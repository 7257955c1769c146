#!/usr/bin/env python3
"""check_certificate.py PROOF.cert [DATA.npz [QUERIES.npz]], or check_certificate.py --batch LIST

Decides proof files in plain Python, for psi <= 300, or for at most 300 parameters of a stack of layers: such a proof, whose
second line begins with `stack`, has no data file, every other one has. Written from proofs_check/checker/FORMAT.md with
nothing but the standard library. Answers and exit codes are those of attest-check; what is too large for plain Python exits 3.
A line of LIST holds the files of one proof, with tabs between them; for each it prints the exit code and the answer, and
exits 0 itself."""
import os
import stat
import sys

from certificate_claims import Checker
from certificate_data import MAX_BYTES, BadFile, Data, TooLarge, layer_arrays
from certificate_features import Table, misfit, require_small
from certificate_layer import MAX_TEXT, Layer, NotCanonical
from certificate_stack import verify_stack
from certificate_text import Proof, Rejected

MAX_PROOF = 2**26  # bytes
FIRST_LINE = b"attest-proof 1\n"


def problem_line(proof, word, data):
    described = data.describe().split(" ")
    proof.require(proof.take(word, len(described)) == described, "another data set: " + data.describe())


def read_layer(proof):
    """Of the line `layer`, and its number; the paper's, and the number of the line before, where there is none."""
    before = proof.number  # looking at the next word goes beyond comments
    if proof.next_word() != "layer":
        return Layer(), before
    text = proof.rest("layer", MAX_TEXT)
    try:
        return Layer(text), proof.number
    except NotCanonical:
        return proof.require(False, "not the canonical text of a layer")


def verify(text, data=None, queries=None):
    """The claim, as written; raises Rejected. Without data: of a stack."""
    proof = Proof(text)
    proof.require(proof.take("attest-proof", 1) == ["1"], "expected attest-proof 1")
    if not data:
        claim = verify_stack(proof)
        proof.finish()
        return claim
    problem_line(proof, "data", data)
    layer, line = read_layer(proof)
    reason = misfit(layer, [data])
    proof.require(not reason, reason, line)
    if queries:
        problem_line(proof, "queries", queries)
        reason = misfit(layer, [data, queries])
        proof.require(not reason, reason)
    require_small(layer, [data] + ([queries] if queries else []))
    fields = proof.take("claim", max(3, 1 + (queries.num_examples if queries else 0)))
    checker = Checker(proof, Table(data, queries, layer))
    claims = {name.replace("_", "-"): getattr(checker, name) for name in (
        "full_rank", "deficient", "rank", "lambda_min", "determined", "undetermined", "labels_consistent",
        "labels_inconsistent", "inexpressible", "grouped")}
    proof.require(fields and fields[0] in claims, "unknown claim")
    claims[fields[0]](fields[1:])
    proof.finish()
    return " ".join(fields)


def is_about_stack(proof):
    """Whether the first line behind line 1 that is no comment begins with stack."""
    at = len(FIRST_LINE) if proof.startswith(FIRST_LINE) else 0
    while at and proof.startswith(b"#", at):
        at = proof.find(b"\n", at) + 1
    return at > 0 and proof.startswith(b"stack", at)


def read(path, limit):
    """The bytes of a regular file that is not larger."""
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
        raise BadFile("no regular file, or too large")
    with open(path, "rb", buffering=0) as file:
        return file.readall()


def answer(paths):
    """(exit code, one line) for a proof, its data and perhaps its queries."""
    usage = 2, "usage: " + __doc__.split("\n")[0]
    if len(paths) not in (1, 2, 3):
        return usage
    path = paths[0]
    try:
        proof = read(path, MAX_PROOF)
        if is_about_stack(proof) != (len(paths) == 1):
            return usage
        sets = []
        for path in paths[1:]:
            sets.append(Data(read(path, MAX_BYTES), layer_arrays(proof)))
        return 0, "VERIFIED " + verify(proof, *sets)
    except Rejected as rejected:
        return 1, "REJECTED: line %d: %s" % rejected.args
    except TooLarge as large:
        return 3, "check_certificate.py: %s: %s; use attest-check" % (path, large)
    except (BadFile, OSError) as bad:
        return 4, "check_certificate.py: %s: %s" % (path, bad)
    except MemoryError:
        return 5, "check_certificate.py: out of memory"


def check_batch(path):
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as batch:
            for line in batch:
                print("%d %s" % answer(line.rstrip("\n").split("\t")), flush=True)
        return 0
    except OSError as bad:
        print("check_certificate.py: %s" % bad, file=sys.stderr)
        return 4


def main(arguments):
    sys.stdout.reconfigure(errors="backslashreplace")
    if len(arguments) == 2 and arguments[0] == "--batch":
        return check_batch(arguments[1])
    code, line = answer(arguments)
    print(line, file=sys.stdout if code < 2 else sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
