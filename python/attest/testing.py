"""Kernels of linear attention in your own tests: inputs that reach every path, forward and back.

>>> import numpy as np
>>> from attest import testing
>>> def kernel(*, q, k, v, scale, initial_state):
...     S = 0 if initial_state is None else initial_state
...     o = np.empty_like(v)
...     for t in range(q.shape[1]):
...         S = S + k[:, t, :, :, None] * v[:, t, :, None, :]
...         o[:, t] = (q[:, t, :, :, None] * S).sum(2) * np.float32(q.shape[-1] ** -0.5 if scale is None else scale)
...     return o, S
>>> (case, *_) = testing.cases("linear", heads="equal", without=("cu_seqlens",))
>>> testing.check(kernel, case, backward=False).verdict
'right'
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import os
import re
import shlex
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import threads_of
from .errors import InvalidInput
from .kernel_cases import ARITHMETICS, WIDE, Case, cases, pieces
from .kernels import KernelCheck, as_numpy, check_options, checked, exact_doubles

__all__ = ["Case", "KernelFault", "Report", "cases", "check", "parametrize"]

Kernel = Callable[..., Any]
Array = NDArray[Any]

_PAD = 64  # entries before and behind each array, which nothing may read
_POISON: dict[str, float] = {"f": np.nan, "i": -(2**30)}
_ZEROS: dict[str, float] = {"f": 0.0, "i": 0}
_STRIDED = ("q", "k", "v", "C", "B", "x", "r")  # given once more with other strides
_NOT_ALONE = "do has no default: the kernel does not go forward alone"


class KernelFault(AssertionError):
    """A kernel that is wrong, or farther off than right kernels were seen to be.

    Attributes
    ----------
    fault : str
        The known fault that gives such numbers, or what is the matter: "inputs_changed", "not_deterministic", "reads_past_the_ends",
        "not_contiguous", "pieces_differ", "refused", "not_finite", "unknown".
    verdict : str
        "wrong" or "suspicious".
    array : str or None
        The result that is farthest off, with `head`, `token` (row of a state) and `column`.
    sigma : float or None
        How far, in units of the spread of right kernels.
    dump : str or None
        The file with the call's arguments and results.
    command : str or None
        What checks it again.
    """

    fault: str
    verdict: str
    array: str | None = None
    head: int | None = None
    token: int | None = None
    column: int | None = None
    sigma: float | None = None
    dump: str | None = None
    command: str | None = None


@dataclass(frozen=True)
class Report:
    """What `check` looked at and found.

    Attributes
    ----------
    case : str
    verdict : str
        "right", or "undecided" where neither level says anything.
    results : tuple of str
        The arrays that were compared, as "o" and "dk".
    looked_at : tuple of str
        "inputs unchanged", "nothing read past the ends", "twice the same", "other strides", "in pieces": what was done besides.
    left_out : tuple of str
        What could not be looked at, and why.
    largest_sigma : float or None
        The farthest that a number was off, in units of the spread of right kernels.
    """

    case: str
    verdict: str
    results: tuple[str, ...]
    looked_at: tuple[str, ...]
    left_out: tuple[str, ...]
    largest_sigma: float | None
    answer: KernelCheck = field(repr=False, compare=False)


def parametrize(kind: str, **same: Any) -> Callable[[Callable[[Case], Any]], Callable[..., Any]]:
    """A decorator that runs a test of pytest on each of `cases(kind, …)`; the test has an argument `case`.

    Without pytest the test becomes a function that runs on all of them when it is called without one.
    """
    made = cases(kind, **same)
    try:
        import pytest
    except ImportError:

        def decorate(test: Callable[[Case], Any]) -> Callable[..., Any]:
            def on_all(case: Case | None = None) -> None:
                for one in made if case is None else [case]:
                    test(one)

            return on_all

        return decorate
    return pytest.mark.parametrize("case", made, ids=[case.id for case in made])


class _Library:
    """Arrays of NumPy; the others derive from it."""

    differentiates = False
    has_views = True

    def surrounded(self, array: Array, dtype: str, by: dict[str, float]) -> tuple[Any, Any]:
        """The array in the middle of a buffer that holds something else besides, and the buffer; the array twice where a library has no views."""
        own = array if array.dtype.kind in "ib" or dtype != "float16" else array.astype(np.float16)
        buffer = np.full(own.size + 2 * _PAD, by["f" if own.dtype.kind == "f" else "i"], own.dtype)
        buffer[_PAD : _PAD + own.size] = own.ravel()
        return buffer[_PAD : _PAD + own.size].reshape(own.shape), buffer

    def bits(self, buffer: Any) -> bytes:
        return bytes(np.ascontiguousarray(buffer).tobytes())

    def with_other_strides(self, array: Any) -> Any:
        """The same numbers, heads before tokens in memory."""
        return np.ascontiguousarray(array.swapaxes(1, 2)).swapaxes(1, 2)

    def require(self, dtype: str) -> None:
        if dtype == "bfloat16":
            raise InvalidInput("check: NumPy has no bfloat16; say like=torch.empty(0), or make the cases with another dtype")


class _Torch(_Library):
    differentiates = True

    def __init__(self, like: Any) -> None:
        import torch

        self.torch, self.device = torch, like.device

    def require(self, dtype: str) -> None:
        pass

    def surrounded(self, array: Array, dtype: str, by: dict[str, float]) -> tuple[Any, Any]:
        torch = self.torch
        values = torch.from_numpy(np.ascontiguousarray(array))
        if values.is_floating_point() and values.dtype != getattr(torch, dtype):
            values = values.to(getattr(torch, dtype))
        other = by["f" if values.is_floating_point() else "i"]
        buffer = torch.full((values.numel() + 2 * _PAD,), other, dtype=values.dtype, device=self.device)
        buffer[_PAD : _PAD + values.numel()] = values.flatten().to(self.device)
        return buffer[_PAD : _PAD + values.numel()].view(values.shape), buffer

    def bits(self, buffer: Any) -> bytes:
        whole = {1: self.torch.uint8, 2: self.torch.int16, 4: self.torch.int32, 8: self.torch.int64}
        plain = buffer.detach().contiguous()
        return bytes(plain.view(whole[plain.element_size()]).cpu().numpy().tobytes())

    def with_other_strides(self, array: Any) -> Any:
        return array.detach().transpose(1, 2).contiguous().transpose(1, 2)


class _Namespace(_Library):
    """Any library of the array API, as JAX and CuPy: arrays of its own, no views into a buffer."""

    has_views = False

    def __init__(self, like: Any) -> None:
        self.module = _namespace(like)

    def require(self, dtype: str) -> None:
        if dtype == "bfloat16" and not hasattr(self.module, "bfloat16"):
            raise InvalidInput(f"check: {self.module.__name__} has no bfloat16; make the cases with another dtype")

    def surrounded(self, array: Array, dtype: str, by: dict[str, float]) -> tuple[Any, Any]:
        made = self.module.asarray(array)
        few_bits = dtype in ("bfloat16", "float16") and array.dtype.kind == "f"
        made = made.astype(getattr(self.module, dtype)) if few_bits else made
        return made, made

    def bits(self, buffer: Any) -> bytes:
        return bytes(np.ascontiguousarray(as_numpy(buffer, "kernel")).tobytes())

    def with_other_strides(self, array: Any) -> Any:
        return array


def _namespace(like: Any) -> Any:
    if hasattr(like, "__array_namespace__"):
        return like.__array_namespace__()
    import importlib

    root = type(like).__module__.partition(".")[0]
    name = {"jaxlib": "jax.numpy", "jax": "jax.numpy", "cupy": "cupy"}.get(root)
    if name is None:
        raise InvalidInput(f"check: got like of type {type(like).__name__}, expected an array of NumPy, PyTorch, or of a library of the array API")
    return importlib.import_module(name)


def _library(like: Any) -> _Library:
    if like is None or isinstance(like, np.ndarray):
        return _Library()
    if type(like).__module__.partition(".")[0] == "torch":
        return _Torch(like)
    return _Namespace(like)


class _Signature:
    """Which keywords a kernel takes."""

    def __init__(self, kernel: Kernel) -> None:
        self.name = re.sub(r"\W+", "_", getattr(kernel, "__name__", type(kernel).__name__)).strip("_")
        try:
            parameters = inspect.signature(kernel).parameters.values()
        except (TypeError, ValueError):  # compiled functions
            parameters = ()  # type: ignore[assignment]
        self.all = not parameters or any(p.kind is p.VAR_KEYWORD for p in parameters)
        self.names = {p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)}

    def takes(self, name: str) -> bool:
        return self.all or name in self.names

    def kept(self, arguments: dict[str, Any], case: Case) -> dict[str, Any]:
        for name, value in arguments.items():
            if value is not None and not self.takes(name):
                raise InvalidInput(
                    f"check: {self.name} takes no {name}, which {case.id} needs; leave such cases out by cases(…, without=({name!r},)), or add **flags"
                )
        return {name: value for name, value in arguments.items() if self.takes(name)}


class _Run:
    """One call of the kernel, and what came of it."""

    def __init__(
        self,
        kernel: Kernel,
        case: Case,
        library: _Library,
        backward: bool,
        *,
        strided: bool = False,
        state: Any = None,
        surroundings: dict[str, float] = _POISON,
    ) -> None:
        self.case, self.library, self.surroundings = case, library, surroundings
        self.signature = _Signature(kernel)
        self.buffers: dict[str, Any] = {}
        arguments: dict[str, Any] = {name: None for name, _, _, always in _core.kernel_arrays(case.kind) if always}
        optional = [name for name in ("g", "initial_state") if name in {row[0] for row in _core.kernel_arrays(case.kind)}]
        arguments.update({name: None for name in (*optional, "cu_seqlens")})
        for name, array in case.arrays.items():
            arguments[name] = self._argument(name, array, strided)
        if state is not None:
            arguments["initial_state"] = state
        own_pass_back = backward and not library.differentiates
        if own_pass_back:
            if not self.signature.takes("do"):
                raise InvalidInput(f"check: {self.signature.name} takes no do and so makes no gradients; say backward=False")
            for name, array in case.gradients.items():
                arguments[name] = self._argument(name, array, False)
            arguments.setdefault("dfinal_state", None)
        arguments = self.signature.kept({**arguments, "scale": case.scale, **case.flags}, case)
        before = {name: library.bits(buffer) for name, buffer in self.buffers.items()}
        inputs = self._leaves(arguments) if backward and library.differentiates else {}
        self.results = self._results(kernel(**arguments))
        self.came_back = [name for name in case.gradients if own_pass_back]
        if inputs and "dq" not in self.results:
            self._differentiate(inputs)
            self.came_back = [name for name in case.gradients if name[1:] in self.results]
        self.changed = [name for name, bits in before.items() if library.bits(self.buffers[name]) != bits]

    def _argument(self, name: str, array: Array, strided: bool) -> Any:
        dtype = "float32" if name in WIDE and self.case.dtype != "float64" else self.case.dtype
        made, self.buffers[name] = self.library.surrounded(array, dtype, self.surroundings)
        return self.library.with_other_strides(made) if strided and name in _STRIDED else made

    def _leaves(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {name: a.requires_grad_() for name, a in arguments.items() if name in self.case.arrays and a is not None and a.is_floating_point()}

    def _results(self, returned: Any) -> dict[str, Any]:
        if isinstance(returned, Mapping):
            found = dict(returned)
        elif isinstance(returned, (tuple, list)):
            found = dict(zip(("o", "final_state"), returned))
        else:
            found = {"o": returned}
        if found.get("o") is None:
            raise InvalidInput(f"check: {self.signature.name} returned no o; expected o, (o, final_state), or a mapping with o and more by name")
        return {name: value for name, value in found.items() if value is not None}

    def _differentiate(self, inputs: dict[str, Any]) -> None:
        torch = self.library.torch  # type: ignore[attr-defined]
        outputs, behind = [], []
        for name in ("o", "final_state"):
            found, given = self.results.get(name), self.case.gradients.get("d" + name)
            if found is not None and given is not None and found.requires_grad:
                outputs.append(found)
                behind.append(torch.from_numpy(np.ascontiguousarray(given)).to(device=found.device, dtype=found.dtype))
        if not outputs:
            raise InvalidInput(f"check: o of {self.signature.name} has no gradient in PyTorch; say backward=False")
        gradients = torch.autograd.grad(outputs, list(inputs.values()), behind, allow_unused=True)
        for (name, leaf), gradient in zip(inputs.items(), gradients):
            self.results["d" + name] = torch.zeros_like(leaf) if gradient is None else gradient

    @property
    def goes_back(self) -> bool:
        return any(name.startswith("d") for name in self.results)

    def doubles(self) -> dict[str, NDArray[np.float64]]:
        return {name: exact_doubles(value, name) for name, value in self.results.items()}


def _dumped(case: Case, results: dict[str, Array], came_back: list[str]) -> dict[str, Array]:
    """A call as a dump has it; `came_back` are the gradients that its pass back was given."""
    dump: dict[str, Array] = {**case.arrays, **{name: np.asarray(float(value)) for name, value in case.flags.items()}, "chunk": np.asarray(float(case.chunk))}
    if any(name.startswith("d") for name in results):
        dump.update({name: case.gradients[name] for name in came_back})
    if case.scale is not None:
        dump["scale"] = np.asarray(float(case.scale))
    return {**dump, **results}


@functools.cache
def _program() -> str:
    """A number that changes with the program that runs the replicas, and with nothing else."""
    return hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()


class _Memory:
    """What replicas said of inputs that were checked before, on disk: a verdict then needs the reference alone.

    ATTEST_KERNEL_CACHE names the folder; "off" keeps nothing.
    """

    def __init__(self, kind: str, arrays: dict[str, NDArray[np.float64]], options: dict[str, Any], results: set[str]) -> None:
        said = os.environ.get("ATTEST_KERNEL_CACHE", "")
        home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        self.file: Path | None = None
        if said != "off":
            key = hashlib.sha256(json.dumps([kind, options, sorted(results), _program()]).encode())
            for name in sorted(set(arrays) - results):
                key.update(f"{name}{arrays[name].shape}".encode() + arrays[name].tobytes())
            self.file = Path(said or os.path.join(home, "attest", "kernels")) / f"{key.hexdigest()}.npz"

    def read(self) -> Any:
        try:
            if self.file is None:
                return None
            with np.load(self.file) as kept:
                names = [tuple(row) for row in json.loads(bytes(kept["names"]).decode())]
                return names, kept["numbers"]
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
            return None  # none yet, or what an interrupted run left: made anew

    def write(self, spreads: Any) -> None:
        if self.file is None or spreads is None:
            return
        names, numbers = spreads
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.file.parent, suffix=".part", delete=False) as part:
                np.savez(part, names=np.frombuffer(json.dumps(names).encode(), np.uint8), numbers=np.asarray(numbers)[:, 0])
            os.replace(part.name, self.file)
        except OSError:
            pass  # a cache that cannot be written is none


class _Judge:
    """Checks runs of one kernel on one case."""

    def __init__(self, run: _Run, sharp: bool, dump: str | os.PathLike[str] | None, threads: int) -> None:
        self.case, self.came_back, self.sharp, self.threads = run.case, run.came_back, sharp, threads
        self.name = run.signature.name
        self.folder = Path(dump) if dump is not None else Path(tempfile.gettempdir()) / f"attest-kernels-{os.getuid()}"
        self.spreads: Any = None

    def answer(self, results: dict[str, Array]) -> KernelCheck:
        case = self.case
        arrays = {name: exact_doubles(a, name) for name, a in _dumped(case, results, self.came_back).items()}
        options = check_options(sharp=self.sharp, **ARITHMETICS[case.dtype])
        if self.spreads is not None:
            return checked(case.kind, arrays, options, self.spreads, self.threads)
        memory = _Memory(case.kind, arrays, options, set(results)) if self.sharp else None
        known = memory.read() if memory else None
        try:
            found = checked(case.kind, arrays, options, known, self.threads)
        except InvalidInput:
            if known is None:
                raise
            found, known = checked(case.kind, arrays, options, None, self.threads), None
        if memory and known is None:
            memory.write(found._spreads)
        self.spreads = known if known is not None else found._spreads
        return found

    def keep(self, results: dict[str, Array]) -> tuple[str, str]:
        """Writes the dump; where it is, and what checks it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{self.name}-{self.case.kind}-{self.case.dtype}-{self.case.id}.npz"
        narrow = np.float64 if self.case.dtype == "float64" else np.float32
        dump = _dumped(self.case, results, self.came_back)
        np.savez(path, **{name: a.astype(narrow) if a.dtype == np.float64 and name != "scale" else a for name, a in dump.items()})
        words = ["attest", "kernel", "check", str(path), "--kind", self.case.kind]
        for name, value in ARITHMETICS[self.case.dtype].items():
            words += ["--" + name.replace("_", "-"), value]
        return str(path), shlex.join(words if self.sharp else [*words, "--no-sharp"])

    def fault(self, fault: str, sentence: str, results: dict[str, Array] | None, found: KernelCheck | None = None) -> KernelFault:
        text = f"{self.name}, {self.case.kind} {self.case.id}: {sentence}"
        dump, command = self.keep(results) if results is not None else (None, None)
        if dump is not None:
            text += f"; kept: {command}"
        made = KernelFault(text)
        made.fault, made.verdict, made.dump, made.command = fault, found.verdict if found else "wrong", dump, command
        worst = _worst(found) if found else None
        if worst:
            made.array, made.head, made.token, made.column = worst["array"], worst["head"], worst["row"], worst["column"]
            made.sigma = worst["largest_sigma"]
        return made

    def require_right(self, results: dict[str, Array], fault: str = "", otherwise: str = "") -> KernelCheck:
        """The answer where it is right or undecided; else a KernelFault, of this name where nothing better is known."""
        try:
            found = self.answer(results)
        except InvalidInput as error:
            raise self.fault("refused", str(error), results) from error
        if found.verdict in ("right", "undecided"):
            return found
        alike = found.looks_like[0] if found.looks_like else {"name": "unknown", "sentence": "like no known fault"}
        if fault:
            alike = {"name": fault, "sentence": otherwise}
        elif not all(np.isfinite(a).all() for a in results.values()):
            alike = {"name": "not_finite", "sentence": "NaN or infinite numbers"}
        raise self.fault(alike["name"], f"{found.verdict}: {alike['sentence']}{_place(found)}", results, found)


def _worst(found: KernelCheck) -> dict[str, Any] | None:
    order = {"right": 0, "undecided": 1, "suspicious": 2, "wrong": 3}
    far = lambda result: float("inf") if result["largest_sigma"] is None else result["largest_sigma"]  # noqa: E731
    return max(found.results, key=lambda result: (order[result["verdict"]], far(result)), default=None)


def _place(found: KernelCheck) -> str:
    worst = _worst(found)
    if worst is None:
        first = found.first_wrong
        return f": {first['in']} in head {first['head']}" if first else ""
    off = "NaN or infinite" if worst["largest_sigma"] is None else f"off by {worst['largest_sigma']:.3g} sigma"
    row = "token" if worst["array"] not in ("final_state", "dinitial_state") else "row"
    sequence = f" of sequence {worst['sequence']}" if worst["sequence"] else ""
    return f": {worst['array']} in head {worst['head']}{sequence}, {row} {worst['row']}, column {worst['column']} is {off}"


def check(
    kernel: Kernel,
    case: Case,
    *,
    like: Any = None,
    backward: bool = True,
    sharp: bool = True,
    deterministic: bool = True,
    dump: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
) -> Report:
    """Runs a kernel on a case and holds all that it returns against its recurrence.

    Parameters
    ----------
    kernel : callable
        Takes the arguments of `Case.arrays` by their names, those that are absent as None, `scale`, `cu_seqlens`, and the flags that are set. Returns o, or
        (o, final_state), or a mapping of names to arrays. Where PyTorch differentiates it, gradients are autograd's; else, with `do` and `dfinal_state`
        among its arguments, it returns dq, dk, … in the mapping.
    case : Case
        One of `cases`.
    like : array, optional
        Whose library and device the arguments are of: NumPy's if absent, `torch.empty(0, device="cuda")`, an array of CuPy or JAX.
    backward : bool
    sharp : bool
        Compare with the spread of right kernels, without which gradients are not judged.
    deterministic : bool
        Two runs must agree to the bit.
    dump : path, optional
        The folder for the dump of a call that fails; else one in the folder for temporary files.
    n_jobs : int or None

    Raises
    ------
    KernelFault
        Where the kernel is wrong or suspicious.
    InvalidInput
        Where kernel and case do not fit together.
    """
    if not isinstance(case, Case):
        raise InvalidInput(f"check: got a case of type {type(case).__name__}, expected one of cases()")
    library = _library(like)
    library.require(case.dtype)
    run = _Run(kernel, case, library, backward)
    judge = _Judge(run, sharp, dump, threads_of(n_jobs))
    results = run.doubles()
    if run.changed:
        raise judge.fault("inputs_changed", f"{', '.join(run.changed)}: the kernel wrote into what it was given, or beside it", results)
    _require_no_reading_past(kernel, judge, library, backward, results)
    found = judge.require_right(results)
    compared = _compared(found, results)
    looked_at, left_out = ["inputs unchanged"], [f"{name}: not compared" for name in sorted(set(results) - compared)]

    def note(what: str, why_not: str) -> None:
        (left_out if why_not else looked_at).append(f"{what}: {why_not}" if why_not else what)

    note("nothing read past the ends", "" if library.has_views else "the library has no views")
    note("twice the same", _require_the_same(kernel, judge, library, run, results) if deterministic else "deterministic=False")
    note("other strides", _require_other_strides(kernel, judge, library, results))
    note("in pieces", _require_pieces(kernel, judge, library, results))
    worst = _worst(found)
    return Report(
        case=case.id,
        verdict=found.verdict,
        results=tuple(sorted(compared)),
        looked_at=tuple(looked_at),
        left_out=tuple(left_out),
        largest_sigma=worst["largest_sigma"] if worst else None,
        answer=found,
    )


def _require_no_reading_past(kernel: Kernel, judge: _Judge, library: _Library, backward: bool, results: dict[str, Array]) -> None:
    """NaN that is gone when zeros surround the arrays was read there."""
    if all(np.isfinite(a).all() for a in results.values()):
        return
    again = _Run(kernel, judge.case, library, backward, surroundings=_ZEROS).doubles()
    if all(np.isfinite(a).all() for a in again.values()):
        names = ", ".join(name for name, a in results.items() if not np.isfinite(a).all())
        raise judge.fault("reads_past_the_ends", f"wrong: {names} hold what lies before or behind the arrays in memory", results)


def _compared(found: KernelCheck, results: dict[str, Array]) -> set[str]:
    """Results that some level of the check compares with the reference; the worst-case bound speaks of outputs alone."""
    bounded = {"o", "final_state"} if "rows_outside" in found.to_dict() else set()
    return {result["array"] for result in found.results} | (bounded & set(results))


def _require_the_same(kernel: Kernel, judge: _Judge, library: _Library, run: _Run, results: dict[str, Array]) -> str:
    again = _Run(kernel, judge.case, library, run.goes_back).doubles()
    for name, values in results.items():
        if name not in again or values.tobytes() != again[name].tobytes():
            raise judge.fault("not_deterministic", f"{name} of two runs on the same arrays differs; say deterministic=False if it may", results)
    return ""


def _forward(results: dict[str, Array]) -> dict[str, Array]:
    return {name: a for name, a in results.items() if not name.startswith("d")}


def _require_other_strides(kernel: Kernel, judge: _Judge, library: _Library, results: dict[str, Array]) -> str:
    """Whether heads before tokens in memory give the same; why that was not looked at."""
    if not library.has_views:
        return "the library has no views"
    if all(1 in judge.case.arrays[name].shape[1:3] for name in _STRIDED if name in judge.case.arrays):
        return "of one token or one head there are none"
    if _needs_do(kernel):
        return _NOT_ALONE
    strided = _forward(_Run(kernel, judge.case, library, False, strided=True).doubles())
    judge.require_right({**results, **strided}, "not_contiguous", "of arrays whose heads lie before their tokens in memory it gives other numbers")
    return ""


def _needs_do(kernel: Kernel) -> bool:
    """Whether a kernel cannot be called without the gradients that come back."""
    try:
        parameter = inspect.signature(kernel).parameters.get("do")
    except (TypeError, ValueError):
        return False
    return parameter is not None and parameter.default is parameter.empty


def _require_pieces(kernel: Kernel, judge: _Judge, library: _Library, results: dict[str, Array]) -> str:
    """Whether two calls that hand over the state give what one gives; why that was not looked at."""
    case = judge.case
    first = case.chunk + 7
    tokens = case.gradients["do"].shape[1]
    if "cu_seqlens" in case.arrays or tokens <= first:
        return "the case is one piece"
    if "initial_state" not in case.arrays or case.kind == "mlstm":
        return "the case hands over no state"
    if "final_state" not in results:
        return "the kernel returns no final_state"
    if _needs_do(kernel):
        return _NOT_ALONE
    one, other = pieces(case, first)
    before = _Run(kernel, one, library, False)
    state = before.results["final_state"]
    behind = _Run(kernel, other, library, False, state=state)
    o = np.concatenate([before.doubles()["o"], behind.doubles()["o"]], axis=1)
    joined = {**results, "o": o, "final_state": behind.doubles()["final_state"]}
    judge.require_right(joined, "pieces_differ", f"two calls that hand over the state behind token {first} give other numbers than one")
    return ""


