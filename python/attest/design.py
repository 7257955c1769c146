"""Before the data: how many examples are needed, and which inputs to ask a black box."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from . import _core
from ._arrays import seed_of
from .answer import Answer
from .data import Dataset, Examples, data_of
from .estimators import LinearAttention


@dataclass(frozen=True)
class Plan(Answer):
    """How many examples of the pilot's law are needed.

    Attributes
    ----------
    verdict : str
        "planned", or "too_small": of the pilot.
    examples : int or None
        About so many; None where the pilot is too small to say.
    at_least : int
    at_most : int or None
    rank, psi, pilot : int
        Of the pilot: its rank, the number of features, its examples.
    assumes : str
        What the numbers hang on.
    reason : str
        Why the pilot is too small.
    """

    verdict: str
    examples: int | None
    at_least: int
    at_most: int | None
    rank: int
    psi: int
    pilot: int
    assumes: str
    reason: str
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)


def plan(
    pilot: Examples, *, target: str = "rank", noise: float | None = None, layer: str | None = None, random_state: Any = None
) -> Plan:
    """How many examples of the law of a pilot sample are needed.

    Parameters
    ----------
    pilot : array (N, d, n), Sequences, Moments or Dataset
    target : str
        "rank": more examples would not raise it; "coverage=C": a fresh example is determined with probability C; "error=E": excess risk E of least
        squares under label noise.
    noise : float
        Standard deviation of the label noise, for "error=E".
    layer : str
        What reads the data.
    random_state : int, numpy Generator or None

    Raises
    ------
    InvalidInput, UnknownName
        Where target, noise and pilot do not fit together.

    Examples
    --------
    >>> import numpy as np, attest
    >>> pilot = np.random.default_rng(0).standard_normal((60, 3, 8))
    >>> attest.plan(pilot).verdict
    'planned'
    """
    data = data_of(pilot, None, layer)
    found = _core.plan(data, target, None if noise is None else float(noise), seed_of(random_state))
    said = found["said"]
    names = ("verdict", "examples", "at_least", "at_most", "rank", "psi", "pilot", "assumes")
    named: dict[str, Any] = {name: said[name] for name in names}
    return Plan(**named, reason=said.get("reason", ""), _text=found["text"], _said=said)


@dataclass(frozen=True)
class Reading(Answer):
    """What the answers of a black box say.

    Attributes
    ----------
    model : LinearAttention
        The best model; the layer in the box where `expressible` is "expressible".
    expressible : str
        Whether some model gives every answer exactly: "expressible", "inexpressible" or "undecided".
    least_risk : Fraction
        The mean squared error of the best model, exactly.
    is_exact : bool
        Whether the model's doubles are the exact coefficients.
    """

    model: LinearAttention
    expressible: str
    least_risk: Fraction
    is_exact: bool
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Probe(Answer):
    """Inputs whose answers determine the layer in a black box; made by `probe`.

    Attributes
    ----------
    queries : Dataset
        Its ``X`` is what to ask, (M, d, n).
    rank, psi : int
    unimodular : bool or None
        Whether integer answers have integer coefficients; None where that takes too long.
    """

    queries: Dataset
    rank: int
    psi: int
    unimodular: bool | None
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)

    def read(self, answers: Any) -> Reading:
        """The layer behind the answers, (M,) or (M, o), to `queries`, in exact arithmetic.

        Raises
        ------
        InvalidInput
            Where the answers are of another number, or leave the best model undecided.
        """
        found = _core.read_answers(self.queries.with_labels(answers)._data)
        said = found["said"]
        model = LinearAttention._of(found["model"])
        return Reading(model, said["expressible"], Fraction(said["least_risk"]), said["model_is_exact"], found["text"], said)


def probe(d: int, *, layer: str = "linear", width: int | None = None, noise: float | None = None) -> Probe:
    """Which inputs to ask a black box so that its answers determine the layer in it.

    Parameters
    ----------
    d : int
        Entries of a token.
    layer : str
        What the box is, as "decay=1,1/2".
    width : int
        Entries of x, for the layer cross; else d.
    noise : float
        Standard deviation of noise in the answers, for queries that suffer less from it; the layer linear only.

    Examples
    --------
    >>> import numpy as np, attest
    >>> box = attest.LinearAttention.from_heads(np.ones((1, 1, 2)), np.array([[[0.0, 1.0], [2.0, 0.0]]]))
    >>> asked = attest.probe(2)
    >>> found = asked.read(box.predict(asked.queries.X))
    >>> found.expressible, bool((found.model.coef_ == box.coef_).all())
    ('expressible', True)
    """
    found = _core.probe(d, layer, width or 0, None if noise is None else float(noise))
    said = found["said"]
    return Probe(Dataset(found["queries"]), said["rank"], said["psi"], said.get("unimodular"), found["text"], said)
