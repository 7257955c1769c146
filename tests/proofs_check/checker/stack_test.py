"""stack_test.py ROOT [BIN [COUNT]]: proofs about stacks of layers. scripts/check_certificate.py, and attest-check and attest-verified of the folder BIN, verify
one of each kind of layer (attest-verified none with softmax or a bound), see the same entries of J vanish modulo small primes, reject the same proofs with one change at the line expected, refuse data files beside them, and agree on
COUNT (10) tampered ones of each, none of which they accept with a dimension that the stack has not. Standard library only."""
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(sys.argv[1]).resolve()
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 10
ENTRIES = 600
sys.path[:0] = [str(HERE), str(ROOT / "scripts")]
from broken_examples import signed  # noqa: E402
from checker_batch import NOT_SUPPORTED, checkers, verdicts  # noqa: E402
from stack_proofs import SOFTMAX_PRIME, VALID, dimension_of, false_proofs, layer, may_leave_out, one_entry, proof_of, texts  # noqa: E402
from tampering import other_number, tamper  # noqa: E402

# Written by hand: out = O V K Q x^3 at K = 2, V = 3, Q = 5, O = 7, and out = O V (softmax mean of x), of the parameters OV and KQ only.
BY_HAND = {
    "dimension 1": """attest-proof 1
stack dimension 1 layers 1 tokens 1 readout all
stack-layer linear heads 1 groups 1 key 1 value 1 residual 0 causal 0 rotary 0 decay none biases none mlp none width 0
claim dimension 1
prime 3
# 3 divides V, so that the derivative by K vanishes modulo it, and by V it does not.
parameters 2 3 5 7
example 1
rows 0
columns 1
field-rows 0 1 2
field-columns 0 2 3
""",
    "dimension 2": """attest-proof 1
stack dimension 1 layers 1 tokens 2 readout last
stack-layer softmax heads 1 groups 1 key 1 value 1 residual 0 causal 1 rotary 0 decay none biases none mlp none width 0
claim dimension 2
prime 23
logarithm 4
parameters 1 1 1 1
example 1 2
example 1 3
rows 0 1
columns 0 1
field-rows 0 1
field-columns 0 1
"""}

# Only what comes before the fault is right: 1 + 2^2 vanishes modulo 5; the third softmax would need 2 to the power of an algebraic number.
ROTARY = """attest-proof 1
stack dimension 1 layers 1 tokens 1 readout all
stack-layer linear heads 1 groups 1 key 2 value 1 residual 0 causal 0 rotary 1 decay none biases none mlp none width 0
claim dimension 1
prime 5
parameters 1 1 1 1 1 1
constants 1
example 1
"""
THREE = """attest-proof 1
stack dimension 1 layers 3 tokens 1 readout all
""" + 3 * (layer("softmax") + "\n") + """claim dimension 1
prime 23
logarithm 4
parameters 1 1 1 1 1 1 1 1 1 1 1 1
example 1
"""

ONE = VALID["one number"][0]
SOFTMAX = VALID["softmax"][0]
BY_THREE, MEAN = BY_HAND["dimension 1"], BY_HAND["dimension 2"]

# What is replaced by what, and the first word of the line that is then wrong.
FAULTS = [
    (ONE, "stack dimension 1", "stack dimension 0", "stack"), (ONE, "tokens 1", "tokens 65", "stack"), (ONE, "layers 1", "layers 0", "stack"),
    (ONE, "layers 1", "layers 2", "claim"), (ONE, "readout all", "readout first", "stack"), (ONE, "readout", "read", "stack"),
    (ONE, "linear", "cubic", "stack-layer"), (ONE, "heads 1", "heads 257", "stack-layer"), (ONE, "groups 1", "groups 2", "stack-layer"),
    (ONE, "groups 1", "groups 0", "stack-layer"), (ONE, "key 1", "key 257", "stack-layer"), (ONE, "residual 0", "residual 2", "stack-layer"),
    (ONE, "rotary 0", "rotary 1", "stack-layer"), (ONE, "decay none", "decay some", "stack-layer"),
    (ONE, "biases none", "biases m", "stack-layer"), (ONE, "biases none", "biases kq", "stack-layer"), (ONE, "biases none", "biases qq", "stack-layer"),
    (ONE, "width 0", "width 1", "stack-layer"), (ONE, "mlp none width 0", "mlp cube width 1025", "stack-layer"),
    (ONE, "key 1 value 1", "key 256 value 256", "parameters"), (ONE, "claim dimension 1", "claim rank 1", "claim"),
    (ONE, "claim dimension 1", "claim dimension 2", "rows"), (ONE, "claim dimension 1", "claim dimension 0", "rows"),
    (ONE, "prime 2147483647", "prime 2147483649", "prime"), (ONE, "prime 2147483647", "prime 2", "prime"),
    (ONE, "prime 2147483647", "prime 2147483629\nlogarithm 1", "logarithm"), (ONE, "\nparameters", "\nparameters 1", "parameters"),
    (ONE, "\nparameters", "\nparameters 4611686018427387904", "parameters"), (ONE, "\nexample", "\nconstants 1\nexample", "constants"),
    (ONE, "\nexample", "\nexample 1", "example"), (ONE, "rows 0", "rows 9", "rows"), (ONE, "\ncolumns 0", "\ncolumns 4", "columns"),
    (ONE, "field-rows 0 1 2", "field-rows 0 1", "field-rows"), (ONE, "field-rows 0 1 2", "field-rows 0 1 3", "field-rows"),
    (ONE, "field-columns 0 1 2", "field-columns 0 1 4", "field-columns"), (ONE, "field-columns 0 1 2", "field-columns 0 2", "field-columns"),
    (BY_THREE, "\ncolumns 1", "\ncolumns 0", "columns"), (BY_THREE, "field-columns 0 2 3", "field-columns 0 1 2", "field-columns"),
    (BY_THREE, "example 1", "example 4611686018427387904", "example"), (MEAN, "example 1 2", "example 4 5", "example"),
    (MEAN, "example 1 3", "example 1 2", "columns"), (MEAN, "logarithm 4", "logarithm 46", "columns"), (MEAN, "prime 23", "prime 31", "prime"),
    (ROTARY, "constants 1", "constants 2", "constants"), (ROTARY, "constants 1", "constants 1", "rows"), (THREE, "example", "example", "example"),
    (SOFTMAX, "decay none", "decay fixed", "stack-layer"), (SOFTMAX, "logarithm", "logarithms", "logarithms"),
    (SOFTMAX, "prime %d" % SOFTMAX_PRIME, "prime 2147483647", "prime"), (SOFTMAX, "rows 0 1", "rows 1 0", "rows"),
]


def numbered(text, word):
    """The verdict of a proof of which the first line with this first word is wrong."""
    words = [line.split(" ")[0] for line in (text + "rows").split("\n")]  # it may end before `rows`
    return "1 line %d" % (1 + words.index(word))


class Batch:
    """Files of proofs, and what is expected of them."""

    def __init__(self, folder):
        self.folder, self.files, self.expected = folder, [], []

    def add(self, text, expected=None, extra=()):
        path = self.folder / ("%d.cert" % len(self.files))
        path.write_bytes(signed(text).encode("latin-1"))
        self.files.append([path, *extra])
        self.expected.append(expected)


def collect(batch, rng):
    """Valid proofs, false ones, faults, wrong usage; then tampered ones."""
    for claim, text in BY_HAND.items():
        batch.add(text, "0 VERIFIED " + claim)
        batch.add(text, "2", [batch.folder / "0.cert"])
    batch.add("attest-proof 1\ndata dimension 2\n", "2")
    valid = texts()
    for name, text in valid.items():
        batch.add(text, "0 VERIFIED dimension %d" % VALID[name][1])
    for text, least, word in false_proofs():
        assert int(re.search("claim dimension (\\d+)", text).group(1)) < least
        batch.add(text, numbered(text, word))
    for start, old, new, word in FAULTS:
        text = start if isinstance(start, str) else "\n".join(proof_of(*start)) + "\n"
        assert old in text, old
        text = text.replace(old, new, 1)
        batch.add(text, numbered(text, word))
    for _ in range(ENTRIES):
        batch.add(one_entry(rng))
    for text in list(BY_HAND.values()) + list(valid.values()):
        lines = text.split("\n")[:-1]
        for _ in range(COUNT):
            if rng.randrange(2):
                changed = list(lines)
                at = rng.randrange(1, len(lines))
                changed[at] = other_number(rng, lines[at])
            else:
                changed = lines[:1] + tamper(rng, lines[1:], [lines[1:]])
            batch.add("\n".join(changed) + "\n")


def of_a_half(program, folder):
    """What is wrong with the answers of attest-verified to a proof that ends in `bound`: it says which half is verified; a wrong minor it rejects."""
    def answer(text):
        path = folder / "half.cert"
        path.write_text(signed(text))
        run = subprocess.run([*program, path], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr
    good = texts()["shared keys, bound"]
    wrong = re.sub("\ncolumns .*", "\ncolumns" + "".join(" %d" % k for k in range(48)), good)
    (code, said), (code_wrong, said_wrong) = answer(good), answer(wrong)
    if code != 3 or "VERIFIED" in said or "at most 48. That it is at least 48 is verified" not in said:
        yield "half a proof: %d %s" % (code, said)
    if code_wrong != 1 or numbered(wrong, "columns")[2:] not in said_wrong:
        yield "a wrong half of a proof: %d %s" % (code_wrong, said_wrong)


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        batch = Batch(pathlib.Path(folder))
        collect(batch, random.Random(1))
        programs = checkers(ROOT, sys.argv[2] if len(sys.argv) > 2 and sys.argv[2] else HERE)
        answers = {name: [verdict for verdict, _ in verdicts(command, batch.files)] for name, command in programs.items()}
        verified, decided = 0, collections.Counter()
        for i, (files, expected) in enumerate(zip(batch.files, batch.expected)):
            text = files[0].read_bytes().decode("latin-1")
            given = {name: each[i] for name, each in answers.items()}
            known = {answer for answer in given.values() if answer != NOT_SUPPORTED}
            decided.update("%s by %s" % ("verified" if answer[0] == "0" else "refused", name) for name, answer in given.items() if answer != NOT_SUPPORTED)
            decided.update("not supported by " + name for name, answer in given.items() if answer == NOT_SUPPORTED)
            left_out = [name for name, answer in given.items() if answer == NOT_SUPPORTED and not may_leave_out(name, text)]
            if len(known) > 1 or left_out or expected and known - {expected}:
                failures.append("%s instead of %s:\n%s" % (given, expected, text))
            elif expected is None and any(answer[0] == "0" for answer in known):
                verified += 1
                if known != {"0 VERIFIED dimension %d" % dimension_of(text)}:
                    failures.append("%s, which is false:\n%s" % (given, text))
        if "attest-verified" in programs:
            failures += of_a_half(programs["attest-verified"], batch.folder)
    for failure in failures[:5]:
        print(failure[:3000])
    print("%d proofs, %d tampered ones verified with a true claim, %d failures; %s" % (len(batch.files), verified, len(failures), dict(sorted(decided.items()))))
    return 1 if failures or not verified else 0


if __name__ == "__main__":
    sys.exit(main())
