"""Modules of PyTorch as stacks, and the rank of any module's derivative."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="scripts/setup --with peers installs it")

from conftest import as_users_run_it  # noqa: E402

import attest  # noqa: E402
from attest.torch import from_module, local  # noqa: E402

DOUBLE = {"dtype": torch.float64}


class Attention(torch.nn.Module):
    """The layer of docs/your-layer.md, with what it may have besides."""

    def __init__(self, d, heads, size=None, *, bias=False, softmax=False, causal=True, residual=False, scaled=True, shared=None, names="{}_proj"):
        super().__init__()
        self.heads, self.softmax, self.causal, self.residual, self.scaled, self.shared = heads, softmax, causal, residual, scaled, shared or heads
        size = size or d // heads
        for letter, rows in zip("qkv", (heads, self.shared, self.shared)):
            setattr(self, names.format(letter), torch.nn.Linear(d, rows * size, bias=bias, **DOUBLE))
        setattr(self, names.format("o"), torch.nn.Linear(heads * size, d, bias=bias, **DOUBLE))
        self.names = names

    def forward(self, x):
        q, k, v = (getattr(self, self.names.format(c))(x).unflatten(-1, (n, -1)) for c, n in zip("qkv", (self.heads, self.shared, self.shared)))
        k, v = (part.repeat_interleave(self.heads // self.shared, dim=2) for part in (k, v))
        scores = torch.einsum("ithc,ishc->ihts", q, k) * (q.shape[-1] ** -0.5 if self.scaled else 1.0)
        if self.softmax:
            hidden = torch.ones_like(scores).triu(1).bool() if self.causal else torch.zeros_like(scores).bool()
            scores = scores.masked_fill(hidden, -torch.inf).softmax(-1)
        elif self.causal:
            scores = scores.tril()
        y = getattr(self, self.names.format("o"))(torch.einsum("ihts,ishc->ithc", scores, v).flatten(-2))
        return x + y if self.residual else y


class SelfAttention(torch.nn.Module):
    def __init__(self, d, heads, *, residual=False, causal=False, **keywords):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(d, heads, **{"batch_first": True, **DOUBLE, **keywords})
        self.residual, self.causal = residual, causal

    def forward(self, x):
        mask = torch.ones(x.shape[1], x.shape[1]).triu(1).bool() if self.causal else None
        y = self.attention(x, x, x, need_weights=False, attn_mask=mask)[0]
        return x + y if self.residual else y


class RMSNorm(torch.nn.Module):
    def __init__(self, d, eps=1e-6, gain=True):
        super().__init__()
        self.eps = eps
        self.weight = torch.nn.Parameter(1 + torch.randn(d, **DOUBLE) / 4) if gain else 1.0

    def forward(self, x):
        return self.weight * x / (x.square().mean(-1, keepdim=True) + self.eps).sqrt()


class Mlp(torch.nn.Module):
    def __init__(self, d, width, activation, bias=True):
        super().__init__()
        self.fc1, self.fc2 = torch.nn.Linear(d, width, bias=bias, **DOUBLE), torch.nn.Linear(width, d, bias=bias, **DOUBLE)
        self.activation = activation

    def forward(self, x):
        return self.fc2(self.activation(self.fc1(x)))


class Residual(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return x + self.inner(x)


class Block(torch.nn.Module):
    """A transformer's layer, norms before."""

    def __init__(self, d, heads, width, activation):
        super().__init__()
        self.norm1, self.attn, self.norm2, self.mlp = RMSNorm(d), SelfAttention(d, heads, causal=True), RMSNorm(d), Mlp(d, width, activation)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


def linear(d, width):
    return torch.nn.Linear(d, width, **DOUBLE)


def square(x):
    return x * x


GELU, RELU = torch.nn.GELU, torch.nn.ReLU
MODULES = {
    "linear": lambda: [Attention(4, 2), Attention(4, 2)],
    "q, k, v, o": lambda: [Attention(4, 2, names="{}", scaled=False, causal=False), Attention(4, 2, names="{}", scaled=False, causal=False)],
    "softmax, residual, biases": lambda: [Attention(4, 2, softmax=True, residual=True, bias=True), Attention(4, 1, softmax=True, residual=True, bias=True)],
    "other sizes": lambda: [Attention(3, 2, 5, causal=False), Attention(3, 4, 1)],
    "shared keys": lambda: [Attention(4, 4, 2, shared=2, softmax=True)],
    "MultiheadAttention": lambda: [SelfAttention(4, 2), SelfAttention(4, 2, bias=False, residual=True, causal=True), SelfAttention(4, 1, bias=False)],
    "an MLP in the Sequential": lambda: [Attention(4, 2), linear(4, 7), GELU(), linear(7, 4), torch.nn.Dropout(0.5), Attention(4, 2, residual=True)],
    "an MLP of its own": lambda: [Residual(Attention(4, 2)), Residual(Mlp(4, 3, square)), SelfAttention(4, 1), Mlp(4, 3, torch.relu, bias=False)],
    "blocks": lambda: [torch.nn.Sequential(Block(4, 2, 6, torch.nn.functional.gelu), Block(4, 1, 5, torch.relu)), torch.nn.Identity(), RMSNorm(4)],
    "norms before": lambda: [RMSNorm(4, gain=False), Attention(4, 2, softmax=True), RMSNorm(4, gain=False), linear(4, 5), RELU(), linear(5, 4)],
}


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("seed", range(3))
def test_a_stack_puts_out_what_the_module_does(name, seed):
    torch.manual_seed(seed)
    module = torch.nn.Sequential(*MODULES[name]())
    stack = from_module(module)
    tokens = torch.randn(7, 9, stack.d, **DOUBLE)
    expected = module.eval()(tokens).detach().numpy().transpose(0, 2, 1)
    ours = stack.predict(tokens.numpy().transpose(0, 2, 1))
    assert np.abs(ours - expected).max() <= 1e-12 * max(1.0, np.abs(expected).max())
    assert stack.num_parameters == sum(parameter.numel() for parameter in module.parameters())
    last = from_module(module, readout="last")
    assert np.array_equal(last.predict(tokens.numpy().transpose(0, 2, 1)), ours[:, :, -1])


def test_weights_in_single_precision_are_taken_exactly_and_the_module_stays_as_it_was():
    module = torch.nn.Sequential(Attention(4, 2), torch.nn.Dropout(0.5)).float().train()
    stack = from_module(module)
    assert np.array_equal(stack.arrays["layers.0.heads.1.O"], module[0].o_proj.weight.detach().double().numpy()[:, 2:])
    assert module.training and module[0].q_proj.weight.dtype == torch.float32


class Halved(Attention):
    def forward(self, x):
        return super().forward(x) / 2


class Unnamed(Attention):
    def __init__(self, d, heads):
        super().__init__(d, heads)
        self.count, self.heads = heads, None

    def forward(self, x):
        self.heads = self.count
        y = super().forward(x)
        self.heads = None
        return y


REFUSED = {
    "computes something else": lambda: [Halved(4, 2)],
    "batch_first=True": lambda: [SelfAttention(4, 2, batch_first=False)],
    "LayerNorm, which no stack has": lambda: [Attention(4, 2), torch.nn.LayerNorm(4)],
    "stands before any attention": lambda: [linear(4, 4), Attention(4, 2)],
    "0.weight is no parameter": lambda: [torch.nn.Embedding(4, 4), Attention(4, 2)],
    "add_bias_kv": lambda: [SelfAttention(4, 2, add_bias_kv=True)],
    "holds no attention": lambda: [torch.nn.Identity()],
    "reads tokens of 6 numbers": lambda: [Attention(4, 2), Attention(6, 2)],
    "does not tell its heads": lambda: [Unnamed(4, 2)],
    "expected two Linear layers": lambda: [Attention(4, 2), linear(4, 4)],
    "stands alone": lambda: [Attention(4, 2), GELU()],
    "expected none or 2": lambda: [RMSNorm(4), Attention(4, 2), linear(4, 5), RELU(), linear(5, 4)],
    "differ in epsilon": lambda: [RMSNorm(4), Attention(4, 2), RMSNorm(4, eps=0.1), linear(4, 5), RELU(), linear(5, 4)],
    "a second norm behind": lambda: [Attention(4, 2), RMSNorm(4), RMSNorm(4)],
    "norm1 is LayerNorm": lambda: [torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_no_stack_is_refused_by_name(message):
    torch.manual_seed(0)
    with pytest.raises(attest.InvalidInput, match=re.escape(message)) as raised:
        from_module(torch.nn.Sequential(*REFUSED[message]()))
    assert "\n" not in str(raised.value)


def test_weights_that_leave_the_kind_open_settle_nothing():
    layer = Attention(4, 2)
    with torch.no_grad():
        layer.o_proj.weight.zero_()
    with pytest.raises(attest.InvalidInput, match="kinds of layer put out the same"):
        from_module(torch.nn.Sequential(layer))


def test_heads_may_be_said_and_options_of_single_layers_may_not():
    assert from_module(torch.nn.Sequential(Unnamed(4, 2)), num_heads=2).layers[0].heads == 2
    for keywords in ({"average": 3}, {"softmax": False}):
        with pytest.raises(attest.InvalidInput, match="of a single layer"):
            from_module(torch.nn.Sequential(Attention(4, 2)), **keywords)
    with pytest.raises(attest.InvalidInput, match="readout is of a stack"):
        from_module(Attention(4, 2), num_heads=2, readout="last")


IMPORTED = {
    "linear": "--score linear --causal",
    "MultiheadAttention": "--score softmax --residual",
    "blocks": "--score softmax --residual --causal --norm rms --epsilon 1e-6 --mlp gelu",
}


@pytest.mark.parametrize("name", IMPORTED)
def test_weights_that_are_imported_are_the_same_stack_bit_for_bit(name, tmp_path):
    torch.manual_seed(2)
    made = {"linear": lambda: Attention(4, 2), "MultiheadAttention": lambda: SelfAttention(4, 2, residual=True), "blocks": lambda: Block(4, 2, 6, GELU())}[name]
    module = torch.nn.Sequential(made(), made())
    np.savez(tmp_path / "weights.npz", **{key: value.numpy() for key, value in module.state_dict().items()})
    said = attest.run("import", tmp_path / "weights.npz", "--as", "stack", "--num-heads", "2", *IMPORTED[name].split(), "-o", tmp_path / "stack.npz")
    ours, theirs = from_module(module), attest.Stack.load(tmp_path / "stack.npz")
    assert ours.layers == theirs.layers and said["parameters"] == ours.num_parameters and said["left_out"] == []
    assert all(np.array_equal(theirs.arrays[key], array) for key, array in ours.arrays.items())


def sequential(kind):
    torch.manual_seed(1)
    if kind == "linear":
        return torch.nn.Sequential(*(Attention(3, 2, 1, residual=True, causal=False, scaled=False) for _ in range(2)))
    if kind == "softmax":
        return torch.nn.Sequential(*(Attention(4, 2, 2, residual=True, causal=False, softmax=True) for _ in range(2)))
    return torch.nn.Sequential(*(Residual(part) for part in (Attention(2, 1, 1, causal=False, softmax=True), Mlp(2, 3, torch.nn.functional.gelu))))


@pytest.mark.parametrize("kind, dimension", [("linear", 36), ("softmax", 96), ("gelu", None)])
def test_the_rank_is_the_dimension_that_is_proved(kind, dimension):
    module = sequential(kind)
    proved = attest.dimension(from_module(module))
    found = local(module, torch.randn(40, 3, from_module(module).d))
    assert proved.dimension == found.rank == found.rank_at_model == (dimension or proved.upper)
    assert proved.proved or kind == "gelu"  # where the rank meets the bound that the symmetries prove
    assert found.gap.last > 1e-6 and found.gap.next < 1e-13
    assert found.verdict == "numerically_locally_determined" and found.parameters == proved.parameters and found.open == ()
    assert abs(sum(one.share for one in found.unseen) - 1) < 0.5 and "which proves nothing" in str(found)


def test_few_examples_leave_as_many_directions_open_as_the_certificate_says():
    module = sequential("linear")
    tokens = torch.randn(3, 3, 3, **DOUBLE)
    certificate = attest.certify(tokens.numpy().transpose(0, 2, 1), model=from_module(module))
    found = local(module, tokens)
    assert found.verdict == "numerically_open" and found.open_directions == certificate.open_directions > 0
    assert found.rank == certificate.rank and found.to_dict()["open_directions"] == found.open_directions


def test_a_blind_coordinate_is_found_in_the_parameters_that_read_it():
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(3, 4, **DOUBLE), torch.nn.Tanh(), torch.nn.Linear(4, 2, **DOUBLE))
    inputs = torch.randn(60, 3, **DOUBLE)
    inputs[:, 2] = 0.0
    found = local(module, inputs)
    assert found.open_directions == 4 and [one.parameters for one in found.open] == ["0.weight"] and found.open[0].share > 0.999
    assert local(module, inputs, fresh=0).verdict == "rank_only"
    assert local(module, inputs, fresh=inputs + 1).rank_at_model >= found.rank


def test_a_token_type_that_never_occurs_is_found():
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Embedding(5, 2), torch.nn.Linear(2, 3, bias=False))
    seen = torch.tensor([[0, 1], [2, 3], [1, 2]])
    found = local(module, seen, fresh=torch.tensor([[4, 4]]))
    assert found.open_directions == 2 and found.open[0].parameters == "0.weight" and found.open[0].share > 0.8
    assert local(module, seen).rank_at_model is None
    with pytest.raises(attest.InvalidInput, match="inputs of integers"):
        local(module, seen, fresh=3)


def test_dead_parameters_are_unseen_and_no_direction():
    class Dead(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.noise, self.unused = (torch.nn.Parameter(torch.ones(2, **DOUBLE)) for _ in range(3))

        def forward(self, x):
            return x * self.used + 1e-14 * self.noise

    found = local(Dead(), torch.randn(4, 2))
    assert found.rank == found.rank_at_model == 2 and {one.parameters for one in found.unseen} == {"noise", "unused"}
    assert local(Dead(), torch.randn(4, 2), parameters=["used"]).parameters == 2


def test_what_cannot_be_asked_is_refused():
    module = torch.nn.Linear(2, 2)
    for act, message in (
        (lambda: local(module, [1.0]), "no tensor"),
        (lambda: local(module, torch.ones(1, 2), parameters=["x"]), "has no parameter x"),
        (lambda: local(torch.nn.ReLU(), torch.ones(1, 2)), "has no parameters"),
        (lambda: local(torch.nn.MultiheadAttention(2, 1), torch.ones(1, 2)), "does not take"),
        (lambda: local(torch.nn.LSTM(2, 1), torch.ones(1, 3, 2)), "puts out tuple"),
        (lambda: local(module, torch.full((1, 2), torch.inf)), "not finite"),
    ):
        with pytest.raises(attest.InvalidInput, match=message):
            act()


def test_memory_is_asked_before_it_is_taken(monkeypatch):
    module = torch.nn.Linear(100, 100, **DOUBLE)
    with pytest.raises(attest.MemoryFailure, match="10100 parameters") as raised:
        local(module, torch.ones(1, 100), memory=1e9)
    assert "\n" not in str(raised.value)
    monkeypatch.setenv("ATTEST_MEMORY_LIMIT", "1000000000")
    with pytest.raises(attest.MemoryFailure):
        local(module, torch.ones(1, 100))
    long = torch.nn.Sequential(torch.nn.Linear(1, 4, **DOUBLE), *(torch.nn.Tanh() for _ in range(50)))
    with pytest.raises(attest.MemoryFailure):  # what the forward pass keeps counts
        local(long, torch.ones(1, 100000, 1), memory=30e6)


RESIDENT = """
import resource, sys, torch, attest
from attest.torch import local
torch.set_num_threads(1)
module = torch.nn.Sequential(torch.nn.Linear({d}, {d}), torch.nn.Tanh(), torch.nn.Linear({d}, {d}))
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
local(torch.nn.Linear(2, 2), torch.randn(4, 2))
before = peak()
found = local(module, torch.randn(60, {d}))
print(found.bytes, peak() - before)
"""


@as_users_run_it
def test_no_more_memory_is_taken_than_was_said():
    done = subprocess.run(
        [sys.executable, "-c", RESIDENT.format(d=22)], capture_output=True, text=True, check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    )
    said, taken = map(float, done.stdout.split())
    assert 0.1 * said <= taken <= said
