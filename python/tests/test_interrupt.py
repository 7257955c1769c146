"""Ctrl-C ends a call, and that call only; threads and forks compute as one process does.

Nothing here is timed: keys are pressed once the call has computed for a while, by its own count of processor seconds.
"""

import os
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import attest

PREPARE = """
import os, signal, threading, time
import numpy as np, attest
rng = np.random.default_rng(0)
def children():
    with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as file:
        return file.read().split()
def computed():
    def of(process):
        with open(f"/proc/{process}/stat") as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")
    return time.process_time() + sum(map(of, children()))
def press(after):
    begun = computed()
    def wait():
        while computed() - begun < after:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=wait).start()
"""

LONG = {
    "certify, exact": "X = rng.standard_normal((5000, 20, 40)); act = lambda: attest.certify(X, level='exact')",
    "certify, rigorous": "X = rng.standard_normal((3000, 10, 12)); act = lambda: attest.certify(X, level='rigorous')",
    "minimal_heads": "V, Q = rng.standard_normal((2, 25, 5, 5)); act = lambda: attest.minimal_heads(V, Q, seconds=1e6)",
    "learn, dual": "X = rng.standard_normal((5566, 40, 3)); y = X[:, :2, 0]; model = attest.LinearAttention(solver='dual'); act = lambda: model.fit(X, y)",
    "the spectrum": "X = rng.standard_normal((5000, 16, 6)); act = lambda: attest.spectrum(X)",
    "softmax": "X = rng.choice([-1.0, 1.0], (60000, 8, 2)); y = rng.standard_normal((60000, 2, 8)) + X.transpose(0, 2, 1); act = lambda: attest.SoftmaxAttention(heads=3).fit(X, y)",
    "probe": "act = lambda: attest.probe(24)",
    "verify": "act = lambda: attest.verify()",
    "learn, psi = 5566": "X = rng.standard_normal((12000, 22, 3)); y = X[:, :2, 0]; model = attest.LinearAttention(solver='gram64'); act = lambda: model.fit(X, y)",
}

PRESS = """
%s
def tasks():
    return set(os.listdir("/proc/self/task"))
attest.certify(rng.standard_normal((40, 2, 5)))  # what stays for good: the threads of BLAS
before = tasks()
press(0.5)
try:
    act()
    raise SystemExit("it ended by itself: too short for this test")
except KeyboardInterrupt:
    pass
assert not children(), "a process was left behind"
pressed_by = threading.enumerate()[1:]
for thread in pressed_by:
    thread.join()
ends = computed() + 0.1  # threads that were joined are listed until the system has cleared them away; work would go on
while not tasks() <= before and computed() < ends:
    time.sleep(0.01)
assert tasks() <= before, "work was left behind"
assert attest.certify(rng.standard_normal((40, 2, 5))).determined
"""


def succeeds(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("call", LONG)
def test_an_interrupt_ends_the_call_and_leaves_nothing_behind(call):
    succeeds(PREPARE + PRESS % LONG[call])


def test_another_threads_call_goes_on():
    succeeds(
        PREPARE
        + """
X = rng.standard_normal((5000, 20, 40))
few = rng.standard_normal((300, 8, 12))
found = []
other = threading.Thread(target=lambda: found.append(attest.certify(few, level="exact").verdict))
other.start()
press(0.2)
try:
    attest.certify(X, level="exact")
    raise SystemExit("not interrupted")
except KeyboardInterrupt:
    other.join()
assert found == ["determined"], found
"""
    )


def verdict(seed):
    X = np.random.default_rng(seed).standard_normal((20 + seed, 2, 5))
    return attest.certify(X, X[:, :1, 0], level="numerical").to_dict()["lambda_min"]["value"]


def test_threads_and_processes_find_what_one_does():
    expected = [verdict(seed) for seed in range(16)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(verdict, range(16))) == expected
    with ProcessPoolExecutor(2) as pool:  # forked after the library was used
        assert list(pool.map(verdict, range(16))) == expected


def test_other_threads_run_while_a_call_computes():
    """The interpreter hands over to another thread only where a call lets it; so ticks within calls are the library's doing."""
    X = np.random.default_rng(0).standard_normal((300, 6, 8))
    ticks = []
    stop = threading.Event()
    ticker = threading.Thread(target=lambda: [ticks.append(stop.wait(0.001)) for _ in iter(stop.is_set, True)])
    before = sys.getswitchinterval()
    ticker.start()
    sys.setswitchinterval(1e6)
    within = 0
    for _ in range(100):  # the other thread may be kept waiting by the machine
        began = len(ticks)
        attest.certify(X, level="exact")
        within += len(ticks) - began
        if within:
            break
    sys.setswitchinterval(before)
    stop.set()
    ticker.join()
    assert within > 0


THREADS = """
import threading
import numpy as np, attest
from attest import _core
X = np.random.default_rng(0).standard_normal((4000, 12, 12))
default = _core.linear_algebra()["threads"]
seen = set()
for _ in range(100):
    call = threading.Thread(target=lambda: attest.certify(X, level="numerical", n_jobs=%d))
    call.start()
    while call.is_alive():
        seen.add(_core.linear_algebra()["threads"])
    if %d in seen:
        break
print(default, *seen)
"""


def threads_of_blas(n_jobs):
    """How many threads BLAS may use by itself, and what is seen from beside a call."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", THREADS % (n_jobs, n_jobs)], env=environment, capture_output=True, text=True, check=True)
    default, *seen = map(int, done.stdout.split())
    return default, set(seen)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_call_keeps_no_more_threads_busy_than_it_was_allowed(n_jobs):
    default, seen = threads_of_blas(n_jobs)
    assert n_jobs in seen <= {n_jobs, default}
