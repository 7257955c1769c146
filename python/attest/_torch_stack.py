"""An nn.Sequential as a stack: its parts are read by their types and names, and what they do not tell is settled by running them."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import torch

from ._arrays import Doubles, first_line
from .errors import InvalidInput
from .stack import Activation, Norm, Readout, Stack, StackLayer

_TOLERANCE = 1e-12
_LENGTHS = (1, 2, 5)
_PROJECTIONS = (("q_proj", "k_proj", "v_proj", "o_proj"), ("q", "k", "v", "o"))
_HEADS = ("num_heads", "heads", "n_heads", "nhead", "num_attention_heads")
_EPSILONS = ("eps", "epsilon", "variance_epsilon")
_ACTIVATIONS: dict[str, Activation] = {"GELU": "gelu", "ReLU": "relu"}
_HOOK = "hook what it puts out as the tokens, and pass the layers behind it"


class _Part(NamedTuple):
    """A module that is understood: attention, linear, norm or activation."""

    kind: str
    name: str
    module: torch.nn.Module


@dataclass
class _Unit:
    """Consecutive modules that make one layer."""

    modules: list[torch.nn.Module] = field(default_factory=list)
    parts: list[_Part] = field(default_factory=list)
    name: str = ""

    def of(self, kind: str) -> list[_Part]:
        return [part for part in self.parts if part.kind == kind]


@dataclass(frozen=True)
class _Read:
    """What the parts of a layer say: its architecture, as far as they do, its arrays under the names of a file, and what is left to try."""

    layer: StackLayer
    arrays: dict[str, Doubles]
    scales: tuple[float, ...]
    scores: tuple[str, ...]
    activations: tuple[Activation, ...]


def stack_of(module: torch.nn.Sequential, num_heads: int | None, scale: float | None, readout: Readout) -> Stack:
    """The stack that an nn.Sequential is; see attest.torch.from_module."""
    module = copy.deepcopy(module).to(device="cpu", dtype=torch.float64).eval().requires_grad_()
    units, final = _units(module)
    generator = torch.Generator().manual_seed(0)
    layers: list[StackLayer] = []
    arrays: dict[str, Doubles] = {}
    d = 0
    for number, unit in enumerate(units):
        read = _read(unit, num_heads, scale)
        size = read.arrays["groups.0.K"].shape[1]
        if number and size != d:
            raise InvalidInput(f"from_module: {unit.name} reads tokens of {size} numbers, those before it put out {d}")
        d = size
        layer, found = _settled(unit, read, d, generator)
        layers.append(layer)
        arrays.update({f"layers.{number}.{name}": array for name, array in found.items()})
    norm, epsilon = _final_norm(final, d, arrays)
    stack = Stack(layers, arrays, d=d, readout=readout, final_norm=norm, final_epsilon=epsilon)
    whole = Stack(layers, arrays, d=d, final_norm=norm, final_epsilon=epsilon)
    if not _agrees(whole, module, d, generator, len(layers) * _TOLERANCE):
        raise InvalidInput(f"from_module: the {len(layers)} layers agree one by one, and not behind each other: does the module do more than call them in turn?")
    return stack


def _units(module: torch.nn.Sequential) -> tuple[list[_Unit], list[_Part]]:
    """The modules by layer, and a norm behind the last one."""
    units: list[_Unit] = []
    waiting = _Unit()  # a norm that stands before attention
    for name, child in _flat(module, ""):
        parts = list(_parts(child, name))
        if any(part.kind == "attention" for part in parts):
            if len([part for part in parts if part.kind == "attention"]) > 1:
                raise InvalidInput(f"from_module: {name} holds several attentions; put them into the Sequential one by one")
            units.append(_Unit([*waiting.modules, child], [*waiting.parts, *parts], name))
            waiting = _Unit()
        elif any(part.kind == "norm" for part in parts) and len(parts) == 1:
            waiting.modules.append(child)
            waiting.parts.extend(parts)
        elif not units:
            raise InvalidInput(f"from_module: {name} ({type(child).__name__}) stands before any attention, where a stack has nothing; {_HOOK}")
        else:
            units[-1].modules.extend([*waiting.modules, child])
            units[-1].parts.extend([*waiting.parts, *parts])
            waiting = _Unit()
    if not units:
        raise InvalidInput("from_module: the Sequential holds no attention: MultiheadAttention in a module of its own, or Linear layers q_proj … o_proj")
    return units, waiting.parts


def _flat(module: torch.nn.Module, prefix: str) -> Iterator[tuple[str, torch.nn.Module]]:
    for name, child in module.named_children():
        if isinstance(child, torch.nn.Sequential):
            yield from _flat(child, f"{prefix}{name}.")
        elif not isinstance(child, (torch.nn.Identity, torch.nn.Dropout)):
            yield f"{prefix}{name}", child


def _parts(module: torch.nn.Module, name: str) -> Iterator[_Part]:
    """The parts of a module in the order in which it was given them; refuses by name what is none."""
    kind = type(module).__name__
    own = dict(module.named_parameters(recurse=False))
    if isinstance(module, torch.nn.MultiheadAttention) or _projections(module):
        yield _Part("attention", name, module)
    elif isinstance(module, torch.nn.Linear):
        yield _Part("linear", name, module)
    elif "RMSNorm" in kind and all(parameter.ndim == 1 for parameter in own.values()) and len(own) <= 1:
        yield _Part("norm", name, module)
    elif "Norm" in kind:
        raise InvalidInput(f"from_module: {name} is {kind}, which no stack has: its norm is x / sqrt(mean x^2 + eps), RMSNorm; {_HOOK}")
    elif own:
        raise InvalidInput(f"from_module: {name}.{next(iter(own))} is no parameter of a stack ({kind}); {_HOOK}")
    elif isinstance(module, (torch.nn.Identity, torch.nn.Dropout)):
        return
    elif not list(module.children()):
        yield _Part("activation", name, module)
    else:
        for child, inner in module.named_children():
            yield from _parts(inner, f"{name}.{child}")


def _projections(module: torch.nn.Module) -> tuple[str, ...]:
    """The names of the four Linear layers of attention; none where it is something else."""
    for names in _PROJECTIONS:
        if all(isinstance(getattr(module, name, None), torch.nn.Linear) for name in names):
            return names
    return ()


class _Weights(NamedTuple):
    """Rows of all heads one below the other, and biases or None."""

    q: Doubles
    k: Doubles
    v: Doubles
    o: Doubles
    biases: tuple[Doubles | None, ...]


def _numbers(tensor: torch.Tensor) -> Doubles:
    return np.array(tensor.detach().numpy(), dtype=np.float64)


def _attention(part: _Part) -> _Weights:
    module, name = part.module, part.name
    if isinstance(module, torch.nn.MultiheadAttention):
        if module.bias_k is not None or module.add_zero_attn:
            raise InvalidInput(f"from_module: {name}: add_bias_kv and add_zero_attn add tokens, which no stack has; make it without")
        if module.in_proj_weight is not None:
            q, k, v = (_numbers(each) for each in module.in_proj_weight.chunk(3))
        else:
            q, k, v = (_numbers(getattr(module, f"{letter}_proj_weight")) for letter in "qkv")
        packed = [None] * 3 if module.in_proj_bias is None else [_numbers(each) for each in module.in_proj_bias.chunk(3)]
        out = module.out_proj
        return _Weights(q, k, v, _numbers(out.weight), (*packed, None if out.bias is None else _numbers(out.bias)))
    names = _projections(module)
    for inner, _ in module.named_parameters():
        if inner.split(".")[0] not in names:
            raise InvalidInput(f"from_module: {name}.{inner} is no parameter of a stack's attention; {_HOOK}")
    layers = [getattr(module, each) for each in names]
    weights = [_numbers(layer.weight) for layer in layers]
    return _Weights(*weights, tuple(None if layer.bias is None else _numbers(layer.bias) for layer in layers))


def _heads_of(part: _Part, num_heads: int | None) -> int:
    for attribute in _HEADS:
        if isinstance(getattr(part.module, attribute, None), int):
            return int(getattr(part.module, attribute))
    if num_heads is None:
        raise InvalidInput(f"from_module: {part.name} does not tell its heads; pass num_heads, or give it an attribute num_heads")
    return num_heads


def _read(unit: _Unit, num_heads: int | None, scale: float | None) -> _Read:
    """The architecture and the arrays of one layer, but for what only running it tells."""
    (attention,) = unit.of("attention")
    weights = _attention(attention)
    heads = _heads_of(attention, num_heads)
    sizes = {name: tuple(matrix.shape) for name, matrix in zip("qkvo", weights)}
    d, a = weights.q.shape[1], len(weights.q) // max(heads, 1)
    groups = len(weights.k) // a if a else 0
    fits = heads >= 1 and a >= 1 and groups >= 1 and len(weights.q) == heads * a and len(weights.k) == groups * a and heads % groups == 0
    v = len(weights.v) // groups if fits else 0
    if not fits or v < 1 or len(weights.v) != groups * v or weights.o.shape != (d, heads * v) or weights.k.shape[1] != d or weights.v.shape[1] != d:
        raise InvalidInput(f"from_module: {attention.name}: got {sizes} for {heads} heads, expected rows of q, k and v that they divide, and {d} outputs")
    arrays: dict[str, Doubles] = {}
    for g in range(groups):
        arrays[f"groups.{g}.K"], arrays[f"groups.{g}.V"] = weights.k[g * a : (g + 1) * a], weights.v[g * v : (g + 1) * v]
        for letter, bias, size in (("key", weights.biases[1], a), ("value", weights.biases[2], v)):
            if bias is not None:
                arrays[f"groups.{g}.{letter}_bias"] = bias[g * size : (g + 1) * size]
    for h in range(heads):
        arrays[f"heads.{h}.Q"], arrays[f"heads.{h}.O"] = weights.q[h * a : (h + 1) * a], weights.o[:, h * v : (h + 1) * v]
        if weights.biases[0] is not None:
            arrays[f"heads.{h}.query_bias"] = weights.biases[0][h * a : (h + 1) * a]
    if weights.biases[3] is not None:
        arrays["output_bias"] = weights.biases[3]
    there = [bias is not None for bias in weights.biases]
    layer = StackLayer(
        heads=heads, key_size=a, groups=groups, value_size=v, query_bias=there[0], key_bias=there[1], value_bias=there[2], output_bias=there[3]
    )
    packed = isinstance(attention.module, torch.nn.MultiheadAttention)
    usual = 1.0 / a**0.5  # as attest import rounds it
    scales = (usual,) if packed else (usual, 1.0) if scale is None else (scale,)
    layer, activations = _with_mlp(unit, layer, d, arrays)
    return _Read(_with_norms(unit, layer, d, arrays), arrays, scales, ("softmax",) if packed else ("linear", "softmax"), activations)


def _with_mlp(unit: _Unit, layer: StackLayer, d: int, arrays: dict[str, Doubles]) -> tuple[StackLayer, tuple[Activation, ...]]:
    linear, between = unit.of("linear"), unit.of("activation")
    if not linear:
        if between:
            raise InvalidInput(f"from_module: {between[0].name} stands alone; an activation belongs between the two Linear layers of an MLP")
        return layer, ("none",)
    first, last = linear[0].module, linear[-1].module
    width = first.out_features
    if len(linear) != 2 or (first.in_features, last.in_features, last.out_features) != (d, width, d):
        said = ", ".join(f"{part.name} {tuple(part.module.weight.shape)}" for part in linear)
        raise InvalidInput(f"from_module: got {said} behind attention, expected two Linear layers, {d} to m and m to {d}; {_HOOK}")
    if (first.bias is None) != (last.bias is None):
        raise InvalidInput(f"from_module: one of {linear[0].name} and {linear[1].name} has a bias; a stack's MLP has both or none")
    if len(between) > 1:
        raise InvalidInput(f"from_module: {between[1].name} is a second activation in one layer; {_HOOK}")
    arrays["mlp.W1"], arrays["mlp.W2"] = _numbers(first.weight), _numbers(last.weight)
    if first.bias is not None:
        arrays["mlp.b1"], arrays["mlp.b2"] = _numbers(first.bias), _numbers(last.bias)
    known = _ACTIVATIONS.get(type(between[0].module).__name__) if between else None
    tried: tuple[Activation, ...] = ("gelu", "relu", "square", "cube")
    return replace(layer, width=width, mlp_biases=first.bias is not None), tried if known is None else (known,)


def _gain(part: _Part, d: int) -> tuple[Norm, float, Doubles | None]:
    parameters = list(part.module.parameters())
    epsilon = next((float(getattr(part.module, name)) for name in _EPSILONS if getattr(part.module, name, None) is not None), None)
    if epsilon is None:
        raise InvalidInput(f"from_module: {part.name} does not tell its epsilon; give it an attribute eps")
    if not parameters:
        return "rms-plain", epsilon, None
    if tuple(parameters[0].shape) != (d,):
        raise InvalidInput(f"from_module: {part.name} has a gain of shape {tuple(parameters[0].shape)}, expected ({d},)")
    return "rms", epsilon, _numbers(parameters[0])


def _with_norms(unit: _Unit, layer: StackLayer, d: int, arrays: dict[str, Doubles]) -> StackLayer:
    """The first norm stands before attention, the second before the MLP, and both are alike: else it is no layer of a stack."""
    norms = unit.of("norm")
    places = 2 if layer.width else 1
    if not norms:
        return layer
    if len(norms) != places:
        said = ", ".join(part.name for part in norms)
        raise InvalidInput(f"from_module: {unit.name} has {len(norms)} norms ({said}), expected none or {places}: before attention, and before the MLP")
    found = [_gain(part, d) for part in norms]
    if len({(norm, epsilon) for norm, epsilon, _ in found}) > 1:
        raise InvalidInput(f"from_module: {norms[0].name} and {norms[1].name} differ in epsilon or gain; the norms of a layer are alike")
    for name, (_, _, gain) in zip(("gain", "mlp.gain"), found):
        if gain is not None:
            arrays[name] = gain
    return replace(layer, norm=found[0][0], epsilon=found[0][1])


def _final_norm(parts: list[_Part], d: int, arrays: dict[str, Doubles]) -> tuple[Norm, float]:
    if not parts:
        return "none", 0.0
    if len(parts) > 1:
        raise InvalidInput(f"from_module: {parts[1].name} is a second norm behind the last layer; a stack has one")
    norm, epsilon, gain = _gain(parts[0], d)
    if gain is not None:
        arrays["final.gain"] = gain
    return norm, epsilon


def _settled(unit: _Unit, read: _Read, d: int, generator: torch.Generator) -> tuple[StackLayer, dict[str, Doubles]]:
    """The one way of residual, mask, score, scale and activation in which the layer computes what its modules do."""
    together = torch.nn.Sequential(*unit.modules)
    found = []
    for score, causal, residual, mlp, scale in itertools.product(read.scores, (False, True), (False, True), read.activations, sorted(set(read.scales))):
        layer = replace(read.layer, score=score, causal=causal, residual=residual, mlp=mlp)
        scaled = {name: array * scale if name.endswith((".Q", ".query_bias")) else array for name, array in read.arrays.items()}
        stack = Stack([layer], {f"layers.0.{name}": array for name, array in scaled.items()}, d=d)
        if _agrees(stack, together, d, generator, _TOLERANCE):
            found.append((layer, scaled))
    if len(found) == 1:
        return found[0]
    if found:
        same = "; ".join(f"score {one.score}, causal {one.causal}, residual {one.residual}, mlp {one.mlp}" for one, _ in found[:2])
        raise InvalidInput(
            f"from_module: with the weights of {unit.name} {len(found)} kinds of layer put out the same, as {same}: they do not tell which it "
            "is; build the Stack yourself"
        )
    tried = f"scores {' or '.join(read.scores)}, causal or not, residual or not" + (f", {' or '.join(read.activations)}" if read.layer.width else "")
    raise InvalidInput(
        f"from_module: {unit.name} computes something else than a layer with its weights, for {tried}; it must map (N, n, d) to (N, n, d) "
        "(MultiheadAttention with batch_first=True); what else it does no stack has"
    )


def _agrees(stack: Stack, module: torch.nn.Module, d: int, generator: torch.Generator, tolerance: float) -> bool:
    """Whether both put out the same on random tokens, of several lengths and sizes."""
    for length in _LENGTHS:
        tokens = torch.randn(3, length, d, dtype=torch.float64, generator=generator)
        tokens[1] *= 2.0
        try:
            with torch.enable_grad():  # without, MultiheadAttention of torch 1.13 takes a short cut that fails on bias=False
                theirs = module(tokens)
        except (RuntimeError, TypeError, ValueError, IndexError, AssertionError) as error:
            raise InvalidInput(f"from_module: the module does not take tokens (3, {length}, {d}): {first_line(error)}") from error
        if not isinstance(theirs, torch.Tensor) or theirs.shape != tokens.shape:
            return False
        expected = theirs.detach().numpy().transpose(0, 2, 1)
        ours = np.asarray(stack.predict(tokens.numpy().transpose(0, 2, 1)))
        if not np.abs(ours - expected).max() <= tolerance * np.abs(expected).max():
            return False
    return True
