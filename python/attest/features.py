"""The features that layers are linear in, as a transformer."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import Doubles
from ._sklearn import BaseEstimator, NotFittedError, TransformerMixin, sequence_tags
from .data import data_of
from .errors import InvalidInput


class CubicFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The features H(Z) that linear attention is linear in: X (N, d, n) to (N, psi), psi = d d (d + 1) / 2.

    Parameters
    ----------
    layer : str
        Another layer's features, as "decay=1,31/32".

    Examples
    --------
    >>> import numpy as np, attest
    >>> attest.CubicFeatures().fit_transform(np.ones((5, 3, 4))).shape
    (5, 18)
    """

    def __init__(self, *, layer: str = "linear"):
        self.layer = layer

    def fit(self, X: Any, y: Any = None) -> CubicFeatures:
        """Notes d and psi of X (N, d, n)."""
        data = data_of(X, None, self.layer)
        self.n_features_in_, self.psi_ = data.d, data.psi
        return self

    def transform(self, X: Any) -> Doubles:
        """Features, an example a row: (N, psi).

        Raises
        ------
        InvalidInput
            Where d is not what `fit` saw.
        """
        if not hasattr(self, "psi_"):
            raise NotFittedError("CubicFeatures: call fit first")
        data = data_of(X, None, self.layer)
        if data.d != self.n_features_in_:
            raise InvalidInput(f"X has {data.d} features, but CubicFeatures is expecting {self.n_features_in_} features as input")
        return np.asarray(_core.features(data)).T

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Doubles:
        """fit, then transform."""
        return self.fit(X).transform(X)

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["3darray"]}

    def __sklearn_tags__(self) -> Any:
        return sequence_tags(super().__sklearn_tags__())
