"""Tables and columns of pandas: numbers as arrays have them, or one line that says how to fix it."""

import numpy as np
import pytest

pandas = pytest.importorskip("pandas", reason="scripts/setup --with python installs it")

import attest  # noqa: E402

RNG = np.random.default_rng(0)
LENGTHS = RNG.integers(1, 6, 40)
ITEMS = [RNG.standard_normal((n, 2)) for n in LENGTHS]
X = attest.Sequences(ITEMS, layout="tokens")
Y = RNG.standard_normal((40, 2))
TABLE = pandas.DataFrame(np.concatenate(ITEMS), columns=["a", "b"]).assign(sequence=np.repeat(np.arange(40), LENGTHS))


def same(one, other, y=None):
    return attest.certify(one, y).digest == attest.certify(other, y).digest


def test_a_table_of_all_tokens_with_offsets_is_sequences():
    assert same(attest.Sequences(TABLE[["a", "b"]], offsets=X.offsets), X)


def test_groups_of_a_table_are_sequences():
    groups = [group[["a", "b"]] for _, group in TABLE.groupby("sequence")]
    assert same(attest.Sequences(groups, layout="tokens"), X)


def test_a_column_of_arrays_is_sequences():
    column = pandas.DataFrame({"Z": [Z.T for Z in ITEMS]})["Z"]
    assert same(column, X) and same(attest.Sequences(column), X)


def test_labels_are_a_table_or_a_column_whatever_their_index():
    table = pandas.DataFrame(Y, columns=["p", "q"], index=np.arange(40)[::-1])
    for theirs, ours in ((table, Y), (table["q"], Y[:, 1])):
        assert attest.Dataset.of(X, theirs).digest == attest.Dataset.of(X, ours).digest
        theirs_learned, ours_learned = (attest.LinearAttention().fit(X, labels) for labels in (theirs, ours))
        assert np.array_equal(theirs_learned.predict(X), ours_learned.predict(X))
        assert theirs_learned.score(X, theirs) == ours_learned.score(X, ours)


def test_columns_of_several_types_keep_their_numbers():
    table = pandas.DataFrame({"p": np.arange(40), "q": np.float32(0.5)})
    assert attest.Dataset.of(X, table).digest == attest.Dataset.of(X, table.astype(float)).digest
    table.loc[7, "p"] = 2**53 + 1  # which NumPy rounds, beside floats
    with pytest.raises(attest.InvalidInput, match=r"y\['p'\]: the integer 9007199254740993 at \(7,\) is beyond 2\*\*53"):
        attest.Dataset.of(X, table)


REFUSED = {
    "a table without offsets": (lambda: attest.Sequences(TABLE), r"X: got one table of shape \(\d+, 3\); say by offsets="),
    "a table as sequences of one length": (lambda: attest.certify(TABLE), r"expected \(N, d, n\)"),
    "a column of text": (lambda: attest.Dataset.of(X, pandas.Series(["a"] * 40)), "y: got type object, expected float64"),
    "a column that may have gaps": (lambda: attest.Dataset.of(X, pandas.Series([1.0] * 40, dtype="Float64")), r"y: got type object.*astype\(float\)"),
    "a gap": (lambda: attest.Dataset.of(X, pandas.Series([None, *Y[1:, 0]])), r"y\[0\] holds a NaN"),
    "a column of text in a table": (lambda: attest.Dataset.of(X, pandas.DataFrame({"p": 1.0, "q": ["a"] * 40})), r"y\['q'\]: got type object"),
    "too few labels": (lambda: attest.Dataset.of(X, pandas.DataFrame(Y[:39])), r"y: got shape \(39, 2\) for 40 sequences"),
    "true and false": (lambda: attest.Dataset.of(X, pandas.Series(Y[:, 0] > 0)), "y: got type bool"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_refused_is_named_in_one_line(kind):
    act, message = REFUSED[kind]
    with pytest.raises(attest.InvalidInput, match=message) as raised:
        act()
    assert "\n" not in str(raised.value)


def test_scikit_learn_splits_sequences_beside_tables():
    model_selection = pytest.importorskip("sklearn.model_selection", reason="scripts/setup --with python installs it")
    data = attest.generate("random-linear-attention", 120, d=2, n=5, heads=1)
    labels = pandas.DataFrame(data.y)
    sequences = attest.Sequences(list(data.X))
    assert model_selection.cross_val_score(attest.LinearAttention(), sequences, labels, cv=3).min() > 0.999


def test_features_stay_an_array_where_tables_are_asked_for():
    sklearn = pytest.importorskip("sklearn", reason="scripts/setup --with python installs it")
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(attest.CubicFeatures().fit_transform(X), np.ndarray)
