"""Whatever holds the same numbers gives the same answer; what cannot hold them exactly is refused by name."""

import warnings

import numpy as np
import pytest

import attest

INTEGERS = np.random.default_rng(0).integers(-4, 5, (12, 2, 5))
DOUBLES = INTEGERS.astype(float)


def digest(X):
    return attest.certify(X).digest


def unaligned(X):
    bytes_ = bytearray(X.nbytes + 1)
    view = np.frombuffer(bytes_, dtype=np.uint8)[1:].view(np.float64).reshape(X.shape)
    view[...] = X
    assert not view.flags.aligned
    return view


def read_only(X):
    copy = X.copy()
    copy.flags.writeable = False
    return copy


SAME = {
    "Fortran order": np.asfortranarray(DOUBLES),
    "a negative stride": DOUBLES[:, :, ::-1].copy()[:, :, ::-1],
    "a token-major view": DOUBLES.transpose(0, 2, 1).copy().transpose(0, 2, 1),
    "every other of a larger one": np.repeat(DOUBLES, 2, axis=2)[:, :, ::2],
    "big-endian": DOUBLES.astype(">f8"),
    "unaligned": unaligned(DOUBLES),
    "read-only": read_only(DOUBLES),
    "float32": DOUBLES.astype(np.float32),
    "int8": INTEGERS.astype(np.int8),
    "int64": INTEGERS.astype(np.int64),
    "a mask that hides nothing": np.ma.masked_array(DOUBLES, mask=np.zeros(DOUBLES.shape, bool)),
    "nested lists": DOUBLES.tolist(),
    "sequences": attest.Sequences(DOUBLES),
    "rows as tokens": attest.Sequences(DOUBLES.transpose(0, 2, 1), layout="tokens"),
    "all tokens with offsets": attest.Sequences(DOUBLES.transpose(0, 2, 1).reshape(-1, 2), offsets=np.arange(13) * 5),
}


@pytest.mark.parametrize("kind", SAME)
def test_the_same_numbers_are_the_same_data(kind):
    assert digest(SAME[kind]) == digest(DOUBLES)


def test_other_numbers_are_other_data():
    assert digest(DOUBLES[:, ::-1]) != digest(DOUBLES)


def test_a_stride_of_zero_repeats():
    X = np.broadcast_to(DOUBLES[0], (5, 2, 5))
    assert digest(X) == digest(X.copy())


def test_a_mapped_file_is_read(tmp_path):
    np.save(tmp_path / "X.npy", DOUBLES)
    assert digest(np.load(tmp_path / "X.npy", mmap_mode="r")) == digest(DOUBLES)


def changed(value, dtype=None):
    X = DOUBLES.astype(dtype) if dtype else DOUBLES.copy()
    X[7, 1, 3] = value
    return X


REFUSED = {
    "bool": (DOUBLES > 0, "type bool"),
    "complex": (DOUBLES + 0j, "complex128"),
    "float16": (DOUBLES.astype(np.float16), "float16"),
    "objects": (DOUBLES.astype(object), "object"),
    "text": (np.full((2, 2, 2), "a"), "<U1"),
    "an integer beyond 2**53": (changed(2**53 + 1, np.int64), r"9007199254740993 at \(7, 1, 3\)"),
    "the least int64": (changed(-(2**63), np.int64), r"at \(7, 1, 3\)"),
    "a NaN": (changed(np.nan), r"\[7\] holds a NaN at \(1,3\)"),
    "an infinity": (changed(-np.inf), r"\[7\] holds an infinity at \(1,3\)"),
    "a masked entry": (np.ma.masked_equal(DOUBLES, DOUBLES[0, 0, 0]), r"\(0, 0, 0\) is masked"),
    "two dimensions": (DOUBLES[0], r"\(N, d, n\).*transpose"),
    "no sequence": (DOUBLES[:0], "at least one"),
    "tokens of two sizes": ([np.ones((2, 3)), np.ones((3, 3))], "one size d"),
    "a number": (3.0, r"shape \(\)"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_array_of_exact_doubles_is_refused_by_name(kind):
    X, message = REFUSED[kind]
    with pytest.raises(attest.InvalidInput, match=message) as raised:
        attest.certify(X)
    assert "\n" not in str(raised.value)


def test_ragged_lists_are_sequences():
    items = [np.ones((2, 3)), np.ones((2, 5))]
    assert digest(items) == digest(attest.Sequences(items))


def test_sequences_are_indexed_as_arrays_are():
    X = attest.Sequences([np.full((2, n), float(n)) for n in (1, 2, 3, 4)], query=[0, 1, 2, 3])
    assert [Z.shape[1] for Z in X[[2, 0]]] == [3, 1] and X[[2, 0]].query.tolist() == [2, 0]
    assert X[np.array([True, False, False, True])].lengths.tolist() == [1, 4]
    assert X[1:3].lengths.tolist() == [2, 3] and X[-1].shape == (2, 4)
    with pytest.raises(IndexError):
        X[4]


def test_the_input_is_left_as_it_was():
    X = DOUBLES.copy()
    attest.certify(X)
    assert np.array_equal(X, DOUBLES)


def test_files_are_numpys(tmp_path):
    attest.save(tmp_path / "data.npz", DOUBLES, DOUBLES[:, 0, :2], meta={"from": "a test"})
    with np.load(tmp_path / "data.npz") as file:
        assert np.array_equal(file["Z"], DOUBLES) and np.array_equal(file["y"], DOUBLES[:, 0, :2])
    data = attest.load(tmp_path / "data.npz")
    assert np.array_equal(data.X, DOUBLES) and np.array_equal(data.y, DOUBLES[:, 0, :2]) and data.meta == {"from": "a test"}


def test_no_warning_is_raised_on_the_way():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        attest.certify(DOUBLES)


def test_a_delta_rule_with_recorded_keys_is_linear_in_values_and_queries():
    """Against a sum over tokens with the product of all later steps, and a layer that made labels is found again."""
    rng = np.random.default_rng(0)
    N, n, d, K, o = 120, 5, 2, 3, 2
    tokens, keys = rng.standard_normal((N, n, d)), rng.standard_normal((N, n, K)) / 2
    beta, gates = rng.uniform(0, 1, (N, n)), rng.uniform(0.5, 1, (N, n, K))
    moments = attest.Moments.of_delta(tokens, keys, beta, gates)
    for i in (0, 7):
        S = np.zeros((K, d))
        for t in range(n):
            passed = np.outer(beta[i, t] * keys[i, t], tokens[i, t])
            for r in range(t + 1, n):
                passed = (np.eye(K) - beta[i, r] * np.outer(keys[i, r], keys[i, r])) @ np.diag(gates[i, r]) @ passed
            S += passed
        assert np.abs(moments.s[i].reshape(d, K) - S.T).max() < 30 * n * K * 2.0**-53
    assert (moments.u == tokens[:, -1]).all()
    V, Q = rng.standard_normal((o, d)), rng.standard_normal((K, d))
    y = np.einsum("oj,njk,kl,nl->no", V, moments.s.reshape(N, d, K), Q, moments.u)
    certificate = attest.certify(moments, y)
    assert certificate.verdict == "determined" and certificate.rank == d * K * d
    assert certificate.check(moments, y)
    assert attest.LinearAttention(layer="moments").fit(moments, y).summary().to_dict()["relative"] < 1e-20
    both = attest.Moments.of_delta(tokens, np.stack([keys, 2 * keys], 2), np.stack([beta, beta / 4], 2), np.stack([gates, gates], 2))
    assert np.allclose(both.s[:, d * K :], moments.s / 2, rtol=2.0**-45, atol=0)


@pytest.mark.parametrize("wrong", [{"keys": (9, 3, 2)}, {"beta": (9, 4, 2)}, {"gates": (9, 2)}, {"gates": (4, 9)}, {"gates": (9, 3, 4)}, {"gates": (9, 4, 1)}, {"tokens": (9, 2)}])
def test_recorded_keys_of_another_shape_are_refused(wrong):
    shapes = {"tokens": (9, 4, 2), "keys": (9, 4, 3), "beta": (9, 4), "gates": (9, 4), **wrong}
    with pytest.raises(attest.InvalidInput, match="Moments.of_delta: got"):
        attest.Moments.of_delta(**{name: np.ones(shape) for name, shape in shapes.items()})


def delta_layer(layer):
    """Recorded keys, strengths and gates of 60 sequences of 6 tokens, and outputs of the kernels' recurrence for v = V z, q = Q z."""
    rng = np.random.default_rng(1)
    N, n, d, K, o = 60, 6, 2, 3, 2
    tokens, keys = rng.standard_normal((N, n, d)), rng.standard_normal((N, n, K))
    keys /= np.linalg.norm(keys, axis=-1, keepdims=True)
    recorded = {"keys": keys, "beta": rng.uniform(0, 1, (N, n))}
    if "gates" in layer:
        recorded["gates"] = np.exp(-rng.exponential(size=(N, n, K if "vector" in layer else 1)))
    V, Q = rng.standard_normal((o, d)), rng.standard_normal((K, d))
    y, S = np.zeros((N, n, o)), np.zeros((N, K, o))
    for t in range(n):
        S = S * recorded["gates"][:, t, :, None] if "gates" in layer else S
        missing = tokens[:, t] @ V.T - np.einsum("nko,nk->no", S, keys[:, t])
        S = S + recorded["beta"][:, t, None, None] * keys[:, t, :, None] * missing[:, None]
        y[:, t] = np.einsum("nko,nk->no", S, tokens[:, t] @ Q.T)
    return tokens, y, recorded, V, Q


@pytest.mark.parametrize("layer", ["delta", "delta gates", "delta gates=vector"])
def test_the_layer_delta_learns_what_a_kernel_computes_of_recorded_keys(layer, tmp_path):
    tokens, y, recorded, V, Q = delta_layer(layer)
    data = attest.Dataset.of(tokens.transpose(0, 2, 1), y, layer=layer, **recorded)
    certificate = attest.certify(data)
    assert certificate.verdict == "determined" and certificate.rank == certificate.psi == 2 * 3 * 2
    assert certificate.check(data)
    model = attest.LinearAttention(layer=layer).fit(data)
    assert model.summary().to_dict()["relative"] < 1e-20
    assert np.allclose(model.coef_, np.einsum("oj,kl->ojkl", V, Q).reshape(2, -1), rtol=0, atol=1e-12)
    flat = {name: array.reshape(-1, array.shape[-1]) if array.ndim == 3 else array.ravel() for name, array in recorded.items()}
    assert attest.Dataset.of(tokens.transpose(0, 2, 1), y, layer=layer, **flat).digest == data.digest
    data.save(tmp_path / "data.npz")
    assert attest.load(tmp_path / "data.npz", layer=layer).digest == data.digest
    held = attest.Dataset.of(tokens[:5].transpose(0, 2, 1), layer=layer, **{name: array[:5] for name, array in recorded.items()})
    assert np.allclose(model.predict(held), y[:5, -1], rtol=0, atol=1e-11)


def test_recorded_keys_of_a_file_are_those_of_moments():
    tokens, y, recorded, _, _ = delta_layer("delta gates=vector")
    moments = attest.certify(attest.Moments.of_delta(tokens, **recorded), y[:, -1], level="numerical").to_dict()
    layer = attest.certify(attest.Dataset.of(tokens.transpose(0, 2, 1), y[:, -1], layer="delta gates=vector", **recorded), level="numerical").to_dict()
    assert layer["rank"] == moments["rank"] == 12


@pytest.mark.parametrize(
    "layer, change, message",
    [
        ("delta", {"keys": None}, "keys"),
        ("delta", {"beta": None}, "beta"),
        ("delta", {"keys": np.ones((59, 6, 3))}, "keys"),
        ("delta", {"beta": np.ones((60, 6, 2))}, "beta"),
        ("delta", {"gates": np.ones(360)}, "gates for the layer delta, expected none"),
        ("delta gates", {}, "gates"),
        ("delta", {"keys": np.full((60, 6, 3), np.nan)}, "keys"),
    ],
)
def test_what_a_delta_rule_lacks_is_named(layer, change, message):
    tokens, y, recorded, _, _ = delta_layer("delta")
    with pytest.raises(attest.InvalidInput, match=message):
        attest.certify(attest.Dataset.of(tokens.transpose(0, 2, 1), y, layer=layer, **{**recorded, **change}))


def test_states_beyond_the_doubles_are_for_exact_arithmetic_alone():
    tokens, y, recorded, _, _ = delta_layer("delta")
    data = attest.Dataset.of(tokens.transpose(0, 2, 1), y, layer="delta", **{**recorded, "keys": np.full((60, 6, 3), 1e200)})
    with pytest.raises(attest.InvalidInput, match="state of example 1 is beyond the range of doubles"):
        attest.certify(data, level="numerical")
    assert attest.certify(data).verdict == "not_determined"
