"""Estimators in the manner of scikit-learn, which is used where it is installed."""

from __future__ import annotations

import logging
import os
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._arrays import Doubles, as_doubles, seed_of, threads_of
from ._progress import told
from ._sklearn import BaseEstimator, NotFittedError, RegressorMixin, sequence_tags
from .answer import Answer
from .data import Dataset, data_of
from .errors import AttestWarning, InvalidInput
from .heads import model_from, stacked


_log = logging.getLogger("attest")


@dataclass(frozen=True)
class Summary(Answer):
    """How a model was learned: text by str(), a table in Jupyter."""

    _text: str
    _said: dict[str, Any]


def _is_of_every_token(y: Any) -> bool:
    """Labels after every token: (N, n, o), or a list of (n_i, o), perhaps of several lengths."""
    return np.ndim(y[0]) == 2 if isinstance(y, (list, tuple)) and len(y) else getattr(y, "ndim", 0) == 3


class LinearAttention(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Linear attention learned by Algorithm 1: least squares over the coefficients, then heads.

    Parameters
    ----------
    layer : str
        What reads the data: "linear", or as "decay=1,31/32 affine".
    ridge : float
        Adds ridge times the squared norm.
    solver : str
        "auto", or a name that ``attest learn --help`` lists.
    heads : str or int
        "svd", "min", "elbow" or a number.
    norm : "sym" or "packed"
    seconds : float
        Budget of the search for heads.
    n_jobs : int or None
        None is 1, -1 all processors.
    random_state : int, numpy Generator or None
        Of the search for heads; None is 0.
    verbose : int
        Above 0: a bar of tqdm, where it is installed.

    Attributes
    ----------
    coef_ : array (o, psi)
    V_, Q_ : arrays (H, o, d) and (H, d, d)
        None where the layer has no heads.
    rank_ : int or None
    rcond_, error_bound_ : float
    solver_ : str
    unique_ : bool
        Numerically the only minimiser; `certify` proves it.
    n_features_in_ : int
        d.

    Examples
    --------
    >>> import attest
    >>> data = attest.generate("random-linear-attention", 200, d=3, n=8, heads=2)
    >>> model = attest.LinearAttention().fit(data.X, data.y)
    >>> model.unique_, bool(model.score(data.X, data.y) > 1 - 1e-12)
    (True, True)
    """

    def __init__(
        self,
        *,
        layer: str = "linear",
        ridge: float = 0.0,
        solver: str = "auto",
        heads: str | int = "svd",
        norm: str = "sym",
        seconds: float = 60.0,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ):
        self.layer = layer
        self.ridge = ridge
        self.solver = solver
        self.heads = heads
        self.norm = norm
        self.seconds = seconds
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> LinearAttention:
        """Learns from X (N, d, n) and y (N,), (N, o) or (N, n, o): a label after every token.

        Raises
        ------
        InvalidInput
            Where the data do not fit together.
        NotAvailable
            Where the solver that was asked for refuses.
        """
        if y is None and not isinstance(X, Dataset):
            raise InvalidInput("fit requires y to be passed, but the target y is None")
        data = data_of(X, y, self.layer)
        self.random_state_ = seed_of(self.random_state)
        with told(self.verbose > 0, "fit") as tell:
            found = _core.learn(
                data,
                solver=self.solver,
                ridge=float(self.ridge),
                norm=self.norm,
                heads=str(self.heads),
                budget=float(self.seconds),
                seed=self.random_state_,
                threads=threads_of(self.n_jobs),
                progress=tell,
            )
        said = found["said"]
        self._take(found["model"])
        self.summary_ = Summary(found["text"], found["said"])
        self.rank_ = said["rank"]
        self.rcond_ = said["rcond"]
        self.error_bound_ = found["error_bound"]
        self.solver_ = said["solver"]
        self.unique_ = found["unique"]
        self._flat = not _is_of_every_token(y) and np.ndim(y) == 1
        _log.info("fit: solver %s, rank %s, %s", self.solver_, self.rank_, said["status"])
        if not self.unique_:
            warnings.warn(f"LinearAttention: not the only minimiser: {said['status'].replace('_', ' ')}", AttestWarning, stacklevel=2)
        return self

    def _take(self, model: _core.Model) -> None:
        self.model_ = model
        self.coef_: Doubles = np.asarray(model.P)
        values, queries = model.heads
        # Heads of a layer of several kinds may differ in shape.
        alike = len({(np.asarray(V).shape, np.asarray(Q).shape) for V, Q in zip(values, queries)}) == 1
        # Any: arrays, but for a layer without heads, which few users' code has to think of.
        self.V_: Any = stacked(values) if alike else None
        self.Q_: Any = stacked(queries) if alike else None
        self.n_features_in_ = model.d
        self._flat = False

    def _fitted(self) -> _core.Model:
        if not hasattr(self, "model_"):
            raise NotFittedError("LinearAttention: call fit first")
        return self.model_

    def predict(self, X: Any) -> Doubles:
        """Outputs on X: (N, o), or (N,) after fit with y (N,)."""
        model = self._fitted()
        data = data_of(X, None, model.layer)
        if data.d != model.d:
            raise InvalidInput(f"X has {data.d} features, but LinearAttention is expecting {model.d} features as input")
        outputs: Doubles = np.asarray(_core.predict(model, data)[0]).T
        return outputs[:, 0] if self._flat else outputs

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """R squared, the mean over the outputs; 1 is perfect. `y` as in `fit`; a weight an example, or a sequence."""
        if isinstance(X, Dataset) or _is_of_every_token(y):
            X = Dataset(data_of(X, y, self._fitted().layer))
            y = X.y
        if y is None:
            raise InvalidInput("score: got no labels, expected y, or a Dataset that has them")
        outputs = self.predict(X)
        truth = as_doubles(y, "y").reshape(len(outputs), -1)
        weight = np.ones(len(truth)) if sample_weight is None else as_doubles(sample_weight, "sample_weight")
        outputs = outputs.reshape(truth.shape)
        if isinstance(X, Dataset) and len(weight) != len(truth):  # one a sequence, with a label after every token
            weight = np.repeat(weight, np.diff(X._data.offsets))
        mean = np.average(truth, axis=0, weights=weight)
        missed = weight @ (truth - outputs) ** 2
        spread = weight @ (truth - mean) ** 2
        constant = spread == 0
        ratio = np.where(constant, missed > 0, missed / np.where(constant, 1, spread))
        return float(np.mean(1 - ratio))

    def summary(self) -> Summary:
        """How it was learned; .to_dict() is what ``attest learn --json`` prints."""
        self._fitted()
        if not hasattr(self, "summary_"):
            raise InvalidInput("summary: this model was read from a file or made from heads, not learned here")
        return self.summary_

    def transform_heads(self, heads: int | str, *, X: Any = None, seconds: float = 60.0) -> LinearAttention:
        """A new estimator with so many heads, "min" or "elbow"; on X if given, errors are measured there."""
        model = self._fitted()
        data = None if X is None else data_of(X)
        with told(self.verbose > 0, "heads") as tell:
            found = _core.reduce_heads(
                model,
                heads=str(heads),
                data=data,
                budget=seconds,
                seed=seed_of(self.random_state),
                threads=threads_of(self.n_jobs),
                progress=tell,
            )
        other = type(self)(**self._parameters())
        other._take(found["model"])
        other.summary_ = Summary(found["text"], found["said"])
        other._flat = self._flat
        return other

    def _parameters(self) -> dict[str, Any]:
        names = ("layer", "ridge", "solver", "heads", "norm", "seconds", "n_jobs", "random_state", "verbose")
        return {name: getattr(self, name) for name in names}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the .npz model file that the command line reads."""
        self._fitted().write(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LinearAttention:
        """Reads a model file."""
        return cls._of(_core.Model.read(os.fspath(path)))

    @classmethod
    def from_heads(cls, V: Any, Q: Any) -> LinearAttention:
        """The model of heads V (H, o, d) and Q (H, d, d).

        Examples
        --------
        >>> import numpy as np, attest
        >>> model = attest.LinearAttention.from_heads(np.ones((1, 1, 2)), np.eye(2)[None])
        >>> model.predict(np.ones((1, 2, 3))).tolist()  # 3 tokens, each gives (1 + 1) (1 + 1)
        [[12.0]]
        """
        return cls._of(model_from(V, Q))

    @classmethod
    def _of(cls, model: _core.Model) -> LinearAttention:
        made = cls(layer=model.layer)
        made._take(model)
        return made

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["3darray"], "multioutput": True}

    def __sklearn_tags__(self) -> Any:
        return sequence_tags(super().__sklearn_tags__())


__all__ = ["LinearAttention", "Summary"]
