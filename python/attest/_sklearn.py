"""scikit-learn's bases of estimators, or the same names without what scikit-learn adds."""

from typing import Any

try:
    from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin
    from sklearn.exceptions import NotFittedError
except ImportError:  # the same classes without what scikit-learn adds

    class BaseEstimator:  # type: ignore[no-redef]
        """Stands in for scikit-learn's."""

    class RegressorMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's."""

    class TransformerMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's."""

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """Stands in for scikit-learn's."""



def sequence_tags(tags: Any) -> Any:
    """What scikit-learn from 1.6 on asks of an estimator: X is three-dimensional, and y may be of several columns."""
    tags.input_tags.three_d_array = True
    tags.input_tags.two_d_array = False
    if hasattr(tags, "target_tags"):
        tags.target_tags.multi_output = True
    return tags


__all__ = ["BaseEstimator", "NotFittedError", "RegressorMixin", "TransformerMixin", "sequence_tags"]
