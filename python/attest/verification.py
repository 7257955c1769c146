"""The papers' statements, checked again: `attest verify` with claims as values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from html import escape
from typing import Any, Literal, TypeVar

from ._arrays import seed_of
from ._progress import Wanted, told
from .command import run


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, as the documentation has it.

    Attributes
    ----------
    id : str
        As "yau2024/lemma_a5".
    paper : str
    outcome_documented : str
        "holds", "holds_after_correction", "false_as_printed", "vacuous", ...
    method : str
        "exact", "property", "sampled", ...
    severity : str
        Of the erratum, or "none".
    machine_checked : str
        The theorems in Coq, if any.
    """

    id: str
    paper: str
    outcome_documented: str
    method: str
    severity: str
    machine_checked: str


@dataclass(frozen=True)
class Finding:
    """One check of a claim: on the statement as `printed` or as `tested`, or a `control`, with the verdict and the numbers in words.

    `said` is the verdict for people: of a control "noticed" or "not noticed", its planted fault, or "accepted" or "refused".
    """

    form: str
    verdict: str
    said: str
    precision: str
    text: str


@dataclass(frozen=True)
class CheckedClaim:
    """What a run found of a claim; the attributes of `Claim`, and these.

    Attributes
    ----------
    place : str
        Where it stands in the paper.
    printed, tested : str
        The statement as printed and as tested.
    deviation, argument : str
        How the two differ, and why the tested one holds.
    control : str
        What has been seen to fail: "planted_fault", "refuted_print" or "accepted_input"; "none" of a claim that did not
        run, or whose control noticed nothing.
    outcome : str
        What this run found.
    reason : str
    seconds : float
    findings : tuple of Finding
    """

    id: str
    paper: str
    place: str
    printed: str
    tested: str
    deviation: str
    argument: str
    control: str
    method: str
    outcome: str
    outcome_documented: str
    severity: str
    reason: str
    seconds: float
    findings: tuple[Finding, ...]

    @property
    def as_documented(self) -> bool:
        """Whether the outcome is the documented one."""
        return self.outcome == self.outcome_documented


@dataclass(frozen=True)
class Verification(Sequence[CheckedClaim]):
    """The claims of one run, in the registry's order; a sequence of `CheckedClaim`.

    Attributes
    ----------
    profile : str
    as_documented, different, undecided : int
        How many of each; "undecided" are those that no check settled.
    """

    profile: str
    claims: tuple[CheckedClaim, ...]
    as_documented: int
    different: int
    undecided: int

    def __len__(self) -> int:
        return len(self.claims)

    def __getitem__(self, at: Any) -> Any:
        return self.claims[at]

    def __iter__(self) -> Iterator[CheckedClaim]:
        return iter(self.claims)

    def __bool__(self) -> bool:
        raise TypeError("a Verification is neither true nor false: ask .different and .undecided, which count claims")

    def __str__(self) -> str:
        width = max((len(claim.id) for claim in self), default=0)
        rows = [f"{claim.id:{width}}  {claim.outcome.replace('_', ' ')}{'' if claim.as_documented else '  DIFFERS'}" for claim in self]
        return "\n".join([*rows, f"{self.as_documented} as documented, {self.different} different, {self.undecided} undecided"])

    def _repr_html_(self) -> str:
        said = f"{self.as_documented} as documented, {self.different} different, {self.undecided} undecided"
        return f"<p>{len(self)} claims, profile {escape(self.profile)}: {said}</p>"


Kind = TypeVar("Kind")


def _of(kind: type[Kind], said: dict[str, Any], **others: Any) -> Kind:
    """The dataclass with what the object of that command names alike."""
    names = [field.name for field in fields(kind) if field.name not in others]
    return kind(**{name: said[name] for name in names}, **others)


def claims(*patterns: str) -> list[Claim]:
    """The claims that the patterns name.

    Parameters
    ----------
    *patterns : str
        Ids, beginnings of ids, globs, names as "Lemma 2.3", files of your own claims ("mine.py"); all of ours without one.

    Raises
    ------
    UnknownName
        Where a pattern names none.

    Examples
    --------
    >>> import attest
    >>> [claim.outcome_documented for claim in attest.claims("yau2024/lemma_a5")]
    ['holds_after_correction']
    """
    return [_of(Claim, one) for one in run("verify", *patterns, "--list")]


def verify(
    *patterns: str, profile: Literal["quick", "full"] = "quick", random_state: Any = None, progress: Wanted = None
) -> Verification:
    """Checks the papers' statements anew, each by evidence of its own: exact arithmetic, properties, planted faults.

    Parameters
    ----------
    *patterns : str
        Ids, beginnings of ids, globs, names as "Lemma 2.3", files of your own claims ("mine.py"); all of ours without one, which takes some
        minutes.
    profile : "quick" or "full"
        The size of the sweeps.
    random_state : int, numpy Generator or None
        None is 0.
    progress : True or a callable
        Told after every claim of ours; a file of your own claims runs in one go.

    Raises
    ------
    UnknownName
        Where a pattern names none.

    Examples
    --------
    >>> import attest
    >>> found = attest.verify("yau2024/lemma_a5")
    >>> found[0].outcome, found.different
    ('holds_after_correction', 0)
    """
    options = ("--profile", profile, "--seed", str(seed_of(random_state)), "--quiet")
    if not progress or any(pattern.endswith(".py") for pattern in patterns):
        return _verification(profile, [run("verify", *patterns, *options)])
    ids = [claim.id for claim in claims(*patterns)]
    runs = []
    with told(progress, "verify") as tell:
        for i, one in enumerate(ids):
            if tell is not None:
                tell(one, i, len(ids))
            runs.append(run("verify", one, *options))
    return _verification(profile, runs)


def _verification(profile: str, runs: list[dict[str, Any]]) -> Verification:
    checked = [
        _of(CheckedClaim, one, findings=tuple(_of(Finding, finding) for finding in one["findings"])) for said in runs for one in said["claims"]
    ]
    counts = {key: sum(said[key] for said in runs) for key in ("as_documented", "different", "undecided")}
    return Verification(profile, tuple(checked), **counts)
