"""Ctrl-C ends a call within a second of the process's own time. Label slow: it reads a clock, if only the processor's."""

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
