"""What floating point says of single examples and of the features: it proves nothing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import _core
from ._arrays import Doubles, threads_of
from .data import Examples, data_of
from .errors import InvalidInput


class Suggestion(NamedTuple):
    """An example of the pool to add, and what the data are with it."""

    candidate: int
    outside: float | None
    leverage: float | None
    rank: int
    lambda_min: float | None


class Spectrum(NamedTuple):
    """Singular values of H / sqrt(N), descending, (min(N, psi),); those above `threshold` count into the numerical rank."""

    sigma: Doubles
    rank: int
    threshold: float


def suggest(X: Examples, pool: Examples, count: int, *, layer: str | None = None, n_jobs: int | None = None) -> list[Suggestion]:
    """Which `count` examples of the pool to add to X, best first, so that the data determine more. Numerical: certify the result.

    Parameters
    ----------
    X, pool : array (N, d, n), Sequences, Moments or Dataset
        What there is, and the candidates.
    count : int
    layer : str
        What reads the data.
    n_jobs : int or None
        None is 1, -1 all processors.

    Returns
    -------
    list of Suggestion
        At most `count`.

    Examples
    --------
    >>> import numpy as np, attest
    >>> rng = np.random.default_rng(0)
    >>> [one.rank for one in attest.suggest(rng.normal(size=(16, 3, 8)), rng.normal(size=(9, 3, 8)), 3)]
    [17, 18, 18]
    """
    if count < 1:
        raise InvalidInput(f"count: got {count}, expected at least 1")
    data = data_of(X, None, layer)
    found = _core.certify(data, level="numerical", pool=data_of(pool, None, data.layer), suggest=count, threads=threads_of(n_jobs))
    keys = Suggestion._fields
    return [Suggestion(*(one[key] for key in keys)) for one in found["said"]["suggestions"]]


def leverage(X: Examples, queries: Examples, *, layer: str | None = None, n_jobs: int | None = None) -> Doubles:
    """How far equally good models may differ on each of M queries, (M,): infinite outside the row space of X. Numerical.

    h(Z)' Lambda^+ h(Z) of each query's features h, Lambda the second moment of the data's.

    Parameters
    ----------
    X, queries : array (N, d, n) and (M, d, n), Sequences, Moments or Dataset
    layer : str
        What reads the data.
    n_jobs : int or None

    Examples
    --------
    >>> import numpy as np, attest
    >>> X = np.random.default_rng(0).normal(size=(60, 3, 8))
    >>> round(attest.leverage(X, X).mean(), 9)  # psi, over the data themselves
    18.0
    """
    data = data_of(X, None, layer)
    return np.asarray(_core.leverage(data, data_of(queries, None, data.layer), threads_of(n_jobs)))[:, 0]


def spectrum(X: Examples, *, layer: str | None = None, n_jobs: int | None = None) -> Spectrum:
    """Singular values of the features, (min(N, psi),), with the numerical rank.

    Parameters
    ----------
    X : array (N, d, n), Sequences, Moments or Dataset
    layer : str
        What reads the data.
    n_jobs : int or None

    Examples
    --------
    >>> import numpy as np, attest
    >>> found = attest.spectrum(np.random.default_rng(0).normal(size=(60, 3, 8)))
    >>> found.sigma.shape, found.rank
    ((18,), 18)
    """
    found = _core.spectrum(data_of(X, None, layer), threads_of(n_jobs))
    return Spectrum(np.asarray(found["sigma"])[:, 0], found["rank"], found["threshold"])
