"""Linear attention in the manner of scikit-learn."""

import copy
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import attest

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 3, 5))
V, Q = RNG.standard_normal((2, 2, 3)), RNG.standard_normal((2, 3, 3))


def layer(X):
    """The definition: sum over heads of V_h Z Z' Q_h z, z the last column."""
    return np.einsum("hod,idn,ien,hef,if->io", V, X, X, Q, X[:, :, -1])


Y = layer(X)


def test_it_learns_the_layer_that_made_the_labels():
    model = attest.LinearAttention().fit(X, Y)
    fresh = RNG.standard_normal((9, 3, 7))
    assert np.allclose(model.predict(fresh), layer(fresh), rtol=1e-9)
    assert (model.rank_, model.unique_, model.n_features_in_, model.coef_.shape) == (18, True, 3, (2, 18))


def test_the_heads_are_the_layer():
    model = attest.LinearAttention.from_heads(V, Q)
    assert np.allclose(model.predict(X), Y)
    learned = attest.LinearAttention().fit(X, Y)
    assert np.allclose(np.einsum("hod,idn,ien,hef,if->io", learned.V_, X, X, learned.Q_, X[:, :, -1]), Y)


def test_labels_after_every_token_are_of_the_prefixes():
    prefixes = np.stack([layer(X[:, :, : t + 1]) for t in range(5)], axis=1)
    model = attest.LinearAttention().fit(X, prefixes)
    assert np.allclose(model.predict(X), Y)
    assert np.isclose(model.score(X, prefixes), 1) and np.isclose(model.score(X, prefixes, np.ones(60)), 1)
    ragged = [X[i, :, : 3 + i % 3] for i in range(60)]
    labels = [prefixes[i, : 3 + i % 3] for i in range(60)]
    assert np.isclose(attest.LinearAttention().fit(ragged, labels).score(ragged, labels), 1)


def test_a_data_set_scores_by_its_own_labels():
    data = attest.Dataset.of(X, Y)
    model = attest.LinearAttention().fit(data)
    assert np.isclose(model.score(data), 1)
    with pytest.raises(attest.InvalidInput, match="holds its own labels"):
        model.score(data, Y)
    with pytest.raises(attest.InvalidInput, match="got no labels"):
        model.score(X)


def test_the_score_is_scikit_learns():
    metrics = pytest.importorskip("sklearn.metrics")
    noisy = Y + RNG.standard_normal(Y.shape)
    weight = RNG.random(60)
    model = attest.LinearAttention().fit(X, noisy)
    assert np.isclose(model.score(X, noisy, weight), metrics.r2_score(noisy, model.predict(X), sample_weight=weight))


def test_the_ridge_is_the_one_of_the_definition():
    # (1/N) sum |P'H - y|^2 + R |P|^2, in the packed norm.
    H = attest.CubicFeatures().fit_transform(X)
    model = attest.LinearAttention(ridge=0.1, norm="packed").fit(X, Y)
    expected = np.linalg.solve(H.T @ H / 60 + 0.1 * np.eye(18), H.T @ Y / 60).T
    assert np.allclose(model.coef_, expected)


def test_one_label_a_sequence_comes_back_as_one_number():
    model = attest.LinearAttention().fit(X, Y[:, 0])
    assert model.predict(X).shape == (60,) and np.allclose(model.predict(X), Y[:, 0])


def test_too_few_examples_warn():
    with pytest.warns(attest.AttestWarning, match="not the only minimiser"):
        model = attest.LinearAttention().fit(X[:5], Y[:5])
    assert not model.unique_ and np.allclose(model.predict(X[:5]), Y[:5])


def test_features_are_the_pairs_then_the_squares_times_the_query():
    Z = X[0]
    S, z = Z @ Z.T, Z[:, -1]
    pairs = [S[0, 1], S[0, 2], S[1, 2], S[0, 0], S[1, 1], S[2, 2]]
    expected = np.outer(pairs, z).ravel()
    ours = attest.CubicFeatures().fit_transform(X[:1])[0]
    assert np.allclose(ours, expected)


def same(a, b):
    return np.array_equal(a.predict(X), b.predict(X)) and np.array_equal(a.coef_, b.coef_)


def test_copies_predict_the_same_bits(tmp_path):
    model = attest.LinearAttention().fit(X, Y)
    assert same(copy.deepcopy(model), model) and same(pickle.loads(pickle.dumps(model)), model)
    model.save(tmp_path / "model.npz")
    assert same(attest.LinearAttention.load(tmp_path / "model.npz"), model)


def test_another_process_reads_the_pickle(tmp_path):
    model = attest.LinearAttention().fit(X, Y)
    np.save(tmp_path / "X.npy", X)
    (tmp_path / "model.pickle").write_bytes(pickle.dumps(model))
    code = "import pickle, sys, numpy as np; model = pickle.load(open('model.pickle', 'rb')); sys.stdout.buffer.write(model.predict(np.load('X.npy')).tobytes('C'))"
    said = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True).stdout
    assert said == model.predict(X).tobytes("C")


def test_other_layers_are_learned_and_kept(tmp_path):
    weights = 0.5 ** np.arange(4, -1, -1)
    labels = np.einsum("hod,idn,n,ien,hef,if->io", V, X, weights, X, Q, X[:, :, -1])
    model = attest.LinearAttention(layer="decay=1/2").fit(X, labels)
    assert np.allclose(model.predict(X), labels) and same(pickle.loads(pickle.dumps(model)), model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert attest.LinearAttention().fit(X, labels).score(X, labels) < 0.99


def test_data_sets_are_taken_whole():
    data = attest.generate("random-linear-attention", 60, d=3, n=5)
    model = attest.LinearAttention().fit(data)
    assert np.allclose(model.coef_, data.truth["P"] if "P" in data.truth else attest.LinearAttention.from_heads(data.truth["V"], data.truth["Q"]).coef_)
    assert model.score(data) > 1 - 1e-12


def test_before_fit_it_says_so():
    for act in (lambda: attest.LinearAttention().predict(X), lambda: attest.CubicFeatures().transform(X)):
        with pytest.raises(ValueError, match="call fit first"):
            act()
