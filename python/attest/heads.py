"""Fewer heads: the same function, or the best approximation."""

from __future__ import annotations

from collections.abc import Sequence
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
        Distance from it, relative to its size; of heads with decays the largest over their groups.
    decays : tuple of float or None
        One a head, where decays were given.
    """

    V: Doubles
    Q: Doubles
    same_function: bool
    lower_bound: int | None
    residual: float | None
    decays: tuple[float, ...] | None
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)

    @property
    def num_heads(self) -> int:
        """H."""
        return len(self.V)


def stacked(matrices: list[Any], shape: tuple[int, ...] = (0, 0)) -> Doubles:
    """Matrices of one shape, this one where there are none, as one array, (H, rows, columns)."""
    return np.stack([np.asarray(A) for A in matrices]) if matrices else np.zeros((0, *shape))


def model_from(V: Any, Q: Any) -> _core.Model:
    """The model of heads V (H, o, d) and Q (H, d, d)."""
    values, queries = as_doubles(V, "V"), as_doubles(Q, "Q")
    if values.ndim != 3 or queries.ndim != 3:
        raise InvalidInput(f"heads: got V {values.shape} and Q {queries.shape}, expected (H, o, d) and (H, d, d)")
    if not (np.isfinite(values).all() and np.isfinite(queries).all()):
        raise InvalidInput("heads: V or Q holds a NaN or an infinity")
    return _core.Model.from_heads(list(values), list(queries))


def minimal_heads(
    V: NDArray[Any] | Any,
    Q: NDArray[Any] | None = None,
    *,
    decays: Sequence[float] | None = None,
    X: Examples | None = None,
    seconds: float = 60.0,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Wanted = None,
) -> HeadReduction:
    """The fewest heads that compute the same function, with a certified lower bound.

    Parameters
    ----------
    V : array (H, o, d), or a LinearAttention of the paper's layer, without Q
    Q : array (H, d, d)
    decays : sequence of H numbers, optional
        The decay of each head. Heads of one decay merge among themselves; those of different decays are independent functions, so the fewest of
        each group together are the fewest of the layer with these decays. Without decays the heads are those of the paper's layer.
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
    values, queries = _heads_of(V, Q)
    seed, threads = seed_of(random_state), threads_of(n_jobs)
    if decays is None:
        data = None if X is None else data_of(X)
        with told(progress, "minimal_heads") as tell:
            found = _core.reduce_heads(
                model_from(values, queries), heads="min", data=data, budget=seconds, seed=seed, threads=threads, progress=tell
            )
        said = found["said"]
        fewer_V, fewer_Q = (stacked(fewer, of.shape[1:]) for fewer, of in zip(found["model"].heads, (values, queries)))
        return HeadReduction(fewer_V, fewer_Q, said["same_function"], said.get("lower_bound"), said["residual"], None, found["text"], said)
    if X is not None:
        raise InvalidInput("minimal_heads: got X and decays; with decays the error is measured on the coefficients, so leave X out")
    if len(decays) != len(values) or not np.isfinite(np.asarray(decays, dtype=float)).all():
        raise InvalidInput(f"minimal_heads: got {len(decays)} decays, expected a finite number for each of {len(values)} heads")
    groups = {decay: [h for h, own in enumerate(decays) if own == decay] for decay in dict.fromkeys(decays)}
    parts = [
        minimal_heads(values[rows], queries[rows], seconds=seconds / len(groups), random_state=seed, n_jobs=n_jobs, progress=progress)
        for rows in groups.values()
    ]
    bounds, residuals = [part.lower_bound for part in parts], [part.residual for part in parts]
    lines = [f"decay {decay}: {len(rows)} -> {part.num_heads} heads" for (decay, rows), part in zip(groups.items(), parts)]
    return HeadReduction(
        np.concatenate([part.V for part in parts]),
        np.concatenate([part.Q for part in parts]),
        all(part.same_function for part in parts),
        sum(bound for bound in bounds if bound is not None) if None not in bounds else None,
        max(residual for residual in residuals if residual is not None) if None not in residuals else None,
        tuple(float(decay) for decay, part in zip(groups, parts) for _ in range(part.num_heads)),
        "\n".join(lines) + "\n",
        {"groups": [part.to_dict() for part in parts]},
    )


def _heads_of(V: Any, Q: Any) -> tuple[Doubles, Doubles]:
    """The arrays, or those of a model of the paper's layer; a layer with decays is refused, as its arrays alone do not tell them."""
    layer = getattr(V, "layer", None)
    if layer is not None:
        if layer != "linear" or V.V_ is None or V.Q_ is None:
            raise InvalidInput(f"minimal_heads: the layer is {layer}; pass its heads as arrays V and Q, and decays=, one a head")
        return V.V_, V.Q_
    if Q is None:
        raise InvalidInput("minimal_heads: Q is missing")
    return as_doubles(V, "V"), as_doubles(Q, "Q")
