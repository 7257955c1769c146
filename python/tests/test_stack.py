"""Stacks of layers: how many of their parameters are real, and what data determine of one."""

import copy
import json
import pickle

import numpy as np
import pytest
from conftest import command

import attest

RNG = np.random.default_rng(0)
LAYER = attest.StackLayer(heads=1, key_size=2, residual=True, causal=True)
EVERYTHING = attest.StackLayer(
    heads=4, groups=2, key_size=2, value_size=3, score="softmax", residual=True, causal=True, query_bias=True, key_bias=True, value_bias=True,
    output_bias=True, norm="rms", epsilon=1e-6, mlp="gelu", width=5, mlp_biases=True,
)


def two_layers(**keywords):
    return attest.Stack.random([LAYER, LAYER], d=2, readout="last", random_state=1, **keywords)


def by_definition(stack, Z):
    """The outputs on one d x n input, straight from the definition."""
    for number, layer in enumerate(stack.layers):
        arrays = {name.split(".", 2)[2]: array for name, array in stack.arrays.items() if name.startswith(f"layers.{number}.")}

        def normed(x, gain, layer=layer):
            return x if layer.norm == "none" else x / np.sqrt((x**2).mean(axis=0) + layer.epsilon) * (gain if gain is None else gain[:, None])

        X = normed(Z, arrays.get("gain"))
        Y = np.zeros_like(Z)
        groups = layer.groups or layer.heads
        for h in range(layer.heads):
            g = h * groups // layer.heads
            q = arrays[f"heads.{h}.Q"] @ X + arrays.get(f"heads.{h}.query_bias", np.zeros(1))[:, None]
            k = arrays[f"groups.{g}.K"] @ X + arrays.get(f"groups.{g}.key_bias", np.zeros(1))[:, None]
            v = arrays[f"groups.{g}.V"] @ X + arrays.get(f"groups.{g}.value_bias", np.zeros(1))[:, None]
            scores = k.T @ q
            seen = np.triu(np.ones(scores.shape)) if layer.causal else np.ones(scores.shape)
            weights = np.exp(scores) * seen / (np.exp(scores) * seen).sum(axis=0) if layer.score == "softmax" else scores * seen
            Y += arrays[f"heads.{h}.O"] @ v @ weights
        Y += arrays.get("output_bias", np.zeros(1))[:, None]
        Z = Z + Y if layer.residual else Y
        if layer.mlp == "gelu":
            from math import erf

            hidden = arrays["mlp.W1"] @ normed(Z, arrays.get("mlp.gain")) + arrays["mlp.b1"][:, None]
            hidden = hidden * (1 + np.vectorize(erf)(hidden / 2**0.5)) / 2
            out = arrays["mlp.W2"] @ hidden + arrays["mlp.b2"][:, None]
            Z = Z + out if layer.residual else out
    return Z


def drawn(layer, d):
    """A stack of three such layers, every number drawn, biases and gains too."""
    plain = attest.Stack.random([layer] * 3, d=d, random_state=3)
    arrays = {name: RNG.standard_normal(array.shape) / 2 for name, array in plain.arrays.items()}
    return attest.Stack([layer] * 3, arrays, d=d)


@pytest.mark.parametrize("layer", [LAYER, EVERYTHING], ids=["linear", "everything"])
def test_a_stack_computes_what_its_definition_says(layer):
    stack = drawn(layer, 4)
    X = RNG.standard_normal((5, 4, 6))
    expected = np.stack([by_definition(stack, Z) for Z in X])
    assert np.abs(stack.predict(X) - expected).max() <= 1e-12 * np.abs(expected).max()
    last = attest.Stack(stack.layers, stack.arrays, d=4, readout="last")
    assert np.array_equal(last.predict(X), stack.predict(X)[:, :, -1])


def test_ragged_inputs_give_a_list_or_the_last_tokens():
    stack = drawn(LAYER, 2)
    items = [RNG.standard_normal((2, n)) for n in (1, 4, 3)]
    found = stack.predict(attest.Sequences(items))
    assert [len(one[0]) for one in found] == [1, 4, 3]
    for one, Z in zip(found, items):
        assert np.array_equal(one, stack.predict(Z[None])[0])
    last = attest.Stack(stack.layers, stack.arrays, d=2, readout="last")
    assert np.array_equal(last.predict(items), np.stack([one[:, -1] for one in found]))


def test_a_file_has_the_same_stack(tmp_path):
    stack = drawn(EVERYTHING, 4)
    stack.save(tmp_path / "stack.npz")
    again = attest.Stack.load(tmp_path / "stack.npz")
    assert again.layers == stack.layers == (EVERYTHING,) * 3 and again.d == 4 and again.readout == "all"
    for one in (again, pickle.loads(pickle.dumps(stack)), copy.deepcopy(stack)):
        assert list(one.arrays) == list(stack.arrays)
        assert all(np.array_equal(one.arrays[name], array) for name, array in stack.arrays.items())
    with np.load(tmp_path / "stack.npz") as kept:
        assert set(stack.arrays) == set(kept) - {"stack"}
        assert sum(kept[name].size for name in stack.arrays) == stack.num_parameters
        assert json.loads(bytes(kept["stack"]))["layers"][0]["mlp"] == "gelu"
    with_meta = attest.Stack([LAYER], {n: a for n, a in two_layers().arrays.items() if n.startswith("layers.0")}, d=2, meta={"from": "here"})
    assert with_meta.meta == {"from": "here"}


def test_constants_are_arrays_and_no_parameters():
    layer = attest.StackLayer(heads=2, key_size=2, rotary=True, causal=True, decay="fixed")
    stack = attest.Stack.random([layer], d=2)
    assert {name: array.shape for name, array in stack.arrays.items() if name.endswith("s")} == {"layers.0.decays": (2,), "layers.0.angles": (1,)}
    assert stack.num_parameters == sum(array.size for array in stack.arrays.values()) - 3


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda arrays: arrays.pop("layers.1.heads.0.Q"), r"layers.1.heads.0.Q is missing"),
        (lambda arrays: arrays.update({"layers.1.heads.0.Q": np.ones((3, 2))}), r"layers.1.heads.0.Q has shape"),
        (lambda arrays: arrays.update({"layers.1.heads.0.Q": np.ones(2)}), r"layers.1.heads.0.Q: got 1 dimensions"),
        (lambda arrays: arrays.update({"layers.2.heads.0.Q": np.ones((2, 2))}), r"layers.2.heads.0.Q is no array"),
        (lambda arrays: arrays.update({"layers.1.heads.0.Q": np.full((2, 2), np.nan)}), "no finite number"),
        (lambda arrays: arrays.update({"layers.1.heads.0.Q": np.ones((2, 2), bool)}), "got type bool"),
    ],
)
def test_arrays_that_do_not_fit_are_named(change, message):
    arrays = two_layers().arrays
    change(arrays)
    with pytest.raises(attest.InvalidInput, match=message) as raised:
        attest.Stack([LAYER, LAYER], arrays, d=2)
    assert "\n" not in str(raised.value)


def test_architectures_that_make_no_sense_are_refused(tmp_path):
    for layer, message in ((attest.StackLayer(heads=3, groups=2, key_size=1), "do not divide"), (attest.StackLayer(heads=1, key_size=3, rotary=True), "pairs")):
        with pytest.raises(attest.InvalidInput, match=message):
            attest.Stack.random([layer], d=2)
    with pytest.raises(attest.InvalidInput, match="expected 1 to"):
        attest.Stack.random([], d=2)
    (tmp_path / "no.npz").write_bytes(b"PK\x03\x04")
    with pytest.raises(attest.InvalidInput):
        attest.Stack.load(tmp_path / "no.npz")
    with pytest.raises(attest.InvalidInput, match="tokens have 3 entries"):
        two_layers().predict(np.ones((1, 3, 2)))


SIZES = [
    {"d": 8, "layers": 2, "heads": 4},
    {"d": 4, "layers": 2, "heads": 2, "score": "softmax", "residual": True},
    {"d": 3, "heads": 3, "head_size": 2, "value_size": 3},
    {"d": 2, "heads": 2, "head_size": 2, "decay": "fixed", "tokens": 2},
    {"d": 3, "layers": 2, "heads": 2, "head_size": 1, "groups": 1, "biases": "qkvo", "causal": True, "readout": "last"},
    {"d": 2, "head_size": 1, "residual": True, "mlp": "relu", "width": 3, "biases": "m"},
    {"d": 2, "layers": 2, "head_size": 1, "score": "softmax", "norm": "rms", "final_norm": "rms", "epsilon": 1e-6, "mlp": "gelu", "width": 3},
    {"d": 4, "head_size": 4, "value_size": 2, "rotary": True, "causal": True, "residual": True, "numerical": True},
]


@pytest.mark.parametrize("sizes", SIZES, ids=[str(i) for i in range(len(SIZES))])
def test_a_dimension_is_the_commands(sizes, tmp_path):
    options = []
    for name, value in sizes.items():
        options += [f"--{name.replace('_', '-')}"] + ([] if value is True else [value])
    proof = tmp_path / "theirs.cert"
    printed = command("dimension", *options, "--proof", proof)
    found = attest.dimension(**sizes, proof=tmp_path / "ours.cert")
    assert found.to_dict() == {key: value for key, value in printed.items() if key != "proof"}
    assert (found.dimension, found.parameters, found.proved) == (printed["dimension"], printed["parameters"], printed["proved"])
    assert [one._asdict() for one in found.lost] == printed["lost"]
    assert (found.proof is None) == (printed["proof"] is None) == (not proof.exists()) == (not (tmp_path / "ours.cert").exists())
    if found.proof is not None:
        assert proof.read_text() == found.proof == (tmp_path / "ours.cert").read_text()
        assert found.check()
        line = f"claim dimension {found.dimension}"
        forged = attest.Dimension(**{**vars(found), "proof": found.proof.replace(line, f"claim dimension {found.dimension + 1}")})
        assert not forged.check()
    else:
        with pytest.raises(attest.InvalidInput, match="there is no proof"):
            found.check()


def test_a_stack_says_what_it_is_made_of(tmp_path):
    stack = two_layers()
    stack.save(tmp_path / "stack.npz")
    found = attest.dimension(stack, random_state=5)
    assert found.to_dict() == command("dimension", tmp_path / "stack.npz", "--seed", 5)
    assert found.dimension == 14 and str(found).startswith("architecture    2 layers, each 1 head of sizes 2 and 2, residual, causal")
    with pytest.raises(attest.InvalidInput, match="a stack and heads"):
        attest.dimension(stack, heads=2)
    with pytest.raises(attest.InvalidInput, match="neither a stack nor d"):
        attest.dimension(layers=2)


@pytest.mark.parametrize("sizes, kind", [({"d": 2, "score": "luck"}, attest.UnknownName), ({"d": 2, "biases": "x"}, attest.UnknownName), ({"d": 0}, attest.InvalidInput), ({"d": 2, "tokens": 0}, attest.InvalidInput), ({"d": 2, "width": 3}, attest.InvalidInput)])
def test_sizes_that_make_no_sense_are_refused(sizes, kind):
    with pytest.raises(kind) as raised:
        attest.dimension(**sizes)
    assert "\n" not in str(raised.value)


X = np.random.default_rng(2).standard_normal((20, 2, 3))
DATA = {"determined": X[:8], "few": X[:5], "signs": np.concatenate([X[:5], -X[:5]]), "repeated": np.concatenate([X[:8], X[:8]])}


@pytest.mark.parametrize("name", DATA)
def test_certify_of_a_stack_is_the_commands(name, saved, tmp_path):
    stack = two_layers()
    stack.save(tmp_path / "stack.npz")
    printed = command("certify", saved(DATA[name]), "--model", tmp_path / "stack.npz", "--suggest", 3, "--pool", saved(X[8:], name="pool.npz"))
    found = attest.certify(DATA[name], model=stack, suggest=3, pool=X[8:])
    assert found.to_dict() == printed
    assert found.determined == {"determined": True, "few": False, "signs": None, "repeated": True}[name]
    assert [one._asdict() for one in found.suggestions] == printed["suggestions"]
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(found)


def test_an_open_direction_changes_the_outputs_where_it_says_and_not_on_the_data():
    stack = two_layers()
    found = attest.certify(X[:5], model=stack)
    assert found.verdict == "not_determined" and found.open_directions == 4 and found.open is not None
    assert sum(one.share for one in found.open.shares) <= 1 + 1e-12
    assert abs(np.linalg.norm(found.open.direction) - 1) <= 30 * np.finfo(float).eps

    def moved(step):
        arrays, at = {}, 0
        for name, array in stack.arrays.items():
            arrays[name] = array + step * found.open.direction[at : at + array.size].reshape(array.shape)
            at += array.size
        return attest.Stack(stack.layers, arrays, d=2, readout="last")

    # Central differences are off by h^2 times third derivatives: a quarter of the error at half the step, until rounding shows.
    def slope(step, inputs):
        return (moved(step).predict(inputs) - moved(-step).predict(inputs)) / (2 * step)

    there = found.open.input[None]
    coarse, fine = (np.abs(slope(step, there)[0] - found.open.change).max() for step in (1e-2, 5e-3))
    assert fine <= 0.26 * coarse + 1e-9
    coarse, fine = (np.abs(slope(step, X[:5])).max() for step in (1e-2, 5e-3))
    assert fine <= 0.26 * coarse + 1e-9
    assert np.linalg.norm(found.open.change) > 1e-3


def test_softmax_is_numerical_and_says_so():
    layer = attest.StackLayer(heads=1, key_size=2, score="softmax", residual=True)
    found = attest.certify(X, model=attest.Stack.random([layer, layer], d=2))
    assert found.verdict == "numerically_locally_determined" and found.determined is None and found.gap.next < 1e-12
    assert "which proves nothing" in str(found)


def test_what_no_stack_answers_is_refused():
    stack = two_layers()
    for keywords in ({"queries": X}, {"level": "exact"}, {"heads": 2}, {"witness": True}, {"layer": "affine"}, {"suggest": 2}, {"pool": X}):
        with pytest.raises(attest.InvalidInput):
            attest.certify(X, model=stack, **keywords)
    with pytest.raises(attest.InvalidInput, match="attest.suggest"):
        attest.certify(X, pool=X, suggest=2)
    with pytest.raises(attest.InvalidInput, match="random_state"):
        attest.certify(X, random_state=1)
    with pytest.raises(attest.InvalidInput):
        attest.certify(np.ones((3, 4, 2)), model=stack)


def test_two_layers_are_found_in_a_box_and_another_box_is_told():
    asked = attest.probe_stack(2, causal=True)
    layer = attest.StackLayer(heads=1, key_size=2, residual=True, causal=True)
    box = attest.Stack.random([layer, layer], d=2, readout="last", random_state=1)
    found = asked.read(box.predict(asked.queries.X))
    assert found.found and found.stack is not None and found.degree_9 < 1e-6
    fresh = np.random.default_rng(3).standard_normal((7, 2, 5)) / 2
    np.testing.assert_allclose(found.stack.predict(fresh), box.predict(fresh), rtol=1e-6, atol=1e-9)
    other = attest.Stack.random([layer, layer, layer], d=2, readout="last", random_state=1)
    told = asked.read(other.predict(asked.queries.X))
    assert told.found is False and told.stack is None and told.starts == 0
    with pytest.raises(TypeError):
        bool(told)
    with pytest.raises(attest.InvalidInput, match="3 entries"):
        asked.read(np.ones((len(asked.queries.X), 3)))
    with pytest.raises(attest.InvalidInput):
        attest.probe_stack(0)


def test_memory_is_asked_first(monkeypatch):
    monkeypatch.setenv("ATTEST_MEMORY_LIMIT", "1000000")
    with pytest.raises(attest.MemoryFailure):
        attest.dimension(d=16, layers=4, heads=4)
