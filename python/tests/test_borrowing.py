"""Arrays of doubles are read where they are, however their tokens lie, with the same bits; what has another type is copied once."""

import gc
import weakref

import numpy as np
import pytest
from conftest import random_data

import attest

N, D, LENGTH = 12, 3, 4
TOKENS = np.random.default_rng(0).standard_normal((N, LENGTH, D))


def rows(X):
    """Tokens as rows, (N, n, d), seen as (N, d, n)."""
    return X.transpose(0, 2, 1)


# Of an array of this shape, a token a row, what is made: its numbers are read where they are, or copied.
ROWS = (N, LENGTH, D)
BORROWED = {
    "a token's entries side by side": (ROWS, rows),
    "the first entries of longer tokens": ((N, LENGTH, 7), lambda T: rows(T[:, :, :D])),
    "every other token, of an even number": ((N, LENGTH * 2, D), lambda T: rows(T[:, ::2])),
    "every other sequence, of one token": ((2 * N, 1, D), lambda T: rows(T[::2])),
    "one sequence of many": (ROWS, lambda T: rows(T[2:3])),
    "tokens of one entry": ((N, LENGTH, 1), rows),
    "one entry of each token": (ROWS, lambda T: rows(T[:, :, 1:2])),
    "read-only": (ROWS, lambda T: np.broadcast_to(rows(T), (N, D, LENGTH))),
    "sequences of rows": (ROWS, lambda T: attest.Sequences(T, layout="tokens")),
    "sequences of columns": (ROWS, lambda T: attest.Sequences(rows(T))),
    "all tokens with offsets": ((48, D), lambda T: attest.Sequences(T, offsets=[0, 5, 11, 48])),
    "the first entries of all tokens with offsets": ((9, 7), lambda T: attest.Sequences(T[:, :D], offsets=[0, 4, 9])),
    "an entry's tokens side by side": ((N, D, LENGTH), lambda X: X),
    "entries last to first": ((N, D, LENGTH), lambda X: X[:, ::-1]),
    "in reverse": ((N, D, LENGTH), lambda X: X[::-1, :, ::-1]),
    "every other token, of an odd number": ((N, LENGTH * 2 - 1, D), lambda T: rows(T[:, ::2])),
    "every other entry": ((N, LENGTH, 2 * D), lambda T: rows(T[:, :, ::2])),
    "backwards": (ROWS, lambda T: rows(T[:, ::-1])),
    "far apart": ((3, LENGTH, 4000), lambda T: rows(T[:, :, :D])),
    "one sequence for all": ((D, LENGTH), lambda Z: np.broadcast_to(Z, (N, D, LENGTH))),
}
COPIED = {
    "Fortran order": (ROWS, lambda T: rows(np.asfortranarray(T))),
    "all tokens with offsets, an entry's side by side": ((D, 9), lambda T: attest.Sequences(T.T, offsets=[0, 4, 9])),
    "single precision": (ROWS, lambda T: rows(T.astype(np.float32))),
    "big-endian": (ROWS, lambda T: rows(T.astype(">f8"))),
    "a list": (ROWS, lambda T: rows(T).tolist()),
    "a list of arrays": (ROWS, lambda T: attest.Sequences(list(T), layout="tokens")),
}


@pytest.mark.parametrize("kind", [*BORROWED, *COPIED])
def test_a_dataset_reads_the_array_itself_where_it_can(kind):
    shape, build = {**BORROWED, **COPIED}[kind]
    array = np.random.default_rng(0).standard_normal(shape)
    data = attest.Dataset.of(build(array))
    before = data.digest
    array *= 2.0
    assert (data.digest != before) == (kind in BORROWED)


def test_a_mapped_file_is_read_where_it_is(tmp_path):
    np.save(tmp_path / "tokens.npy", TOKENS)
    mapped = np.load(tmp_path / "tokens.npy", mmap_mode="r+")
    data = attest.Dataset.of(rows(mapped))
    assert data.digest == attest.Dataset.of(rows(TOKENS).copy()).digest
    mapped[0, 0, 0] = 7.0
    assert data.X[0, 0, 0] == 7.0


def test_the_array_lives_as_long_as_a_dataset_reads_it():
    X = rows(TOKENS.copy())
    alive = weakref.ref(X)
    data = attest.Dataset.of(X)
    labelled, before = data.with_labels(np.ones(N)), data.digest
    del X
    gc.collect()
    assert alive() is not None and data.digest == before
    del data
    assert alive() is not None and labelled.layer == "linear"
    del labelled
    gc.collect()
    assert alive() is None


def test_a_call_lets_the_array_go():
    X = rows(TOKENS.copy())
    alive = weakref.ref(X)
    attest.certify(X)
    attest.LinearAttention(ridge=0.1).fit(X, np.ones(N)).predict(X)
    del X
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("i", range(20))
def test_borrowed_and_copied_tokens_give_the_same_bits(i, tmp_path):
    X, y = random_data(i)
    if isinstance(X, attest.Sequences):
        tokens, offsets = X.tokens.T, X.offsets
        wide = np.concatenate([tokens, tokens], axis=1)[:, : tokens.shape[1]]
        kinds = [attest.Sequences(np.asfortranarray(tokens), offsets=offsets), X, attest.Sequences(wide, offsets=offsets)]
    else:
        wide = np.concatenate([X, X], axis=1).transpose(0, 2, 1).copy().transpose(0, 2, 1)[:, : X.shape[1]]
        kinds = [np.ascontiguousarray(X), X.transpose(0, 2, 1).copy().transpose(0, 2, 1), wide]
    found = []
    for kind in kinds:
        certificate = attest.certify(kind, y, queries=kind[:3])
        with np.testing.suppress_warnings() as quiet:
            quiet.filter(UserWarning)
            model = attest.LinearAttention().fit(kind, y)
        said = {key: value for key, value in certificate.to_dict().items() if key != "seconds"}
        found.append((said, certificate.proof, certificate.digest, model.coef_.tobytes(), model.predict(kind).tobytes(), attest.spectrum(kind).sigma.tobytes()))
        attest.save(tmp_path / "data.npz", kind, y)
        found[-1] += ((tmp_path / "data.npz").read_bytes(),)
    assert found[0] == found[1] == found[2]
