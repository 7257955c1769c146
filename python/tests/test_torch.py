"""Modules of PyTorch."""

import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="scripts/setup --with peers installs it")

import attest  # noqa: E402
from attest.torch import FeatureOperator, fit, from_module, to_module  # noqa: E402


class Layer(torch.nn.Module):
    def __init__(self, d, d_k, d_v, o, heads, bias=False):
        super().__init__()
        self.heads = heads
        self.q, self.k = (torch.nn.Linear(d, heads * d_k, bias=bias, dtype=torch.float64) for _ in range(2))
        self.v = torch.nn.Linear(d, heads * d_v, bias=bias, dtype=torch.float64)
        self.o = torch.nn.Linear(heads * d_v, o, bias=bias, dtype=torch.float64)

    def forward(self, tokens):
        q, k, v = (part(tokens).unflatten(-1, (self.heads, -1)) for part in (self.q, self.k, self.v))
        scores = torch.einsum("ihc,inhc->inh", q[:, -1], k)
        return self.o(torch.einsum("inh,inhc->ihc", scores, v).flatten(1))


@pytest.mark.parametrize("i", range(200))
def test_a_layers_model_computes_what_the_layer_does(i):
    rng = np.random.default_rng(i)
    d, d_k, d_v, o = (int(size) for size in rng.integers(1, 6, 4))
    torch.manual_seed(i)
    layer = Layer(d, d_k, d_v, o, heads=1 + i % 8)
    tokens = rng.standard_normal((3, 5, d))
    expected = layer(torch.from_numpy(tokens)).detach().numpy()
    model = from_module(layer, num_heads=layer.heads)
    averaged = from_module(layer, num_heads=layer.heads, average=4)
    assert np.array_equal(averaged.coef_ * 4, model.coef_)  # 4, since dividing by it rounds nothing
    size = abs(model.coef_).max() * abs(tokens).max() ** 3 * 25 * d**3 + 1e-300
    assert abs(model.predict(tokens.transpose(0, 2, 1)) - expected).max() <= 1e-12 * size
    again = to_module(model)(torch.from_numpy(tokens)).detach().numpy()
    assert abs(again - expected).max() <= 1e-12 * size


def test_the_state_of_a_module_is_the_heads_bit_for_bit():
    rng = np.random.default_rng(0)
    V, Q = rng.standard_normal((2, 3, 4)), rng.standard_normal((2, 4, 4))
    state = to_module(attest.LinearAttention.from_heads(V, Q)).state_dict()
    assert np.array_equal(state["V"].numpy(), V) and np.array_equal(state["Q"].numpy(), Q)


def test_multihead_attention_without_its_softmax():
    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(6, 2, bias=False, batch_first=True, dtype=torch.float64)
    model = from_module(module, softmax=False)
    tokens = torch.randn(3, 5, 6, dtype=torch.float64)
    q, k, v = (tokens @ part.T for part in module.in_proj_weight.chunk(3))
    q, k, v = (part.unflatten(-1, (2, 3)) for part in (q, k, v))
    scores = torch.einsum("ihc,inhc->inh", q[:, -1], k) / 3**0.5
    expected = torch.einsum("inh,inhc->ihc", scores, v).flatten(1) @ module.out_proj.weight.T
    assert np.allclose(model.predict(tokens.numpy().transpose(0, 2, 1)), expected.detach().numpy(), rtol=1e-12)


class Named(torch.nn.Module):
    """The layer of docs/your-layer.md."""

    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (torch.nn.Linear(d, d, bias=False, dtype=torch.float64) for _ in range(4))

    def forward(self, x):
        q, k, v = (m(x).unflatten(-1, (self.heads, -1)) for m in (self.q_proj, self.k_proj, self.v_proj))
        scores = torch.einsum("ithc,ishc->ihts", q, k).tril() / q.shape[-1] ** 0.5
        return self.o_proj(torch.einsum("ihts,ishc->ithc", scores, v).flatten(-2))


def test_a_layer_with_the_names_of_checkpoints():
    torch.manual_seed(0)
    layer = Named(6, 2)
    tokens = torch.randn(3, 5, 6, dtype=torch.float64)
    model = from_module(layer, num_heads=2)
    expected = layer(tokens)[:, -1].detach().numpy()
    assert np.allclose(model.predict(tokens.numpy().transpose(0, 2, 1)), expected, rtol=1e-12)
    unscaled = from_module(layer, num_heads=2, scale=1.0)
    assert np.allclose(unscaled.coef_, model.coef_ * 3**0.5, rtol=1e-12)
    layer.k_norm = torch.nn.LayerNorm(3)
    with pytest.raises(attest.InvalidInput, match="k_norm.weight is no weight of linear attention"):
        from_module(layer, num_heads=2)


@pytest.mark.parametrize(
    "module, message",
    [
        (Layer(2, 2, 2, 2, 1, bias=True), "has a bias"),
        (torch.nn.MultiheadAttention(4, 2, bias=False), "applies a softmax"),
        (torch.nn.Linear(2, 2), "expected MultiheadAttention"),
    ],
)
def test_what_is_no_linear_attention_is_refused(module, message):
    with pytest.raises(attest.InvalidInput, match=message):
        from_module(module, num_heads=1)


def test_tensors_are_arrays_and_gradients_are_asked_off():
    tokens = torch.randn(20, 2, 5, dtype=torch.float64)
    assert attest.certify(tokens).digest == attest.certify(tokens.numpy()).digest
    with pytest.raises(attest.InvalidInput, match="detach"):
        attest.certify(tokens.requires_grad_())


@pytest.mark.parametrize("order", ["import torch, attest", "import attest, torch"])
def test_either_may_be_imported_first(order):
    code = f"{order}\nimport numpy as np\nX = np.random.default_rng(0).standard_normal((40, 2, 5))\nassert attest.certify(X).determined\ntorch.ones(3, 3) @ torch.ones(3, 3)\nassert len(attest._core.linear_algebra()['mapped']) <= 1"
    subprocess.run([sys.executable, "-c", code], check=True)


DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_operator_is_the_matrix_of_features(d, device):
    # Integers: every product and sum is exact but for the factor sqrt(2) of the pairs, rounded in s, in P and in the scale.
    rng = np.random.default_rng(d)
    X = rng.integers(-3, 4, (7, d, 4)).astype(float)
    H = attest.CubicFeatures().fit_transform(X)
    operator = FeatureOperator(torch.from_numpy(X).transpose(1, 2).to(device))
    P, r = rng.integers(-3, 4, (operator.psi, 2)).astype(float), rng.integers(-3, 4, (7, 2)).astype(float)
    scale = operator.scale.cpu().numpy()
    applied = operator.apply(torch.from_numpy(P / scale).to(device)).cpu().numpy()
    assert np.all(abs(applied - H @ P) <= (operator.psi + 4) * np.finfo(float).eps * (abs(H) @ abs(P)))
    transposed = operator.apply_transposed(torch.from_numpy(r).to(device)).cpu().numpy()
    assert np.all(abs(transposed - scale * (H.T @ r)) <= 12 * np.finfo(float).eps * scale * (abs(H).T @ abs(r)))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_conjugate_gradients_find_what_the_solvers_find(ridge, device):
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((300, 3, 6)), rng.standard_normal((300, 2))
    found = fit(torch.from_numpy(X).transpose(1, 2).to(device), torch.from_numpy(y).to(device), ridge=ridge)
    theirs = attest.LinearAttention(ridge=ridge).fit(X, y)
    # |P - P*| <= |gradient at P| / lambda_min, in the coordinates of Sym W, for both; the gradients are seen up to rounding.
    scale = FeatureOperator(torch.from_numpy(X).transpose(1, 2)).scale.numpy()
    H = attest.CubicFeatures().fit_transform(X) * scale.T
    least = np.linalg.svd(H, compute_uv=False)[-1] ** 2 + 300 * ridge
    bound = 0.0
    for model in (found.model, theirs):
        P = model.coef_.T / scale
        gradient = H.T @ (y - H @ P) - 300 * ridge * P
        size = abs(H).T @ (abs(y) + abs(H) @ abs(P)) + 300 * ridge * abs(P)
        bound += (np.linalg.norm(gradient) + 400 * np.finfo(float).eps * np.linalg.norm(size)) / least
    difference = np.linalg.norm((found.model.coef_ - theirs.coef_).T / scale)
    assert difference <= bound <= 1e-8 * np.linalg.norm(theirs.coef_)
    assert found.gradient <= 1e-14 and found.iterations < 300


def test_of_many_minimisers_the_smallest_is_found():
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((9, 3, 6)), rng.standard_normal((9, 1))
    found = fit(torch.from_numpy(X).transpose(1, 2), torch.from_numpy(y))
    with pytest.warns(attest.AttestWarning, match="not the only minimiser"):
        theirs = attest.LinearAttention().fit(X, y)
    assert np.allclose(found.model.coef_, theirs.coef_, rtol=1e-9)


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(attest.InvalidInput, match=r"expected \(N, n, d\)"):
        fit(torch.ones(3, 4, 2), torch.ones(2, 1))


@pytest.mark.parametrize("factor", [float("nan"), float("inf"), 1e14])
def test_numbers_out_of_range_are_no_model(factor):
    tokens = torch.ones(3, 4, 2)
    tokens[1] *= factor
    with pytest.raises(attest.InvalidInput, match="a NaN or an infinity, or leave the range of torch.float32"):
        fit(tokens, torch.ones(3, 1))
