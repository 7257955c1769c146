"""Learn, certify and audit linear attention.

>>> import numpy as np, attest
>>> X = np.random.default_rng(0).standard_normal((400, 4, 16))  # 400 sequences of 16 tokens with 4 entries
>>> attest.certify(X).verdict
'determined'
"""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Any

from .certificate import Certificate, Coverage, Interval, Query, Witness, certify
from .command import run, show_config
from .data import Dataset, Moments, generate, load, save
from .errors import AttestError, AttestWarning, BrokenInvariant, EnvironmentFailure, InvalidInput, MemoryFailure, NotAvailable, UnknownName
from .heads import HeadReduction, minimal_heads
from .numerical import Spectrum, Suggestion, leverage, spectrum, suggest
from .sequences import Sequences

if TYPE_CHECKING:
    from .estimators import LinearAttention, Summary
    from .features import CubicFeatures

logging.getLogger("attest").addHandler(logging.NullHandler())

_LAZY = {"CubicFeatures": "features", "LinearAttention": "estimators", "Summary": "estimators"}

__all__ = [
    "AttestError",
    "AttestWarning",
    "BrokenInvariant",
    "Certificate",
    "Coverage",
    "CubicFeatures",
    "Dataset",
    "EnvironmentFailure",
    "HeadReduction",
    "Interval",
    "InvalidInput",
    "LinearAttention",
    "MemoryFailure",
    "Moments",
    "NotAvailable",
    "Query",
    "Sequences",
    "Spectrum",
    "Suggestion",
    "Summary",
    "UnknownName",
    "Witness",
    "certify",
    "generate",
    "leverage",
    "load",
    "minimal_heads",
    "run",
    "save",
    "show_config",
    "spectrum",
    "suggest",
]


def __getattr__(name: str) -> Any:
    # The estimators' bases are scikit-learn's, which takes ten times as long to import as all of Attest.
    if name in _LAZY:
        return getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module 'attest' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
