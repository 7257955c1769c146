"""What becomes an array of doubles, and what is refused."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidInput

_LARGEST_INTEGER = 2**53  # the last one before which every integer is a double

Doubles = NDArray[np.float64]


def as_doubles(value: Any, name: str) -> Doubles:
    """The array as native float64, each number exactly what it was; a copy only where the type differs.

    float32, float64 and integers up to 2**53 are taken; bool, complex, float16, long double, objects and larger integers raise InvalidInput.
    """
    if isinstance(value, np.ma.MaskedArray):
        hidden = np.broadcast_to(value.mask, value.shape)
        if hidden.any():
            place = tuple(int(i) for i in np.argwhere(hidden)[0])
            raise InvalidInput(f"{name}: the entry at {place} is masked; fill or remove it")
        value = value.data
    if hasattr(value, "iloc") and len(getattr(value, "columns", ())):
        # A table of pandas: NumPy would join its columns to one type, and round large integers beside floats.
        return np.column_stack([as_doubles(value.iloc[:, k], f"{name}[{label!r}]") for k, label in enumerate(value.columns)])
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RuntimeError) as error:
        raise InvalidInput(f"{name}: no array of numbers: {first_line(error)}") from error
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind in "iu":
        # Compared as they are: the negative of the least int64 is no int64.
        outside = (array > _LARGEST_INTEGER) | (array < -_LARGEST_INTEGER) if kind == "i" else array > _LARGEST_INTEGER
        if outside.any():
            place = tuple(int(i) for i in np.argwhere(outside)[0])
            raise InvalidInput(f"{name}: the integer {array[place]} at {place} is beyond 2**53, where doubles skip integers; scale the data")
    elif kind != "f" or size not in (4, 8):
        raise InvalidInput(f"{name}: got type {array.dtype}, expected float64, float32 or integers; convert it by .astype(float) if that is exact enough")
    return array.astype(np.float64, copy=False)


def as_int64(value: Any, name: str) -> NDArray[np.int64]:
    """A one-dimensional array of integers."""
    array = np.asarray(value)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InvalidInput(f"{name}: got shape {array.shape} of type {array.dtype}, expected one dimension of integers")
    return array.astype(np.int64)


def first_line(error: BaseException) -> str:
    """What an exception says, on one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def threads_of(n_jobs: int | None) -> int:
    """None: 1; -1: as many as processors are free for this process."""
    if n_jobs is None:
        return 1
    if n_jobs == -1:
        return len(os.sched_getaffinity(0))
    if not 1 <= n_jobs <= 1024:
        raise InvalidInput(f"n_jobs: got {n_jobs}, expected None, -1 or a number from 1 to 1024")
    return int(n_jobs)


def seed_of(random_state: Any) -> int:
    """An int as it is, None as 0, one draw of a numpy Generator or RandomState."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**31))
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool) and 0 <= random_state < 2**64:
        return int(random_state)
    raise InvalidInput(f"random_state: got {random_state!r}, expected an integer from 0, a numpy Generator or None")
