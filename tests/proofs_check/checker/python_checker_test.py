"""python_checker_test.py ROOT MUTANTS: scripts/check_certificate.py agrees with attest-check on every example and every mutant,
and has its exit codes. No test framework: python3-minimal is enough."""
import contextlib
import io
import os
import struct
import sys

ROOT, MUTANTS = sys.argv[1:]
EXAMPLES = os.path.join(ROOT, "proofs_check", "checker", "examples")
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import check_certificate  # noqa: E402
from certificate_data import BadFile, Data  # noqa: E402
from certificate_text import Rejected  # noqa: E402


def read(*path):
    with open(os.path.join(EXAMPLES, *path), "rb") as file:
        return file.read()


def line_of(text, start):
    return next(line[len(start):] for line in text.split("\n") if line.startswith(start))


def answer(text, data, queries):
    """The first word, and the claim of a proof that is verified."""
    try:
        return "VERIFIED " + check_certificate.verify(text, data, queries)
    except Rejected:
        return "REJECTED"


def check(condition, *what):
    if not condition:
        print("python_checker_test:", *what, file=sys.stderr)
        sys.exit(1)


sets = {name: Data(read("data", name)) for name in os.listdir(os.path.join(EXAMPLES, "data"))}
texts = {(folder, name): read(folder, name).decode("latin-1")
         for folder in ("valid", "broken") for name in os.listdir(os.path.join(EXAMPLES, folder))}
files = {name: [sets[f] for f in line_of(text, "# files: ").rstrip("\r").split(" ")] for name, text in texts.items()}

for (folder, name), text in texts.items():
    data, queries = (files[folder, name] + [None])[:2]
    expected = "VERIFIED " + line_of(text, "claim ") if folder == "valid" else "REJECTED"
    check(answer(text, data, queries) == expected, folder, name, expected)
check(len(texts) >= 100, "only", len(texts), "examples")

counts = {}
with open(MUTANTS, "rb") as stream:
    for record in stream:
        kind, size, name, expected = record.decode("latin-1").rstrip("\n").split(" ", 3)
        content = stream.read(int(size))
        text = texts["valid", name + ".cert"]
        data, queries = (files["valid", name + ".cert"] + [None])[:2]
        verified = expected.startswith("VERIFIED ")
        if kind == "proof":
            found = answer(content.decode("latin-1"), data, queries)
            check(found == (expected if verified else "REJECTED"), name, found, expected, content)
        else:  # one reader may forgive damage to the container that the other does not; the data must be the same
            try:
                mutant = Data(content)
                same = all(getattr(mutant, part) == getattr(data, part) for part in ("tokens", "labels", "offsets", "query"))
                check(answer(text, mutant, queries).startswith("VERIFIED") == same, name, content)
            except BadFile:
                pass
        counts[kind, verified] = counts.get((kind, verified), 0) + 1
check(counts.get(("proof", True)) and counts.get(("proof", False)) and counts.get(("data", False)), "poor mutants", counts)

wide = os.path.join(os.path.dirname(os.path.abspath(MUTANTS)), "wide.npz")
header = b"{'descr': '|i1', 'fortran_order': False, 'shape': (1, 1, 9), }\n"
contents = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(9)
common = struct.pack("<HHHHHIII", 20, 0, 0, 0, 0, 0, len(contents), len(contents)) + struct.pack("<H", 10)
local = b"PK\3\4" + common + struct.pack("<H", 0) + b"tokens.npy" + contents
record = b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHHII", 0, 0, 0, 0, 0, 0) + b"tokens.npy"
with open(wide, "wb") as file:
    file.write(local + record + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(record), len(local), 0))
proof, data = os.path.join(EXAMPLES, "valid", "full_rank_d6.cert"), os.path.join(EXAMPLES, "data", "d6.npz")
other = os.path.join(EXAMPLES, "data", "d5.npz")
for arguments, code, said in (([proof, data], 0, "VERIFIED full-rank"), ([proof, other], 1, "REJECTED: line "), ([proof], 2, ""),
                              ([proof, wide], 3, ""), ([proof, "/nowhere.npz"], 4, ""), (["/nowhere.cert", data], 4, ""),
                              ([proof, proof], 4, "")):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        found = check_certificate.main(arguments)
    check(found == code, arguments, code)
    lines = printed.getvalue().splitlines()
    check(lines == [] if said == "" else len(lines) == 1 and lines[0].startswith(said), arguments, lines)
print("python_checker_test: %d examples, mutants %s" % (len(texts), counts))
