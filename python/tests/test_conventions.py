"""scikit-learn takes the estimators for its own."""

import warnings

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn", reason="scripts/setup --with python installs it")
from sklearn.base import clone  # noqa: E402
from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

import attest  # noqa: E402

DATA = attest.generate("random-linear-attention", 120, d=2, n=5, heads=1)


class OneToken(attest.LinearAttention):
    """A row of a table as a sequence of one token, so that scikit-learn's checks, which know tables only, run on the rest."""

    def _table(self, X):
        names = self._check_feature_names
        names(X, reset=not hasattr(self, "coef_"))
        from sklearn.utils.validation import check_array

        return check_array(X, dtype=np.float64)[:, :, None]

    def fit(self, X, y=None):
        from sklearn.utils.validation import check_X_y

        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        self._check_feature_names(X, reset=True)
        X, y = check_X_y(X, y, dtype=np.float64, multi_output=True, y_numeric=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return super().fit(X[:, :, None], y)

    def predict(self, X):
        self._fitted()
        return super().predict(self._table(X))

    def _more_tags(self):
        return {"X_types": ["2darray"], "poor_score": True}


def test_scikit_learns_own_checks_pass_on_sequences_of_one_token():
    passed = 0
    for estimator, check in check_estimator(OneToken(), generate_only=True):
        try:
            check(estimator)
            passed += 1
        except __import__("unittest").SkipTest:
            pass
    assert passed >= 40


def test_joblib_keeps_the_bits(tmp_path):
    joblib = pytest.importorskip("joblib")
    model = attest.LinearAttention().fit(DATA)
    joblib.dump(model, tmp_path / "model.joblib")
    assert np.array_equal(joblib.load(tmp_path / "model.joblib").predict(DATA.X), model.predict(DATA.X))


def test_newer_releases_find_the_tags_of_sequences():
    # scikit-learn from 1.6 on asks by __sklearn_tags__; here its object is a stand-in.
    from types import SimpleNamespace

    from attest._sklearn import sequence_tags

    tags = SimpleNamespace(input_tags=SimpleNamespace(two_d_array=True, three_d_array=False), target_tags=SimpleNamespace(multi_output=False))
    found = sequence_tags(tags)
    assert found.input_tags.three_d_array and not found.input_tags.two_d_array and found.target_tags.multi_output


def test_clones_have_the_same_settings():
    model = attest.LinearAttention(ridge=0.5, solver="svd", heads=2)
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("X", [DATA.X, attest.Sequences(list(DATA.X))], ids=["array", "sequences"])
def test_it_is_searched_and_validated(X):
    y = DATA.y
    search = GridSearchCV(attest.LinearAttention(), {"ridge": [0.0, 100.0], "solver": ["auto", "svd"]}, n_jobs=2, cv=3).fit(X, y)
    assert search.best_params_["ridge"] == 0.0
    assert cross_val_score(attest.LinearAttention(), X, y, cv=3).min() > 0.999
    train, test, y_train, y_test = train_test_split(X, y, random_state=0)
    assert attest.LinearAttention().fit(train, y_train).score(test, y_test) > 0.999


def test_features_stand_before_other_estimators():
    model = make_pipeline(attest.CubicFeatures(), Ridge(alpha=1e-8, fit_intercept=False)).fit(DATA.X, DATA.y)
    assert model.score(DATA.X, DATA.y) > 0.9999
