"""What is prompt, by the processor time of the process itself: an interrupted call and an import. Label slow: it reads a clock."""

import subprocess
import sys

import pytest
from test_interrupt import LONG, PREPARE

PRESS = """
%s
pressed = []
kill = os.kill
os.kill = lambda *to: (pressed.append(time.process_time()), kill(*to))
press(0.5)
try:
    act()
except KeyboardInterrupt:
    print(time.process_time() - pressed[0])
"""


@pytest.mark.parametrize("call", LONG)
def test_an_interrupt_ends_the_call_within_a_second(call):
    done = subprocess.run([sys.executable, "-c", PREPARE + PRESS % LONG[call]], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1.0


def test_importing_takes_a_tenth_of_a_second_beyond_numpy():
    code = "import numpy, time; start = time.process_time(); import attest; print(time.process_time() - start)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    assert min(float(run.stdout) for run in runs) < 0.1
