"""Inputs that reach every path of a kernel: what `attest.testing.cases` makes."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import InvalidInput, UnknownName

Array = NDArray[Any]

#: What a type says of the arithmetic, as options of `attest.kernel_check`.
ARITHMETICS: dict[str, dict[str, str]] = {
    "float32": {},
    "float64": {"accumulator": "fp64"},
    "bfloat16": {"operands": "bf16", "output_type": "bf16"},
    "float16": {"operands": "fp16", "output_type": "fp16"},
}

_CASES, _QUICK = 24, 8
#: Arrays that stay in float32 where others are of fewer bits, as kernels take them.
WIDE = ("g", "A_log", "dt_bias", "A", "D", "dt", "decay", "initial_state", "dfinal_state", "i", "f")
_CORRECTED = ("delta", "gated-delta", "kda", "gated-delta-product", "comba", "gdn2")
#: What a case's flag wants of its kind: these arrays.
_READERS: dict[str, set[str]] = {
    "use_qk_l2norm_in_kernel": {"q", "k"},
    "use_beta_sigmoid_in_kernel": {"beta"},
    "allow_neg_eigval": {"beta"},
    "use_gate_in_kernel": {"A_log", "g"},
    "dt_softplus": {"dt"},
    "state_v_first": {"initial_state"},
}


@dataclass(frozen=True)
class Case:
    """One call of a kernel: its arguments, and the gradients that come back to it.

    Attributes
    ----------
    id : str
        Names the case among those of its kind.
    kind, dtype : str
    chunk : int
    arrays : dict
        The arguments by their names, (B, T, H, ·), float32 or float64 whatever `dtype`; each number is one of that type.
    gradients : dict
        `do`, and where there is a state `dfinal_state`.
    scale : float or None
        None: the kernel's own.
    flags : dict
        What the kernel is to do to its arguments itself.
    """

    id: str
    kind: str
    dtype: str
    chunk: int
    arrays: dict[str, Array] = field(repr=False)
    gradients: dict[str, Array] = field(repr=False)
    scale: float | None = None
    flags: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.id

    @property
    def wants(self) -> tuple[str, ...]:
        """What `cases(without=…)` may leave out of this case: keywords that are not None in it, and "grouped"."""
        heads = {self.arrays[name].shape[2] for name in ("q", "k", "v", "B", "x", "r") if name in self.arrays}
        return (*self.arrays, *self.flags, *(("scale",) if self.scale is not None else ()), *(("grouped",) if len(heads) > 1 else ()))


@dataclass(frozen=True)
class _Plan:
    """What a case is to be like."""

    name: str
    T: int
    heads: tuple[int, int, int] = (1, 1, 1)  # B, H, HV
    K: int = 16
    V: int = 16
    scale: float | None = None
    state: bool = False
    flags: tuple[str, ...] = ()
    packed: tuple[int, ...] = ()
    change: Callable[[dict[str, Array]], None] = lambda arrays: None
    needs: tuple[str, ...] = ()  # arrays that the kind must read
    sizes: str = ""  # "large" does not fit float16
    drop: tuple[str, ...] = ()
    quick: bool = False


def cases(
    kind: str, *, chunk: int = 64, dtype: str = "float32", heads: str = "all", quick: bool = False, without: tuple[str, ...] = ()
) -> list[Case]:
    """24 calls of a kernel that reach the paths where kernels go wrong; 8 of them with `quick`.

    Parameters
    ----------
    kind : str
        The recurrence, as for `attest.kernel_check`.
    chunk : int
        The kernel's chunk: lengths lie around it.
    dtype : "float32", "float64", "bfloat16" or "float16"
        Of q, k, v and what is like them; gates and states are float32.
    heads : "all" or "equal"
        "equal": no case whose keys have fewer heads than its values.
    quick : bool
    without : tuple of str
        Arguments that the kernel does not have, as "cu_seqlens": cases that need them are left out. Any array or flag of any kind, "scale", and "grouped".

    Examples
    --------
    >>> from attest import testing
    >>> len(testing.cases("kda")), len(testing.cases("kda", quick=True))
    (24, 8)
    """
    if kind not in _core.kernel_kinds():
        raise UnknownName(f"cases: got kind {kind!r}, expected one of {', '.join(_core.kernel_kinds())}")
    if dtype not in ARITHMETICS:
        raise UnknownName(f"cases: got dtype {dtype!r}, expected one of {', '.join(ARITHMETICS)}")
    if heads not in ("all", "equal"):
        raise UnknownName(f"cases: got heads {heads!r}, expected 'all' or 'equal'")
    if not 4 <= chunk <= 1024:
        raise InvalidInput(f"cases: got chunk {chunk}, expected 4 to 1024")
    _require_known(without)
    reads = {name for name, *_ in _core.kernel_arrays(kind)}
    needed = {name for name, _, _, always in _core.kernel_arrays(kind) if always}
    wanted = [plan for plan in _plans(chunk) if set(plan.needs) <= reads and not needed & set(plan.drop) and _has_flags(kind, reads, plan.flags)]
    wanted = [plan for plan in wanted if not (plan.sizes == "large" and dtype == "float16") and (plan.state is False or "initial_state" in reads)]
    filler = (_Plan(f"length-{T}", T, (1 + T % 2, 1, 1), 16, 24) for T in range(3, 10 * chunk, 5))
    wanted = [*wanted[:_CASES], *(next(filler) for _ in range(_CASES - len(wanted)))]
    if quick:
        wanted = sorted(wanted, key=lambda plan: not plan.quick)[:_QUICK]
    made = [_case(kind, plan, chunk, dtype) for plan in wanted]
    left_out = {*without, *(("grouped",) if heads == "equal" else ())}
    return [case for case in made if not left_out & set(case.wants)]


def _require_known(without: tuple[str, ...]) -> None:
    """What no case of any kind can want is a slip of the pen, and would leave nothing out."""
    known = {"cu_seqlens", "scale", "grouped", *_READERS}
    known |= {name for kind in _core.kernel_kinds() for name, *_ in _core.kernel_arrays(kind)}
    for word in (without,) if isinstance(without, str) else without:
        if isinstance(without, str) or word not in known:
            raise UnknownName(f"cases: got without {without!r}, expected a tuple of {', '.join(sorted(known))}")


def _has_flags(kind: str, reads: set[str], flags: tuple[str, ...]) -> bool:
    """Whether the kind has these flags; states of ssd lie values first whatever is said."""
    return all(_READERS[flag] <= reads for flag in flags) and not (kind == "ssd" and "state_v_first" in flags)


def _plans(C: int) -> Iterator[_Plan]:
    """In the order of what they find; a kind takes the first 24 that it can."""
    yield _Plan("one-token", 1, state=True, quick=True)
    yield _Plan("two-tokens", 2, (2, 3, 3), 60, 16, state=True)
    yield _Plan("chunk-less-one", C - 1, (1, 1, 1), 64, 16)
    yield _Plan("chunk", C, (2, 3, 3), 16, 60, state=True)
    yield _Plan("chunk-and-one", C + 1, (1, 1, 1), 128, 128, state=True, quick=True)
    yield _Plan("four-chunks", 4 * C + 3, (1, 1, 1), 64, 64, state=True, quick=True)
    yield _Plan("no-state", 2 * C + 5, (2, 3, 3), 16, 32, quick=True)
    yield _Plan("grouped", 2 * C + 3, (2, 2, 4), 16, 24, quick=True)
    yield _Plan("packed", 3 * C + 20, (1, 2, 2), 16, 32, packed=(0, 1, 2, C, C + 1, 3 * C - 1, 3 * C + 20), quick=True)
    yield _Plan("packed-states", 3 * C + 20, (1, 1, 1), 16, 24, packed=(0, C - 3, 2 * C, 3 * C + 20), state=True)
    yield _Plan("repeated-and-zero-keys", C + 9, change=_repeat_keys, K=24, quick=True)
    yield _Plan("keys-alike", C + 9, change=_keys_alike, K=32)
    yield _Plan("scale-1", C + 2, (1, 2, 2), 16, 32, scale=1.0)
    yield _Plan("scale-negative", C + 2, (1, 2, 2), 16, 32, scale=-0.3)
    yield _Plan("no-gates", C + 5, needs=("g",), drop=("g",), state=True)
    yield _Plan("gates-near-1", 2 * C + 3, needs=("g",), change=lambda x: _gates(x, lambda g, at: np.full_like(g, -1e-6)), state=True)
    yield _Plan("gates-mixed", 2 * C + 3, (1, 2, 2), needs=("g",), change=_mix_gates, state=True, quick=True)
    yield _Plan("betas-0-1-2", C + 9, needs=("beta",), change=_betas)
    yield _Plan("unit-rows-inside", C + 9, (1, 2, 2), 16, 32, flags=("use_qk_l2norm_in_kernel",), change=_small_rows)
    yield _Plan("sigmoid-inside", C + 9, flags=("use_beta_sigmoid_in_kernel", "allow_neg_eigval"))
    yield _Plan("gate-inside", C + 9, (1, 2, 2), flags=("use_gate_in_kernel",))
    yield _Plan("softplus-inside", C + 9, (1, 2, 2), flags=("dt_softplus",))
    yield _Plan("state-v-first", C + 9, (1, 2, 2), 16, 24, state=True, flags=("state_v_first",))
    yield _Plan("large-rows", C + 9, K=24, change=_large_rows, sizes="large")
    yield _Plan("small-rows", C + 9, K=24, change=_small_rows)


def _rows(arrays: dict[str, Array]) -> list[str]:
    return [name for name in ("k", "B") if name in arrays]


def _repeat_keys(arrays: dict[str, Array]) -> None:
    """Every third key is zero; of the others two are those of other tokens, the one before and the second."""
    for name in _rows(arrays):
        tokens = arrays[name].shape[1]
        arrays[name][:, ::3] = 0
        at = tokens // 6 * 3 + 2
        arrays[name][:, at] = arrays[name][:, at - 1]
        arrays[name][:, -1] = arrays[name][:, 1]


def _keys_alike(arrays: dict[str, Array]) -> None:
    for name in _rows(arrays):
        k = arrays[name]
        size = np.sqrt((k * k).sum(-1, keepdims=True))
        near = k[:, :1] / size[:, :1] + 0.1 * k / size
        arrays[name] = near / np.sqrt((near * near).sum(-1, keepdims=True)) * size


def _gates(arrays: dict[str, Array], law: Callable[[Array, Array], Array]) -> None:
    g = arrays["g"]
    at = np.arange(g.shape[1]).reshape((1, -1) + (1,) * (g.ndim - 2))
    arrays["g"] = np.broadcast_to(law(g, at), g.shape).copy()


def _mix_gates(arrays: dict[str, Array]) -> None:
    """In every chunk gates of 1 and gates that all but close; one closes for good."""
    _gates(arrays, lambda g, at: np.where(at == 7, -1e4, np.where(at % 3 == 0, -30.0, -1e-6)))


def _betas(arrays: dict[str, Array]) -> None:
    beta = arrays["beta"]
    arrays["beta"] = np.broadcast_to(np.arange(beta.shape[1])[None, :, None] % 3, beta.shape).astype(beta.dtype)


def _small_rows(arrays: dict[str, Array]) -> None:
    for name in ("q", "k", "C", "B", "r"):
        if name in arrays:
            arrays[name] *= 1e-3


def _large_rows(arrays: dict[str, Array]) -> None:
    for name in ("q", "v", "C", "x", "r"):
        if name in arrays:
            arrays[name] *= 1e3


def _rounded(array: Array, name: str, dtype: str) -> Array:
    """Numbers of the type, as float32, or float64."""
    if dtype == "float64":
        return array.astype(np.float64)
    single = array.astype(np.float32)
    if dtype == "float32" or name in WIDE:
        return single
    if dtype == "float16":
        return single.astype(np.float16).astype(np.float32)
    bits = np.ascontiguousarray(single).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


class _Draw:
    """Arrays of a plan, of sizes as trained layers have them."""

    def __init__(self, kind: str, plan: _Plan) -> None:
        self.kind, self.plan = kind, plan
        self.rng = np.random.default_rng(zlib.crc32(f"{kind} {plan}".split(" change=")[0].encode()))

    def normal(self, *shape: int) -> Array:
        return self.rng.standard_normal(shape)

    def sigmoid(self, *shape: int) -> Array:
        return np.asarray(1 / (1 + np.exp(-self.normal(*shape))))

    def array(self, name: str, extent: str, width: str, made: dict[str, Array]) -> Array:
        plan = self.plan
        B, H, HV = plan.heads
        of_values = name in ("v", "x", "z", "beta", "g", "dt", "i", "f") or (name == "w") or extent in ("state", "head") or (self.kind == "gdn2" and name == "b")
        heads = HV if of_values else H
        rows = {"key": (plan.K,), "value": (plan.V,)}.get(width, ())
        if extent == "state":
            count = len(plan.packed) - 1 if plan.packed else B
            first = self.kind == "ssd" or "state_v_first" in plan.flags
            return self.normal(count, heads, *((plan.V, plan.K) if first else (plan.K, plan.V)))
        if extent == "head":
            return self.parameter(name, heads, plan.K if width == "one_or_key" and self.row_gates() else 0)
        steps = 2 if extent == "step" else 1
        return self.of_tokens(name, (B, plan.T * steps, heads, *rows), made)

    def row_gates(self) -> bool:
        return any(name == "g" and width == "key" for name, _, width, _ in _core.kernel_arrays(self.kind))

    def parameter(self, name: str, heads: int, width: int) -> Array:
        if name == "A_log":
            return np.log(self.rng.uniform(1, 4, heads))
        if name == "A":
            return -self.rng.uniform(0.5, 2, heads)
        if name == "decay":
            return np.asarray(1 - 2.0 ** (-3 - np.arange(heads)))
        return self.normal(heads, width) / 2 if width else self.normal(heads) / 2

    def of_tokens(self, name: str, shape: tuple[int, ...], made: dict[str, Array]) -> Array:
        flags, kind = self.plan.flags, self.kind
        if name == "g" or (kind == "rwkv7" and name == "w"):
            raw = self.normal(*shape)
            per_row = 16 if len(shape) == 4 else 8
            return raw if "use_gate_in_kernel" in flags else -np.log1p(np.exp(-raw)) / per_row
        if name == "beta":
            return self.normal(*shape) if "use_beta_sigmoid_in_kernel" in flags else self.sigmoid(*shape)
        if name == "dt":
            return self.normal(*shape) if "dt_softplus" in flags else np.log1p(np.exp(self.normal(*shape))) / 4
        if kind == "gdn2" and name in ("b", "w"):
            return self.sigmoid(*shape)
        if name == "i" or name == "f":
            return self.normal(*shape) + (2 if name == "f" else -1)
        if name == "p":
            return 0.8 * made["k"] + 0.05 * self.normal(*shape)
        if name == "a":
            return -self.unit(shape)
        if name == "b":
            return -made["a"] * self.sigmoid(*shape)
        if kind == "normalised" and name in ("q", "k"):
            return np.abs(self.normal(*shape)) + 0.1
        if kind in _CORRECTED and name in ("q", "k") and "use_qk_l2norm_in_kernel" not in flags:
            return self.unit(shape)
        return self.normal(*shape)

    def unit(self, shape: tuple[int, ...]) -> Array:
        x = self.normal(*shape)
        return np.asarray(x / np.sqrt((x * x).sum(-1, keepdims=True)))


_OPTIONAL = ("gates", "g_gamma", "A_log", "dt_bias", "z", "initial_n", "initial_m")


def _case(kind: str, plan: _Plan, chunk: int, dtype: str) -> Case:
    draw = _Draw(kind, plan)
    arrays: dict[str, Array] = {}
    inside = "use_gate_in_kernel" in plan.flags
    for name, extent, width, _ in _core.kernel_arrays(kind):
        if name in _OPTIONAL and not (inside and name in ("A_log", "dt_bias")) and not (name == "dt_bias" and "dt_softplus" in plan.flags):
            continue
        if name in plan.drop or (extent == "state" and not plan.state):
            continue
        arrays[name] = draw.array(name, extent, width, arrays)
    plan.change(arrays)
    arrays = {name: _rounded(a, name, dtype) for name, a in arrays.items()}
    B, _, HV = plan.heads
    gradients = {"do": _rounded(draw.normal(B, plan.T, HV, plan.V), "do", dtype)}
    if "initial_state" in arrays:
        gradients["dfinal_state"] = _rounded(draw.normal(*arrays["initial_state"].shape), "dfinal_state", dtype)
    if plan.packed:
        arrays["cu_seqlens"] = np.array(plan.packed, np.int64)
    shape = f"T{plan.T}-B{B}-H{plan.heads[1]}" + (f"of{HV}" if HV != plan.heads[1] else "") + f"-K{plan.K}-V{plan.V}"
    flags = {flag: True for flag in plan.flags}
    return Case(f"{plan.name}-{shape}", kind, dtype, chunk, arrays, gradients, plan.scale, flags)


def pieces(case: Case, first: int) -> tuple[Case, Case]:
    """The case up to a token and from there on; the state between them is the kernel's to hand over."""

    def part(tokens: slice) -> Case:
        steps = {name: 2 if extent == "step" else 1 for name, extent, *_ in _core.kernel_arrays(case.kind) if extent in ("token", "step")}
        arrays = {
            name: a[:, slice(tokens.start and tokens.start * steps[name], tokens.stop and tokens.stop * steps[name])] if name in steps else a
            for name, a in case.arrays.items()
        }
        return replace(case, arrays={name: np.ascontiguousarray(a) for name, a in arrays.items()})

    return part(slice(0, first)), part(slice(first, None))
