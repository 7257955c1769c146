"""scikit-learn's bases of estimators, or the same names without what scikit-learn adds."""

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


__all__ = ["BaseEstimator", "NotFittedError", "RegressorMixin", "TransformerMixin"]
