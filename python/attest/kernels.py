"""Is what a kernel of linear attention returned what its recurrence gives, up to rounding?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import first_line, threads_of
from .answer import Answer
from .errors import InvalidInput

Precision = Literal["bf16", "fp16", "fp32", "fp64"]
OperandPrecision = Literal["bf16", "fp16", "tf32", "fp32", "fp64"]


@dataclass(frozen=True)
class KernelCheck(Answer):
    """What `kernel_check` found; prints as ``attest kernel check`` does.

    Attributes
    ----------
    verdict : str
        "right", "wrong", "suspicious" (farther off than right kernels of this arithmetic were seen to be) or "undecided".
    looks_like : tuple of dict
        Known faults that give such numbers: name and sentence; empty where nothing is wrong.
    results : tuple of dict
        Each array of each head and sequence beside the reference, in units of σ; empty without the sharp level.
    first_wrong : dict or None
        The first entry outside the worst-case bound.
    """

    verdict: str
    looks_like: tuple[dict[str, str], ...]
    results: tuple[dict[str, Any], ...]
    first_wrong: dict[str, Any] | None
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)
    _spreads: Any = field(repr=False, default=None)


def as_numpy(value: Any, name: str) -> NDArray[Any]:
    """An array of NumPy, PyTorch (any device, bfloat16 too), or a library that knows DLPack or NumPy's protocols."""
    if hasattr(value, "detach"):  # a tensor of PyTorch
        tensor = value.detach().cpu()
        return np.asarray((tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy())
    if hasattr(value, "get") and hasattr(value, "__cuda_array_interface__"):  # CuPy's copy to the host
        return np.asarray(value.get())
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise InvalidInput(f"{name}: no array of numbers: {first_line(error)}") from error


def exact_doubles(value: Any, name: str) -> NDArray[np.float64]:
    """The same as float64 in C order, each number exactly what it was."""
    array = as_numpy(value, name)
    # bfloat16 of ml_dtypes, which JAX uses, is of kind V.
    if array.dtype.kind not in "bfiu" and array.dtype.name != "bfloat16":
        raise InvalidInput(f"{name}: got type {array.dtype}, expected floating-point numbers, integers or flags")
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        raise InvalidInput(f"{name}: got type {array.dtype}, expected at most 64 bits")
    return np.require(array, np.float64, "C")


def kernel_check(
    *,
    kind: str,
    accumulator: Precision = "fp32",
    operands: OperandPrecision | None = None,
    output_type: Precision | None = None,
    state_type: Precision | None = None,
    layout: Literal["time-first", "head-first"] = "time-first",
    chunk_grid: Literal["own", "flat"] = "own",
    epsilon: float = 0.0,
    slack: float = 1.0,
    sharp: bool = True,
    n_jobs: int | None = None,
    **arrays: Any,
) -> KernelCheck:
    """Is what a kernel returned what its recurrence gives, up to the rounding of this arithmetic?

    Parameters
    ----------
    kind : str
        The recurrence: "linear", "gla", "delta", "kda", …
    accumulator, operands, output_type, state_type : "bf16", "fp16", "fp32" or "fp64"
        What sums, factors of matrix products, rows and the final state are rounded to; the last three are as the accumulator unless said.
        Operands may be "tf32" too, which is what Triton and cuBLAS make of float32 factors unless told otherwise.
    layout : "time-first" or "head-first"
        Axes (B, T, H, ·) or (B, H, T, ·).
    chunk_grid : "own" or "flat"
        Where the chunks of packed sequences begin: at each one's own first token, or at multiples of the chunk in the batch.
    epsilon : float
        Added to the normaliser of "normalised"; of "mlstm" times e^m.
    slack : float
        Times the roundings counted: 2 for hardware that truncates.
    sharp : bool
        Compare with the spread of right kernels; gradients are judged by that alone.
    n_jobs : int or None
        None is 1, -1 all processors.
    **arrays : arrays of NumPy, PyTorch, CuPy or JAX
        What the call was given and what it returned, by the names of the kind: q, k, v, o, g, beta, initial_state, do, dq, scale, cu_seqlens, flags, …
        None is left out.

    Raises
    ------
    InvalidInput
        For an array that is missing, that the kind does not read, or of another shape.
    UnknownName
        For another kind or precision.

    Examples
    --------
    >>> import numpy as np, attest
    >>> q = k = v = np.ones((4, 1, 2), np.float32)
    >>> o = np.cumsum((q * k).sum(-1, keepdims=True) * v, axis=0) * np.float32(2**-0.5)
    >>> attest.kernel_check(kind="linear", q=q, k=k, v=v, o=o).verdict
    'right'
    """
    options = check_options(accumulator, operands, output_type, state_type, layout, chunk_grid, epsilon, slack, sharp)
    if layout not in ("time-first", "head-first"):
        raise InvalidInput(f"kernel_check: got layout {layout!r}, expected 'time-first' or 'head-first'")
    if not 1.0 <= slack <= 1e6 or not epsilon >= 0.0:
        raise InvalidInput(f"kernel_check: got slack {slack} and epsilon {epsilon}, expected 1 to 1e6 and a number from 0")
    return checked(kind, {name: exact_doubles(a, name) for name, a in arrays.items() if a is not None}, options, None, threads_of(n_jobs))


def check_options(
    accumulator: str = "fp32",
    operands: str | None = None,
    output_type: str | None = None,
    state_type: str | None = None,
    layout: str = "time-first",
    chunk_grid: str = "own",
    epsilon: float = 0.0,
    slack: float = 1.0,
    sharp: bool = True,
) -> dict[str, Any]:
    """What `checked` takes: the options of `kernel_check` by their names."""
    return {
        "accumulator": accumulator,
        "operands": operands or "",
        "output_type": output_type or "",
        "state_type": state_type or "",
        "layout": layout,
        "chunk_grid": chunk_grid,
        "epsilon": float(epsilon),
        "slack": float(slack),
        "sharp": bool(sharp),
    }


def checked(kind: str, arrays: dict[str, NDArray[np.float64]], options: dict[str, Any], spreads: Any, threads: int) -> KernelCheck:
    """`kernel_check` of doubles; `spreads` is what an earlier check of the same inputs found of its replicas."""
    found = _core.check_kernel(kind, "kernel_check", arrays, options, spreads, threads)
    said = found["said"]
    return KernelCheck(
        verdict=said["verdict"],
        looks_like=tuple(said.get("looks_like", ())),
        results=tuple(said.get("sharp", {}).get("results", ())),
        first_wrong=said.get("first_wrong"),
        _text=found["text"],
        _said=said,
        _spreads=found["spreads"],
    )
