"""results_test.py ROOT: what docs/theory.md says of times and tamperings is what the committed results say, and these are complete.
Standard library only."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
TAMPERINGS = 100000
CLAIMS = ("full-rank", "deficient", "rank", "lambda-min", "determined", "undetermined", "labels-consistent", "labels-inconsistent", "inexpressible",
          "grouped", "with a layer", "dimension")


def table_of_times(page):
    """(psi, four numbers) of each row."""
    rows = re.findall(r"^\| (\d+) \| ([\d.]+) s \| (\d+) MB \| ([\d.]+) s \| (\d+) MB \|$", page, re.M)
    return [[float(number) for number in row] for row in rows]


def of_times(page, times):
    rows = [[row["psi"]] + [row[name][what] for name in ("attest-verified", "attest-check") for what in ("seconds", "megabytes")]
            for row in times["rows"]]
    if not rows or table_of_times(page) != rows:
        yield "docs/theory.md does not have the times of results/theory_timings.json: %s" % rows


def of_tamperings(result):
    answers = result["answers"]
    if result["wrong"] or result["tamperings"] < TAMPERINGS:
        yield "%d of %d tamperings wrong, at least %d wanted" % (result["wrong"], result["tamperings"], TAMPERINGS)
    if sum(answers.get(kind, 0) for kind in ("verified", "rejected", "unreadable", "without data")) != result["tamperings"]:
        yield "the answers do not add up"
    for claim in CLAIMS:
        if not answers.get("verified " + claim):
            yield "no tampering was a proof of " + claim
    for answer, count in answers.items():
        if answer.startswith("not supported") and count > result["tamperings"] // 1000:
            yield answer + " too often"
    if max(result["longest_seconds"].values()) > result["limits"]["seconds"]:
        yield "one took too long"


def main():
    times, tamperings = (json.loads((ROOT / "results" / name).read_text()) for name in ("theory_timings.json", "theory_tamperings.json"))
    page = (ROOT / "docs" / "theory.md").read_text()
    wrong = [*of_times(page, times), *of_tamperings(tamperings)]
    for line in wrong:
        print("results_test:", line, file=sys.stderr)
    controls = [*of_times("", times), *of_tamperings({**tamperings, "wrong": 1})]
    return len(wrong) > 0 or len(controls) < 2


if __name__ == "__main__":
    sys.exit(main())
