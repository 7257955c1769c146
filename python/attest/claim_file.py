"""Runs the claims of a Python file for `attest verify FILE.py`, which calls it: ``python -m attest.claim_file FILE [ID...]``.

Prints one JSON object with what each claim says and what its checks found; what the file prints goes to standard error. Exit: 0, or 4 with one
line on standard output where the file is at fault.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import runpy
import sys
import traceback

from .errors import InvalidInput
from .own_claims import checked, listed, registered


def _load(file: str) -> None:
    """Runs the file, whose folder then comes first in the path, as for a program."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    try:
        runpy.run_path(file, run_name="attest_claims")
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from error
    except SyntaxError as error:
        raise InvalidInput(f"{file}:{error.lineno}: {error.msg}") from error
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        raise InvalidInput(f"{file}:{lines[-1] if lines else 1}: {type(error).__name__}: {error}") from error
    if not registered():
        raise InvalidInput(f"{file}: holds no claim; write one by @attest.claim, as docs/your-paper/claims.py does")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m attest.claim_file")
    parser.add_argument("file")
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--profile", default="quick")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_intermixed_args()
    out = sys.stdout
    try:
        with contextlib.redirect_stdout(sys.stderr):
            _load(asked.file)
            chosen = [one for one in registered() if not asked.ids or one.id in asked.ids]
            found = [listed(one) if asked.list else checked(one, asked.profile, asked.seed, asked.file) for one in chosen]
    except InvalidInput as error:
        print(" ".join(str(error).split()), end="", file=out)
        return 4
    print(json.dumps({"claims": found}), file=out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
