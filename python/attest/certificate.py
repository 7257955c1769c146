"""Do the data determine the learned function? Certificates, witnesses, and which examples to add."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from . import _core, evidence
from ._arrays import threads_of
from ._progress import Wanted, told
from .answer import Answer
from .command import run_checker
from .data import Examples, data_of
from .errors import InvalidInput

if TYPE_CHECKING:
    from .estimators import LinearAttention

_log = logging.getLogger("attest")

Level = Literal["auto", "exact", "rigorous", "numerical", "grouped"]


@dataclass(frozen=True)
class Certificate(Answer):
    """What `certify` found.

    Attributes
    ----------
    verdict : str
        "determined" and "not_determined" are proved; "numerically_full_rank" and "numerically_deficient" are floating point's opinion; "undecided".
    psi, rank, nullity : int or None
        Features, and the dimension of their span where it is known.
    rank_bounds : (int, int)
    lambda_min : Interval or None
    condition : float or None
    reason : str
    queries : tuple of Query
    witness, coverage, explanation : Witness, Coverage, Explanation or None
        What was asked for beside the verdict, as the next five.
    model, few_heads, elsewhere, noise, fit : ModelAudit, FewHeads, Elsewhere, Noise, Fit or None
    proof : str or None
        The text of a proof for attest-check.
    layer : str
        What read the data.
    digest : str
        SHA-256 of the data.
    """

    verdict: str
    psi: int
    rank: int | None
    nullity: int | None
    rank_bounds: tuple[int, int]
    lambda_min: evidence.Interval | None
    condition: float | None
    reason: str
    queries: tuple[evidence.Query, ...]
    witness: evidence.Witness | None
    coverage: evidence.Coverage | None
    explanation: evidence.Explanation | None
    model: evidence.ModelAudit | None
    few_heads: evidence.FewHeads | None
    elsewhere: evidence.Elsewhere | None
    noise: evidence.Noise | None
    fit: evidence.Fit | None
    layer: str
    proof: str | None
    digest: str
    answer: str
    heads: int
    _text: str = field(repr=False)
    _json: str = field(repr=False)

    @property
    def determined(self) -> bool | None:
        """True or False where that is proved, of the queries where there were some; None: undecided."""
        return {"determined": True, "not_determined": False}.get(self.answer)

    def __bool__(self) -> bool:
        raise TypeError("a Certificate is neither true nor false: use .verdict == 'determined', or .determined, which is None where undecided")

    def check(self, X: Examples, y: Any = None) -> bool:
        """Has attest-check, which shares no code with this package, verify the proof from the data.

        Raises
        ------
        InvalidInput
            Where the certificate holds no proof.
        """
        if self.proof is None:
            raise InvalidInput("check: the certificate holds no proof; the levels auto and exact make one")
        return run_checker(self.proof, data_of(X, y))

    def explain(self, X: Examples | None = None, y: Any = None) -> evidence.Explanation:
        """Why the data leave something open: exact relations, their causes, and what breaks them.

        Needs the data once more, unless `certify` was called with ``explain=True``.

        Raises
        ------
        InvalidInput
            Without data, or with others than the certificate is of.
        """
        if self.explanation is not None:
            return self.explanation
        if X is None:
            raise InvalidInput("explain: got no data; pass those of the certificate, or certify with explain=True")
        data = data_of(X, y, self.layer)
        if data.digest != self.digest:
            raise InvalidInput("explain: these are other data than the certificate's; pass the same X and y")
        found = evidence.explanation_of(json.loads(_core.certify(data, explain=True)["json"]))
        assert found is not None
        return found


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
    level : "auto", "exact", "rigorous", "numerical" or "grouped"
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
    exact_only = {"queries": queries is not None, "witness": witness, "coverage": coverage is not None, "explain": explain}
    exact_only |= {"expressible": expressible, "realisable": realisable, "heads": heads is not None}
    if level not in ("auto", "exact") and any(exact_only.values()):
        asked_for = ", ".join(name for name, is_asked in exact_only.items() if is_asked)
        raise InvalidInput(f"certify: {asked_for} needs level auto or exact")
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
            ood=None if ood is None else data_of(ood, None, data.layer),
            threads=threads_of(n_jobs),
            progress=tell,
        )
    if proof is not None:
        _write_proof(found, os.fspath(proof))
    certificate = _certificate(found, data)
    _log.info("certify: %s by level %s, rank %s of %d", certificate.verdict, level, certificate.rank, certificate.psi)
    return certificate


def _write_proof(found: dict[str, Any], path: str) -> None:
    said = json.loads(found["json"])
    said["proof"] = path if found["proof"] else None
    found["json"] = json.dumps(said)
    if found["proof"]:
        _core.write_text(path, found["proof"])


def _certificate(found: dict[str, Any], data: _core.Data) -> Certificate:
    said = json.loads(found["json"])
    rank = said.get("rank")
    bounds = (said.get("rank_lower", 0), said.get("rank_upper", said["psi"]))
    return Certificate(
        verdict=said["verdict"],
        psi=said["psi"],
        rank=rank,
        nullity=said.get("nullity"),
        rank_bounds=bounds,
        lambda_min=evidence.interval_of(said, found.get("lambda_min")),
        condition=said.get("condition"),
        reason=said.get("reason", ""),
        queries=tuple(evidence.Query(**query) for query in said.get("queries", [])),
        witness=evidence.witness_of(found),
        coverage=evidence.coverage_of(said),
        explanation=evidence.explanation_of(said),
        model=evidence.model_of(said),
        few_heads=evidence.FewHeads(**said["few_heads"]) if "few_heads" in said else None,
        elsewhere=evidence.Elsewhere(**said["ood"]) if "ood" in said else None,
        noise=evidence.noise_of(said),
        fit=evidence.fit_of(said),
        layer=data.layer,
        proof=found["proof"],
        digest=data.digest,
        answer=found["answer"],
        heads=found["heads"],
        _text=found["text"],
        _json=found["json"],
    )
