"""The rank of the derivative of any module's outputs in its parameters, in doubles."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from . import _core
from ._arrays import Doubles, first_line, seed_of
from .answer import Answer
from .errors import InvalidInput, MemoryFailure
from .stack import Gap, Share

_NOISE = 1e-11  # of the largest: what rounding alone fills
_BLOCK = 256  # rows that wait for a factorisation
_SQUARES = 16  # P x P matrices that the factorisations hold at most, measured
_SHOWN = 0.05


@dataclass(frozen=True)
class LocalRank(Answer):
    """What the derivative of a module's outputs says of its parameters, as doubles see it: it proves nothing.

    Attributes
    ----------
    verdict : str
        "numerically_locally_determined": other inputs see no direction that these do not; "numerically_open"; "rank_only" without other inputs.
    parameters, examples, numbers : int
        Parameters, examples, and outputs on all of them.
    rank : int
        Of the derivative on the inputs.
    gap : Gap
        The singular values on both sides of the rank; a small gap deserves distrust.
    rank_at_model : int or None
        With other inputs beside them: directions that are real, at least.
    gap_at_model : Gap or None
    open_directions : int or None
        rank_at_model - rank.
    open : tuple of Share
        In which parameters the open directions lie, largest share first; each parameter in the unit in which outputs notice it alike.
    unseen : tuple of Share
        The same of the directions that no input sees: symmetries, and dead parameters.
    bytes : int
        The estimate of the memory, made before it is taken: of the factorisations, and of what a forward pass keeps.
    """

    verdict: str
    parameters: int
    examples: int
    numbers: int
    rank: int
    gap: Gap
    rank_at_model: int | None
    gap_at_model: Gap | None
    open_directions: int | None
    open: tuple[Share, ...]
    unseen: tuple[Share, ...]
    bytes: int
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)


def local(
    module: torch.nn.Module,
    inputs: torch.Tensor,
    *,
    fresh: torch.Tensor | int | None = None,
    parameters: Iterable[str] | None = None,
    memory: float | None = None,
    random_state: Any = None,
) -> LocalRank:
    """How many directions of a module's parameters do these inputs see, and in which do they leave it open? Numerical, and near the parameters only.

    The rank of the derivative of all outputs in all parameters, in float64, a row an output, beside that with other inputs. A copy of the module is
    asked, in float64, in evaluation mode (no dropout), an input at a time. Rows are taken an example at a time, and only a triangle of P columns is kept.

    Parameters
    ----------
    module : torch.nn.Module
        Maps (1, …) to a tensor; put one that returns more into a module that picks what counts.
    inputs : tensor (N, …)
    fresh : tensor (M, …) or int, optional
        Other inputs, or how many: normal numbers of the size of the inputs. Unless given as many as have P outputs, and one more. Inputs of integers need
        a tensor, or 0: no others.
    parameters : names, optional
        Only these; all unless given.
    memory : float, optional
        Bytes that may be used; what the machine has unless given.
    random_state : int, numpy Generator or None

    Raises
    ------
    MemoryFailure
        Where the estimate, 16 P x P matrices, four of one example's rows, or what one forward pass keeps, is more.
    InvalidInput
        Where the module has no such parameters, or puts out no tensor of finite floating-point numbers.

    Examples
    --------
    >>> import torch, attest.torch
    >>> module = torch.nn.Sequential(torch.nn.Linear(3, 2, bias=False), torch.nn.Linear(2, 3, bias=False)).double()
    >>> found = attest.torch.local(module, torch.eye(3))
    >>> found.parameters, found.rank, found.verdict  # 12 less the basis between the two
    (12, 8, 'numerically_locally_determined')
    """
    if not isinstance(inputs, torch.Tensor) or inputs.ndim < 1 or len(inputs) < 1:
        raise InvalidInput("local: inputs are no tensor (N, …) with at least one example")
    module = copy.deepcopy(module).to(device="cpu", dtype=torch.float64).eval()
    chosen = _chosen(module, parameters)
    count = sum(parameter.numel() for _, parameter in chosen)
    estimate = 8 * count * (_SQUARES * count + 3 * _BLOCK + 4)
    _require(estimate, memory, count)
    derivative = _Derivative(module, chosen, count, memory, estimate)
    for one in _in_doubles(inputs):
        derivative.append(one)
    on_data, numbers = derivative.triangle(), derivative.numbers
    rank, gap = _rank(on_data)
    others = _others(inputs, fresh, count, numbers, random_state)
    for one in others:
        derivative.append(one)
    everywhere = derivative.triangle() if len(others) else None
    shares = _shares(chosen, on_data, everywhere, rank)
    return _answer(chosen, len(inputs), numbers, rank, gap, shares, derivative.most)


def _chosen(module: torch.nn.Module, names: Iterable[str] | None) -> list[tuple[str, torch.nn.Parameter]]:
    there = dict(module.named_parameters())
    wanted = list(there) if names is None else list(names)
    for name in wanted:
        if name not in there:
            raise InvalidInput(f"local: the module has no parameter {name}; it has {', '.join(list(there)[:8])}")
    if not wanted:
        raise InvalidInput("local: the module has no parameters")
    for parameter in there.values():
        parameter.requires_grad_(False)
    chosen = [(name, there[name].requires_grad_(True)) for name in wanted]
    return chosen


def _in_doubles(inputs: torch.Tensor) -> torch.Tensor:
    inputs = inputs.detach().to("cpu")
    return inputs.to(torch.float64) if inputs.is_floating_point() else inputs


def _require(estimate: float, memory: float | None, count: int) -> None:
    what, way = f"local: the derivative by {count} parameters (16 matrices of {count} x {count}, and a forward pass)", "ask about fewer by parameters=[...]"
    if memory is None:
        _core.require_memory(float(estimate), what, way)
    elif estimate > memory:
        raise MemoryFailure(f"{what} needs about {estimate:.3g} bytes; memory= allows {memory:.3g}; {way}")


class _Derivative:
    """J'J's triangular factor, of the rows so far: R with R'R = J'J, by Householder's reflections."""

    def __init__(self, module: torch.nn.Module, chosen: list[tuple[str, torch.nn.Parameter]], count: int, memory: float | None, estimate: float):
        self._module, self._parameters, self._count = module, [parameter for _, parameter in chosen], count
        self._memory, self.bytes = memory, int(estimate)
        self._factor: Doubles = np.zeros((0, count))
        self._waiting: list[Doubles] = []
        self._rows = 0
        self.numbers = 0
        self.most = self.bytes  # with what the forward pass keeps

    def append(self, one: torch.Tensor) -> None:
        """The rows of one example, each over its own norm; those of rounding noise are none."""
        outputs = self._outputs(one[None])
        rows_of_one = 8 * self._count * 4 * len(outputs)  # with what is scaled, and a factor's copies
        _require(self.bytes + rows_of_one, self._memory, self._count)
        self.most = max(self.most, self.bytes + rows_of_one)
        rows = np.zeros((len(outputs), self._count))
        for i, output in enumerate(outputs):
            slopes = torch.autograd.grad(output, self._parameters, retain_graph=i + 1 < len(outputs), allow_unused=True)
            flat = [torch.zeros(p.numel(), dtype=torch.float64) if s is None else s.reshape(-1) for p, s in zip(self._parameters, slopes)]
            rows[i] = torch.cat(flat).numpy()
        self.numbers += len(outputs)
        if not np.isfinite(rows).all():
            raise InvalidInput(f"local: a derivative is not finite, at output {self.numbers - len(outputs)} or behind it; look at its input")
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        seen = norms[:, 0] > _NOISE * norms.max()
        self._waiting.append(rows[seen] / norms[seen])
        self._rows += int(seen.sum())
        if self._rows >= _BLOCK:
            self.triangle()

    def triangle(self) -> Doubles:
        """The factor of all rows so far."""
        if self._waiting:
            self._factor = np.concatenate([self._factor, *self._waiting])
            self._waiting, self._rows = [], 0
            if len(self._factor) > self._count:
                self._factor = np.linalg.qr(self._factor, mode="r")
        return self._factor

    def _outputs(self, one: torch.Tensor) -> torch.Tensor:
        kept = 0
        refused: list[MemoryFailure] = []  # torch makes a RuntimeError of what is raised in a hook

        def keep(tensor: torch.Tensor) -> torch.Tensor:
            nonlocal kept
            kept += tensor.numel() * tensor.element_size()
            try:
                _require(self.bytes + kept, self._memory, self._count)
            except MemoryFailure as failure:
                refused.append(failure)
                raise
            self.most = max(self.most, self.bytes + kept)
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            try:
                outputs = self._module(one)
            except (RuntimeError, TypeError, ValueError, IndexError, AssertionError) as error:
                if refused:
                    raise refused[0] from None
                raise InvalidInput(f"local: the module does not take an input {tuple(one.shape)}: {first_line(error)}") from error
        if not isinstance(outputs, torch.Tensor) or not outputs.is_floating_point() or not outputs.requires_grad:
            raise InvalidInput(f"local: the module puts out {type(outputs).__name__}, expected one tensor of floating-point numbers that its parameters move")
        return outputs.reshape(-1)


def _others(inputs: torch.Tensor, fresh: torch.Tensor | int | None, count: int, numbers: int, random_state: Any) -> torch.Tensor:
    if isinstance(fresh, torch.Tensor):
        return _in_doubles(fresh)
    if fresh is None:
        fresh = -(-count * len(inputs) // max(numbers, 1)) + 1 if inputs.is_floating_point() else 0
    if fresh and not inputs.is_floating_point():
        raise InvalidInput("local: inputs of integers; pass other inputs by fresh=tensor")
    if fresh == 0:
        return inputs[:0]
    size = float(inputs.detach().to(torch.float64).square().mean().sqrt()) or 1.0
    drawn = np.random.default_rng(seed_of(random_state)).standard_normal((fresh, *inputs.shape[1:]))
    return torch.from_numpy(size * drawn)


def _scaled(factor: Doubles, norms: Doubles) -> Doubles:
    """Columns over their norms; those of rounding noise are none: scaled to 1 they would count as directions."""
    seen = norms > _NOISE * norms.max(initial=0.0)
    return np.where(seen, factor / np.where(seen, norms, 1.0), 0.0)


def _rank(factor: Doubles) -> tuple[int, Gap]:
    """As core/stack/numerical_rank: all singular values above 1e-11 of the largest, or those before the widest ratio."""
    sigma = np.linalg.svd(_scaled(factor, np.linalg.norm(factor, axis=0)), compute_uv=False)
    return _cut(sigma)


def _cut(sigma: Doubles) -> tuple[int, Gap]:
    if not len(sigma) or sigma[0] <= 0.0:
        return 0, Gap(0.0, 0.0)
    relative = sigma / sigma[0]
    rank = len(relative)
    if relative[-1] < _NOISE and len(relative) > 1:
        rank = 1 + int(np.argmax(relative[:-1] / np.maximum(relative[1:], 1e-18)))
    return rank, Gap(float(relative[rank - 1]), float(relative[rank]) if rank < len(relative) else 0.0)


@dataclass(frozen=True)
class _Shares:
    rank: int | None
    gap: Gap | None
    open: tuple[Share, ...]
    unseen: tuple[Share, ...]


def _shares(chosen: list[tuple[str, torch.nn.Parameter]], on_data: Doubles, everywhere: Doubles | None, rank: int) -> _Shares:
    """The kernel on the data, split into what all inputs see and what none does."""
    seen = on_data if everywhere is None else everywhere
    norms = np.linalg.norm(seen, axis=0)
    _, sigma, directions = np.linalg.svd(_scaled(seen, norms), full_matrices=True)
    total, gap = _cut(sigma)
    unseen = _by_name(chosen, directions[total:])
    if everywhere is None:
        return _Shares(None, None, (), unseen)
    if total <= rank:
        return _Shares(rank, gap, (), unseen)  # two scalings may cut by one apart: others see no less
    visible = directions[:total]
    within = np.linalg.svd(_scaled(on_data, norms) @ visible.T, full_matrices=True)[2]
    return _Shares(total, gap, _by_name(chosen, within[rank:] @ visible), unseen)


def _by_name(chosen: list[tuple[str, torch.nn.Parameter]], directions: Doubles) -> tuple[Share, ...]:
    if not len(directions):
        return ()
    of_entries = (directions**2).sum(axis=0) / len(directions)
    ends = np.cumsum([0, *(parameter.numel() for _, parameter in chosen)])
    shares = [Share(name, float(of_entries[ends[i] : ends[i + 1]].sum())) for i, (name, _) in enumerate(chosen)]
    return tuple(sorted((one for one in shares if one.share > _SHOWN), key=lambda one: -one.share))


def _in_words(shares: tuple[Share, ...]) -> str:
    return ", ".join(f"{one.parameters} ({round(100 * one.share)} %)" for one in shares)


def _answer(
    chosen: list[tuple[str, torch.nn.Parameter]], examples: int, numbers: int, rank: int, gap: Gap, found: _Shares, estimate: int
) -> LocalRank:
    count = sum(parameter.numel() for _, parameter in chosen)
    opened = None if found.rank is None else found.rank - rank
    verdict = "rank_only" if opened is None else "numerically_open" if opened else "numerically_locally_determined"
    sentence = {
        "rank_only": "the rank on these inputs; without others nothing says whether more is there",
        "numerically_open": f"open in {opened} direction{'s' if opened != 1 else ''} near these parameters, as doubles see it, which proves nothing",
        "numerically_locally_determined": "numerically locally determined: as doubles see it, which proves nothing",
    }[verdict]
    lines = [
        ("verdict", sentence),
        ("parameters", str(count)),
        ("num examples", f"{examples}, {numbers} numbers"),
        ("rank", f"{rank} of the derivative on the inputs"),
        ("gap", f"singular values {gap.last:.4g} and {gap.next:.4g} of the largest stand about it"),
    ]
    if found.rank is not None and found.gap is not None:
        lines.append(("rank at model", f"{found.rank} with other inputs; {found.gap.last:.4g} and {found.gap.next:.4g} stand about it"))
    if found.open:
        lines.append(("open", _in_words(found.open)))
    if found.unseen:
        lines.append(("unseen", f"{_in_words(found.unseen)}: no input sees these directions"))
    text = "".join(f"{label:<15}{line}\n" for label, line in lines)
    said: dict[str, Any] = {
        "verdict": verdict, "parameters": count, "examples": examples, "numbers": numbers, "rank": rank, "gap": gap._asdict(),
        "rank_at_model": found.rank, "gap_at_model": None if found.gap is None else found.gap._asdict(), "open_directions": opened,
        "open": [one._asdict() for one in found.open], "unseen": [one._asdict() for one in found.unseen], "bytes": estimate,
    }
    return LocalRank(verdict, count, examples, numbers, rank, gap, found.rank, found.gap, opened, found.open, found.unseen, estimate, text, said)
