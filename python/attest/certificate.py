"""Do the data determine the learned function? Certificates, witnesses, and which examples to add."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np

from . import _core
from ._arrays import Doubles, threads_of
from .command import run_checker
from .data import Examples, Sequences, data_of
from .errors import InvalidInput

Level = Literal["auto", "exact", "rigorous", "numerical", "grouped"]


class Interval(NamedTuple):
    """The smallest eigenvalue: what floating point sees, and exact ends that are proved; None where there is none."""

    value: float | None
    lo: Fraction | None
    hi: Fraction | None


@dataclass(frozen=True)
class Query:
    """Whether the output on one query is determined; `index` is its place among the queries."""

    index: int
    verdict: str
    evidence: str
    leverage: float | None


class Coverage(NamedTuple):
    """How much of the future the data leave undetermined: shares of fresh examples, at most."""

    expected: float
    at_most: float
    confidence: float
    leave_one_out: int | None


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


@dataclass(frozen=True)
class Witness:
    """Two minimisers with the same predictions on the training data that disagree on `input`."""

    coefficients: tuple[Doubles, Doubles]  #: (o, psi) each
    input: Doubles | None  #: (d, n); None for another layer's examples without tokens
    difference: float  #: of the first output
    null_vector: tuple[int, ...]  #: v with v'H(Z) = 0 on every training example, exactly


@dataclass(frozen=True)
class Certificate:
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
    witness : Witness or None
    coverage : Coverage or None
    proof : str or None
        The text of a proof for attest-check.
    digest : str
        SHA-256 of the data.
    """

    verdict: str
    psi: int
    rank: int | None
    nullity: int | None
    rank_bounds: tuple[int, int]
    lambda_min: Interval | None
    condition: float | None
    reason: str
    queries: tuple[Query, ...]
    witness: Witness | None
    coverage: Coverage | None
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

    def to_dict(self) -> dict[str, Any]:
        """The object that ``attest certify --json`` prints."""
        return dict(json.loads(self._json))

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self)[:1900])}</pre>"


def certify(
    X: Examples,
    y: Any = None,
    *,
    layer: str | None = None,
    level: Level = "auto",
    queries: Examples | None = None,
    witness: bool = False,
    coverage: float | None = None,
    realisable: bool = False,
    proof: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
) -> Certificate:
    """Do the data determine the learned function?

    Parameters
    ----------
    X : array (N, d, n), Sequences, Moments or Dataset
    y : array (N,), (N, o) or (N, n, o), optional
        The verdict needs labels for `realisable` and `witness` only.
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
    realisable : bool
        Presume that some model fits the labels exactly.
    proof : path, optional
        Writes the proof to this file, for attest-check.

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
    if level not in ("auto", "exact") and (queries is not None or witness or coverage is not None or realisable):
        raise InvalidInput("certify: queries, witness, coverage and realisable need level auto or exact")
    data = data_of(X, y, layer)
    asked = None if queries is None else data_of(queries, None, data.layer)
    found = _core.certify(
        data, level=level, queries=asked, witness=witness, realisable=realisable, coverage=coverage, threads=threads_of(n_jobs)
    )
    if proof is not None:
        _write_proof(found, os.fspath(proof))
    return _certificate(found, data)


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
        lambda_min=_interval(said, found.get("lambda_min")),
        condition=said.get("condition"),
        reason=said.get("reason", ""),
        queries=tuple(Query(q["index"], q["verdict"], q["evidence"], q["leverage"]) for q in said.get("queries", [])),
        witness=_witness(found["witness"]) if "witness" in found else None,
        coverage=_coverage(said),
        proof=found["proof"],
        digest=data.digest,
        answer=found["answer"],
        heads=found["heads"],
        _text=found["text"],
        _json=found["json"],
    )


def _interval(said: dict[str, Any], ends: tuple[tuple[str, int], tuple[str, int]] | None) -> Interval | None:
    if "lambda_min" not in said:
        return None
    lo, hi = (None, None) if ends is None else (Fraction(int(m)) * Fraction(2) ** e for m, e in ends)
    return Interval(said["lambda_min"]["value"], lo, hi)


def _witness(found: dict[str, Any]) -> Witness:
    a, b = (np.asarray(P) for P in found["coefficients"])
    tokens = np.asarray(found["input"].tokens)
    return Witness((a, b), tokens if len(tokens) else None, found["difference"], tuple(int(entry) for entry in found["null_vector"]))


def _coverage(said: dict[str, Any]) -> Coverage | None:
    if "not_determined_expected" not in said:
        return None
    return Coverage(said["not_determined_expected"], said["not_determined_at_most"], said["confidence"], said["leave_one_out"])


def suggest(X: Examples, pool: Examples, count: int, *, layer: str | None = None, n_jobs: int | None = None) -> list[Suggestion]:
    """Which `count` examples of the pool to add to X, best first, so that the data determine more. Numerical: certify the result.

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
    return [Suggestion(*(one[key] for key in keys)) for one in json.loads(found["json"])["suggestions"]]


def leverage(X: Examples, queries: Examples, *, layer: str | None = None, n_jobs: int | None = None) -> Doubles:
    """How far equally good models may differ on each of M queries, (M,): infinite outside the row space of X. Numerical."""
    data = data_of(X, None, layer)
    return np.asarray(_core.leverage(data, data_of(queries, None, data.layer), threads_of(n_jobs)))[:, 0]


def spectrum(X: Examples, *, layer: str | None = None, n_jobs: int | None = None) -> Spectrum:
    """Singular values of the features, (min(N, psi),), with the numerical rank."""
    found = _core.spectrum(data_of(X, None, layer), threads_of(n_jobs))
    return Spectrum(np.asarray(found["sigma"])[:, 0], found["rank"], found["threshold"])
