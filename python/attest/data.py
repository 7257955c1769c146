"""Sequences, labels and files.

Shapes: N sequences, d rows a token, n tokens, o outputs. X is (N, d, n), the paper's d x n matrix of every sequence; data whose tokens are rows,
(N, n, d), are passed as ``X.transpose(0, 2, 1)`` or ``Sequences(X, layout="tokens")``. The layout is never guessed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import Doubles, as_doubles
from .errors import InvalidInput
from .moments import Moments
from .sequences import Sequences


class Dataset:
    """Sequences with labels and what a file says of them; made by `load` and `generate`, accepted wherever X is.

    Attributes
    ----------
    X : array (N, d, n), Sequences or Moments
    y : array (N, o), (T, o) for a label after every token, or None
    truth : dict
        "P" (o, psi), "V" (H, o, d) and "Q" (H, d, d), where they are known.
    meta : dict
    layer : str
    """

    def __init__(self, data: _core.Data):
        self._data = data

    @classmethod
    def of(
        cls, X: Any, y: Any = None, *, layer: str = "linear", x: Any = None, gates: Any = None, phi: Any = None, keys: Any = None, beta: Any = None
    ) -> Dataset:
        """Examples of a layer that reads more than tokens.

        Parameters
        ----------
        X, y
            As everywhere.
        layer : str
            As "decay=1,1/2 cross", "gates", "mapped" or "delta gates".
        x : array (N, w)
            What asks, for the layer cross.
        gates : array (T,) or (T, g)
            One row a token, of all N sequences after each other, for the layer gates; factors, not logarithms.
        phi : array (T, f)
            Mapped tokens, for the layer mapped.
        keys, beta : array (T, K), array (T,)
            Recorded keys and strengths, for the layer delta; all of these also with two axes for the tokens, (N, n, K) and (N, n).
        """
        beta = beta if beta is None else as_doubles(beta, "beta").ravel()
        given = {"x": x, "gates": gates, "phi": phi, "keys": keys, "beta": beta}
        columns = {name: _rows(value, name) for name, value in given.items() if value is not None}
        return cls(data_of(X, y, layer, columns))

    @property
    def X(self) -> Doubles | Sequences | Moments:
        """The sequences: an array (N, d, n) where all lengths are equal."""
        if self.layer == "moments":
            return Moments(np.asarray(self._data.s).T, np.asarray(self._data.u).T)
        tokens = np.asarray(self._data.tokens)
        offsets = np.array(self._data.offsets, dtype=np.int64)
        lengths = np.diff(offsets)
        if (lengths == lengths[0]).all() and not self._data.query:
            return tokens.T.reshape(len(lengths), lengths[0], len(tokens)).transpose(0, 2, 1)
        return Sequences(tokens.T, offsets=offsets, query=self._data.query or None)

    @property
    def y(self) -> Doubles | None:
        """The labels, an example a row."""
        return np.asarray(self._data.y).T if self._data.o else None

    @property
    def truth(self) -> dict[str, Doubles]:
        """What generated the labels."""
        found = self._data.truth
        return {key: np.stack([np.asarray(A) for A in value]) if isinstance(value, list) else np.asarray(value) for key, value in found.items()}

    @property
    def meta(self) -> dict[str, Any]:
        """What the file says of itself."""
        return dict(json.loads(self._data.meta or "{}"))

    @property
    def layer(self) -> str:
        """What reads the data."""
        return self._data.layer

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical form, which proofs name."""
        return self._data.digest

    def with_labels(self, y: Any) -> Dataset:
        """The same examples with labels y: (N,), (N, o), or (N, n, o), one after every token."""
        rows, per_prefix = _label_rows(y, self._data.num_sequences, self._data.num_tokens)
        return Dataset(self._data.with_labels(rows, per_prefix))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the .npz file that the command line reads."""
        self._data.write(os.fspath(path))

    def __len__(self) -> int:
        return self._data.num_sequences

    def __repr__(self) -> str:
        return f"Dataset({len(self)} sequences, d={self._data.d}, o={self._data.o}, layer={self.layer!r})"


Examples = Union[Sequences, Moments, Dataset, Iterable[Any], NDArray[Any]]


def data_of(X: Any, y: Any = None, layer: str | None = None, columns: dict[str, Doubles] | None = None) -> _core.Data:
    """The data set that X and y are, read by a layer, `linear` unless X names another; columns are what else it reads."""
    if isinstance(X, Dataset):
        if y is not None:
            raise InvalidInput("y: a Dataset holds its own labels; leave y out")
        return X._data if layer is None or layer == X.layer else X._data.with_layer(layer)
    if isinstance(X, Moments):
        rows, per_prefix = _label_rows(y, len(X), None)
        tokens = np.empty((len(X), 0))
        offsets = np.arange(len(X) + 1, dtype=np.int64)
        return _core.Data(tokens, offsets, None, rows, per_prefix, {"s": X.s, "u": X.u}, layer or "moments")
    if _is_ragged(X):
        X = Sequences(X)
    if isinstance(X, Sequences):
        rows, per_prefix = _label_rows(y, len(X), len(X._rows))
        return _core.Data(X._rows, X.offsets, X.query, rows, per_prefix, columns or {}, layer or "linear")
    array = as_doubles(X, "X")
    if array.ndim != 3:
        raise InvalidInput(f"X: got shape {array.shape}, expected (N, d, n), one d x n matrix a sequence; tokens as rows, (N, n, d), need X.transpose(0, 2, 1)")
    if 0 in array.shape:
        raise InvalidInput(f"X: got shape {array.shape}, expected at least one sequence, row and token")
    rows, per_prefix = _label_rows(y, array.shape[0], array.shape[0] * array.shape[2])
    return _core.Data(array, None, None, rows, per_prefix, columns or {}, layer or "linear")


def _is_ragged(X: Any) -> bool:
    """Sequences of several lengths in a list, or in an array or a column of a table that holds objects."""
    if isinstance(X, (list, tuple)):
        return len({np.shape(item) for item in X}) > 1
    return getattr(X, "ndim", None) == 1 and getattr(X, "dtype", None) == object


def _rows(value: Any, name: str) -> Doubles:
    array = as_doubles(value, name)
    return array[:, None] if array.ndim == 1 else array.reshape(-1, array.shape[-1]) if array.ndim == 3 else array


def _label_rows(y: Any, sequences: int, tokens: int | None) -> tuple[Doubles | None, bool]:
    """Labels, an example a row, and whether there is one after every token."""
    if y is None:
        return None, False
    if isinstance(y, (list, tuple)) and len(y) == sequences and np.ndim(y[0]) == 2:
        y = np.concatenate([as_doubles(part, f"y[{i}]") for i, part in enumerate(y)])
    rows = as_doubles(y, "y")
    if rows.ndim == 3:
        rows = rows.reshape(-1, rows.shape[2])
    elif rows.ndim == 1:
        rows = rows[:, None]
    if rows.ndim != 2 or len(rows) not in (sequences, tokens) or not rows.shape[1]:
        raise InvalidInput(f"y: got shape {np.shape(y)} for {sequences} sequences, expected (N,), (N, o), or (N, n, o): one label after every token")
    return rows, len(rows) != sequences


def load(path: str | os.PathLike[str], *, layer: str = "linear") -> Dataset:
    """Reads a data set, an .npz file.

    Parameters
    ----------
    path : str or path
    layer : str
        What reads the data.

    Raises
    ------
    InvalidInput
        Where the file is absent or no data set, naming the key at fault.

    Examples
    --------
    >>> import numpy as np, os, tempfile, attest
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "data.npz")
    ...     attest.save(path, np.ones((5, 2, 3)), np.ones(5))
    ...     attest.load(path)
    Dataset(5 sequences, d=2, o=1, layer='linear')
    """
    return Dataset(_core.Data.read(os.fspath(path), layer))


def save(path: str | os.PathLike[str], X: Examples, y: Any = None, *, meta: dict[str, Any] | None = None) -> None:
    """Writes a data set as the .npz file that the command line reads.

    Parameters
    ----------
    path : str or path
    X : array (N, d, n), Sequences, Moments or Dataset
    y : array (N,), (N, o) or (N, n, o), optional
    meta : dict, optional
        What the file says of itself, as JSON holds it.

    Raises
    ------
    InvalidInput, EnvironmentFailure
        Where the data do not fit together, or the file cannot be written.

    Examples
    --------
    See `load`.
    """
    data = data_of(X, y)
    if meta is not None:
        data = data.with_layer(data.layer)
        data.set_meta(json.dumps(meta))
    data.write(os.fspath(path))
