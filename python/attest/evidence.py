"""What a certificate holds beside its verdict, one type a question."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ._arrays import Doubles


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
    """How much of the future the data leave undetermined: shares of fresh examples, at most.

    `expected` bounds the mean over such data, from the number of features and not from the rank seen; `at_most` holds with probability `confidence`.
    """

    expected: float
    at_most: float
    confidence: float
    leave_one_out: int | None


@dataclass(frozen=True)
class Witness:
    """Two minimisers with the same predictions on the training data that disagree on `input`."""

    coefficients: tuple[Doubles, Doubles]  #: (o, psi) each
    input: Doubles | None  #: (d, n); None for another layer's examples without tokens
    difference: float  #: of the first output
    null_vector: tuple[int, ...]  #: v with v'H(Z) = 0 on every training example, exactly


@dataclass(frozen=True)
class ModelOnQuery:
    """How far models with at most the given one's risk may differ from each other on a query, and it from the minimiser. Numerical."""

    index: int
    may_differ_by: float | None
    same_token: bool
    distance_to_erm: float | None


class ModelAudit(NamedTuple):
    """A given model beside the best one: their risks, and the queries, where there were some."""

    risk: float | None
    least_risk: float | None
    queries: tuple[ModelOnQuery, ...]


class FewHeads(NamedTuple):
    """Do the data determine the given model among layers of as many heads, near it? "locally_determined" and "not_locally_determined" are proved.

    `head_size`: entries of a key and of a value in the family that the numbers are of; None is full. `head_ranks`: with full heads, the ranks of the
    model's in doubles, where they are lower: pass them as head_size. `rounded_by`: with head_size, how far the model is rounded, over its largest entry.
    """

    verdict: str
    heads: int
    parameters: int
    dimension: int
    rank: int
    examples_needed: int
    head_size: tuple[int, int] | None = None
    head_ranks: tuple[int, int] | None = None
    rounded_by: float | None = None


class Elsewhere(NamedTuple):
    """Expected excess risk of least squares on other data under label noise: sigma^2 o tr(Lambda_other Lambda^-1) / N. Numerical."""

    sigma: float | None
    trace: float | None
    excess_risk: float | None


class Noise(NamedTuple):
    """How far the minimiser may be from the truth on each query, with that confidence, under label noise. Numerical."""

    sigma: float
    confidence: float
    truth_within: tuple[float | None, ...]


class Fit(NamedTuple):
    """Whether any model of the layer fits the labels: "expressible", "inexpressible" or "undecided"; the least training risk, exactly."""

    verdict: str
    least_risk: Fraction | None
    power: Fraction


@dataclass(frozen=True)
class Relation:
    """Relations of one kind that hold in every example, exactly.

    Attributes
    ----------
    about : str
        "query", "state" or "product".
    relation : str
        The first of them, as a formula.
    members, null_vectors, terms : int
        How many there are, how many null vectors of the features they stand for, and the terms of the first.
    coordinates : tuple of int
        Of the tokens, from 1.
    cause, because, broken_by : str
        A word, a sentence, and what would break it.
    structural : bool
        The layer's own: it holds on every input of these lengths and harms nobody.
    """

    about: str
    relation: str
    members: int
    null_vectors: int
    terms: int
    coordinates: tuple[int, ...]
    cause: str
    because: str
    broken_by: str
    structural: bool

    def __str__(self) -> str:
        return f"{self.relation} ({self.null_vectors} null vectors), because {self.because}; broken by {self.broken_by}"


@dataclass(frozen=True)
class Explanation:
    """Why the data leave something open.

    Attributes
    ----------
    distinct_examples : int
    by_counting : int
        Null vectors that any data of so few distinct examples have.
    nullity_at_most, listed, not_listed : int
        Null vectors; those that the relations stand for; those of a generic kind.
    facts : tuple of str
        About the data, checked.
    classes : tuple of Relation
    """

    distinct_examples: int
    by_counting: int
    nullity_at_most: int
    listed: int
    not_listed: int
    facts: tuple[str, ...]
    classes: tuple[Relation, ...]

    def __str__(self) -> str:
        first = f"{self.nullity_at_most} null vectors: {self.by_counting} by counting, {self.listed} listed, {self.not_listed} of a generic kind"
        return "\n".join([first, *self.facts, *map(str, self.classes)])


def explanation_of(said: dict[str, Any]) -> Explanation | None:
    """From the object of ``certify --json``."""
    if "explanation" not in said:
        return None
    found = said["explanation"]
    named: dict[str, Any] = {field.name: found[field.name] for field in fields(Explanation)}
    named["classes"] = tuple(_relation(dict(one)) for one in found["classes"])
    named["facts"] = tuple(found["facts"])
    return Explanation(**named)


def _relation(one: dict[str, Any]) -> Relation:
    one["coordinates"] = tuple(one["coordinates"])
    return Relation(**one)


def few_heads_of(said: dict[str, Any]) -> FewHeads | None:
    """From the object of ``certify --json``."""
    if "few_heads" not in said:
        return None
    sizes = {name: None if said["few_heads"][name] is None else tuple(said["few_heads"][name]) for name in ("head_size", "head_ranks")}
    return FewHeads(**{**said["few_heads"], **sizes})


def model_of(said: dict[str, Any]) -> ModelAudit | None:
    """From the object of ``certify --json``."""
    if "model" not in said:
        return None
    found = said["model"]
    return ModelAudit(found["risk"], found["least_risk"], tuple(ModelOnQuery(**query) for query in found["queries"]))


def noise_of(said: dict[str, Any]) -> Noise | None:
    """From the object of ``certify --json``."""
    if "noise" not in said:
        return None
    found = said["noise"]
    return Noise(found["sigma"], found["confidence"], tuple(found["truth_within"]))


def fit_of(said: dict[str, Any]) -> Fit | None:
    """From the object of ``certify --json``."""
    if "expressible" not in said:
        return None
    risk = said["least_risk"]
    return Fit(said["expressible"], None if risk is None else Fraction(risk), Fraction(said["power"]))


def interval_of(said: dict[str, Any], ends: tuple[tuple[str, int], tuple[str, int]] | None) -> Interval | None:
    """From the object of ``certify --json`` and the ends as mantissa and power of two."""
    if "lambda_min" not in said:
        return None
    lo, hi = (None, None) if ends is None else (Fraction(int(m)) * Fraction(2) ** e for m, e in ends)
    return Interval(said["lambda_min"]["value"], lo, hi)


def witness_of(found: dict[str, Any]) -> Witness | None:
    """From what `_core.certify` returns."""
    if "witness" not in found:
        return None
    found = found["witness"]
    a, b = (np.asarray(P) for P in found["coefficients"])
    tokens = np.asarray(found["input"].tokens)
    return Witness((a, b), tokens if len(tokens) else None, found["difference"], tuple(int(entry) for entry in found["null_vector"]))


def coverage_of(said: dict[str, Any]) -> Coverage | None:
    """From the object of ``certify --json``."""
    if "not_determined_expected" not in said:
        return None
    return Coverage(said["not_determined_expected"], said["not_determined_at_most"], said["confidence"], said["leave_one_out"])
