"""What a call takes beside its input, and that it gives it back."""

import subprocess
import sys

import pytest

PEAK = """
import zlib
import numpy as np, attest
N, d, n = 1000, 8, 8000  # 512 MB of doubles
rng = np.random.default_rng(0)
X = rng.standard_normal((N, n, d))
y = rng.standard_normal((N, 2))
%s
def checksum():
    return [zlib.crc32(np.ascontiguousarray(X[i])) for i in range(N)]
before_all = checksum()
def kilobytes(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key))
calls = {  # of how many sequences, and what share of them each may take
    "certify, numerical": (lambda X, y: attest.certify(X, level="numerical"), N, 0.05),
    "certify, exact": (lambda X, y: attest.certify(X, level="exact"), 250, 1.0),
    "predict": (lambda X, y: attest.LinearAttention.from_heads(np.ones((1, 1, 8)), np.eye(8)[None]).predict(X), N, 0.05),
    "learn": (lambda X, y: attest.LinearAttention(solver="gram64").fit(X, y), N, 0.05),
}
for call, _, _ in calls.values():
    call(X[:300], y[:300])  # what is allocated once, by the BLAS too
for name, (call, count, limit) in calls.items():
    assert checksum() == before_all  # a mapped file is in memory now, whatever the system let go
    before = kilobytes("RssAnon")
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak begins anew
    mapped = kilobytes("VmRSS") - before
    call(X[:count], y[:count])
    share = (kilobytes("VmHWM") - mapped - before) * 1024 / X[:count].nbytes
    assert share <= limit, f"{name}: {share:.3f} of the input"
assert checksum() == before_all
"""

INPUTS = {
    "C order": "X = np.ascontiguousarray(X.transpose(0, 2, 1))",
    "token-major view": "X = X.transpose(0, 2, 1)",
    "mapped": "np.save('X.npy', X.transpose(0, 2, 1)); del X; X = np.load('X.npy', mmap_mode='r')",
}


@pytest.mark.parametrize("kind", INPUTS)
def test_a_call_takes_a_twentieth_of_its_input_and_leaves_it_alone(kind, tmp_path):
    done = subprocess.run([sys.executable, "-c", PEAK % INPUTS[kind]], capture_output=True, text=True, timeout=280, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr


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
