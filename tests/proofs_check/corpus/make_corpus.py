#!/usr/bin/env python3
"""Makes the corpus of proofs anew, from its seeds, in a folder that corpus.py packs. Bounds of least eigenvalues are searched for in
floating point, and data are compressed, so another Python or zlib may write other bytes, which are as good.

    make_corpus.py FOLDER

Exit: 0 done, 1 the folder cannot be written, 2 usage. Standard library only."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "checker"))
import grouped_cases  # noqa: E402
import layer_cases  # noqa: E402
import paper_cases  # noqa: E402
import risk_cases  # noqa: E402
from broken_examples import signed  # noqa: E402
from corpus import Mismatch, write_folder  # noqa: E402

CASES = {"": paper_cases, "layers/": layer_cases, "risk/": risk_cases, "grouped/": grouped_cases}


def made():
    """(name -> content, name -> verdict)."""
    files, verdicts = {}, {}
    for part, family in CASES.items():
        for name, content, verdict in family.cases():
            content = content if verdict == "data" else signed("\n".join(content) + "\n").encode()
            if files.setdefault(part + name, content) != content:
                raise Mismatch("%s: two files of this name" % (part + name))
            verdicts[part + name] = verdict
    return files, verdicts


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: make_corpus.py FOLDER; see --help", file=sys.stderr)
        return 2
    try:
        write_folder(pathlib.Path(arguments[0]), *made())
    except (Mismatch, OSError) as error:
        print("make_corpus:", error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
