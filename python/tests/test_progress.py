"""Long calls tell how far they are, and nobody else hears of it."""

import logging
import subprocess
import sys

import numpy as np
import pytest

import attest

LARGE = np.random.default_rng(0).standard_normal((3000, 12, 20))  # long enough for a few looks of 50 ms


def test_a_callable_is_told_stages_that_exist():
    told = []
    attest.certify(LARGE, level="exact", progress=told.append)
    # The proved rank, and beside it the one that double precision sees.
    assert told and {at.stage for at in told} <= {"data", "rank", "primes", "singular values"}
    assert all(isinstance(at, attest.Progress) and 0 <= at.done <= (at.total or at.done) for at in told)


def test_progress_changes_no_answer():
    few = LARGE[:400, :4]
    assert attest.certify(few, progress=lambda at: None).to_dict() == attest.certify(few).to_dict()


def test_what_the_callable_raises_ends_the_call():
    def refuse(at):
        raise ValueError(f"enough of {at.stage}")

    with pytest.raises(ValueError, match="enough of"):
        attest.certify(LARGE, level="exact", progress=refuse)
    assert attest.certify(LARGE[:40, :2]).determined


BAR = """
import sys
%s
import numpy as np, attest
X = np.random.default_rng(0).standard_normal((3000, 12, 20))
print(attest.certify(X, level="exact", progress=True).verdict)
"""


def test_a_bar_is_drawn_on_standard_error_only():
    pytest.importorskip("tqdm", reason="scripts/setup --with python installs it")
    done = subprocess.run([sys.executable, "-c", BAR % ""], capture_output=True, text=True, check=True)
    assert done.stdout == "determined\n" and "certify" in done.stderr


def test_without_tqdm_it_is_silent():
    done = subprocess.run([sys.executable, "-c", BAR % "sys.modules['tqdm'] = None"], capture_output=True, text=True, check=True)
    assert done.stdout == "determined\n" and done.stderr == ""


def test_the_log_names_what_was_chosen(caplog):
    data = attest.generate("random-linear-attention", 40, d=2, n=4)
    with caplog.at_level(logging.INFO, logger="attest"):
        attest.LinearAttention().fit(data)
        attest.certify(data)
    assert ["fit: solver" in caplog.messages[0], "certify: determined" in caplog.messages[1]] == [True, True]
