"""Do the data determine the learned function? The question, and what goes with it."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._arrays import threads_of
from ._progress import Wanted, told
from .certificate import Certificate, certificate_of
from .data import Examples, data_of
from .errors import InvalidInput

if TYPE_CHECKING:
    from .estimators import LinearAttention

_log = logging.getLogger("attest")

Level = Literal["auto", "exact", "rigorous", "numerical", "matrix-free", "grouped"]


def certify(
    X: Examples,
    y: Any = None,
    *,
    layer: str | None = None,
    level: Level = "auto",
    queries: Examples | None = None,
    witness: bool = False,
    coverage: float | None = None,
    explain: bool = False,
    expressible: bool = False,
    realisable: bool = False,
    model: LinearAttention | None = None,
    heads: int | None = None,
    noise: float | None = None,
    ood: Examples | None = None,
    proof: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    progress: Wanted = None,
) -> Certificate:
    """Do the data determine the learned function?

    Parameters
    ----------
    X : array (N, d, n), Sequences, Moments or Dataset
    y : array (N,), (N, o) or (N, n, o), optional
        The verdict needs no labels; `witness`, `realisable`, `expressible`, `model` and an estimated noise do.
    layer : str
        What reads the data: "linear", or as "decay=1,31/32 affine".
    level : "auto", "exact", "rigorous", "numerical", "matrix-free" or "grouped"
        How the rank is decided; "auto" is exact, with the margin beside it where it is cheap.
    queries : as X, optional
        Inputs: is the output on each determined?
    witness : bool
        Two minimisers that disagree, where there are.
    coverage : float, optional
        The confidence of a bound on how much of the future is not determined.
    explain : bool
        Why something is open: `Certificate.explanation`.
    expressible : bool
        Whether any model fits the labels, and the least training risk, exactly: `Certificate.fit`, and the proof is of it.
    realisable : bool
        Presume that some model fits the labels exactly.
    model : LinearAttention, optional
        Your own: how far an equally good one may differ, on each query.
    heads : int, optional
        With a model of so many heads: do the data determine it among layers of as many, near it?
    noise : float, optional
        Standard deviation of the label noise: with queries, how far the truth may be; with `ood`, else estimated.
    ood : as X, optional
        Other data: the expected excess risk there.
    proof : path, optional
        Writes the proof to this file, for attest-check.
    n_jobs : int or None
        None is 1, -1 all processors.
    progress : True or a callable, optional
        True: a bar of tqdm, where it is installed; else called with a `Progress`.

    Raises
    ------
    InvalidInput
        Where the data or the options do not fit together.
    UnknownName
        For another level, and where the level does not answer what only auto and exact do.
    MemoryFailure
        Where the estimate exceeds the memory.

    Examples
    --------
    >>> import numpy as np, attest
    >>> X = np.random.default_rng(0).standard_normal((60, 3, 8))
    >>> certificate = attest.certify(X)
    >>> certificate.verdict, certificate.rank, certificate.determined
    ('determined', 18, True)
    """
    if heads is not None and (model is None or heads < 1):
        raise InvalidInput("certify: heads is the number of heads of a model; pass model= and at least 1")
    data = data_of(X, y, layer)
    with told(progress, "certify") as tell:
        found = _core.certify(
            data,
            level=level,
            queries=None if queries is None else data_of(queries, None, data.layer),
            witness=witness,
            coverage=coverage,
            explain=explain,
            expressible=expressible,
            realisable=realisable,
            model=None if model is None else model._fitted(),
            heads=heads or 0,
            noise=noise,
            keep=None if proof is None else os.fspath(proof),
            ood=None if ood is None else data_of(ood, None, data.layer),
            threads=threads_of(n_jobs),
            progress=tell,
        )
    certificate = certificate_of(found, data)
    _log.info("certify: %s by level %s, rank %s of %d", certificate.verdict, level, certificate.rank, certificate.psi)
    return certificate
