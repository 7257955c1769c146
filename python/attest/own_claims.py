"""Claims of your own: statements in a Python file, with the checks that decide them."""

from __future__ import annotations

import inspect
import math
import traceback
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from time import perf_counter
from typing import Any, Literal

import numpy as np

from .errors import InvalidInput

Form = Literal["printed", "tested", "hypothesis"]

METHODS = ("exact", "sampled", "property", "statistical")
_PRECISION = {"exact": "exact", "sampled": "exact on samples", "property": "double", "statistical": "statistical"}
_LONGEST = 300


@dataclass(frozen=True)
class OwnClaim:
    """A statement and the function that checks it, as `claim` made it of them."""

    id: str
    run: Callable[[Check], None]
    words: dict[str, str]
    line: int


_registered: list[OwnClaim] = []


def claim(
    id: str,  # noqa: A002
    *,
    printed: str,
    tested: str = "",
    method: str = "exact",
    place: str = "",
    paper: str = "",
    documented: str = "holds",
    deviation: str = "",
    severity: str = "",
    remark: str = "",
) -> Callable[[Callable[[Check], None]], Callable[[Check], None]]:
    """Makes a claim of the function below, which is called with a `Check` and collects evidence by it. Its docstring is the argument.

    No outcome is written down: it is computed from what the checks find. `attest verify FILE.py` runs the claims of a file.

    Parameters
    ----------
    id : str
        As "mine/lemma_1": a group and a name, in small letters, digits and _.
    printed : str
        The statement as printed.
    tested : str, optional
        The corrected statement, where that is another; checks of it say ``form="tested"``.
    method : "exact", "sampled", "property" or "statistical"
        How it is checked: by exact arithmetic, the same on random instances, floating point against a bound, random samples.
    place, paper : str, optional
        Where it stands, "Lemma 1" of a paper; made of the id unless given.
    documented : str, optional
        The outcome that you expect. `attest verify` exits with 1 where the checks find another.
    deviation : str, optional
        How printed and tested form differ, and why.
    severity, remark : str, optional
        What is the matter with the print, as docs/claims.md lists it; a flaw of its proof.

    Examples
    --------
    >>> import attest
    >>> @attest.claim("mine/odd_sums", printed="the first n odd numbers sum to n^2")
    ... def odd_sums(check):
    ...     def sums(n, first=1):
    ...         return sum(range(first, first + 2 * n, 2)), n * n
    ...     check.exact("n = 10", sums, 10)
    ...     check.control("numbers from 3 on", sums, 10, first=3)
    """

    def register(run: Callable[[Check], None]) -> Callable[[Check], None]:
        line = inspect.unwrap(run).__code__.co_firstlineno
        where = f"line {line}: claim {id}"
        if method not in METHODS:
            raise InvalidInput(f"{where}: method: got {method!r}, expected one of {', '.join(METHODS)}")
        if not printed:
            raise InvalidInput(f"{where}: printed: got nothing, expected the statement")
        group, _, name = id.partition("/")
        words = {
            "paper": paper or group,
            "place": place or name.replace("_", " "),
            "printed": printed,
            "tested": tested or printed,
            "deviation": deviation,
            "method": method,
            "documented": documented,
            "severity": severity or ("none" if documented == "holds" else "refuted"),
            "remark": remark,
            "explain": inspect.cleandoc(run.__doc__ or "").replace("\n", " "),
        }
        _registered.append(OwnClaim(id, run, {**words, "corrected": tested}, line))
        return run

    return register


def registered() -> list[OwnClaim]:
    """The claims so far, in order."""
    return list(_registered)


@dataclass
class _Test:
    """A test that has spoken of the statement, and how it is read."""

    number: int
    read: Callable[[str, Any], tuple[bool | None, str]]
    precision: str


@dataclass
class Check:
    """Collects the evidence of one claim.

    A *test* is a function from an input to an answer. It is run on what the statement speaks of, by `exact`, `property` or `statistical`, and
    on planted faults, by `control`: a check that has not been seen to fail proves nothing.

    Attributes
    ----------
    profile : str
        "quick" or "full".
    random : numpy.random.Generator
        Of this claim alone, from the seed of the run.
    """

    claim: OwnClaim
    profile: str = "quick"
    seed: int = 0
    findings: list[dict[str, Any]] = field(default_factory=list)
    alphas: list[float] = field(default_factory=list)
    _tests: dict[Any, _Test] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng([self.seed, zlib.crc32(self.claim.id.encode())])

    def pick(self, quick: int, full: int) -> int:
        """The size of a sweep at this profile."""
        return quick if self.profile == "quick" else full

    def exact(self, text: str, test: Callable[..., Any], *arguments: Any, form: Form = "printed", **named: Any) -> None:
        """The test gives a pair (left, right) that must be equal, or several, or True or False. Numbers are int or Fraction: a float is refused,
        and so is an integer of NumPy, which overflows without a word. Empty lists compare nothing, and decide nothing.

        A third entry of a pair is the input in words, which a counterexample then shows.

        In a claim of method "sampled" the finding says that it proves these samples only.
        """
        self._allow("exact", "sampled", "property", "statistical")
        precision = _PRECISION["sampled" if self.claim.words["method"] == "sampled" else "exact"]
        self._state(form, text, test, arguments, named, _Test(0, _equal, precision))

    def property(self, text: str, test: Callable[..., Any], *arguments: Any, form: Form = "printed", **named: Any) -> None:
        """The test gives a pair (error, bound), or several: every error must be at most its bound. A NaN or an infinite bound decides nothing."""
        self._allow("property", "statistical")
        self._state(form, text, test, arguments, named, _Test(0, _bounded, _PRECISION["property"]))

    def statistical(
        self, text: str, test: Callable[..., Any], *arguments: Any, alpha: float, form: Form = "printed", **named: Any
    ) -> None:
        """The test gives a p-value, or an object with one, as scipy's do; the statement is refuted where it is below `alpha`.

        The claim's false-alarm level is the sum of its alphas.
        """
        self._allow("statistical")
        if not 0 < alpha <= 0.05:
            raise InvalidInput(f"statistical: alpha: got {alpha}, expected a false-alarm level, above 0 and at most 0.05")
        self.alphas.append(alpha)
        self._state(form, text, test, arguments, named, _Test(0, _likely(alpha), _PRECISION["statistical"]))

    def control(self, text: str, test: Callable[..., Any], *arguments: Any, **named: Any) -> None:
        """A planted fault: a test that spoke of the statement must refuse this input. Noticed, or the claim is inconclusive."""
        self._control(text, test, arguments, named, wanted=False)

    def accepts(self, text: str, test: Callable[..., Any], *arguments: Any, **named: Any) -> None:
        """Beside a refutation: the test that refused the statement accepts this input, so it does not refuse everything."""
        self._control(text, test, arguments, named, wanted=True)

    def undecided(self, text: str, *, form: Form = "printed") -> None:
        """A check that settles nothing: the claim is inconclusive."""
        self.findings.append({"form": form, "text": text, "precision": "none", "accepted": None, "wanted": True, "test": 0})

    def _allow(self, *methods: str) -> None:
        own = self.claim.words["method"]
        if own not in methods:
            raise InvalidInput(f"got a check that a claim of method {own!r} has not, expected method={' or '.join(map(repr, methods))}")

    def _state(self, form: Form, text: str, test: Callable[..., Any], arguments: Any, named: Any, kind: _Test) -> None:
        if form not in ("printed", "tested", "hypothesis"):
            raise InvalidInput(f"form: got {form!r}, expected 'printed', 'tested' or 'hypothesis'")
        if form == "tested" and not self.claim.words["corrected"]:
            raise InvalidInput("form: got 'tested', but the claim has no corrected form; say tested=... in @attest.claim")
        known = self._tests.get(test)
        self._tests[test] = kind = _Test(known.number if known else len(self._tests) + 1, kind.read, kind.precision)
        self._add(form, text, test, arguments, named, kind, wanted=True)

    def _control(self, text: str, test: Callable[..., Any], arguments: Any, named: Any, wanted: bool) -> None:
        kind = self._tests.get(test)
        if kind is None:
            raise InvalidInput(
                f"control: {getattr(test, '__name__', test)} has not spoken of the statement; run the same function by check.exact, "
                "check.property or check.statistical first"
            )
        self._add("control", text, test, arguments, named, kind, wanted)

    def _add(self, form: str, text: str, test: Callable[..., Any], arguments: Any, named: Any, kind: _Test, wanted: bool) -> None:
        accepted, said = kind.read(text, test(*arguments, **named))
        self.findings.append(
            {"form": form, "text": said, "precision": kind.precision, "accepted": accepted, "wanted": wanted, "test": kind.number}
        )


def _plain(value: Any) -> str:
    """Numbers as 2/3, not Fraction(2, 3)."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_plain, value)) + "]"
    return str(value)


def _shown(value: Any) -> str:
    text = " ".join(_plain(value.tolist() if isinstance(value, np.ndarray) else value).split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."


def _answers(said: Any) -> list[Any]:
    """One answer, True, False or a pair, or an iterable of them."""
    if isinstance(said, (bool, np.bool_)) or isinstance(said, tuple):
        return [said]
    if isinstance(said, Iterable) and not isinstance(said, (str, np.ndarray)):
        return list(said)
    raise InvalidInput(f"a test gave {_shown(said)}, expected a pair, True or False, or several of them")


def _pair(answer: Any) -> tuple[Any, Any, str]:
    """The two sides, and the input in words where the test gives it as the third."""
    if not isinstance(answer, tuple) or len(answer) not in (2, 3):
        raise InvalidInput(f"a test gave {_shown(answer)}, expected a pair, or a pair and the input in words")
    left, right, *where = answer
    return left, right, f", {where[0]}" if where else ""


_WIDTH = "an integer of fixed width, which overflows without a word"
_UNFIT = {"f": "floating point", "c": "floating point", "i": _WIDTH, "u": _WIDTH}


def _refuse_inexact(value: Any) -> None:
    """Fractions keep the integers that they were made of, and compute with those."""
    rounds = isinstance(value, (float, complex, Decimal))
    kind = value.dtype.kind if isinstance(value, (np.ndarray, np.generic)) else "f" if rounds else ""
    if kind in _UNFIT:
        raise InvalidInput(
            f"exact: got {_shown(value)}, which is {_UNFIT[kind]}; compute with int, as int(x) or .tolist() makes them, or "
            "fractions.Fraction, or use check.property"
        )
    if isinstance(value, Fraction):
        _refuse_inexact(value.numerator)
        _refuse_inexact(value.denominator)
    for part in _parts(value):
        _refuse_inexact(part)


_MANY = (list, tuple, set, frozenset, dict, np.ndarray)


def _parts(value: Any) -> list[Any]:
    """The entries of what holds several; of a dict, its keys and values."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    return list(value.flat if isinstance(value, np.ndarray) else value) if isinstance(value, _MANY) else []


def _compares_nothing(side: Any) -> bool:
    return isinstance(side, _MANY) and all(map(_compares_nothing, _parts(side)))


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return bool(np.shape(left) == np.shape(right) and np.all(np.asarray(left) == np.asarray(right)))
    return bool(left == right)


def _equal(text: str, said: Any) -> tuple[bool | None, str]:
    compared = []
    for answer in _answers(said):
        if isinstance(answer, (bool, np.bool_)):
            if not answer:
                return False, f"{text}: it is not so"
            compared.append(answer)
            continue
        left, right, where = _pair(answer)
        _refuse_inexact(left)
        _refuse_inexact(right)
        if not _same(left, right):
            return False, f"{text}: {_shown(left)} is not {_shown(right)}{where}"
        if not _compares_nothing(left):
            compared.append(answer)
    if not compared:
        return None, f"{text}: nothing was compared"
    return True, f"{text}: {_shown_sides(compared)}"


def _shown_sides(answers: list[Any]) -> str:
    if len(answers) > 1:
        return f"all {len(answers)} of them"
    return "it is so" if isinstance(answers[0], (bool, np.bool_)) else f"both are {_shown(answers[0][0])}"


def _bounded(text: str, said: Any) -> tuple[bool | None, str]:
    found = [(float(error), float(bound), where) for error, bound, where in map(_pair, _answers(said))]
    above = [one for one in found if one[0] > one[1]]
    if not above and (not found or any(math.isnan(error) or not math.isfinite(bound) for error, bound, _ in found)):
        return None, f"{text}: nothing was compared, or a NaN, or a bound that is not finite"
    error, bound, where = max(above or found, key=lambda one: one[0] - one[1])
    return not above, f"{text}: error {error:.3g}, bound {bound:.3g}{where}"


def _likely(alpha: float) -> Callable[[str, Any], tuple[bool | None, str]]:
    def read(text: str, said: Any) -> tuple[bool | None, str]:
        p = float(getattr(said, "pvalue", said))
        if math.isnan(p):
            return None, f"{text}: the p-value is NaN"
        if not 0 <= p <= 1:
            raise InvalidInput(f"statistical: a test gave {p}, expected a p-value")
        return p >= alpha, f"{text}: p = {p:.3g}, refuted below {alpha:g}"

    return read


def listed(one: OwnClaim) -> dict[str, Any]:
    """A claim as the command line takes it, without a run."""
    words = {key: text for key, text in one.words.items() if key != "corrected"}
    return {"id": one.id, "line": one.line, "false_alarm": "", **words}


def checked(one: OwnClaim, profile: str, seed: int, file: str) -> dict[str, Any]:
    """Runs a claim. What its function raises leaves it inconclusive; a wrong use of `check` is an InvalidInput that names the line."""
    check = Check(one, profile, seed)
    stopped, start = "", perf_counter()
    try:
        one.run(check)
    except InvalidInput as error:
        raise InvalidInput(f"{file}:{_line_in(file, error) or one.line}: claim {one.id}: {error}") from error
    except Exception as error:  # noqa: BLE001  # it is the user's
        line = _line_in(file, error) or one.line
        stopped = f"stopped: {type(error).__name__}: {error} ({file}:{line})"
        check.undecided(stopped)
    return {
        **listed(one),
        "false_alarm": f"{sum(check.alphas):g}" if check.alphas else "",
        "findings": check.findings,
        "stopped": stopped,
        "seconds": perf_counter() - start,
    }


def _line_in(file: str, error: BaseException) -> int | None:
    """The last line of that file on the way to an error."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None
