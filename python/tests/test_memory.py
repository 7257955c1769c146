"""What a call takes beside its input, and that it gives it back."""

import subprocess
import sys

import pytest

PEAK = """
import zlib
import numpy as np, attest
N, d, n = 500, 8, 4000  # 128 MB of doubles
rng = np.random.default_rng(0)
X = rng.standard_normal((N, n, d))
%s
sum_before = zlib.crc32(np.ascontiguousarray(X))
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
assert zlib.crc32(np.ascontiguousarray(X)) == sum_before
"""

# How the array lies in memory, and the copies that a call makes of it.
INPUTS = {
    "C order": ("X = np.ascontiguousarray(X.transpose(0, 2, 1))", 1),
    "token-major view": ("X = X.transpose(0, 2, 1)", 0),
    "longer tokens cut": ("X = np.concatenate([X, X[:, :, :1]], axis=2)[:, :, :d].transpose(0, 2, 1)", 0),
    "mapped": ("np.save('X.npy', X.transpose(0, 2, 1)); del X; X = np.load('X.npy', mmap_mode='r')", 1),
    "mapped, token-major": ("np.save('X.npy', X); del X; X = np.load('X.npy', mmap_mode='r').transpose(0, 2, 1)", 0),
}
CALLS = {
    "certify, numerical": "attest.certify(X, level='numerical')",
    "certify, exact": "attest.certify(X, level='exact')",
    "predict": "attest.LinearAttention.from_heads(np.ones((1, 1, 8)), np.eye(8)[None]).predict(X)",
}


@pytest.mark.parametrize("call, kind", [("certify, numerical", kind) for kind in INPUTS] + [(call, "token-major view") for call in list(CALLS)[1:]])
def test_a_call_copies_its_input_at_most_once_and_leaves_it_alone(call, kind, tmp_path):
    setup, copies = INPUTS[kind]
    code = PEAK % (setup, CALLS[call].replace("X", "X[:300]"), CALLS[call])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=280, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    # A twentieth for everything else; a mapped file was read before, by the sum.
    assert copies - 0.05 < float(done.stdout) <= copies + 0.05


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
