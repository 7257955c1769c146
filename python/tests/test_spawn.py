"""A process that is spawned, so knows nothing but what is pickled for it, computes the same bits."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

import attest

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 3, 5)).transpose(0, 2, 1).copy().transpose(0, 2, 1)
V, Q = RNG.standard_normal((2, 2, 3)), RNG.standard_normal((2, 3, 3))
Y = attest.LinearAttention.from_heads(V, Q).predict(X)
RAGGED = attest.Sequences([RNG.standard_normal((3, n)) for n in RNG.integers(1, 5, 60)])


@pytest.fixture(scope="module")
def child():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield lambda act, *given: pool.submit(act, *given).result()


def fit(model, X, y):
    model.fit(X, y)
    return model, model.predict(X).tobytes()


def certified(X, y):
    return attest.certify(X, y, queries=X[:2])


def checks(certificate, X, y):
    """What arrived there is read there."""
    return certificate.check(X, y), certificate.lambda_min, certificate.to_dict(), str(certificate)


@pytest.mark.parametrize("X", [X, RAGGED], ids=["array", "sequences"])
def test_an_estimator_is_fitted_there_with_the_same_bits(X, child):
    there, predicted = child(fit, attest.LinearAttention(ridge=0.1), X, Y)
    here = attest.LinearAttention(ridge=0.1).fit(X, Y)
    assert np.array_equal(there.coef_, here.coef_) and np.array_equal(there.V_, here.V_)
    assert predicted == here.predict(X).tobytes() == there.predict(X).tobytes()


def test_a_fitted_estimator_predicts_there_with_the_same_bits(child):
    model = attest.LinearAttention().fit(X, Y)
    assert child(attest.LinearAttention.predict, model, X).tobytes() == model.predict(X).tobytes()


def test_a_certificate_comes_back_and_goes_there(child):
    here, there = certified(X, Y), child(certified, X, Y)
    assert there == here and there.proof == here.proof and there.determined is True
    assert child(checks, here, X, Y) == checks(here, X, Y)


def test_exact_numbers_of_hundreds_of_digits_are_pickled_whole(child):
    # Tokens between 2^-330 and 2^330: the ends of lambda_min are fractions of that size.
    certificate = attest.certify(X * np.ldexp(1.0, RNG.integers(-330, 330, (60, 1, 1))))
    ends = [end for end in (certificate.lambda_min.lo, certificate.lambda_min.hi) if end is not None]
    assert ends and all(isinstance(end, Fraction) for end in ends)
    assert pickle.loads(child(pickle.dumps, certificate)) == certificate
    # Minors of 14 rows whose entries have 48 digits.
    null_vector = attest.certify(X[:14], Y[:14], witness=True).witness.null_vector
    assert max(len(str(abs(entry))) for entry in null_vector) > 500
    assert child(tuple, null_vector) == null_vector
