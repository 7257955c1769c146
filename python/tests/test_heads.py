"""Fewer heads."""

import numpy as np
import pytest

import attest

RNG = np.random.default_rng(0)
V, Q = RNG.standard_normal((2, 2, 3)), RNG.standard_normal((2, 3, 3))
X = RNG.standard_normal((50, 3, 5))


def coefficients(V, Q):
    return attest.LinearAttention.from_heads(V, Q).coef_


def test_heads_that_are_one_are_found_to_be_one():
    found = attest.minimal_heads(np.concatenate([V[:1], 2 * V[:1]]), np.concatenate([Q[:1], Q[:1]]))
    assert found.num_heads == found.lower_bound == 1 and found.same_function
    assert np.allclose(coefficients(found.V, found.Q), coefficients(3 * V[:1], Q[:1]))


def test_heads_that_cancel_leave_none():
    values, queries = np.rint(8 * V[:1]), np.rint(8 * Q[:1])  # products of them are exact
    found = attest.minimal_heads(np.concatenate([values, -values]), np.concatenate([queries, queries]))
    assert found.num_heads == 0 and found.V.shape == (0, 2, 3) and found.Q.shape == (0, 3, 3)


def test_heads_merge_within_their_decay_only():
    twice = np.concatenate([V[:1], 2 * V[:1], V[:1]]), np.concatenate([Q[:1], Q[:1], Q[:1]])
    alike = attest.minimal_heads(*twice)
    assert alike.num_heads == 1 and alike.decays is None
    found = attest.minimal_heads(*twice, decays=[1 / 2, 3 / 4, 1 / 2])
    assert found.num_heads == found.lower_bound == 2 and found.same_function
    assert found.decays == (1 / 2, 3 / 4)
    assert np.allclose(coefficients(found.V[:1], found.Q[:1]), coefficients(2 * V[:1], Q[:1]))
    assert np.allclose(coefficients(found.V[1:], found.Q[1:]), coefficients(2 * V[:1], Q[:1]))
    with pytest.raises(attest.InvalidInput, match="got 2 decays, expected a finite number for each of 3 heads"):
        attest.minimal_heads(*twice, decays=[1, 2])
    with pytest.raises(attest.InvalidInput, match="leave X out"):
        attest.minimal_heads(*twice, decays=[1, 1, 1], X=X)


def test_a_model_with_decays_is_not_read_as_one_without():
    model = attest.LinearAttention.from_heads(V, Q)
    assert attest.minimal_heads(model).num_heads == 2
    data = X[:, :2]
    decayed = attest.LinearAttention(layer="decay=1/2").fit(data, data[:, :1, 0])
    with pytest.raises(attest.InvalidInput, match="the layer is decay=1/2; pass its heads as arrays V and Q, and decays="):
        attest.minimal_heads(decayed)


def test_two_that_differ_stay_two_and_are_certified():
    found = attest.minimal_heads(V, Q)
    assert found.num_heads == found.lower_bound == 2 and found.same_function


def test_a_number_of_heads_is_the_best_approximation_on_the_data():
    model = attest.LinearAttention.from_heads(V, Q)
    one = model.transform_heads(1, X=X)
    assert one.V_.shape == (1, 2, 3) and 0 < one.summary().to_dict()["loss"] < 1
    everywhere = model.transform_heads(1)
    error = lambda other: np.mean((other.predict(X) - model.predict(X)) ** 2)
    assert error(one) <= error(everywhere)


def test_the_same_seed_finds_the_same_heads():
    a, b = (attest.minimal_heads(V, Q, random_state=3, n_jobs=n) for n in (1, 2))
    assert np.array_equal(a.V, b.V) and np.array_equal(a.Q, b.Q)


def test_heads_of_another_layer_are_not_reduced():
    data = X[:, :2]
    model = attest.LinearAttention(layer="decay=1/2").fit(data, data[:, :1, 0])
    with pytest.raises(attest.InvalidInput, match="for the layer linear only"):
        model.transform_heads("min")
