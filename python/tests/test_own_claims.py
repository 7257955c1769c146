"""Claims of one's own: evidence, controls, and what `attest verify FILE.py` makes of them."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import attest
import pytest

PAPER = Path(__file__).resolve().parents[2] / "docs" / "your-paper"

HEAD = "from fractions import Fraction\nimport attest\n"

SQUARES = """
@attest.claim("mine/squares", printed="n^2 is the sum of the first n odd numbers"{words})
def squares(check):
    '''By induction.'''
    def sums(n, first=1):
        return sum(range(first, first + 2 * n, 2)), n * n, f"n = {{n}}"
{checks}
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Writes a file of claims and gives its name, the folder being the current one."""
    monkeypatch.chdir(tmp_path)

    def write(checks, words=""):
        lines = "".join(f"    {line}\n" for line in checks)
        (tmp_path / "mine.py").write_text(HEAD + SQUARES.format(words=words, checks=lines))
        return "mine.py"

    return write


GOOD = ['check.exact("n = 10", sums, 10)', 'check.control("from 3 on", sums, 10, first=3)']


def test_an_outcome_is_computed_from_the_evidence(file):
    found = attest.verify(file(GOOD))
    assert [claim.outcome for claim in found] == ["holds"]
    assert found[0].printed == "n^2 is the sum of the first n odd numbers"
    assert found[0].argument == "By induction."
    assert [(finding.form, finding.verdict) for finding in found[0].findings] == [("printed", "holds"), ("control", "holds")]
    assert found[0].findings[1].text == "from 3 on: 120 is not 100, n = 10"


def test_a_false_statement_is_found_and_needs_an_input_that_its_test_accepts(file):
    wrong = ['check.exact("n = 10", sums, 10, first=2)', 'check.accepts("from 1 on", sums, 10)']
    found = attest.verify(file(wrong))
    assert found[0].outcome == "false_as_printed" and found.different == 1
    expected = attest.verify(file(wrong, ', documented="false_as_printed"'))
    assert expected.different == 0 and expected.as_documented == 1
    with pytest.raises(attest.InvalidInput, match="check.accepts"):
        attest.verify(file(wrong[:1]))


def test_a_claim_that_became_false_is_refuted_beside_the_control_that_it_had(file):
    name = file(['check.exact("n = 10", sums, 10, first=2)', 'check.control("from 3 on", sums, 10, first=3)'])
    found = attest.verify(name)
    assert found[0].outcome == "false_as_printed" and found.different == 1
    done = subprocess.run([sys.executable, "-m", "attest", "verify", name], capture_output=True, text=True)
    assert done.returncode == 1 and "false as printed" in done.stdout, done.stderr


def test_a_claim_without_a_control_is_refused(file):
    with pytest.raises(attest.InvalidInput, match=r"mine.py:\d+: claim mine/squares has no control"):
        attest.verify(file(GOOD[:1]))
    with pytest.raises(attest.InvalidInput, match="has no control"):
        attest.verify(file([GOOD[0], 'check.accepts("from 1 on", sums, 9)']))


def test_a_control_that_notices_nothing_decides_nothing(file):
    found = attest.verify(file([GOOD[0], 'check.control("no fault at all", sums, 11)']))
    assert found[0].outcome == "inconclusive" and found.undecided == 1


def test_a_control_runs_the_statements_own_test(file):
    with pytest.raises(attest.InvalidInput, match="has not spoken of the statement"):
        attest.verify(file([GOOD[0], 'check.control("another", lambda: (1, 2))']))


def test_exact_refuses_floating_point(file):
    with pytest.raises(attest.InvalidInput, match="floating point"):
        attest.verify(file(['check.exact("a half", lambda: (0.5, Fraction(1, 2)))']))


WIDE = ["(np.int64(2**62) * 4, 0)", "([[0]], np.array([[2**62]]) * 4)", "(Fraction(np.int64(2)), 2)", "(np.float32(1), 1)"]
WIDE += ['({"a": 0.5}, {"a": 0.5})', "({0.5}, {0.5})", "(Decimal(1), 1)"]


@pytest.mark.parametrize("pair", WIDE)
def test_exact_refuses_numbers_that_arithmetic_changed_without_a_word(file, pair):
    with pytest.raises(attest.InvalidInput, match="exact: got .*(fixed width|floating point)"):
        attest.verify(file(["import numpy as np", "from decimal import Decimal", f'check.exact("a pair", lambda: {pair})']))


def test_exact_takes_arrays_of_python_numbers(file):
    test = ["import numpy as np", "def pair(x): return np.array([2**70, Fraction(1, 2)], dtype=object) * x, [2**70, Fraction(1, 2)]"]
    found = attest.verify(file([*test, 'check.exact("once", pair, 1)', 'check.control("twice", pair, 2)']))
    assert found[0].outcome == "holds"


@pytest.mark.parametrize("nothing", ["([], [])", "([[], []], [[], []])", "[]", "[([], []), ([], [])]", "(set(), set())"])
def test_nothing_compared_decides_nothing(file, nothing):
    found = attest.verify(file([f'check.exact("empty", lambda: {nothing})']))
    assert found[0].outcome == "inconclusive" and found.undecided == 1
    assert found[0].findings[0].text == "empty: nothing was compared"


@pytest.mark.parametrize("pairs, outcome", [("[(INF, INF), (5, 1)]", "false_as_printed"), ("[(1, 2), (1, INF)]", "inconclusive"), ("[(1, 2)]", "holds")])
def test_every_error_is_held_against_its_bound(file, pairs, outcome):
    checks = ['INF = float("inf")', "def pairs(x): return x", f'check.property("errors", pairs, {pairs})']
    checks += ['check.control("too large", pairs, (2, 1))', 'check.accepts("small", pairs, (1, 2))']
    assert attest.verify(file(checks, ', method="property"'))[0].outcome == outcome


def test_two_files_with_claims_of_one_id_are_refused(file, tmp_path):
    name = file(GOOD)
    (tmp_path / "other.py").write_text((tmp_path / name).read_text())
    with pytest.raises(attest.InvalidInput, match=r"other.py: claim mine/squares stands in mine.py too"):
        attest.verify(name, "other.py")


def test_a_statistical_claim_says_its_level(file):
    test = [
        "def mean(shift):",
        "    import math",
        "    draws = check.random.normal(size=400) + shift",
        "    return math.erfc(abs(draws.mean()) * 20 / 2**0.5)",
    ]
    checks = [*test, 'check.statistical("mean 0", mean, 0, alpha=1e-6)', 'check.control("mean 1/2", mean, 0.5)']
    assert attest.verify(file(checks, ', method="statistical"'))[0].outcome == "holds"
    wrong = [*test, 'check.statistical("mean 0", mean, 0.5, alpha=1e-6)', 'check.accepts("mean 0", mean, 0)']
    attest.run("verify", file(wrong, ', method="statistical"'), "--junit", "c.xml")
    assert "refuted though true with probability at most 1e-06: draw anew by `attest verify mine.py mine/squares --seed 1`" in Path("c.xml").read_text()
    with pytest.raises(attest.InvalidInput, match="method 'exact'"):
        attest.verify(file(checks))


def test_what_a_check_raises_decides_nothing_and_is_named(file):
    found = attest.verify(file([*GOOD, "1 / 0"]))
    assert found[0].outcome == "inconclusive"
    assert found[0].reason.startswith("stopped: ZeroDivisionError: division by zero (mine.py:")


def test_names_of_attests_own_claims_are_taken(file):
    name = file(GOOD)
    Path(name).write_text(Path(name).read_text().replace("mine/squares", "yau2024/lemma_1"))
    with pytest.raises(attest.InvalidInput, match="take another beginning"):
        attest.verify(name)


@pytest.mark.parametrize(
    ("text", "message"), [("1 +", "mine.py:1"), ("", "holds no claim"), ("import nothing_there", "mine.py:1: ModuleNotFoundError")]
)
def test_a_file_at_fault_is_named_in_one_line(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(attest.InvalidInput, match=message) as error:
        attest.verify("mine.py")
    assert "\n" not in str(error.value)


def test_own_claims_run_beside_ours_and_by_the_names_people_write(file):
    name = file(GOOD, ', place="Lemma 7"')
    assert [claim.id for claim in attest.verify(name, "yau2024/equation_19")] == ["yau2024/equation_19", "mine/squares"]
    assert [claim.id for claim in attest.verify(name, "lemma 7")] == ["mine/squares"]


@pytest.fixture
def template(tmp_path, monkeypatch):
    """A copy of docs/your-paper's claims, its folder being the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claims.py").write_text((PAPER / "claims.py").read_text())
    return tmp_path


def test_the_template_is_green_and_notices_the_false_lemma(template):
    files = {"--junit": "claims.xml", "--sarif": "claims.sarif", "--markdown": "pages", "--errata": "errata.md", "--rows": "rows"}
    done = subprocess.run(
        [sys.executable, "-m", "attest", "verify", "claims.py", *[word for pair in files.items() for word in pair]], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "holds after correction" in done.stdout
    cases = ElementTree.parse("claims.xml").getroot().iter("testcase")
    assert [case.get("name") for case in cases] == ["my_paper/lemma_1", "my_paper/lemma_2"]
    results = json.loads(Path("claims.sarif").read_text())["runs"][0]["results"]
    assert [result["kind"] for result in results] == ["pass", "pass"]
    assert "claims.py" in json.dumps(results)
    assert "Lemma 2" in Path("pages/CLAIMS.md").read_text() and "arXiv 2410.10101" not in Path("pages/CLAIMS.md").read_text()
    assert "control, noticed" in Path("pages/docs/claims/my_paper.md").read_text()
    at = {result["message"]["text"]: result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in results}
    lines = (PAPER / "claims.py").read_text().splitlines()
    assert lines[at["my_paper/lemma_2"] - 1] == "@attest.claim("
    # Whoever expects the false lemma to hold is told otherwise.
    hopeful = Path("claims.py").read_text().replace('documented="holds_after_correction"', 'documented="holds"')
    Path("claims.py").write_text(hopeful)
    assert attest.verify("claims.py").different == 1


def test_errata_name_what_is_refuted_and_how_to_see_it_again(template):
    attest.run("verify", "claims.py", "--errata", "errata.md")
    errata = Path("errata.md").read_text()
    assert "## Lemma 2" in errata and "Lemma 1" not in errata
    assert "**holds instead**: f(Z) does not change when tokens before the last are put in another order" in errata
    assert "attest verify claims.py my_paper/lemma_2 --explain" in errata
    with pytest.raises(attest.InvalidInput, match="expected either"):
        attest.run("verify", "claims.py", "yau2024/equation_19", "--errata", "both.md")


def test_rows_are_compared_and_make_a_report(template):
    attest.run("verify", "claims.py", "--rows", "before")
    page = Path("before/report.html").read_text()
    assert "attest verify claims.py my_paper/lemma_2 --explain" in page
    assert Path("before/claims.jsonl").read_text().count("\n") == 3
    assert attest.run("compare", "before", "before")["same"]
    text = Path("claims.py").read_text()
    # The paper says c^2 now, and c^3 is what its test accepts.
    wrong = text.replace("homogeneous, 3, ", "homogeneous, 2, ").replace('control("c^2 in place of c^3", homogeneous, 2', 'accepts("c^3", homogeneous, 3')
    Path("claims.py").write_text(wrong)
    attest.run("verify", "claims.py", "--rows", "after")
    found = attest.run("compare", "before", "after")
    assert [(change["subject"], change["before"], change["after"]) for change in found["claims"]] == [
        ("my_paper/lemma_1", "holds", "false as printed")
    ]
