"""What a call takes beside its input, and that it gives it back."""

import subprocess
import sys

import pytest

PEAK = """
import hashlib, resource, sys
import numpy as np, attest
N, d, n = 4000, 8, 1000  # 256 MB of doubles
rng = np.random.default_rng(0)
X = rng.standard_normal((N, n, d))
%s
digest = hashlib.sha256(X).hexdigest()
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
attest.certify(X[:40, :2, :9], level="numerical")  # what is allocated once
before = peak()
%s
print((peak() - before) / X.nbytes)
assert hashlib.sha256(X).hexdigest() == digest
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
    done = subprocess.run([sys.executable, "-c", PEAK % (INPUTS[kind], CALLS[call])], capture_output=True, text=True, timeout=280, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    # One copy, and a twentieth for everything else; a mapped file is charged to the process as it is read.
    assert float(done.stdout) <= 1.05 + (kind == "mapped")


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
