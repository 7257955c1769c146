"""gradients_test.py ATTEST fp32|bf16: kernels that go forward and back, right ones of ten kinds, and those of kda with each of 22 faults planted in the
pass back, in float32 or with factors rounded to bfloat16. `attest kernel check` must find the former right, and call the latter wrong and name the
fault. Exit: 0 so it is, 1 not, 77 without NumPy."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    sys.exit(77)

import reference_gradients as gradients
from reference_kernels import to_bf16

ATTEST, ARITHMETIC = sys.argv[1:]
T, K, V = 150, 16, 12

def checked(folder, x, kind, options, fault="", cast=lambda a: a):
    """The exit code and what was found."""
    path = pathlib.Path(folder) / "dump.npz"
    np.savez(path, **x, **gradients.both_passes(x, kind, fault=fault, cast=cast))
    done = subprocess.run([ATTEST, "kernel", "check", path, "--kind", kind, "--json", *options], capture_output=True, text=True)
    if not done.stdout:
        raise AssertionError(done.stderr)
    return done.returncode, json.loads(done.stdout)


def main():
    failures = 0
    options, rounding = {"fp32": ((), lambda a: a), "bf16": (("--operands", "bf16"), to_bf16)}[ARITHMETIC]
    with tempfile.TemporaryDirectory() as folder:
        for kind in gradients.KINDS:
            x = gradients.draw(np.random.default_rng(0), kind, T, K, V, rounding)
            code, found = checked(folder, x, kind, options, cast=rounding)
            if found["verdict"] not in ("right", "undecided"):
                failures += 1
                print("gradients_test: right %s in %s: %s" % (kind, ARITHMETIC, found), file=sys.stderr)
        for fault in gradients.FAULTS:
            x = gradients.draw(np.random.default_rng(0), "kda", T, K, V, rounding)
            code, found = checked(folder, x, "kda", options, fault, rounding)
            names = [like["name"] for like in found.get("looks_like", ())]
            if code != 1 or fault not in names:
                failures += 1
                print("gradients_test: %s in %s: exit %d, looks like %s" % (fault, ARITHMETIC, code, names), file=sys.stderr)
    print("gradients_test: %d kinds and %d faults in %s; %d not as expected" % (len(gradients.KINDS), len(gradients.FAULTS), ARITHMETIC, failures))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
