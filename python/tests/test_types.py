"""Annotations and stubs say what is there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="scripts/setup --with python installs it")

import attest  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = '''
import numpy as np
from numpy.typing import NDArray

import attest
import attest.torch


def study(X: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[str, float, int | None]:
    certificate = attest.certify(X, y, queries=X[:2], explain=True, progress=lambda at: print(at.stage, at.done))
    if certificate.determined is None:
        raise ValueError(certificate.reason)
    for query in certificate.queries:
        print(query.index, query.verdict)
    for relation in certificate.explain().classes:
        print(relation.because)
    model = attest.LinearAttention(ridge=0.1, n_jobs=2).fit(X, y)
    outputs: NDArray[np.float64] = model.predict(X)
    fewest = attest.minimal_heads(np.ones((1, 1, 2)), np.ones((1, 2, 2)))
    return certificate.verdict, float(outputs.sum()) + model.score(X, y), fewest.lower_bound


def before(pilot: NDArray[np.float64]) -> int:
    plan = attest.plan(pilot, target="coverage=0.9")
    asked = attest.probe(2, layer="decay=1/2")
    exact: bool = asked.read(np.zeros(len(asked.queries))).is_exact
    found = attest.verify("yau2024/lemma_a5")
    return (plan.examples or 0) + exact + sum(claim.as_documented for claim in found)


def stacks(X: NDArray[np.float64]) -> tuple[int, int, bool | None]:
    layer = attest.StackLayer(heads=1, key_size=2, residual=True)
    stack = attest.Stack.random([layer, layer], d=2)
    local = attest.certify(X, model=stack, pool=X, suggest=1)
    found = attest.dimension(stack, tokens=2)
    single = attest.certify(X, model=attest.LinearAttention().fit(X, X[:, 0, -1]), heads=1, head_size=(1, 2))
    return local.suggestions[0].candidate + found.lost[0].dimensions, local.open_directions, single.determined


def softmax(X: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    return attest.SoftmaxAttention(heads=2).fit(X, y).outcome_
'''


def check(*argv, **environment):
    done = subprocess.run(
        [sys.executable, "-m", *map(str, argv)], capture_output=True, text=True, check=False, cwd="/", env={**os.environ, **environment}
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def strictly(tmp_path_factory):
    cache = tmp_path_factory.mktemp("mypy")

    def run(name, text):
        page = (ROOT / "docs" / "python.md").read_text()
        program = "\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S))
        for file, code in ((name, text), ("first.py", program)):
            (cache / file).write_text(code)
        options = ("--strict", "--config-file", ROOT / "pyproject.toml", "--cache-dir", cache / "cache")
        return check("mypy", *options, cache / name, cache / "first.py", MYPYPATH=str(Path(attest.__file__).parents[1]))

    return run


def test_the_package_and_users_scripts_are_strictly_typed(strictly):
    code, said = strictly("user.py", SCRIPT)
    assert code == 0, said


def test_a_mistake_of_the_users_is_noticed(strictly):
    code, said = strictly("wrong.py", SCRIPT.replace("ridge=0.1", "rigde=0.1").replace("query.verdict", "query.verdikt"))
    assert code == 1 and "rigde" in said and "verdikt" in said


def test_the_stubs_of_the_module_are_what_the_module_has(tmp_path):
    # pybind11's classes have a metaclass of its own, which no stub names.
    allowed = tmp_path / "allowed"
    allowed.write_text("attest._core.Array\nattest._core.Data\nattest._core.Model\nattest._core.Stack\nattest._core.StackProbeRequest\n")
    options = ("--mypy-config-file", ROOT / "pyproject.toml", "--allowlist", allowed)
    code, said = check("mypy.stubtest", "attest._core", *options, MYPYPATH=str(Path(attest.__file__).parents[1]))
    assert code == 0, said
