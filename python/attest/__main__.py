"""``python -m attest ...`` is the command line."""

import os
import sys

from .command import environment, program

path = program("attest")
os.execve(path, [path, *sys.argv[1:]], environment())
