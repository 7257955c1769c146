"""PyTorch: modules to models and stacks and back, what inputs determine of any module, and least squares where the tensors are.

Imports torch, as nothing else of Attest does.
"""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np
import torch

from ._torch_local import LocalRank, local
from ._torch_stack import stack_of
from .errors import InvalidInput
from .estimators import LinearAttention
from .stack import Readout, Stack

__all__ = ["Attention", "FeatureOperator", "Iterated", "LocalRank", "fit", "from_module", "local", "to_module"]


@overload
def from_module(
    module: torch.nn.Sequential, *, num_heads: int | None = None, scale: float | None = None, readout: Readout = "all"
) -> Stack: ...


@overload
def from_module(
    module: torch.nn.Module, *, num_heads: int | None = None, scale: float | None = None, average: int | None = None, softmax: bool = True
) -> LinearAttention: ...


def from_module(
    module: torch.nn.Module,
    *,
    num_heads: int | None = None,
    scale: float | None = None,
    average: int | None = None,
    softmax: bool = True,
    readout: Readout = "all",
) -> LinearAttention | Stack:
    """The model that a trained layer is when its softmax is left out, Q_h = scale W_K' W_Q, V_h = W_O W_V; of an nn.Sequential the stack that it is.

    A Sequential holds modules from (N, n, d) to (N, n, d). Each layer is attention (a module around MultiheadAttention with batch_first=True, or Linear
    layers q_proj … o_proj, or q … o), perhaps with an MLP of two Linear layers behind it and RMSNorm before both, in one module or in several. Softmax,
    residual connections, a causal mask and the activation are found by running the modules in float64: a layer is taken only if the stack puts out the
    same to 1e-12 on random tokens of several lengths. Everything else is refused by name.

    Parameters
    ----------
    module : torch.nn.MultiheadAttention, or a module with bias-free Linear layers q_proj, k_proj, v_proj, o_proj, or q, k, v, o
        Decays and gates are not seen: such a layer's weights are for `attest import`.
    num_heads : int
        Of a module with Linear layers; MultiheadAttention knows its own.
    scale : float, optional
        Factor of query-key products. Unless given, 1 for q, k, v, o; for q_proj and MultiheadAttention 1/sqrt(key size), as in `attest import`.
    average : int, optional
        The number n of tokens that the layer averages over: V is divided by it. The model is then the layer on n tokens only.
    softmax : bool
        MultiheadAttention applies a softmax, which no linear layer does; pass False where its weights are used without.
    readout : "all" or "last"
        Of a stack: which tokens are outputs.

    Raises
    ------
    InvalidInput
        For a bias or a softmax of a single layer, for any other weight, for shapes that do not fit, for a module that computes something else.
    """
    if isinstance(module, torch.nn.Sequential):
        if average is not None or not softmax:
            raise InvalidInput("from_module: average and softmax are of a single layer; a Sequential is taken as it runs")
        return stack_of(module, num_heads, scale, readout)
    if readout != "all":
        raise InvalidInput("from_module: readout is of a stack; put the layers into an nn.Sequential")
    if average is not None and average < 1:
        raise InvalidInput(f"from_module: average is {average}, expected a number of tokens")
    if isinstance(module, torch.nn.MultiheadAttention):
        if softmax:
            raise InvalidInput(
                "from_module: MultiheadAttention applies a softmax; attest distil finds the best linear layer in its place; pass softmax=False if its "
                "weights are used without it, or an nn.Sequential of layers for a stack"
            )
        q, k, v, o = _weights_of_attention(module)
        heads, scaled = module.num_heads, True
    else:
        scaled = hasattr(module, "q_proj")
        names = ("q_proj", "k_proj", "v_proj", "o_proj") if scaled else ("q", "k", "v", "o")
        q, k, v, o = (_weight(module, name) for name in names)
        _nothing_else(module, names)
        if num_heads is None:
            raise InvalidInput(f"from_module: num_heads is missing; {', '.join(names)} do not tell")
        heads = num_heads
    if heads < 1 or len(q) % heads or len(v) % heads or q.shape != k.shape or o.shape[1] != len(v) or v.shape[1] != q.shape[1]:
        raise InvalidInput(f"from_module: got q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)}, o {tuple(o.shape)} for {heads} heads")
    q = q * ((heads / len(q)) ** 0.5 if scale is None and scaled else 1.0 if scale is None else scale)
    split = [part.reshape(heads, -1, part.shape[1]) for part in (q, k, v)]
    outputs = o.reshape(len(o), heads, -1).permute(1, 0, 2)
    return LinearAttention.from_heads((outputs @ split[2] / (average or 1)).numpy(), (split[1].transpose(1, 2) @ split[0]).numpy())


def _double(weight: torch.Tensor) -> torch.Tensor:
    return weight.detach().to(device="cpu", dtype=torch.float64)


def _no_bias(found: Any, name: str) -> None:
    if found is not None:
        raise InvalidInput(f"from_module: {name} has a bias, which linear attention has not; make it with bias=False")


def _weight(module: torch.nn.Module, name: str) -> torch.Tensor:
    layer = getattr(module, name, None)
    if not isinstance(layer, torch.nn.Linear):
        raise InvalidInput(
            f"from_module: expected MultiheadAttention, or Linear layers q_proj, k_proj, v_proj and o_proj, or q, k, v and o; {name} is "
            f"{type(layer).__name__}"
        )
    _no_bias(layer.bias, name)
    return _double(layer.weight)


def _nothing_else(module: torch.nn.Module, names: tuple[str, ...]) -> None:
    """A norm, gate or convolution makes another function."""
    for name, _ in module.named_parameters():
        if name.split(".")[0] not in names:
            raise InvalidInput(
                f"from_module: {name} is no weight of linear attention; save the weights and use attest import, which says what to record instead"
            )


def _weights_of_attention(module: torch.nn.MultiheadAttention) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    for bias in ("in_proj_bias", "bias_k", "bias_v"):
        _no_bias(getattr(module, bias), bias)
    _no_bias(module.out_proj.bias, "out_proj")
    if module.in_proj_weight is not None:
        q, k, v = _double(module.in_proj_weight).chunk(3)
    else:
        q, k, v = (_double(getattr(module, f"{name}_proj_weight")) for name in "qkv")
    return q, k, v, _double(module.out_proj.weight)


class Attention(torch.nn.Module):  # type: ignore[misc]  # torch is not followed
    """Linear attention with heads V (H, o, d) and Q (H, d, d): tokens (N, n, d) to outputs (N, o), the last token asking."""

    def __init__(self, V: torch.Tensor, Q: torch.Tensor):
        super().__init__()
        self.V = torch.nn.Parameter(V)
        self.Q = torch.nn.Parameter(Q)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Sum over the heads of V Z Z' Q z."""
        asked = torch.einsum("hef,if->ihe", self.Q, tokens[:, -1])
        summed = torch.einsum("ind,ine,ihe->ihd", tokens, tokens, asked)
        return torch.einsum("hod,ihd->io", self.V, summed)


def to_module(model: LinearAttention, dtype: torch.dtype | None = None, device: Any = None) -> Attention:
    """A torch module that computes the model, with state_dict keys V and Q.

    Raises
    ------
    InvalidInput
        For another layer than the paper's.
    """
    if model.layer != "linear" or model.V_ is None or model.Q_ is None:
        raise InvalidInput(f"to_module: the layer is {model.layer}; only linear has a module")
    V, Q = (torch.tensor(heads, dtype=dtype or torch.float64, device=device) for heads in (model.V_, model.Q_))
    return Attention(V, Q)


class FeatureOperator:
    """The N x psi matrix of the cubic features without forming it: its rows are s x u, s the entries j <= k of Z Z', u the last token.

    Computes where the tokens are: on their device, in their type. The coordinates are those of the norm of Sym W, in which pairs count by
    sqrt(2): coefficients in Attest's order are `scale` times these.

    Parameters
    ----------
    tokens : tensor (N, n, d)
    """

    def __init__(self, tokens: torch.Tensor):
        d = tokens.shape[2]
        rows, columns = torch.triu_indices(d, d, offset=1, device=tokens.device)
        moments = tokens.transpose(1, 2) @ tokens
        pairs, squares = moments[:, rows, columns], torch.diagonal(moments, dim1=1, dim2=2)
        self.s = torch.cat([2**0.5 * pairs, squares], dim=1)  # (N, q)
        self.u = tokens[:, -1]  # (N, d)
        self.psi = self.s.shape[1] * d
        self.scale = torch.ones(self.psi, 1, dtype=tokens.dtype, device=tokens.device)
        self.scale[: pairs.shape[1] * d] = 2**0.5

    def apply(self, P: torch.Tensor) -> torch.Tensor:
        """H P: (psi, o) to (N, o)."""
        products = self.s @ P.reshape(self.s.shape[1], -1)
        return torch.einsum("nlo,nl->no", products.reshape(len(self.s), self.u.shape[1], -1), self.u)

    def apply_transposed(self, r: torch.Tensor) -> torch.Tensor:
        """H' r: (N, o) to (psi, o)."""
        weighted = torch.einsum("nl,no->nlo", self.u, r).flatten(1)
        return (self.s.T @ weighted).reshape(self.psi, -1)


class Iterated(NamedTuple):
    """What `fit` found: the model, the iterations, and the largest gradient left, relative to the first, over the outputs."""

    model: LinearAttention
    iterations: int
    gradient: float


def fit(tokens: torch.Tensor, y: torch.Tensor, *, ridge: float = 0.0, tolerance: float = 1e-14, max_iterations: int = 10000) -> Iterated:
    """Least squares by conjugate gradients (Hestenes and Stiefel's CGLS) on the tensors' device, without the N x psi matrix.

    From zero, so it tends to the minimiser of least norm of Sym W. No error is assured, as `LinearAttention` assures one: look at `gradient`.

    Parameters
    ----------
    tokens : tensor (N, n, d)
    y : tensor (N, o)
    ridge : float
        Adds ridge times the squared norm of Sym W to the mean squared error.
    tolerance : float
        Of the gradient, relative to the first one.
    max_iterations : int

    Raises
    ------
    InvalidInput
        Where the shapes do not fit, and for numbers that are not finite or whose squares leave the type's range.
    """
    if tokens.ndim != 3 or y.ndim != 2 or len(y) != len(tokens):
        raise InvalidInput(f"fit: got tokens {tuple(tokens.shape)} and y {tuple(y.shape)}, expected (N, n, d) and (N, o)")
    with torch.no_grad():
        operator = FeatureOperator(tokens)
        penalty = ridge * len(tokens)
        P = torch.zeros(operator.psi, y.shape[1], dtype=tokens.dtype, device=tokens.device)
        residual = y.to(P)
        gradient = operator.apply_transposed(residual)
        direction, power = gradient, gradient.square().sum(0)
        first, done = power, 0
        while done < max_iterations and bool((power > tolerance**2 * first).any()):
            image = operator.apply(direction)
            curvature = image.square().sum(0) + penalty * direction.square().sum(0)
            alpha = torch.where(curvature > 0, power / curvature, torch.zeros_like(power))
            P = P + alpha * direction
            residual = residual - alpha * image
            gradient = operator.apply_transposed(residual) - penalty * P
            before, power = power, gradient.square().sum(0)
            direction = gradient + torch.where(before > 0, power / before, torch.zeros_like(power)) * direction
            done += 1
        if not bool(torch.isfinite(P).all() and torch.isfinite(first).all() and torch.isfinite(power).all()):
            raise InvalidInput(f"fit: tokens or y hold a NaN or an infinity, or leave the range of {tokens.dtype}: take them out, or scale them")
        left = torch.where(first > 0, power / first, torch.zeros_like(power)).max()
    return Iterated(_model_of((operator.scale * P).T), done, float(left.sqrt()))


def _model_of(coefficients: torch.Tensor) -> LinearAttention:
    """The model of coefficients (o, psi): one head for every output a and coordinate j, V = e_a e_j', whose Q holds those of z_j z_k, k >= j."""
    entries = _double(coefficients).numpy()
    o, d = len(entries), round((2 * entries.shape[1]) ** (1 / 3))
    while d * d * (d + 1) // 2 > entries.shape[1]:
        d -= 1
    rows, columns = np.triu_indices(d, 1)
    table = np.zeros((o, d, d, d))
    blocks = entries.reshape(o, -1, d)
    table[:, rows, columns] = blocks[:, : len(rows)]
    table[:, np.arange(d), np.arange(d)] = blocks[:, len(rows) :]
    V = np.einsum("ab,jk->ajbk", np.eye(o), np.eye(d)).reshape(o * d, o, d)
    return LinearAttention.from_heads(V, table.reshape(o * d, d, d))
