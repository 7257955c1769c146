"""Claims as values."""

import pytest
from conftest import command

import attest


def test_the_list_is_the_commands():
    ours, theirs = attest.claims(), command("verify", "--list")
    assert [claim.id for claim in ours] == [claim["id"] for claim in theirs] and len(ours) > 50
    assert [claim.outcome_documented for claim in ours] == [claim["outcome_documented"] for claim in theirs]


def test_a_run_finds_what_the_command_finds():
    found, printed = attest.verify("yau2024/lemma_a5"), command("verify", "yau2024/lemma_a5")
    (claim,), (theirs,) = found, printed["claims"]
    assert (claim.outcome, claim.reason, claim.method) == (theirs["outcome"], theirs["reason"], theirs["method"])
    assert [vars(finding) for finding in claim.findings] == theirs["findings"] and claim.findings
    assert (found.as_documented, found.different, found.undecided) == (1, 0, 0) and claim.as_documented


def test_progress_is_told_claim_by_claim_and_changes_nothing():
    told = []
    pattern = "yau2024/definition*"
    found = attest.verify(pattern, progress=told.append)
    ids = [claim.id for claim in attest.claims(pattern)]
    assert [at.stage for at in told] == [claim.id for claim in found] == ids and len(ids) > 1
    assert [at.done for at in told] == list(range(len(ids))) and {at.total for at in told} == {len(ids)}
    assert found.as_documented + found.different + found.undecided == len(ids)


def test_a_verification_is_neither_true_nor_false():
    with pytest.raises(TypeError, match="different"):
        bool(attest.verify("yau2024/lemma_a5"))


def test_an_unknown_claim_is_named():
    with pytest.raises(attest.UnknownName, match="lemma_z9"):
        attest.verify("yau2024/lemma_z9")
