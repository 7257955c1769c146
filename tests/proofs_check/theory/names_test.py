"""names_test.py ROOT: every theorem that proofs_check/theory/README.md, docs/theory.md or docs/claims names as `file.v: name`
is stated in that file, and every claim id in the table is in CLAIMS.md. Standard library only."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
THEORY = ROOT / "proofs_check" / "theory"


def main():
    wrong, count = [], 0
    claims = (ROOT / "CLAIMS.md").read_text()
    for page in (THEORY / "README.md", ROOT / "docs" / "theory.md", *sorted((ROOT / "docs" / "claims").glob("*.md"))):
        text = page.read_text()
        for file, names in re.findall(r"`?([a-z_]+\.v)`?: ((?:`?\w+`?(?:, )?)+)", text):
            source = (THEORY / file).read_text() if (THEORY / file).exists() else ""
            for name in re.findall(r"\w+", names):
                count += 1
                if not re.search(r"^(Theorem|Corollary|Lemma|Definition|Fixpoint) %s\b" % name, source, re.M):
                    wrong.append("%s: there is no %s in %s" % (page.name, name, file))
        if page.parent == THEORY:
            for claim in re.findall(r"`((?:yau2024|readers|fewest_heads|chen_li2024|certificates|family|in_context)/\w+)`", text):
                count += 1
                if "\n| [%s](" % claim not in claims:
                    wrong.append("%s: there is no claim %s" % (page.name, claim))
    for line in wrong:
        print("names_test:", line, file=sys.stderr)
    print("names_test: %d references" % count)
    return bool(wrong) or count < 30


if __name__ == "__main__":
    sys.exit(main())
