"""The programs beside the package: the command line and the stand-alone checker."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from . import _blas, _core, errors

_BY_EXIT_CODE = {2: errors.UnknownName, 4: errors.InvalidInput, 5: errors.EnvironmentFailure}


def program(name: str) -> str:
    """Path of a program of Attest: in the folder ATTEST_PROGRAMS, in the package, beside the build folder that holds it, or on PATH.

    Raises
    ------
    EnvironmentFailure
        Where there is none.
    """
    here = Path(__file__).resolve().parent
    chosen = os.environ.get("ATTEST_PROGRAMS")
    folders = [chosen] if chosen else [str(here / "bin"), str(here.parent.parent / "bin"), *os.get_exec_path()]
    found = shutil.which(name, path=os.pathsep.join(folders))
    if found is None:
        raise errors.EnvironmentFailure(f"{name}: no such program in {folders[0]} or on PATH; build it by scripts/build or set ATTEST_PROGRAMS")
    return found


def environment() -> dict[str, str]:
    """That of a program which may run Python, as `attest verify FILE.py` does: this one, with this package."""
    here = str(Path(__file__).resolve().parent.parent)
    paths = [here, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"ATTEST_PYTHON": sys.executable, **os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _ended(argv: list[str]) -> subprocess.CompletedProcess[str]:
    """A program that has ended. Ctrl-C ends it too: subprocess.run kills it, but does not wait until it is gone."""
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as child:
        try:
            stdout, stderr = child.communicate()
        except BaseException:
            child.kill()
            child.wait()
            raise
    return subprocess.CompletedProcess(argv, child.returncode, stdout, stderr)


def run(*argv: str) -> Any:
    """Any command of ``attest``: what its --json prints, with "exit_code" added to an object.

    Exit codes 0, 1 and 3 are answers; the others raise the exception that they stand for.

    Parameters
    ----------
    *argv : str or path
        The command and its arguments, without --json.

    Examples
    --------
    >>> import attest
    >>> attest.run("layers")["exit_code"]
    0
    """
    done = _ended([program("attest"), *map(os.fspath, argv), "--json"])
    if done.returncode in (0, 1, 3) and done.stdout.strip():
        said = json.loads(done.stdout)
        return {**said, "exit_code": done.returncode} if isinstance(said, dict) else said
    message = done.stderr.strip() or f"attest ended with {done.returncode} and said nothing"
    if done.returncode in (130, -2):
        raise KeyboardInterrupt(message)
    raise _BY_EXIT_CODE.get(done.returncode, errors.BrokenInvariant)(message)


def run_checker(proof: str, data: _core.Data) -> bool:
    """Whether attest-check verifies a proof from the data."""
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("proof.cert", "data.npz")]
        _core.write_text(files[0], proof)
        data.write(files[1])
        return _verified(files)


def run_checker_alone(proof: str) -> bool:
    """Whether attest-check verifies a proof that is about no data."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "proof.cert")
        _core.write_text(file, proof)
        return _verified([file])


def _verified(files: list[str]) -> bool:
    done = _ended([program("attest-check"), *files])
    if done.returncode not in (0, 1):
        raise errors.EnvironmentFailure(f"attest-check: {done.stderr.strip() or done.returncode}")
    return done.returncode == 0


def show_config() -> None:
    """Prints what computes: the BLAS that answers, its threads, and a warning where two of them are mapped.

    Examples
    --------
    >>> import attest
    >>> attest.show_config()  # doctest: +ELLIPSIS
    linear algebra  ...
    """
    found = _core.linear_algebra()
    print(f"linear algebra  {found['backend']}: {found['library']} {found['core']}".rstrip())
    if found["core_chosen_by"]:
        print(f"BLAS kernels    {found['core']}, chosen by {found['core_chosen_by']}")
    if _blas.advice:
        print(f"warning: {_blas.advice}")
    print(f"BLAS threads    {found['threads']}; calls of Attest use n_jobs of them and restore the number")
    if len(found["mapped"]) > 1:
        print("warning: several BLAS in this process: " + ", ".join(found["mapped"]))
