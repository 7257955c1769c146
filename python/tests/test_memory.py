"""What a call takes beside its input, and that it gives it back."""

import subprocess
import sys

import pytest

PEAK = """
import hashlib
import numpy as np, attest
N, d, n = 2000, 8, 1000  # 128 MB of doubles
rng = np.random.default_rng(0)
X = rng.standard_normal((N, n, d))
%s
digest = hashlib.sha256(np.ascontiguousarray(X)).hexdigest()
%s  # on a little of it: what is allocated once, by the BLAS too
def kilobytes(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key))
before = kilobytes("RssAnon")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins anew
mapped = kilobytes("VmRSS") - before
%s
print((kilobytes("VmHWM") - mapped - before) * 1024 / X.nbytes)
assert hashlib.sha256(np.ascontiguousarray(X)).hexdigest() == digest
"""

INPUTS = {
    "C order": "X = np.ascontiguousarray(X.transpose(0, 2, 1))",
    "token-major view": "X = X.transpose(0, 2, 1)",
    "mapped": "np.save('X.npy', X.transpose(0, 2, 1)); del X; X = np.load('X.npy', mmap_mode='r')",
}
CALLS = {
    "certify": "attest.certify(X, level='numerical')",
    "predict": "attest.LinearAttention.from_heads(np.ones((1, 1, 8)), np.eye(8)[None]).predict(X)",
}


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("call", CALLS)
def test_a_call_copies_its_input_once_and_leaves_it_alone(call, kind, tmp_path):
    code = PEAK % (INPUTS[kind], CALLS[call].replace("X", "X[:300]"), CALLS[call])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=280, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    # One copy, and a twentieth for everything else; the mapped file was read before, by the digest.
    assert 0.95 < float(done.stdout) <= 1.05


def test_a_thousand_calls_leave_nothing_behind():
    code = """
import numpy as np, attest
X = np.random.default_rng(0).standard_normal((30, 2, 5))
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
def call():
    attest.certify(X, level="numerical")
    attest.LinearAttention().fit(X, X[:, 0, :1])
for _ in range(200):
    call()
before = resident()
for _ in range(1000):
    call()
assert resident() - before < 2**20, resident() - before
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
