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


def test_run_audits_a_layer(tmp_path):
    rng = np.random.default_rng(0)
    layer = attest.LinearAttention.from_heads(rng.standard_normal((1, 2, 3)), rng.standard_normal((1, 3, 3)))
    X = rng.standard_normal((60, 3, 4))
    layer.save(tmp_path / "layer.npz")
    attest.save(tmp_path / "seen.npz", X, layer.predict(X))
    said = attest.run("audit", tmp_path / "layer.npz", tmp_path / "seen.npz", "-o", tmp_path / "audit.html")
    assert said["unique"] == "everywhere" and said["alarms"] == 0 and said["exit_code"] == 0
    assert (tmp_path / "audit.html").read_text().startswith("<!DOCTYPE html>")


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
