"""Every page of the documentation is run by a test, and names only commands and options that are there.

    every_page_test.py ROOT ATTEST PAGE:LIBRARY...

PAGE:LIBRARY are the page tests of CMakeLists.txt. A page with ```sh or ```python blocks must be among them, with the library that each of its sections
needs. What a page names without running it (`attest ...` in a sentence, a ```console block, a line marked "# long") must be a command that is there,
with options that its --help lists. docs/README.md names every page of docs/ in one of its five tracks. Exit: 0 so it is, 1 not.
"""

import pathlib
import sys

from commands import Helps, indented, mentioned, problems
from run_page import is_left, needs, sections

FOLDERS = ("docs", "core", "tasks", "programs", "proofs_check", "results", "report", "record", "cli", "python", "bench")
GENERATED = ("docs/cli.md", "CLAIMS.md", "docs/errata.md", "docs/claims")  # pages and folders whose tests compare them with what the program writes


def pages(root):
    found = list(root.glob("*.md")) + [page for folder in FOLDERS for page in (root / folder).rglob("*.md")]
    return sorted(page for page in found if page.parent.name != "tables" and not {str(page.relative_to(root)), str(page.parent.relative_to(root))} & {*GENERATED})


def is_run(language, text):
    return language == "python" or language == "sh" and any(line.strip() and not is_left(line) for line in text.splitlines())


def untested(name, page, tested):
    wanted = {needs(blocks) for _, blocks in sections(page) if any(is_run(language, text) for language, text in blocks)}
    return [f"{name} has blocks for {library} that no page test runs (tests/docs/CMakeLists.txt)" for library in sorted(wanted)
            if f"{name}:{library}" not in tested]


def outside(name, page):
    return [f"{name}: no test can see this outside a ```sh block: {line}" for line in indented(page)]


def unknown(name, page, helps):
    long = [line for _, blocks in sections(page) for language, text in blocks if language == "sh" for line in text.splitlines()]
    return [f"{name}: {found}, in: {line}" for line in [*mentioned(page), *long] for found in problems(line, helps)]


def off_track(tracks, names):
    """Pages of docs/ that docs/README.md does not name exactly once in its five tracks."""
    if tracks.count("\n## ") != 5:
        return ["docs/README.md has other than five tracks"]
    return [f"docs/README.md names docs/{name} {count} times, expected once" for name in names if (count := tracks.count(f"]({name})")) != 1]


def notices_faults(helps):
    """What a reader would stumble over is noticed: otherwise the rest of this test says nothing."""
    faults = ("attest lern data.npz", "attest learn data.npz --solvr svd", "attest express parity --group S3", "scripts/none", "scripts/docs --nothing",
              "attest demo | attest turing runs", "attest reproduce fig99", "attest verify yau2024/lemma_z")
    right = ("attest learn data.npz --solver svd -o m.npz", "build/bin/attest express parity --length 4", "attest reproduce fig2", "attest generate TASK --help", "scripts/setup --with docs")
    return all(problems(fault, helps) for fault in faults) and not any(problems(line, helps) for line in right) and untested(
        "page.md", "```sh\nattest demo\n```\n", []) and outside("page.md", "    attest demo\n") and off_track("\n## a" * 4, []) and off_track("\n## a" * 5, ["a.md"])


def main(root, attest, *tested):
    root = pathlib.Path(root)
    helps = Helps(attest, str(root))
    found = [] if notices_faults(helps) else ["faults planted in this test go unnoticed"]
    everything = pages(root)
    for path in everything:
        name, page = str(path.relative_to(root)), path.read_text(encoding="utf-8")
        found += untested(name, page, tested) + outside(name, page) + unknown(name, page, helps)
    found += off_track((root / "docs/README.md").read_text(encoding="utf-8"), [page.name for page in sorted((root / "docs").glob("*.md")) if page.name != "README.md"])
    found += [f"{entry} is tested and not there" for entry in tested if not (root / entry.rpartition(":")[0]).is_file()]
    print("\n".join(found) or f"{len(everything)} pages, {len(tested)} page tests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
