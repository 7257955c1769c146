"""What is prompt: an interrupted call and an import, beside other work of the same process. Label slow: processor seconds are compared."""

import subprocess
import sys

import pytest
from test_interrupt import LONG, PREPARE

# Processor seconds of a product of 51 billion operations whose result has 248 MB, the larger of two: before and after, as a machine
# with other work to do is not always as fast.
STEP = """
def step():
    A = np.random.default_rng(1).standard_normal((820, 5566))
    begun = time.process_time()
    A.T @ A
    return time.process_time() - begun
before = step()
"""

PRESS = """
%s
pressed = []
kill = os.kill
os.kill = lambda *to: (pressed.append(time.process_time()), kill(*to))
press(0.5)
try:
    act()
except KeyboardInterrupt:
    ended = time.process_time() - pressed[0]
    print(ended, max(before, step()))
"""


# Not "learn, dual": it is three such steps long, one of them a single product, so that none would be missed between two looks.
@pytest.mark.parametrize("call", [call for call in LONG if call != "learn, dual"])
def test_an_interrupt_ends_the_call_within_a_step(call):
    done = subprocess.run([sys.executable, "-c", PREPARE + STEP + PRESS % LONG[call]], capture_output=True, text=True, check=True)
    ended, step = map(float, done.stdout.split())
    assert ended < step


def test_importing_takes_no_longer_than_numpy():
    code = "import time; begun = time.process_time(); import numpy; between = time.process_time(); import attest; print(between - begun, time.process_time() - between)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    assert min(float(ours) for _, ours in runs) < min(float(numpys) for numpys, _ in runs)
