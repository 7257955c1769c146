"""timings.py ROOT BIN RESULT: what attest-verified and attest-check take for proofs of full rank, psi = 126, 288 and 936, and what the
tests labelled theory take from a tree in which nothing of it is compiled, as JSON. The proofs: random tokens of small integers, psi
sequences of three; so the minor is the whole table. Standard library only."""
import json
import os
import pathlib
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT, BIN, RESULT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
sys.path[:0] = [str(ROOT / "tests" / "proofs_check" / "checker")]
from broken_examples import signed  # noqa: E402
from exact_data import Data, flat, npy, npz  # noqa: E402

PRIME, LENGTH, SEED = 2**61 - 1, 3, 1


def write_problem(folder, d):
    """Proof and data; psi."""
    psi = d * d * (d + 1) // 2
    rng = random.Random(SEED)
    data = Data([[[float(rng.randint(-9, 9)) for _ in range(d)] for _ in range(LENGTH)] for _ in range(psi)])
    everything = "".join(" %d" % i for i in range(psi))
    lines = ["attest-proof 1", "data " + data.problem(), "claim full-rank", "prime %d" % PRIME, "rows" + everything, "columns" + everything]
    proof, file = folder / ("%d.cert" % psi), folder / ("%d.npz" % psi)
    proof.write_text(signed("\n".join(lines) + "\n"))
    file.write_bytes(npz({"tokens": npy((psi, LENGTH, d), flat(data.sequences))}))
    return psi, [str(proof), str(file)]


def measure(program, files):
    """Processor seconds and megabytes of one run that verifies."""
    run = subprocess.Popen([str(program)] + files, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    assert run.returncode == 0, "%s does not verify %s" % (program, files[0])
    return {"seconds": round(usage.ru_utime + usage.ru_stime, 2), "megabytes": round(usage.ru_maxrss / 1024)}


def measure_stage(folder):
    """Processor seconds of each test labelled theory: the compilation in a copy where nothing is compiled, at the same time the others,
    which need its results, in ROOT."""
    for part in ("proofs_check", "scripts", "tests/proofs_check"):
        shutil.copytree(ROOT / part, folder / part)
    for file, source in (("CLAIMS.md", ROOT), ("docs/theory.md", ROOT), ("build/bin/attest-check", BIN.parents[1])):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / file, folder / file)
    python, tests = [sys.executable, "-B"], ROOT / "tests" / "proofs_check" / "theory"
    commands = {"theory": [folder / "scripts" / "theory"],
                "theory_planted_faults": [*python, tests / "planted_faults_test.py", ROOT],
                "checker_limits": [*python, tests / "limits_test.py", ROOT, BIN],
                "tampered_proofs": [*python, tests / "tamper_test.py", ROOT, BIN, "5000", "2"]}
    runs = {name: subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL) for name, command in commands.items()}
    seconds = {}
    for name, run in runs.items():
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        assert run.returncode == 0, "%s: exit %d" % (name, run.returncode)
        seconds[name] = round(usage.ru_utime + usage.ru_stime, 1)
        print("timings:", name, seconds[name], flush=True)
    return {**seconds, "total": round(sum(seconds.values()), 1)}


def main():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for d in (6, 8, 12):
            psi, files = write_problem(pathlib.Path(folder), d)
            rows.append({"psi": psi, **{name: measure(BIN / name, files) for name in ("attest-verified", "attest-check") if (BIN / name).exists()}})
            print("timings:", json.dumps(rows[-1]))
        stage = measure_stage(pathlib.Path(folder) / "stage")
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    result = {"command": "scripts/theory --timings", "claim": "full-rank", "seed": SEED,
              "processor": model.group(1) if model else platform.machine(), "rows": rows, "stage_seconds": stage}
    RESULT.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
