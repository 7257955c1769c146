"""Reads a sample of every file format that was ever committed, as the program of its day wrote it, with the programs of today.

    compatibility_test.py ATTEST ATTEST_CHECK

Every proof below proof-1 must verify, with the claim that stands in it; every line of samples.txt is a command of `attest` whose JSON
must hold the value given. A sample is never written again: a format that changes gets a new number and new samples (docs/compatibility.md).
Exit: 0 all is read, 1 not.
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def run(words):
    done = subprocess.run(words, capture_output=True, text=True, cwd=HERE)
    return done.returncode, done.stdout, done.stderr


def check_proof(checker, proof):
    lines = proof.read_text(encoding="utf-8").splitlines()
    files = [str(proof.parent / "data" / name) for name in lines[1].removeprefix("# files: ").split()]
    claim = next(line for line in lines if line.startswith("claim ")).split()[1]
    code, out, err = run([checker, str(proof), *files])
    return [] if code == 0 and out.startswith(f"VERIFIED {claim}") else [f"{proof.name}: exit {code}: {out}{err}"]


def check_sample(attest, line):
    """A line is "EXIT KEY VALUE COMMAND…"; a key a.b is that of an object in an object."""
    exit_code, key, value, *words = line.split()
    code, out, err = run([attest, *words, "--json"])
    if code != int(exit_code):
        return [f"{line}: exit {code}: {err}"]
    found = json.loads(out)
    for part in key.split("."):
        found = found[part]
    return [] if str(found) == value else [f"{line}: {key} is {found}"]


def main(attest, checker):
    proofs = sorted(HERE.glob("proof-1/**/*.cert"))
    samples = [line for line in (HERE / "samples.txt").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    used = " ".join(samples)
    failures = [failure for proof in proofs for failure in check_proof(checker, proof)]
    failures += [failure for line in samples for failure in check_sample(attest, line)]
    failures += [f"{path.name} is read by no line of samples.txt"
                 for folder in ("data", "models", "rows-1") for path in sorted((HERE / folder).iterdir()) if f"{folder}/{path.name}" not in used]
    for failure in failures:
        print(f"compatibility_test: {failure}", file=sys.stderr)
    print(f"compatibility_test: {len(proofs)} proofs, {len(samples)} commands, {len(failures)} failures")
    return 1 if failures or len(proofs) < 30 else 0


if __name__ == "__main__":
    sys.exit(main(*map(str, map(pathlib.Path.resolve, map(pathlib.Path, sys.argv[1:])))))
