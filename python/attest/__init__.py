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

from . import _blas  # first: it chooses the kernels of the BLAS that the module loads
from ._core import version
from ._progress import Progress
from .certificate import Certificate
from .command import run, show_config
from .data import Dataset, load, save
from .errors import AttestError, AttestWarning, BrokenInvariant, EnvironmentFailure, InvalidInput, MemoryFailure, NotAvailable, UnknownName
from .evidence import Coverage, Elsewhere, Explanation, FewHeads, Fit, Interval, ModelAudit, ModelOnQuery, Noise, Query, Relation, Witness
from .generation import generate, tasks
from .heads import HeadReduction, minimal_heads
from .kernels import KernelCheck, kernel_check
from .moments import Moments
from .numerical import Spectrum, Suggestion, leverage, spectrum, suggest
from .own_claims import Check, claim
from .question import certify
from .sequences import Sequences
from .stack import (
    Dimension,
    FoundStack,
    Gap,
    LocalCertificate,
    Lost,
    OpenDirection,
    Share,
    Stack,
    StackLayer,
    StackProbe,
    StackSuggestion,
    dimension,
    probe_stack,
)
from .verification import CheckedClaim, Claim, Finding, Verification, claims, verify

if TYPE_CHECKING:
    from .design import Plan, Probe, Reading, plan, probe
    from .estimators import LinearAttention, Summary
    from .features import CubicFeatures
    from .softmax import SoftmaxAttention

__version__ = version

logging.getLogger("attest").addHandler(logging.NullHandler())
if _blas.advice:
    logging.getLogger("attest").warning(_blas.advice)

_LAZY = {
    "CubicFeatures": "features",
    "LinearAttention": "estimators",
    "Plan": "design",
    "Probe": "design",
    "Reading": "design",
    "SoftmaxAttention": "softmax",
    "Summary": "estimators",
    "plan": "design",
    "probe": "design",
}

__all__ = [
    "AttestError",
    "AttestWarning",
    "BrokenInvariant",
    "Certificate",
    "Check",
    "CheckedClaim",
    "Claim",
    "Coverage",
    "CubicFeatures",
    "Dataset",
    "Dimension",
    "Elsewhere",
    "EnvironmentFailure",
    "Explanation",
    "FewHeads",
    "Finding",
    "Fit",
    "FoundStack",
    "Gap",
    "HeadReduction",
    "Interval",
    "InvalidInput",
    "KernelCheck",
    "LinearAttention",
    "LocalCertificate",
    "Lost",
    "MemoryFailure",
    "ModelAudit",
    "ModelOnQuery",
    "Moments",
    "Noise",
    "NotAvailable",
    "OpenDirection",
    "Plan",
    "Probe",
    "Progress",
    "Query",
    "Reading",
    "Relation",
    "Sequences",
    "Share",
    "SoftmaxAttention",
    "Spectrum",
    "Stack",
    "StackLayer",
    "StackProbe",
    "StackSuggestion",
    "Suggestion",
    "Summary",
    "UnknownName",
    "Verification",
    "Witness",
    "certify",
    "claim",
    "claims",
    "dimension",
    "generate",
    "kernel_check",
    "leverage",
    "load",
    "minimal_heads",
    "plan",
    "probe",
    "probe_stack",
    "run",
    "save",
    "show_config",
    "spectrum",
    "suggest",
    "tasks",
    "verify",
]


def __getattr__(name: str) -> Any:
    # The estimators' bases are scikit-learn's, which takes ten times as long to import as all of Attest.
    if name in _LAZY:
        return getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module 'attest' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
