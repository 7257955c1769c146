"""What is known of whether data determine the learned function."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import _core, evidence
from .answer import Answer
from .command import run_checker
from .data import Examples, data_of
from .errors import InvalidInput


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
    warning : str or None
        Where double precision sees a lower rank than the proved one: what that may mean, and what to do.
    numerical_rank : int or None
        That lower rank.
    roundings_to_lower_rank : float or None
        Where full rank is proved: how far the features are from a matrix of lower rank, in roundings (2**-53) of their largest singular value. Below 1 the
        proof is about the numbers as they are stored, not about what they were rounded from. Numerical.
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
    warning: str | None
    numerical_rank: int | None
    roundings_to_lower_rank: float | None
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
    _said: dict[str, Any] = field(repr=False)

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
        found = evidence.explanation_of(_core.certify(data, explain=True)["said"])
        assert found is not None
        return found


def certificate_of(found: dict[str, Any], data: _core.Data) -> Certificate:
    """From what the module found in these data."""
    said = found["said"]
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
        warning=said.get("warning"),
        numerical_rank=said.get("numerical_rank"),
        roundings_to_lower_rank=said.get("roundings_to_lower_rank"),
        queries=tuple(evidence.Query(**query) for query in said.get("queries", [])),
        witness=evidence.witness_of(found),
        coverage=evidence.coverage_of(said),
        explanation=evidence.explanation_of(said),
        model=evidence.model_of(said),
        few_heads=evidence.few_heads_of(said),
        elsewhere=evidence.Elsewhere(**said["ood"]) if "ood" in said else None,
        noise=evidence.noise_of(said),
        fit=evidence.fit_of(said),
        layer=data.layer,
        proof=found["proof"],
        digest=data.digest,
        answer=found["answer"],
        heads=found["heads"],
        _text=found["text"],
        _said=said,
    )
