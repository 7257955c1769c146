"""Do the data determine the learned function? The question, and what goes with it."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _core
from ._arrays import threads_of
from ._progress import Wanted, told
from .certificate import Certificate, certificate_of
from .data import Examples, data_of
from .errors import InvalidInput
from .stack import LocalCertificate, Stack, certify_stack

if TYPE_CHECKING:
    from .estimators import LinearAttention

_log = logging.getLogger("attest")

Level = Literal["auto", "exact", "rigorous", "numerical", "matrix-free", "grouped"]


@overload
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
    head_size: int | tuple[int, int] | None = None,
    noise: float | None = None,
    ood: Examples | None = None,
    proof: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    progress: Wanted = None,
) -> Certificate: ...


@overload
def certify(
    X: Examples,
    y: Any = None,
    *,
    model: Stack,
    pool: Examples | None = None,
    suggest: int = 0,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Wanted = None,
) -> LocalCertificate: ...


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
    model: LinearAttention | Stack | None = None,
    heads: int | None = None,
    head_size: int | tuple[int, int] | None = None,
    noise: float | None = None,
    ood: Examples | None = None,
    proof: str | os.PathLike[str] | None = None,
    pool: Examples | None = None,
    suggest: int = 0,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Wanted = None,
) -> Certificate | LocalCertificate:
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
    model : LinearAttention or Stack, optional
        Your own: how far an equally good one may differ, on each query. A stack of layers is another question, whose answer is a `LocalCertificate`:
        do the data determine it, near it, by its own outputs on them? Beside it only pool, suggest, random_state, n_jobs and progress can be given.
    heads : int, optional
        With a model of so many heads: do the data determine it among layers of as many, near it?
    head_size : int or (int, int), optional
        Of these heads as they were trained: entries of a key, and of a value if they differ; full unless given.
    noise : float, optional
        Standard deviation of the label noise: with queries, how far the truth may be; with `ood`, else estimated.
    ood : as X, optional
        Other data: the expected excess risk there.
    proof : path, optional
        Writes the proof to this file, for attest-check.
    pool, suggest : as X, int
        With a stack: which so many candidates of the pool to add. For a single layer that is `attest.suggest`.
    random_state : int, numpy Generator or None
        With a stack: of the fresh inputs.
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
    >>> layer = attest.StackLayer(heads=1, key_size=2, residual=True)
    >>> stack = attest.Stack.random([layer, layer], d=2, random_state=0)
    >>> attest.certify(np.random.default_rng(0).standard_normal((8, 2, 3)), model=stack).verdict
    'locally_determined'
    """
    if isinstance(model, Stack):
        others = any(one is not None for one in (layer, queries, coverage, heads, head_size, noise, ood, proof))
        if others or witness or explain or expressible or realisable or level != "auto":
            raise InvalidInput("certify: of a stack only pool= and suggest= can be asked: what its data determine is local")
        return certify_stack(data_of(X, y), model, pool=pool, suggest=suggest, random_state=random_state, n_jobs=n_jobs, progress=progress)
    if pool is not None or suggest:
        raise InvalidInput("certify: pool and suggest belong to a stack; of a single layer ask attest.suggest(X, pool, count)")
    if heads is not None and (model is None or heads < 1):
        raise InvalidInput("certify: heads is the number of heads of a model; pass model= and at least 1")
    if head_size is not None and heads is None:
        raise InvalidInput("certify: head_size belongs to heads; pass how many there are")
    key_size, value_size = (0, 0) if head_size is None else (head_size, head_size) if isinstance(head_size, int) else head_size
    if head_size is not None and (key_size < 1 or value_size < 1):
        raise InvalidInput(f"certify: got head_size {head_size}, expected at least 1")
    if random_state is not None:
        raise InvalidInput("certify: random_state belongs to a stack, model=Stack(...): of a single layer nothing is drawn")
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
            key_size=key_size,
            value_size=value_size,
            noise=noise,
            keep=None if proof is None else os.fspath(proof),
            ood=None if ood is None else data_of(ood, None, data.layer),
            threads=threads_of(n_jobs),
            progress=tell,
        )
    certificate = certificate_of(found, data)
    _log.info("certify: %s by level %s, rank %s of %d", certificate.verdict, level, certificate.rank, certificate.psi)
    return certificate
