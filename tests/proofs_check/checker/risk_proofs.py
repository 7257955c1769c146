"""Proofs of the least training risk, and the same proofs with one change that must be found out. Standard library only."""
from fractions import Fraction

from claim_oracle import least_fit
from exact_data import integral
from paper_cases import number
from make_examples import proof, vector


def evidence(H, Y):
    """Claim and evidence of inexpressible, the residuals of the best fit; None where it is exact."""
    risk, residuals = least_fit(H, Y)
    if risk == 0:
        return None
    return ["claim inexpressible %d %d" % risk.as_integer_ratio()] + ["relation" + vector(integral(v)) for v in residuals]


def risk_proof(data, name):
    """All lines of the proof about these data in the file of this name, None where they are fitted."""
    found = evidence(data.features(), data.y())
    if found is None:
        return None
    lines = proof({name: data}, name, found).rstrip("\n").split("\n")
    family = getattr(data, "family", None)
    if family:
        lines.insert(number(lines, "data "), "layer " + family.text)
    return lines


def risk_faults(lines, H):
    """(name, lines, line that fails): one change to a proof of inexpressible about examples with these features."""
    def changed(at, new):
        return lines[:at - 1] + ([new] if new is not None else []) + lines[at:]

    claim, last = number(lines, "claim"), len(lines)
    first = next(i for i, line in enumerate(lines, 1) if line.startswith("relation "))
    above, below = map(int, lines[claim - 1].split(" ")[2:])
    larger = Fraction(1001 * above, 1000 * below).as_integer_ratio()
    data = number(lines, "data")
    yield "another_data_set", changed(data, lines[data - 1][:-1] + ("0" if lines[data - 1][-1] != "0" else "1")), data
    yield "unknown_claim", changed(claim, lines[claim - 1].replace("inexpressible", "INEXPRESSIBLE")), claim
    yield "left_over", lines + ["relation"], last + 1
    yield "risk_larger", changed(claim, "claim inexpressible %d %d" % larger), last
    yield "risk_not_reduced", changed(claim, "claim inexpressible %d %d" % (2 * above, 2 * below)), claim
    yield "risk_zero", changed(claim, "claim inexpressible 0 1"), claim
    yield "risk_of_two_signs", changed(claim, "claim inexpressible -%d -%d" % (above, below)), claim
    yield "risk_negative", changed(claim, "claim inexpressible %d -%d" % (above, below)), claim
    yield "risk_alone", changed(claim, "claim inexpressible %d" % above), claim
    yield "risk_of_three", changed(claim, lines[claim - 1] + " 1"), claim
    yield "relation_missing", lines[:-1], last
    yield "relation_empty", changed(first, "relation"), last
    yield "relation_outside", changed(first, lines[first - 1] + " %d:1" % len(H)), first
    fields = lines[first - 1].split(" ")
    for k, field in enumerate(fields[1:], 1):
        i, value = map(int, field.split(":"))
        if any(H[i]):
            fields[k] = "%d:%d" % (i, value + 1 or 1)
            yield "relation_changed", changed(first, " ".join(fields)), first
            break
