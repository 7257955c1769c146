"""What importing costs and does, and what the docstrings promise."""

import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import attest

MODULES = [
    "attest",
    *(f"attest.{name}" for name in ("certificate", "command", "data", "design", "estimators", "features", "generation", "heads", "kernel_cases", "kernels", "moments", "numerical", "question", "sequences", "softmax", "stack", "testing", "verification")),
]


def fresh(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_the_docstrings_run(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_every_public_name_says_what_it_is():
    for name in attest.__all__:
        thing = getattr(attest, name)
        assert inspect.getdoc(thing), name
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            if not member.startswith("_") and inspect.isfunction(value):
                assert inspect.getdoc(value), f"{name}.{member}"


def test_the_version_is_the_one_of_the_sources():
    (version,) = re.findall(r"^project\(attest VERSION (\S+)", (Path(__file__).resolve().parents[2] / "CMakeLists.txt").read_text(), re.M)
    assert attest.__version__ == version


CALLED = [name for name in attest.__all__ if inspect.isfunction(getattr(attest, name))]
MADE = ["CubicFeatures", "LinearAttention", "Moments", "Sequences", "SoftmaxAttention", "Stack"]


@pytest.mark.parametrize("name", CALLED + MADE)
def test_a_docstring_names_every_parameter_and_shows_a_call(name):
    said = inspect.getdoc(getattr(attest, name))
    parameters = inspect.signature(getattr(attest, name)).parameters
    section = said.partition("Parameters\n---")[2].partition("\n\n")[0]
    named = {word.strip(" *,") for line in section.splitlines() for word in line.partition(" : ")[0].split(",")}
    assert set(parameters) <= named, set(parameters) - named
    assert ">>>" in said or "See `load`" in said
    if {"X", "pilot", "V", "s"} & set(parameters):
        assert "(N, " in said or "(H, " in said, "no shape"


def test_importing_loads_no_other_library_handles_no_signal_and_prints_nothing():
    code = """
import signal, numpy
before = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]
import attest, sys
assert [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)] == before
assert not {"sklearn", "torch", "pandas", "scipy"} & set(sys.modules)
"""
    done = fresh(code)
    assert done.stdout == done.stderr == ""


def test_one_blas_answers_everybody():
    assert len(attest._core.linear_algebra()["mapped"]) <= 1


def test_the_threads_of_the_blas_are_left_as_they_were():
    code = """
import ctypes, numpy as np, attest
from attest import _core
before = _core.linear_algebra()["threads"]
attest.certify(np.random.default_rng(0).standard_normal((60, 3, 5)), n_jobs=2)
assert _core.linear_algebra()["threads"] == before, before
"""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "3"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_names_are_completed():
    assert set(attest.__all__) <= set(dir(attest))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        attest.nothing
