"""stage.py ROOT BIN: processor seconds of all tests labelled theory; at most 720, six minutes on two cores. scripts/theory must have run
before. Standard library only."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT, BIN = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
MOST = 720


def measure_stage(folder):
    """Processor seconds of each test labelled theory: the compilation in a copy where nothing is compiled, at the same time the others,
    which need its results, in ROOT."""
    for part in ("proofs_check", "scripts", "tests/proofs_check", "docs/claims"):
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
        print("stage:", name, seconds[name], flush=True)
    return sum(seconds.values())


def main():
    with tempfile.TemporaryDirectory() as folder:
        total = measure_stage(pathlib.Path(folder))
    print("stage: %.0f seconds of processor time, at most %d wanted" % (total, MOST))
    return total > MOST


if __name__ == "__main__":
    sys.exit(main())
