"""timings.py ROOT BIN RESULT: what attest-verified and attest-check take for proofs of full rank, psi = 126, 288 and 936, as JSON.
Random tokens of small integers, psi sequences of three; so the minor is the whole table. Standard library only."""
import json
import os
import pathlib
import platform
import random
import re
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


def main():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for d in (6, 8, 12):
            psi, files = write_problem(pathlib.Path(folder), d)
            rows.append({"psi": psi, **{name: measure(BIN / name, files) for name in ("attest-verified", "attest-check") if (BIN / name).exists()}})
            print("timings:", json.dumps(rows[-1]))
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    result = {"command": "scripts/theory --timings", "claim": "full-rank", "seed": SEED,
              "processor": model.group(1) if model else platform.machine(), "rows": rows}
    RESULT.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
