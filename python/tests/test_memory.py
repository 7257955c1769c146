"""What a call takes beside its input, and that it gives it back: the system refuses more."""

import subprocess
import sys

import pytest

LIMITED = """
import resource
from contextlib import contextmanager
@contextmanager
def limited(more):
    with open("/proc/self/status") as file:
        used = next(int(line.split()[1]) for line in file if line.startswith("VmData")) * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (int(used + more), resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""

PEAK = LIMITED + """
import zlib
import numpy as np, attest
N, d, n = 1000, 8, 4000  # 256 MB of doubles
rng = np.random.default_rng(0)
X = rng.standard_normal((N, n, d))
y = rng.standard_normal((N, 2))
%s
def checksum():
    return [zlib.crc32(np.ascontiguousarray(X[i])) for i in range(N)]
before_all = checksum()
calls = {  # of how many sequences, and what share of them each may take
    "certify, numerical": (lambda X, y: attest.certify(X, level="numerical"), N, 0.05),
    "certify, exact": (lambda X, y: attest.certify(X, level="exact"), 100, 1.0),
    "predict": (lambda X, y: attest.LinearAttention.from_heads(np.ones((1, 1, 8)), np.eye(8)[None]).predict(X), N, 0.05),
    "learn": (lambda X, y: attest.LinearAttention(solver="gram64").fit(X, y), N, 0.05),
}
for call, _, _ in calls.values():
    call(X[:300], y[:300])  # what is allocated once, by the BLAS too
for name, (call, count, share) in calls.items():
    with limited(share * X[:count].nbytes):
        call(X[:count], y[:count])
assert checksum() == before_all
"""

INPUTS = {
    "C order": "X = np.ascontiguousarray(X.transpose(0, 2, 1))",
    "token-major view": "X = X.transpose(0, 2, 1)",
    "mapped": "np.save('X.npy', X.transpose(0, 2, 1)); del X; X = np.load('X.npy', mmap_mode='r')",
}


def succeeds(code, folder=None):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", INPUTS)
def test_a_call_takes_a_twentieth_of_its_input_and_leaves_it_alone(kind, tmp_path):
    succeeds(PEAK % INPUTS[kind], tmp_path)


def test_a_thousand_calls_leave_nothing_behind():
    succeeds(
        LIMITED
        + """
import numpy as np, attest
X = np.random.default_rng(0).standard_normal((30, 2, 5))
def call():
    attest.certify(X, level="numerical")
    attest.LinearAttention().fit(X, X[:, 0, :1])
for _ in range(200):
    call()
with limited(2**20):
    for _ in range(1000):
        call()
"""
    )
