"""The layer of a proof: its canonical text. Part of check_certificate.py; written from proofs_check/checker/FORMAT.md, section 6."""
import math
import re
from fractions import Fraction

MAX_TEXT = 2**20
MAX_DIGITS = 1000
MAX_KERNELS = 1000
MAX_WINDOW = 1000000
MAX_DEGREE = 12
NUMBER = re.compile(r"(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?")
PLACES = {"moments": 0, "mapped": 0, "delta": 0, "degree": 0, "gates": 1, "decay": 2, "window": 2, "lags": 2, "table": 2, "cross": 3, "affine": 4}


class NotCanonical(Exception):
    """No layer, or another spelling of one."""


def canonical(condition):
    if not condition:
        raise NotCanonical()


def fraction(text):
    found = NUMBER.fullmatch(text)
    canonical(found and all(len(part) <= MAX_DIGITS for part in text.lstrip("-").split("/")))
    above, below = int(found.group(1)), int(found.group(2) or 1)
    canonical(found.group(2) is None or below > 1 and math.gcd(above, below) == 1)
    return Fraction(above, below)


def whole(text, least, most):
    value = fraction(text)
    canonical(value.denominator == 1 and least <= value <= most)
    return int(value)


class Layer:
    """Words as attributes; kernels as (kind, parameter) in their order: ("decay", r), ("window", w), ("lag", l) for [δ = l],
    ("beyond", L) for [δ >= L], ("table", [k_0, …])."""

    def __init__(self, text=None):
        """From canonical text; without one, the paper's layer. Raises NotCanonical."""
        self.words, self.kernels, self.degrees = {}, [], None
        if text is None:
            return
        canonical(len(text) <= MAX_TEXT)
        before = None
        for word in text.split(" "):
            name, equals, parameters = word.partition("=")
            canonical(name in PLACES)
            if before is not None:
                repeated = PLACES[name] == PLACES[before] == 2 and (name != before or name == "lags")
                canonical(PLACES[before] < PLACES[name] or repeated)
            before = name
            self.words[name] = parameters
            if PLACES[name] == 2:
                canonical(equals)
                self.kernels += self.kernels_of(name, parameters)
                canonical(len(self.kernels) <= MAX_KERNELS)
            elif name == "degree":
                ends = [whole(end, 0, MAX_DEGREE) for end in parameters.split("..")]
                canonical(len(ends) == 1 or len(ends) == 2 and ends[0] < ends[1])
                self.degrees = ends[0], ends[-1]
            else:
                canonical(not equals or name == "gates" and parameters == "vector")
        self.check_together()

    def has(self, name):
        return name in self.words

    @property
    def by_key(self):
        """One gate for each coordinate of the key."""
        return self.words.get("gates") == "vector"

    @staticmethod
    def kernels_of(name, parameters):
        if name == "lags":
            count = whole(parameters, 1, MAX_KERNELS - 1)
            return [("lag", l) for l in range(count)] + [("beyond", count)]
        if name == "window":
            return [(name, whole(text, 1, MAX_WINDOW)) for text in parameters.split(",")]
        if name == "table":
            return [(name, [fraction(text) for text in table.split(":")]) for table in parameters.split(",")]
        rates = [fraction(text) for text in parameters.split(",")]
        canonical(all(0 < rate <= 1 for rate in rates))
        return [(name, rate) for rate in rates]

    def check_together(self):
        delta = self.has("delta")
        more = self.has("affine") or self.has("cross") and not delta
        canonical(len(self.words) == 1 or not self.has("moments") and not self.has("degree"))
        canonical(not ((self.has("gates") or delta) and self.kernels))
        canonical(not (more and (self.has("mapped") or delta or self.by_key)))

    def denominators(self):
        """(least common one of the decays, of the tables' entries)."""
        decays = [parameter.denominator for kind, parameter in self.kernels if kind == "decay"]
        entries = [k.denominator for kind, parameter in self.kernels if kind == "table" for k in parameter]
        return math.lcm(*decays), math.lcm(*entries)

    @staticmethod
    def weight(kernel, delta):
        """κ(δ) of all kernels but decays."""
        kind, parameter = kernel
        if kind == "table":
            return parameter[delta] if delta < len(parameter) else 0
        return int({"window": delta < parameter, "lag": delta == parameter, "beyond": delta >= parameter}[kind])
