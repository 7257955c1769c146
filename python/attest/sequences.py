"""Sequences of different lengths."""

from __future__ import annotations

import collections.abc
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._arrays import Doubles, as_doubles, as_int64
from .errors import InvalidInput

Layout = Literal["columns", "tokens"]


class Sequences(collections.abc.Sequence):  # type: ignore[type-arg]
    """Sequences whose lengths may differ.

    Parameters
    ----------
    items : array (N, d, n), or N arrays (d, n_i), or an array (T, d) of all tokens with `offsets`
        With ``layout="tokens"`` each item is (n_i, d) instead. One array is used where it is, several are copied into one.
    layout : "columns" or "tokens"
    offsets : N + 1 integers from 0 to T
        Where each sequence begins in the array of all tokens.
    query : N integers
        The column of each sequence that asks; the last one unless given.

    Raises
    ------
    InvalidInput
        Where shapes or types do not fit.

    Examples
    --------
    >>> import numpy as np, attest
    >>> ragged = attest.Sequences([np.ones((2, 3)), np.ones((2, 5))])
    >>> len(ragged), ragged.lengths.tolist(), ragged[1].shape
    (2, [3, 5], (2, 5))
    """

    def __init__(self, items: Any, *, layout: Layout = "columns", offsets: Any = None, query: Any = None):
        if layout not in ("columns", "tokens"):
            raise InvalidInput(f"layout: got {layout!r}, expected 'columns' or 'tokens'")
        if offsets is not None:
            rows = as_doubles(items, "X")
            if rows.ndim != 2:
                raise InvalidInput(f"X: got shape {rows.shape} beside offsets, expected (T, d), a token a row")
            bounds = as_int64(offsets, "offsets")
        elif isinstance(items, np.ndarray) and items.ndim == 3:
            rows, bounds = _rows_of_equal_lengths(items, layout)
        elif getattr(items, "ndim", None) == 2:
            raise InvalidInput(f"X: got one table of shape {tuple(items.shape)}; say by offsets= where its sequences begin, or pass a list of them")
        else:
            parts = [_token_rows(item, i, layout) for i, item in enumerate(items)]
            if not parts:
                raise InvalidInput("X: got no sequence, expected at least one")
            widths = {part.shape[1] for part in parts}
            if len(widths) > 1:
                raise InvalidInput(f"X: got tokens of {sorted(widths)} entries, expected one size d; layout={layout!r} may be the wrong one")
            rows = np.ascontiguousarray(np.concatenate(parts))
            bounds = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
        self._set(rows, bounds, None if query is None else as_int64(query, "query"))

    def _set(self, rows: Doubles, offsets: NDArray[np.int64], query: NDArray[np.int64] | None) -> None:
        if len(offsets) < 2 or offsets[0] != 0 or offsets[-1] != len(rows) or (np.diff(offsets) < 1).any():
            raise InvalidInput(f"offsets: expected increasing numbers from 0 to {len(rows)}, the number of tokens")
        if query is not None and len(query) != len(offsets) - 1:
            raise InvalidInput(f"query: got {len(query)} entries, expected one for each of {len(offsets) - 1} sequences")
        self._rows, self._offsets, self._query = rows, offsets, query

    @property
    def tokens(self) -> Doubles:
        """All tokens as the columns of a (d, T) view."""
        return self._rows.T

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where each sequence begins in `tokens`, then T: (N + 1,)."""
        return self._offsets

    @property
    def query(self) -> NDArray[np.int64] | None:
        """The column of each sequence that asks, (N,); None: the last one."""
        return self._query

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each sequence, (N,)."""
        return np.diff(self._offsets)

    @property
    def shape(self) -> tuple[int]:
        """(N,): what scikit-learn's splitters ask for."""
        return (len(self),)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, at: Any) -> Any:
        """A sequence (d, n_i) for an integer; Sequences for a slice, a mask or an array of integers."""
        if isinstance(at, (int, np.integer)) and not isinstance(at, bool):
            i = range(len(self))[at]
            return self._rows[self._offsets[i] : self._offsets[i + 1]].T
        chosen = np.arange(len(self))[at]
        if not len(chosen):
            raise InvalidInput("Sequences: none is left")
        picked = object.__new__(Sequences)
        rows = np.concatenate([self._rows[self._offsets[i] : self._offsets[i + 1]] for i in chosen])
        offsets = np.concatenate([[0], np.cumsum(self.lengths[chosen])]).astype(np.int64)
        picked._set(rows, offsets, None if self._query is None else self._query[chosen])
        return picked

    def __repr__(self) -> str:
        return f"Sequences({len(self)} of {self.lengths.min()} to {self.lengths.max()} tokens, d={self._rows.shape[1]})"


def _rows_of_equal_lengths(items: NDArray[Any], layout: Layout) -> tuple[Doubles, NDArray[np.int64]]:
    """All tokens of an array (N, d, n), or (N, n, d), as rows, and the offsets; a view where the array allows one."""
    array = as_doubles(items, "X")
    if 0 in array.shape:
        raise InvalidInput(f"X: got shape {array.shape}, expected at least one sequence, row and token")
    tokens = array.transpose(0, 2, 1) if layout == "columns" else array
    count, length, d = tokens.shape
    return tokens.reshape(count * length, d), np.arange(count + 1, dtype=np.int64) * length


def _token_rows(item: Any, i: int, layout: Layout) -> Doubles:
    array = as_doubles(item, f"X[{i}]")
    if array.ndim != 2:
        raise InvalidInput(f"X[{i}]: got shape {array.shape}, expected (d, n), or (n, d) with layout='tokens'")
    return array.T if layout == "columns" else array
