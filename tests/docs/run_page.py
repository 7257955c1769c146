"""Runs a page of the documentation from top to bottom, in an empty folder: its Python and its commands.

    run_page.py PAGE ATTEST numpy|torch

Each ```python block is a program of its own; each line of a ```sh block is a command, `attest` and `build/bin/attest` being ATTEST, which must end with
exit code 0, or with the one that its comment "# exit 1" names. Scripts, CMake and apt-get, and lines whose comment begins with "# long", are left to other
tests; every_page_test.py looks at their options. A line `<!-- test: COMMAND -->` is run where it stands and not shown to readers: it makes the files that a
page presumes, where $ROOT is the tree. Every line of a ```text block must stand in what the blocks before it printed, back to the last ```text block; runs
of spaces count as one. `attest learn` without a ridge and `attest predict` must find a relative risk below 1e-20 from at least twice as many examples as
features: an expected layer then is the one that made the labels, as no other fits them.

Sections that import torch are run with `torch`, the others with `numpy`. Exit: 0 all as the page says, 1 not, 77 that library is not there.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

RISK_BELOW = 1e-20  # rounding alone leaves about 1e-30, a decay of 30 instead of 31 in 32 leaves 1e-5
BLOCK = re.compile(r"^```(python|sh|text)\n(.*?)^```$|^<!-- test: (.*?) -->$", re.M | re.S)
HEADING = re.compile(r"^##+ (.*)$", re.M)


class Difference(Exception):
    """What a page says and what happens are not the same."""


def sections(page):
    """Pairs of a heading and the blocks (language, text) below it; first what stands before any heading."""
    starts = list(HEADING.finditer(page))
    titles = ["(top)"] + [start.group(1) for start in starts]
    bounds = [0] + [start.start() for start in starts] + [len(page)]
    for title, begin, end in zip(titles, bounds, bounds[1:]):
        yield title, [("sh", hidden) if hidden else (language, text) for language, text, hidden in BLOCK.findall(page[begin:end])]


def needs(blocks):
    return "torch" if any("import torch" in text for _, text in blocks) else "numpy"


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check_risk(command):
    code, output = run(["bash", "-c", command + " --json 2>/dev/null"])
    if code != 0:
        raise Difference(f"{command} --json\nexit {code}: {output}")
    found = json.loads(output)
    if not found["relative"] < RISK_BELOW:
        raise Difference(f"{command}\nrelative risk {found['relative']}, expected below {RISK_BELOW}")
    if "psi" in found and found["num_examples"] < 2 * found["psi"]:
        raise Difference(f"{command}\n{found['num_examples']} examples for {found['psi']} features: anything would fit")


def is_left(line):
    """Whether another test runs this: set-up, builds and whole reproductions."""
    return line.startswith(("./scripts/", "scripts/", "cmake ", "apt-get ")) or re.search(r" # long\b", line)


def run_command(line):
    command, _, comment = line.partition("#")
    expected = int((re.match(r" exit (\d+)", comment) or [0, 0])[1])
    code, output = run(["bash", "-c", command])
    if code != expected:
        raise Difference(f"{command}\nexit {code}, expected {expected}: {output}")
    if re.match(r"attest (learn|predict) ", command) and "--ridge" not in command:
        check_risk(command.strip())
    return output


def spaced(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def run_section(blocks):
    """The number of checks made."""
    printed, count = "", 0
    for language, text in blocks:
        if language == "python":
            code, output = run([sys.executable, "-c", text])
            if code != 0:
                raise Difference(output)
            printed, count = printed + output, count + 1
        elif language == "sh":
            for line in (line for line in text.splitlines() if line.strip() and not is_left(line)):
                printed, count = printed + run_command(line), count + 1
        else:
            for line in spaced(text):
                if line not in spaced(printed):
                    raise Difference(f"the page shows\n  {line}\nwhat was printed is\n{printed}")
                count += 1
            printed = ""
    return count


def main(page, attest, library):
    if subprocess.run([sys.executable, "-c", f"import {library}"], capture_output=True).returncode != 0:
        print(f"skipped: this Python has no {library}")
        return 77
    with open(page, encoding="utf-8") as file:
        wanted = [(title, blocks) for title, blocks in sections(file.read()) if blocks and needs(blocks) == library]
    count = 0
    os.environ["ROOT"] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    os.environ.setdefault("ATTEST_PYTHON", sys.executable)  # what `attest verify FILE.py` runs: the Python that has the libraries
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "build", "bin"))
        for name in ("attest", "build/bin/attest"):
            os.symlink(os.path.abspath(attest), os.path.join(folder, name))
        os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
        os.chdir(folder)
        for title, blocks in wanted:
            try:
                count += run_section(blocks)
            except Difference as difference:
                print(f"section {title}: {difference}")
                return 1
    print(f"{len(wanted)} sections, {count} checks")
    return 0 if count > 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
