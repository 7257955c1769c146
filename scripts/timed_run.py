"""What scripts/time_versions and scripts/time_ridge share: a program run on one thread, what it took, and on what machine."""

import json
import os
import subprocess
import sys
import tempfile
from typing import NamedTuple


class Run(NamedTuple):
    said: str
    cpu_seconds: float  # the system's with them
    peak_bytes: int  # of the whole process


def stop(message):
    """Ends the script: 5 says that something could not be run."""
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(5)


def timed(command, codes=(0,)):
    """One run with one BLAS thread. Any other exit code than `codes` ends the script."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            child = subprocess.Popen(command, stdout=output, stderr=errors, env=environment)
        except OSError as error:
            stop(error)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if child.returncode not in codes:
            stop(f"{' '.join(command)}: exit {child.returncode}: {errors.read().decode(errors='replace').strip()}")
        return Run(output.read().decode(errors="replace"), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def version(program):
    """What a row says of the program that it is of."""
    facts = json.loads(timed([program, "doctor", "--json"]).said)
    return {"version": timed([program, "--version"]).said.splitlines()[0], "blas_core": facts["blas_core"]}


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))


def write(path, found):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
        file.write("\n")
