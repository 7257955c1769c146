"""Softmax attention, learned by the six phases of arXiv 2402.04084 as docs/softmax.md completes them."""

from __future__ import annotations

import logging
import warnings
from typing import Any

import numpy as np

from . import _core
from ._arrays import Doubles, as_doubles, threads_of
from ._sklearn import BaseEstimator, NotFittedError, RegressorMixin, sequence_tags
from .data import Dataset, data_of
from .errors import AttestWarning, InvalidInput
from .estimators import Summary

_log = logging.getLogger("attest")
_AT_ONCE = 4096  # sequences of one block of predict


class SoftmaxAttention(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A layer F(X) = sum_i softmax(X Theta_i X') X W_i with a row of outputs for each of k tokens, the rows of X in this formula.

    As ``attest softmax learn`` does it.

    Parameters
    ----------
    heads : int
        0: found from the singular values; at most 5.
    largest_norm : float
        Top of the window of the norms of Theta; 0: from the hull.
    held_out : int
        Sequences at the end, kept for validation; 0: a fifth, at most 2000.
    net_points : int
        Of the net, per axis; 0: by heads.
    most_tuples : float
        Nets with more tuples are refused.
    polish : bool
        Whether Levenberg-Marquardt follows, to rounding.
    n_jobs : int or None

    Attributes
    ----------
    Theta_, W_ : arrays (m, d, d)
        Of no head where none was found.
    outcome_ : str
        "recovered" or "predicts": the six phases succeeded; "recovered_by_polish" or "failed": they did not.
    held_out_error_ : float or None
        Relative squared error on the held-out sequences.
    gap_ : float or None
        Of the singular values on either side of the hull.
    notices_ : list of str
        What to know of these data; docs/softmax.md explains each word.
    n_features_in_ : int
        d.

    Examples
    --------
    >>> import numpy as np, attest
    >>> rng = np.random.default_rng(0)
    >>> X = rng.choice([-1.0, 1.0], (4000, 4, 2))
    >>> tokens, Theta = X.transpose(0, 2, 1), rng.normal(size=(4, 4)) / 2
    >>> weights = np.exp(tokens @ Theta @ X)
    >>> y = weights / weights.sum(axis=2, keepdims=True) @ tokens @ np.diag([1.0, 2.0, -1.0, 1.0])
    >>> attest.SoftmaxAttention(heads=1).fit(X, y).outcome_
    'recovered'
    """

    def __init__(
        self,
        *,
        heads: int = 0,
        largest_norm: float = 0.0,
        held_out: int = 0,
        net_points: int = 0,
        most_tuples: float = 2e7,
        polish: bool = True,
        n_jobs: int | None = None,
    ):
        self.heads = heads
        self.largest_norm = largest_norm
        self.held_out = held_out
        self.net_points = net_points
        self.most_tuples = most_tuples
        self.polish = polish
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> SoftmaxAttention:
        """Learns from X (N, d, k) and y (N, k, d), or (N, k d) row by row: the outputs at every token.

        Raises
        ------
        InvalidInput
            Where shapes do not fit, for sequences of different lengths, or of one token.
        """
        if isinstance(X, Dataset):
            X, y = X.X, X.y if y is None else y
        if y is None:
            raise InvalidInput("fit requires y to be passed, but the target y is None")
        tokens = _sequences(X)
        N, d, k = tokens.shape
        labels = as_doubles(y, "y")
        if labels.shape not in ((N, k, d), (N, k * d)):
            raise InvalidInput(f"y: got shape {labels.shape}, expected ({N}, {k}, {d}), one output for each token, or ({N}, {k * d})")
        found = _core.learn_softmax(data_of(tokens, labels.reshape(N, k * d)), **self._options())
        self._take(found, d)
        self._flat = labels.ndim == 2
        return self

    def _options(self) -> dict[str, Any]:
        return {
            "heads": int(self.heads),
            "largest_norm": float(self.largest_norm),
            "held_out": int(self.held_out),
            "net_points": int(self.net_points),
            "most_tuples": float(self.most_tuples),
            "polish": bool(self.polish),
            "threads": threads_of(self.n_jobs),
        }

    def _take(self, found: dict[str, Any], d: int) -> None:
        said = found["said"]
        self.Theta_, self.W_ = (np.array([np.asarray(A) for A in each]).reshape(-1, d, d) for each in found["heads"])
        self.n_features_in_ = d
        self.outcome_: str = said["outcome"]
        self.held_out_error_: float | None = said.get("held_out_error")
        self.gap_: float | None = said.get("gap")
        self.notices_: list[str] = said["notices"]
        self.summary_ = Summary(found["text"], said)
        _log.info("fit: softmax attention, %s, notices: %s", self.outcome_, ", ".join(self.notices_) or "none")
        if self.outcome_ not in ("recovered", "predicts"):
            warnings.warn(f"SoftmaxAttention: {self.outcome_.replace('_', ' ')}: {', '.join(self.notices_)}", AttestWarning, stacklevel=3)

    def summary(self) -> Summary:
        """What each phase found; .to_dict() is what ``attest softmax learn --json`` prints."""
        self._fitted()
        return self.summary_

    def _fitted(self) -> None:
        if not hasattr(self, "Theta_"):
            raise NotFittedError("SoftmaxAttention: call fit first")

    def predict(self, X: Any) -> Doubles:
        """Outputs at every token of X (N, d, k): (N, k, d), or (N, k d) after fit with such y.

        Raises
        ------
        InvalidInput
            For another d, and where no heads were found.
        """
        self._fitted()
        if not len(self.Theta_):
            raise InvalidInput(f"predict: no heads were found ({', '.join(self.notices_)})")
        tokens = _sequences(X)
        if tokens.shape[1] != self.n_features_in_:
            raise InvalidInput(f"X has {tokens.shape[1]} features, but SoftmaxAttention is expecting {self.n_features_in_} features as input")
        blocks = [self._outputs(tokens[i : i + _AT_ONCE].transpose(0, 2, 1)) for i in range(0, len(tokens), _AT_ONCE)]
        outputs = np.concatenate(blocks)
        return outputs.reshape(len(outputs), -1) if self._flat else outputs

    def _outputs(self, rows: Doubles) -> Doubles:
        outputs = np.zeros_like(rows)
        for Theta, W in zip(self.Theta_, self.W_):
            logits = rows @ Theta @ rows.transpose(0, 2, 1)
            weights = np.exp(logits - logits.max(axis=2, keepdims=True))
            outputs += weights / weights.sum(axis=2, keepdims=True) @ rows @ W
        return outputs

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """One minus the squared error relative to that of the labels' mean, over all tokens and entries; 1 is perfect."""
        if isinstance(X, Dataset):
            X, y = X.X, X.y if y is None else y
        outputs = self.predict(X).reshape(len(X), -1)
        truth = as_doubles(y, "y").reshape(outputs.shape)
        weight = np.ones(len(truth)) if sample_weight is None else as_doubles(sample_weight, "sample_weight")
        missed = weight @ (truth - outputs) ** 2
        spread = weight @ (truth - np.average(truth, axis=0, weights=weight)) ** 2
        return float(1 - missed.sum() / spread.sum())

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["3darray"], "multioutput": True}

    def __sklearn_tags__(self) -> Any:
        return sequence_tags(super().__sklearn_tags__())


def _sequences(X: Any) -> Doubles:
    """X (N, d, k), k at least 2; Sequences of one length are one such array."""
    found = X.X if isinstance(X, Dataset) else Dataset(data_of(X)).X
    if not isinstance(found, np.ndarray) or found.shape[2] < 2:
        raise InvalidInput("X: expected sequences of one length, of at least two tokens")
    return found
