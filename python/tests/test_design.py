"""Plans and probes: before there are data."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from conftest import command

import attest

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("target", ["rank", "coverage=0.9", "error=0.01"])
@pytest.mark.parametrize("layer", ["linear", "decay=1,1/2"])
def test_a_plan_is_the_commands(target, layer, saved):
    pilot = RNG.standard_normal((600, 2, 5))
    noise = 0.1 if target.startswith("error") else None
    options = ["--noise", noise] if noise else []
    ours = attest.plan(pilot, target=target, noise=noise, layer=layer)
    assert ours.to_dict() == command("plan", saved(pilot), "--target", target, "--layer", layer, "--seed", 0, *options)
    assert ours.verdict == "planned" and ours.at_least <= ours.examples <= ours.at_most


def test_a_pilot_that_is_too_small_says_so():
    found = attest.plan(RNG.standard_normal((9, 3, 5)), target="coverage=0.99")
    assert found.verdict == "too_small" and found.examples is None and "9 draws" in found.reason


def test_planned_examples_reach_the_rank():
    needed = attest.plan(RNG.integers(0, 2, (40, 3, 2)).astype(float))
    assert attest.certify(RNG.integers(0, 2, (needed.at_most, 3, 2)).astype(float)).rank == needed.rank


@pytest.mark.parametrize("layer", ["linear", "decay=1,1/2", "window=2", "affine"])
def test_answers_to_a_probe_are_the_layer_exactly(layer):
    asked = attest.probe(2, layer=layer)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        box = attest.LinearAttention(layer=layer).fit(asked.queries.with_labels(RNG.integers(-9, 10, (len(asked.queries), 2))))
    integers = np.round(box.predict(asked.queries) * 4)  # of some layer, since the queries' rows are independent
    found = asked.read(integers)
    assert found.expressible == "expressible" and found.least_risk == Fraction(0)
    assert np.allclose(found.model.predict(asked.queries), integers, rtol=1e-12)


def test_what_a_probe_would_not_heed_is_refused():
    with pytest.raises(attest.UnknownName, match="a width, which belongs to the layer cross"):
        attest.probe(2, width=3)
    with pytest.raises(attest.InvalidInput, match="noise: got nan"):
        attest.probe(2, noise=float("nan"))


def test_a_box_that_is_no_such_layer_is_found_out():
    asked = attest.probe(2, noise=0.1)
    bigger = attest.Dataset.of(np.concatenate([asked.queries.X, asked.queries.X[:1]]))
    again = attest.Probe(bigger, asked.rank, asked.psi, None, "", "{}")
    answers = np.zeros((len(bigger), 1))
    answers[0] = 1  # the same input with two answers
    found = again.read(answers)
    assert found.expressible == "inexpressible" and found.least_risk > 0


def test_settings_that_make_no_sense_are_refused():
    for act in (lambda: attest.probe(0), lambda: attest.probe(65), lambda: attest.probe(100), lambda: attest.probe(2, layer="cross", width=65), lambda: attest.probe(2, layer="decay=2"), lambda: attest.plan(RNG.standard_normal((5, 2, 3)), target="luck")):
        with pytest.raises((attest.InvalidInput, attest.UnknownName)) as raised:
            act()
        assert "\n" not in str(raised.value)
