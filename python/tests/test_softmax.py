"""Softmax attention by six phases."""

import copy
import pickle

import numpy as np
import pytest
from conftest import command

import attest

D, K, N = 4, 2, 5000


def layer(X, Theta, W):
    """The definition: sum over heads of softmax(x_a' Theta x_j) over j, times x_j' W, for every token a."""
    N, d, k = X.shape
    outputs = np.zeros((N, k, d))
    for theta, w in zip(Theta, W):
        for a in range(k):
            logits = np.stack([np.einsum("ne,ef,nf->n", X[:, :, a], theta, X[:, :, j]) for j in range(k)], axis=1)
            weights = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
            outputs[:, a] += np.einsum("nj,nej,ef->nf", weights, X, w)
    return outputs


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    path = tmp_path_factory.mktemp("softmax") / "data.npz"
    command("softmax", "generate", "--d", D, "--k", K, "--heads", 1, "-N", N, "--seed", 3, "-o", path)
    with np.load(path) as file:
        return path, file["Z"], file["y"].reshape(N, K, D), file["truth_Theta"], file["truth_W"]


@pytest.fixture(scope="module")
def learned(planted):
    return attest.SoftmaxAttention(heads=1).fit(planted[1], planted[2])


def test_the_generated_labels_are_the_definition(planted):
    _, X, y, Theta, W = planted
    assert np.allclose(layer(X[:50], Theta, W), y[:50])


def test_it_finds_the_planted_head_and_predicts(planted, learned):
    _, _, _, Theta, W = planted
    assert learned.outcome_ == "recovered" and learned.held_out_error_ < 1e-16
    assert np.allclose(learned.Theta_, Theta, atol=1e-6) and np.allclose(learned.W_, W, atol=1e-6)
    fresh = np.random.default_rng(0).standard_normal((30, D, 3))  # as many tokens as one likes
    assert np.allclose(learned.predict(fresh), layer(fresh, learned.Theta_, learned.W_))
    assert learned.score(fresh, layer(fresh, Theta, W)) > 1 - 1e-9


def test_it_is_what_the_command_learns_bit_for_bit(planted, learned, tmp_path):
    _, X, y, _, _ = planted
    attest.save(tmp_path / "data.npz", X, y.reshape(N, -1))  # without the planted heads
    printed = command("softmax", "learn", tmp_path / "data.npz", "--heads", 1, "-o", tmp_path / "model.npz")
    clock = [key for key in printed if key.startswith("seconds")] + ["model"]
    ours = learned.summary().to_dict()
    assert {k: v for k, v in ours.items() if k not in clock} == {k: v for k, v in printed.items() if k not in clock}
    with np.load(tmp_path / "model.npz") as kept:
        assert np.array_equal(learned.Theta_, kept["Theta"]) and np.array_equal(learned.W_, kept["W"])


def test_flat_labels_come_back_flat(planted, learned):
    _, X, y, _, _ = planted
    flat = attest.SoftmaxAttention(heads=1).fit(X, y.reshape(N, -1))
    assert flat.predict(X[:7]).shape == (7, K * D)
    assert np.array_equal(flat.predict(X[:7]).reshape(7, K, D), learned.predict(X[:7]))


def test_copies_predict_the_same_bits(planted, learned):
    X = planted[1][:9]
    for copied in (copy.deepcopy(learned), pickle.loads(pickle.dumps(learned))):
        assert np.array_equal(copied.predict(X), learned.predict(X))


def test_labels_of_no_such_layer_fail_with_a_warning_and_predict_nothing(planted):
    X = planted[1]
    squares = (X**2).transpose(0, 2, 1)  # even in X, while the layer is odd
    with pytest.warns(attest.AttestWarning, match="failed: sum_zero"):
        model = attest.SoftmaxAttention(heads=2).fit(X, squares)
    assert model.outcome_ == "failed" and model.notices_ == ["sum_zero"] and model.Theta_.shape == (0, D, D)
    with pytest.raises(attest.InvalidInput, match="no heads were found"):
        model.predict(X)


@pytest.mark.parametrize(
    "X, y, message",
    [
        (np.ones((5, 2, 3)), np.ones((5, 2)), "one output for each token"),
        (np.ones((5, 2, 1)), np.ones((5, 1, 2)), "at least two tokens"),
        ([np.ones((2, 2)), np.ones((2, 3))], np.ones((2, 4)), "of one length"),
        (np.ones((5, 2, 3)), None, "target y is None"),
    ],
)
def test_other_shapes_are_refused(X, y, message):
    with pytest.raises(attest.InvalidInput, match=message):
        attest.SoftmaxAttention().fit(X, y)


def test_before_fit_it_says_so():
    with pytest.raises(ValueError, match="call fit first"):
        attest.SoftmaxAttention().predict(np.ones((1, 2, 2)))
