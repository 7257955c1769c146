"""Fewer heads: the same function, or the best approximation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import Doubles, as_doubles, seed_of, threads_of
from ._progress import Wanted, told
from .answer import Answer
from .data import Examples, data_of
from .errors import InvalidInput


@dataclass(frozen=True)
class HeadReduction(Answer):
    """Heads and how they were found.

    Attributes
    ----------
    V : array (H, o, d)
    Q : array (H, d, d)
    same_function : bool
        Whether they compute the function that was given, up to rounding.
    lower_bound : int or None
        No fewer heads compute it, certified.
    residual : float
        Distance from it, relative to its size.
    """

    V: Doubles
    Q: Doubles
    same_function: bool
    lower_bound: int | None
    residual: float | None
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)

    @property
    def num_heads(self) -> int:
        """H."""
        return len(self.V)


def stacked(matrices: list[Any]) -> Doubles:
    """Matrices of one shape as one array, (H, rows, columns)."""
    return np.stack([np.asarray(A) for A in matrices])


def model_from(V: Any, Q: Any) -> _core.Model:
    """The model of heads V (H, o, d) and Q (H, d, d)."""
    values, queries = as_doubles(V, "V"), as_doubles(Q, "Q")
    if values.ndim != 3 or queries.ndim != 3:
        raise InvalidInput(f"heads: got V {values.shape} and Q {queries.shape}, expected (H, o, d) and (H, d, d)")
    if not (np.isfinite(values).all() and np.isfinite(queries).all()):
        raise InvalidInput("heads: V or Q holds a NaN or an infinity")
    return _core.Model.from_heads(list(values), list(queries))


def minimal_heads(
    V: NDArray[Any],
    Q: NDArray[Any],
    *,
    X: Examples | None = None,
    seconds: float = 60.0,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Wanted = None,
) -> HeadReduction:
    """The fewest heads that compute the same function, with a certified lower bound.

    Parameters
    ----------
    V : array (H, o, d)
    Q : array (H, d, d)
    X : array (N, d, n), optional
        Errors are measured on these data instead of on the coefficients.
    seconds : float
        After them the best so far is returned.
    random_state : int, numpy Generator or None
        None is 0.
    n_jobs : int or None
    progress : True or a callable, optional
        Told after every start.

    Examples
    --------
    >>> import numpy as np, attest
    >>> rng = np.random.default_rng(0)
    >>> V, Q = rng.normal(size=(1, 1, 2)), rng.normal(size=(1, 2, 2))
    >>> attest.minimal_heads(np.concatenate([V, V]), np.concatenate([Q, Q])).num_heads
    1
    """
    data = None if X is None else data_of(X)
    model, seed, threads = model_from(V, Q), seed_of(random_state), threads_of(n_jobs)
    with told(progress, "minimal_heads") as tell:
        found = _core.reduce_heads(model, heads="min", data=data, budget=seconds, seed=seed, threads=threads, progress=tell)
    said = found["said"]
    values, queries = found["model"].heads
    return HeadReduction(
        stacked(values), stacked(queries), said["same_function"], said.get("lower_bound"), said["residual"], found["text"], said
    )
