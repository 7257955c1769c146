"""What Python says is what the command line prints, bit for bit."""

import numpy as np
import pytest
from conftest import command, random_data

import attest

KINDS = range(20)
CLOCK = ("seconds", "solve_seconds", "attempts", "model", "note")  # times, and what was chosen beside them


def without(said, keys):
    return {key: value for key, value in said.items() if key not in keys}


@pytest.mark.parametrize("i", KINDS)
def test_certify_says_what_the_command_prints_and_proves_the_same(i, saved, tmp_path):
    X, y = random_data(i)
    file, theirs, ours = saved(X, y), tmp_path / "theirs.cert", tmp_path / "ours.cert"
    printed = command("certify", file, "--proof", theirs)
    found = attest.certify(X, y, proof=ours)
    assert without(found.to_dict(), ["proof"]) == without(printed, ["proof"])
    assert (printed["proof"] is None) == (found.proof is None)
    if found.proof is not None:
        assert ours.read_bytes() == theirs.read_bytes()
        assert found.check(X, y)


@pytest.mark.parametrize("level", ["numerical", "matrix-free", "rigorous", "exact"])
def test_every_level_agrees(level, saved):
    X, y = random_data(0)
    assert attest.certify(X, y, level=level).to_dict() == command("certify", saved(X, y), "--level", level)


@pytest.mark.parametrize("i", KINDS)
def test_learn_and_predict_give_the_same_bits(i, saved, tmp_path):
    X, y = random_data(i)
    file, model, outputs = saved(X, y), tmp_path / "model.npz", tmp_path / "outputs.npz"
    printed = command("learn", file, "-o", model, "--solver", "svd")
    with np.testing.suppress_warnings() as quiet:
        quiet.filter(UserWarning)
        learned = attest.LinearAttention(solver="svd").fit(X, y)
    assert without(learned.summary().to_dict(), CLOCK) == without(printed, CLOCK)
    with np.load(model) as kept:
        assert np.array_equal(learned.coef_, kept["P"])
    learned.save(tmp_path / "ours.npz")
    assert (tmp_path / "ours.npz").read_bytes() == model.read_bytes()
    command("predict", model, file, "-o", outputs)
    predicted = learned.predict(X)
    if len(y) == len(X):  # else the command predicts after every token
        assert np.array_equal(predicted, attest.load(outputs).y)


def test_queries_witness_and_coverage_agree(saved, tmp_path):
    X, y = random_data(3)
    queries = np.random.default_rng(5).standard_normal((1, X.shape[1], 4))
    printed = command("certify", saved(X, y), "--queries", saved(queries, name="q.npz"), "--coverage", "--witness", tmp_path / "w.npz")
    found = attest.certify(X, y, queries=queries, coverage=0.95, witness=True)
    assert found.to_dict() == without(printed, ["witness", "not_determined"])
    assert found.witness.difference == printed["witness"]["difference"]
    with np.load(tmp_path / "w-a.npz") as a, np.load(tmp_path / "w-b.npz") as b:
        assert np.array_equal(found.witness.coefficients[0], a["P"])
        assert np.array_equal(found.witness.coefficients[1], b["P"])
    assert found.coverage.expected == printed["not_determined_expected"]


def test_reasons_models_and_other_data_agree(saved, tmp_path):
    X, y = random_data(0)
    other = np.random.default_rng(6).standard_normal((9, X.shape[1], 4))
    model = attest.LinearAttention().fit(X, y)
    model.save(tmp_path / "model.npz")
    file, queries, elsewhere = saved(X, y), saved(other, name="q.npz"), saved(3 * other, name="ood.npz")
    options = ["--explain", "--expressible", "--model", tmp_path / "model.npz", "--noise", 0.5, "--queries", queries, "--ood", elsewhere]
    printed = command("certify", file, *options, "--heads", len(model.V_))
    found = attest.certify(
        X, y, explain=True, expressible=True, model=model, heads=len(model.V_), noise=0.5, queries=other, ood=3 * other
    )
    assert found.to_dict() == printed


def test_another_layer_agrees(saved):
    X = np.random.default_rng(1).standard_normal((30, 2, 6))
    assert attest.certify(X, layer="decay=1,31/32").to_dict() == command("certify", saved(X), "--layer", "decay=1,31/32")


def test_fewer_heads_agree(tmp_path):
    rng = np.random.default_rng(2)
    model = attest.LinearAttention.from_heads(rng.standard_normal((4, 2, 2)), rng.standard_normal((4, 2, 2)))
    model.save(tmp_path / "model.npz")
    printed = command("heads", tmp_path / "model.npz", "-o", tmp_path / "fewer.npz")
    ours = model.transform_heads("min")
    assert without(ours.summary().to_dict(), CLOCK) == without(printed, CLOCK)
    with np.load(tmp_path / "fewer.npz") as kept:
        assert np.array_equal(ours.V_, kept["V"]) and np.array_equal(ours.Q_, kept["Q"])


@pytest.mark.parametrize("n_jobs", [1, 2, 4])
def test_a_task_draws_what_the_command_draws(n_jobs, tmp_path):
    command("generate", "random-linear-attention", "--d", 3, "--n", 7, "-N", 40, "--seed", 5, "-o", tmp_path / "data.npz")
    ours = attest.generate("random-linear-attention", 40, random_state=5, n_jobs=n_jobs, d=3, n=7)
    assert ours.digest == attest.load(tmp_path / "data.npz").digest


@pytest.mark.parametrize("size", [2, (2, 3), None])
def test_heads_of_the_size_that_was_trained_agree(size, saved, tmp_path):
    rng = np.random.default_rng(4)
    V, Q = (np.stack([rng.integers(-3, 4, (4, 2)) @ rng.integers(-3, 4, (2, 4)) * 1.0 for _ in range(2)]) for _ in range(2))
    model = attest.LinearAttention.from_heads(V, Q)
    model.save(tmp_path / "model.npz")
    X = rng.standard_normal((60, 4, 5))
    y = model.predict(X)
    options = [] if size is None else ["--head-size", str(size).strip("()").replace(" ", "")]
    printed = command("certify", saved(X, y), "--model", tmp_path / "model.npz", "--heads", 2, *options)
    found = attest.certify(X, y, model=model, heads=2, head_size=size)
    assert found.to_dict() == printed
    assert found.few_heads.dimension == {2: 46, (2, 3): 52, None: 60}[size] and found.few_heads.head_ranks == ((2, 2) if size is None else None)
    with pytest.raises(attest.InvalidInput, match="belongs to heads"):
        attest.certify(X, y, model=model, head_size=2)
