"""Every failure is one line under the class that Python users catch."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import as_users_run_it

import attest
from attest import _core

X = np.random.default_rng(0).standard_normal((20, 2, 4))
Y = X[:, :1, 0]

FAILURES = {
    "no array": (attest.InvalidInput, ValueError, 4, lambda: attest.certify(X[0])),
    "labels for other sequences": (attest.InvalidInput, ValueError, 4, lambda: attest.certify(X, Y[:3])),
    "an absent file": (attest.InvalidInput, ValueError, 4, lambda: attest.load("/nowhere/data.npz")),
    "an unknown level": (attest.UnknownName, ValueError, 2, lambda: attest.certify(X, level="perfect")),
    "an unknown layer": (attest.UnknownName, ValueError, 2, lambda: attest.certify(X, layer="decoy=1")),
    "an unknown solver": (attest.UnknownName, ValueError, 2, lambda: attest.LinearAttention(solver="magic").fit(X, Y)),
    "a solver that refuses": (attest.NotAvailable, NotImplementedError, 5, lambda: attest.LinearAttention(solver="dual").fit(X, Y)),
    "an unknown task": (attest.UnknownName, ValueError, 2, lambda: attest.generate("nothing")),
    "an unknown command": (attest.UnknownName, ValueError, 2, lambda: attest.run("certifi")),
    "a file that cannot be written": (attest.EnvironmentFailure, OSError, 5, lambda: attest.save("/nowhere/data.npz", X)),
    "queries of another size": (attest.InvalidInput, ValueError, 4, lambda: attest.certify(X, queries=X[:, :1])),
    "queries at level numerical": (attest.UnknownName, ValueError, 2, lambda: attest.certify(X, level="numerical", queries=X)),
    "heads without a model": (attest.InvalidInput, ValueError, 4, lambda: attest.certify(X, Y, heads=2)),
    "reasons at level rigorous": (attest.UnknownName, ValueError, 2, lambda: attest.certify(X, level="rigorous", explain=True)),
    "nobody to tell": (attest.InvalidInput, ValueError, 4, lambda: attest.certify(X, progress=3)),
    "softmax without labels": (attest.InvalidInput, ValueError, 4, lambda: attest.SoftmaxAttention().fit(X)),
    "an unknown claim": (attest.UnknownName, ValueError, 2, lambda: attest.verify("nothing/of_that_name")),
    "a negative ridge": (attest.InvalidInput, ValueError, 4, lambda: attest.LinearAttention(ridge=-1).fit(X, Y)),
    "no thread": (attest.InvalidInput, ValueError, 4, lambda: attest.certify(X, n_jobs=0)),
    "a seed that is none": (attest.InvalidInput, ValueError, 4, lambda: attest.generate("iid-entries", random_state=-1)),
    "heads of two sizes": (attest.InvalidInput, ValueError, 4, lambda: attest.minimal_heads(np.ones((1, 1, 2)), np.ones((1, 3, 3)))),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_is_one_line_of_two_classes_with_the_exit_code(failure):
    kind, builtin, code, act = FAILURES[failure]
    with pytest.raises(kind) as raised:
        act()
    error = raised.value
    assert isinstance(error, builtin) and isinstance(error, attest.AttestError) and error.exit_code == code
    assert str(error) and "\n" not in str(error)


def test_a_problem_beyond_the_memory_is_a_memory_error(monkeypatch):
    monkeypatch.setenv("ATTEST_MEMORY_LIMIT", "1000")
    with pytest.raises(MemoryError, match="the limit is") as raised:
        attest.certify(X, level="numerical")
    assert isinstance(raised.value, attest.MemoryFailure) and raised.value.exit_code == 5


@as_users_run_it
def test_under_a_limit_of_the_system_it_is_a_memory_error_too():
    code = """
import resource, numpy as np, attest
X = np.random.default_rng(0).standard_normal((7300, 24, 30))
attest.certify(X[:40, :2], level="numerical")
with open("/proc/self/statm") as file:
    mapped = int(file.read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (mapped + 2**28,) * 2)  # psi = 7200: the basis alone takes 400 MB
try:
    attest.certify(X, level="exact")
except MemoryError as error:
    print("refused", isinstance(error, attest.MemoryFailure), str(error).count("\\n"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "refused True 0\n"), done.stderr


def test_what_cannot_be_is_a_broken_invariant():
    tokens = X.copy()
    data = attest.Dataset.of(tokens)
    tokens[3, 1, 2] = np.nan  # behind the back of the data set, which has checked and reads them where they are
    with pytest.raises(RuntimeError, match="dpotrf") as raised:
        attest.certify(data, level="matrix-free")
    assert isinstance(raised.value, attest.BrokenInvariant) and raised.value.exit_code == 70


@pytest.mark.parametrize("kind", ["AttestError", "InvalidInput", "UnknownName", "NotAvailable", "EnvironmentFailure", "MemoryFailure", "BrokenInvariant"])
def test_exceptions_pickle(kind):
    error = getattr(attest, kind)("what happened")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == "what happened"


def test_what_the_module_raises_pickles_too():
    with pytest.raises(attest.InvalidInput) as raised:
        _core.Data.read("/nowhere/data.npz", "linear")
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_an_absent_program_is_named():
    environment = {**os.environ, "ATTEST_PROGRAMS": "/nowhere"}
    code = "import attest\ntry:\n    attest.run('layers')\nexcept OSError as error:\n    print(error)"
    said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
    assert said.startswith("attest: no such program in /nowhere")
