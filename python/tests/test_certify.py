"""Certificates as Python values."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import attest

RNG = np.random.default_rng(0)
FULL = RNG.standard_normal((40, 2, 5))
FEW = RNG.standard_normal((4, 2, 5))


def test_enough_data_determine_the_function():
    found = attest.certify(FULL)
    assert (found.verdict, found.psi, found.rank, found.nullity, found.rank_bounds, found.determined) == ("determined", 6, 6, 0, (6, 6), True)


def test_too_few_do_not():
    found = attest.certify(FEW)
    assert (found.verdict, found.rank, found.nullity, found.determined) == ("not_determined", 4, 2, False)


def test_floating_point_alone_proves_nothing():
    assert attest.certify(FULL, level="numerical").determined is None


def test_a_certificate_is_neither_true_nor_false():
    with pytest.raises(TypeError, match="determined"):
        bool(attest.certify(FULL))


def test_the_smallest_eigenvalue_lies_between_its_exact_ends():
    interval = attest.certify(FULL, level="rigorous").lambda_min
    H = attest.CubicFeatures().fit_transform(FULL)
    eigenvalues = np.linalg.eigvalsh(H.T @ H / len(H))
    rounding = H.size * np.finfo(float).eps * eigenvalues[-1]
    assert isinstance(interval.lo, Fraction) and 0 < interval.lo < interval.hi
    assert float(interval.lo) - rounding <= eigenvalues[0] <= float(interval.hi) + rounding


def test_a_witness_disagrees_on_its_input_and_nowhere_in_training():
    integers = np.random.default_rng(1).integers(-3, 4, (4, 2, 5)).astype(float)
    witness = attest.certify(integers, np.ones((4, 1)), witness=True).witness
    features = attest.CubicFeatures().fit_transform
    difference = witness.coefficients[1] - witness.coefficients[0]
    assert not any(int(v) for v in features(integers).astype(int).astype(object) @ np.array(witness.null_vector, dtype=object))
    assert abs(difference @ features(integers).T).max() < 1e-12 * abs(witness.coefficients[1]).max() * abs(features(integers)).max()
    assert np.isclose(abs((difference @ features(witness.input[None]).T)[0, 0]), abs(witness.difference))
    assert witness.difference != 0


def test_training_inputs_are_determined_and_fresh_ones_need_not_be():
    found = attest.certify(FEW, queries=np.concatenate([FEW[:1], FULL[:1]]))
    assert [query.verdict for query in found.queries] == ["determined", "not_determined"]
    assert found.determined is False
    assert attest.certify(FEW, queries=FEW[:1]).determined is True  # of the query; the function is not


def test_a_proof_is_verified_from_its_data_only():
    found = attest.certify(FULL)
    assert found.check(FULL)
    assert not found.check(FULL + 1)


def test_a_certificate_without_proof_says_so():
    with pytest.raises(attest.InvalidInput, match="no proof"):
        attest.certify(FULL, level="numerical").check(FULL)


def test_certificates_pickle_with_exact_numbers():
    found = attest.certify(FULL)
    assert pickle.loads(pickle.dumps(found)) == found and copy.deepcopy(found) == found
    long = attest.Interval(None, Fraction(10**500 + 1, 3**400), None)
    assert pickle.loads(pickle.dumps(long)) == long


def test_jupyter_sees_text_without_scripts():
    shown = attest.certify(FULL)._repr_html_()
    assert "<script" not in shown and "determined" in shown and len(shown) < 2048


def test_jupyter_sees_what_a_user_chose_escaped():
    assert attest.Summary("task <b>", "{}")._repr_html_() == "<pre>task &lt;b&gt;</pre>"


def test_suggestions_raise_the_rank():
    found = attest.suggest(FEW, FULL, 3)
    assert [one.rank for one in found] == [5, 6, 6]
    assert attest.certify(np.concatenate([FEW, FULL[[one.candidate for one in found]]])).determined


def test_leverage_is_the_rank_on_average_and_infinite_outside():
    assert np.isclose(attest.leverage(FULL, FULL).mean(), 6)
    assert np.isinf(attest.leverage(FEW, FULL)).all()


def test_the_spectrum_is_that_of_the_features():
    H = attest.CubicFeatures().fit_transform(FULL) / np.sqrt(len(FULL))
    found = attest.spectrum(FULL)
    assert np.allclose(found.sigma, np.linalg.svd(H, compute_uv=False)) and found.rank == 6 < len(FULL)


def test_moments_are_examples_of_their_own_layer():
    s, u = RNG.standard_normal((9, 2)), RNG.standard_normal((9, 3))
    moments = attest.Moments(s, u)
    rows = np.einsum("ni,nj->nij", s, u).reshape(9, 6)
    assert attest.certify(moments).rank == np.linalg.matrix_rank(rows) == 6
    assert attest.certify(moments[:4]).rank == 4


def test_coverage_bounds_the_share_of_the_future():
    found = attest.certify(FULL, coverage=0.9).coverage
    assert found.confidence == 0.9 and 0 < found.expected <= 1 and found.at_most == 0 and found.leave_one_out == 0
    found = attest.certify(FULL * [[1.0], [0.0]], coverage=0.9).coverage  # one feature of six
    assert 0 < found.at_most < 1 and found.leave_one_out == 0


def test_reasons_are_exact_relations_with_their_causes():
    tied = np.random.default_rng(2).integers(-3, 4, (60, 3, 4)).astype(float)
    tied[:, 2] = tied[:, 0] - tied[:, 1]
    found = attest.certify(tied)
    explanation = found.explain(tied)
    assert explanation == attest.certify(tied, explain=True).explanation == attest.certify(tied, explain=True).explain()
    assert explanation.nullity_at_most == found.nullity == explanation.listed > 0 == explanation.by_counting
    assert all(relation.because and relation.broken_by for relation in explanation.classes) and explanation.classes
    with pytest.raises(attest.InvalidInput, match="other data"):
        found.explain(tied[:50])
    with pytest.raises(attest.InvalidInput, match="got no data"):
        found.explain()


def test_whether_any_layer_fits_the_labels_is_a_fraction():
    X = np.random.default_rng(3).integers(-2, 3, (30, 2, 4)).astype(float)
    labels = (X[:, 0] * X[:, 1]).sum(axis=1) * X[:, 0, -1]  # a coordinate of H
    assert attest.certify(X, labels, expressible=True).fit.least_risk == Fraction(0)
    other = attest.certify(X, labels + 1, expressible=True).fit
    H = attest.CubicFeatures().fit_transform(X)
    residual = np.linalg.lstsq(H, labels + 1, rcond=None)[1] / len(X)
    assert other.verdict == "inexpressible" and np.isclose(float(other.least_risk), residual[0], rtol=1e-10)


def test_a_model_of_ones_own_is_compared_with_the_best():
    labels = attest.LinearAttention.from_heads(np.ones((1, 1, 2)), np.eye(2)[None]).predict(FULL)
    mine = attest.LinearAttention.from_heads(np.full((1, 1, 2), 1.01), np.eye(2)[None])
    found = attest.certify(FULL, labels, model=mine, heads=1, queries=FULL[:3], noise=0.5)
    assert np.isclose(found.model.risk, np.mean((mine.predict(FULL) - labels) ** 2)) and found.model.least_risk < 1e-20
    apart = [query.may_differ_by for query in found.model.queries]
    assert np.allclose(apart, 2 * np.sqrt((found.model.risk - found.model.least_risk) * attest.leverage(FULL, FULL[:3])))
    assert (found.few_heads.verdict, found.few_heads.heads) == ("locally_determined", 1)
    assert found.noise.sigma == 0.5 and len(found.noise.truth_within) == 3


def test_the_excess_risk_elsewhere_is_the_traces():
    there = 2 * RNG.standard_normal((50, 2, 5))
    found = attest.certify(FULL, FULL[:, :1, 0], ood=there, noise=0.1).elsewhere
    H, H_there = (attest.CubicFeatures().fit_transform(X) for X in (FULL, there))
    trace = np.trace(np.linalg.solve(H.T @ H / len(H), H_there.T @ H_there / len(H_there)))
    assert np.isclose(found.trace, trace) and np.isclose(found.excess_risk, 0.1**2 * trace / len(H))
