"""gradients_test.py ATTEST SEEDS: kernels that go forward and back, right ones of ten kinds, and those of kda with each of 22 faults planted in the
pass back, in float32 and with factors rounded to bfloat16. `attest kernel check` must find the former right, and call the latter wrong and name the
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

ATTEST, SEEDS = sys.argv[1], int(sys.argv[2])
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
    arithmetics = (((), lambda a: a), (("--operands", "bf16"), to_bf16))
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(SEEDS):
            for options, rounding in arithmetics:
                for kind in gradients.KINDS:
                    x = gradients.draw(np.random.default_rng(seed), kind, T, K, V, rounding)
                    code, found = checked(folder, x, kind, options, cast=rounding)
                    if found["verdict"] not in ("right", "undecided"):
                        failures += 1
                        print("gradients_test: right %s %s: %s" % (kind, options, found), file=sys.stderr)
                for fault in gradients.FAULTS:
                    x = gradients.draw(np.random.default_rng(seed), "kda", T, K, V, rounding)
                    code, found = checked(folder, x, "kda", options, fault, rounding)
                    names = [like["name"] for like in found.get("looks_like", ())]
                    if code != 1 or fault not in names:
                        failures += 1
                        print("gradients_test: %s %s: exit %d, looks like %s" % (fault, options, code, names), file=sys.stderr)
    print("gradients_test: %d draws of %d kinds and %d faults, in two arithmetics; %d not as expected" % (SEEDS, len(gradients.KINDS), len(gradients.FAULTS), failures))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
