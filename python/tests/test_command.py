"""The rest of the command line from Python."""

import subprocess
import sys

import numpy as np
import pytest

import attest
from attest.command import program


def test_run_gives_what_the_command_prints(tmp_path):
    attest.save(tmp_path / "few.npz", np.random.default_rng(0).standard_normal((3, 2, 4)))
    said = attest.run("certify", tmp_path / "few.npz")
    assert said["verdict"] == "not_determined" and said["exit_code"] == 1


def test_run_raises_what_the_exit_code_means(tmp_path):
    with pytest.raises(attest.InvalidInput, match="certify: .*absent.npz"):
        attest.run("certify", tmp_path / "absent.npz")
    with pytest.raises(attest.UnknownName):
        attest.run("certify", "--nonsense")


def test_the_package_runs_as_the_command():
    ours, theirs = (
        subprocess.run([*start, "--version"], capture_output=True, text=True, check=True).stdout
        for start in ([sys.executable, "-m", "attest"], [program("attest")])
    )
    assert ours == theirs and ours.startswith("attest")


def test_the_demo_runs_from_python():
    said = attest.run("demo")
    assert said["exit_code"] == 0 and said["verdict"] == "determined" and said["deficient_verdict"] == "not_determined"


def test_show_config_names_the_blas(capsys):
    attest.show_config()
    assert "linear algebra" in capsys.readouterr().out
