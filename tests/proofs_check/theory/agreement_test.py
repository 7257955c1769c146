"""agreement_test.py ROOT BIN [COMMAND...]: on every example and on the whole corpus, the checkers that are built in BIN (attest-check,
attest-verified), scripts/check_certificate.py and, if it is given, another one's command give the verdict expected, at the line expected;
the other one may refuse with exit 3 what it does not support, and attest-verified the layer delta. Standard library only."""
import collections
import pathlib
import sys

ROOT, BIN = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
EXAMPLES = ROOT / "proofs_check" / "checker" / "examples"
sys.path[:0] = [str(ROOT / "tests" / "proofs_check" / folder) for folder in ("checker", "corpus")]
from checker_batch import NOT_SUPPORTED, checkers, verdicts  # noqa: E402
from corpus import data_of, unpacked  # noqa: E402

ANOTHER = "another checker"
# Of a proof without its end line, one checker may take the first line for the wrong one and another the last.
NO_LINE = {"no_end.cert", "after_end.cert"}


def line_of(text, start):
    return next(line[len(start):] for line in text.split("\n") if line.startswith(start)).rstrip("\r")


def cases(corpus):
    """(proof, files of data, verdict expected) of the examples and of the corpus in this folder; of a broken example not at which line."""
    for folder in ("valid", "broken"):
        for proof in sorted((EXAMPLES / folder).iterdir()):
            text = proof.read_bytes().decode("latin-1")
            expected = "0 VERIFIED " + line_of(text, "claim ") if folder == "valid" else "1 line"
            yield proof, [EXAMPLES / "data" / f for f in line_of(text, "# files: ").split(" ")], expected
    codes = {"VERIFIED": "0 VERIFIED", "REJECTED": "1", "exit": ""}
    for line in (corpus / "expected.txt").read_text().split("\n")[:-1]:
        name, word, rest = line.split(" ", 2)
        files = data_of(name, (corpus / name).read_bytes())
        yield corpus / name, [corpus / file for file in files], (codes[word] + " " + rest).strip()


def may_refuse(name, proof):
    """Whether this checker need not support this proof."""
    return name == ANOTHER or name == "attest-verified" and b"\nlayer delta" in proof.read_bytes()


def compare(every):
    wrong, counts = 0, collections.Counter()
    programs = {**checkers(ROOT, BIN), **({ANOTHER: sys.argv[3:]} if sys.argv[3:] else {})}
    found = {name: [answer for answer, _ in verdicts(command, [[proof, *files] for proof, files, _ in every])]
             for name, command in programs.items()}
    for i, (proof, _, expected) in enumerate(every):
        answers = {name: each[i] for name, each in found.items() if each[i] != NOT_SUPPORTED or not may_refuse(name, proof)}
        known = {answer.split(" ")[0] if proof.name in NO_LINE else answer for answer in answers.values()}
        if len(known) != 1 or not all(answer == expected or expected == "1 line" and answer.startswith("1") for answer in known):
            wrong += 1
            print("agreement_test:", proof.name, "expected", expected, "found", answers, file=sys.stderr)
        counts["verified" if expected.startswith("0") else "refused"] += 1
        counts.update("not supported by " + name for name in found if name not in answers)
    print("agreement_test: %d proofs by %s: %s" % (len(every), ", ".join(found), dict(counts)))
    return wrong > 0 or counts["verified"] < 240 or counts["refused"] < 1690


def main():
    with unpacked() as corpus:
        return compare(list(cases(corpus)))


if __name__ == "__main__":
    sys.exit(main())
