"""Decides claims of proofs by exact arithmetic, without evidence. Standard library only."""
from fractions import Fraction

from exact_data import echelon


def rank(rows):
    return len(echelon(rows)[1]) if rows else 0


def semidefinite(A):
    A = [row[:] for row in A]
    while A:
        if A[0][0] < 0 or A[0][0] == 0 and any(A[0]):
            return False
        pivot, top = A[0][0], A[0][1:]
        A = [[x - (row[0] * y / pivot if pivot else 0) for x, y in zip(row[1:], top)] for row in A[1:]]
    return True


def least_fit(H, Y):
    """(risk, residuals): the least (1/M) sum |P'H_i - y_i|^2 over P, and for each output the residuals of all examples; by the normal
    equations, whose solutions all have the same residuals."""
    psi, outputs = len(H[0]), len(Y[0])
    rows = [[sum(h[i] * x for h, x in zip(H, column)) for column in list(zip(*H)) + list(zip(*Y))] for i in range(psi)]
    reduced, pivots = echelon(rows)
    assert not pivots or pivots[-1] < psi  # normal equations are consistent
    residuals = [[y[a] - sum(h[j] * row[psi + a] for j, row in zip(pivots, reduced)) for h, y in zip(H, Y)] for a in range(outputs)]
    return sum(v * v for row in residuals for v in row) / Fraction(len(H)), residuals


def claim_holds(claim, H, Q, Y):
    """Is the claim true of these features, features of queries and labels? By Fractions, from the definitions."""
    r, psi = rank(H), len(H[0])
    word, *rest = claim.split(" ")
    if word in ("full-rank", "deficient"):
        return (r == psi) == (word == "full-rank")
    if word in ("rank", "grouped"):
        return r == int(rest[0])
    if word in ("determined", "undetermined"):
        return all((rank(H + [Q[int(k)]]) == r) == (word == "determined") for k in rest)
    if word == "inexpressible":
        return bool(Y[0]) and 0 < Fraction(*map(int, rest)) <= least_fit(H, Y)[0]
    if word.startswith("labels"):
        return bool(Y[0]) and (rank([h + y for h, y in zip(H, Y)]) == r) == (word == "labels-consistent")
    lo, hi = (Fraction(int(m)) * Fraction(2) ** int(e) for m, e in (field.split("*2^") for field in rest))
    gram = [[sum(h[i] * h[j] for h in H) / len(H) for j in range(psi)] for i in range(psi)]

    def least_at_least(x):
        return semidefinite([[gram[i][j] - (x if i == j else 0) for j in range(psi)] for i in range(psi)])

    # lambda_min <= hi, unless gram - hi is positive definite: semidefinite and of full rank.
    shifted = [[gram[i][j] - (hi if i == j else 0) for j in range(psi)] for i in range(psi)]
    return least_at_least(lo) and not (semidefinite(shifted) and rank(shifted) == psi)
