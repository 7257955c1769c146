"""timings.py ROOT BIN RESULT: what attest-verified and attest-check take for proofs of full rank, psi = 126, 288 and 936, and what the
tests labelled theory take from a tree in which nothing of it is compiled, as JSON. The proofs: random tokens of small integers, psi
sequences of three; so the minor is the whole table. Standard library only."""
import json
import os
import pathlib
import platform
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT, BIN, RESULT = (pathlib.Path(argument) for argument in sys.argv[1:4])
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


def processor_seconds(command):
    """Of a command that passes, with all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1)


def measure_stage(folder):
    """Processor seconds of each test labelled theory, in a copy of what they need."""
    for part in ("proofs_check", "scripts", "tests/proofs_check"):
        shutil.copytree(ROOT / part, folder / part)
    for file in ("CLAIMS.md", "docs/theory.md", "build/bin/attest-check"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(BIN / "attest-check" if file.startswith("build") else ROOT / file, folder / file)
    tests, more = folder / "tests" / "proofs_check" / "theory", [str(folder), str(folder / "build" / "bin")]
    commands = {"theory": [str(folder / "scripts" / "theory")],
                **{name: [sys.executable, "-B", str(tests / file), *arguments] for name, file, arguments in (
                    ("theory_planted_faults", "planted_faults_test.py", more[:1]), ("checker_limits", "limits_test.py", more),
                    ("tampered_proofs", "tamper_test.py", [*more, "5000", "2"]))}}
    seconds = {}
    for name, command in commands.items():
        seconds[name] = processor_seconds(command)
        print("timings:", name, seconds[name], flush=True)
    return {**seconds, "total": round(sum(seconds.values()), 1)}


def main():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for d in (6, 8, 12):
            psi, files = write_problem(pathlib.Path(folder), d)
            rows.append({"psi": psi, **{name: measure(BIN / name, files) for name in ("attest-verified", "attest-check") if (BIN / name).exists()}})
            print("timings:", json.dumps(rows[-1]))
        stage = measure_stage(pathlib.Path(folder))
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    result = {"command": "scripts/theory --timings", "claim": "full-rank", "seed": SEED,
              "processor": model.group(1) if model else platform.machine(), "rows": rows, "stage_seconds": stage}
    RESULT.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
