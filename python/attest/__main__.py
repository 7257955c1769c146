"""``python -m attest ...`` is the command line."""

import os
import sys

from .command import environment, program


def main() -> None:
    """Becomes the program; the command `attest` of an installed package."""
    path = program("attest")
    os.execve(path, [path, *sys.argv[1:]], environment())


if __name__ == "__main__":
    main()
