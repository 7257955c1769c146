"""What the tests share: random data sets of many kinds, and the command line's answers about them."""

import json
import os
import subprocess

import numpy as np
import pytest

import attest
from attest.command import program


# Sanitizers change what a program takes: its seconds, its address space.
as_users_run_it = pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="measures the program as users run it")


def command(*argv, codes=(0, 1, 3)):
    """The object that a command prints with --json."""
    done = subprocess.run([program("attest"), *map(str, argv), "--json"], capture_output=True, text=True, check=False)
    assert done.returncode in codes, done.stderr
    return json.loads(done.stdout)


def random_data(i):
    """Data set i of 20: d from 1 to 6, of one length or ragged, labels after each sequence or each token, integers, or of deficient rank."""
    rng = np.random.default_rng(i)
    d, o, count = 1 + i % 6, 1 + i % 3, 20 + 12 * (i % 5)
    lengths = rng.integers(1, 7, count) if i % 4 == 1 else np.full(count, 5)
    draw = (lambda shape: rng.integers(-3, 4, shape).astype(float)) if i % 4 == 2 else rng.standard_normal
    items = [draw((d, n)) for n in lengths]
    if i % 4 == 3:
        items = [np.concatenate([Z[:1], Z[:1], Z[2:]])[:d] for Z in items]
    X = attest.Sequences(items) if i % 4 == 1 else np.stack(items)
    if i % 5 == 4:
        return X, draw((lengths.sum(), o))
    return X, draw((count, o))


@pytest.fixture
def saved(tmp_path):
    """Writes a data set and says where."""

    def write(X, y=None, name="data.npz"):
        path = os.path.join(tmp_path, name)
        attest.save(path, X, y)
        return path

    return write
