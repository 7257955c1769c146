"""The lemmas of paper.md, checked: `attest verify claims.py`.

A test is a function from an input to a pair that should be equal. It is run on what the lemma speaks of, and on a planted fault that it must notice.
"""

from fractions import Fraction

import attest

PAPER = "Two remarks on linear attention"


def layer(Z, heads):
    """f(Z), straight from the definition. Z is a list of tokens, heads are pairs of matrices (V, Q), all with int or Fraction entries."""
    d = len(Z[0])
    S = [[sum(z[i] * z[j] for z in Z) for j in range(d)] for i in range(d)]

    def times(A, x):
        return [sum(a * b for a, b in zip(row, x)) for row in A]

    outputs = [times(V, times(S, times(Q, Z[-1]))) for V, Q in heads]
    return [sum(entries) for entries in zip(*outputs)]


def drawn(check, d=3, n=4, heads=2):
    """Tokens and heads with small whole entries, from the claim's own random numbers."""
    def matrix(rows, cols):
        return [[int(x) for x in row] for row in check.random.integers(-3, 4, (rows, cols))]

    return matrix(n, d), [(matrix(2, d), matrix(d, d)) for _ in range(heads)]


@attest.claim("my_paper/lemma_1", place="Lemma 1", paper=PAPER, printed="f(cZ) = c^3 f(Z) for every number c", method="sampled")
def lemma_1(check):
    """Z occurs three times in f."""

    def homogeneous(power, rounds):
        for _ in range(rounds):
            Z, heads = drawn(check)
            c = Fraction(2, 3)
            yield layer([[c * x for x in z] for z in Z], heads), [c**power * y for y in layer(Z, heads)]

    check.exact("c = 2/3, random layers and tokens", homogeneous, 3, check.pick(20, 200))
    check.control("c^2 in place of c^3", homogeneous, 2, 20)


@attest.claim(
    "my_paper/lemma_2",
    place="Lemma 2",
    paper=PAPER,
    printed="f(Z) does not change when the tokens are put in another order",
    tested="f(Z) does not change when tokens before the last are put in another order",
    method="sampled",
    documented="holds_after_correction",
    severity="missing_hypothesis",
    deviation="the last token asks, so it has to stay",
)
def lemma_2(check):
    """Z Z' is a sum over tokens, whatever their order; the last token enters once more, as what asks."""

    def same(order, rounds):
        for _ in range(rounds):
            Z, heads = drawn(check)
            yield layer([Z[i] for i in order], heads), layer(Z, heads)

    check.exact("tokens in the order 2, 3, 4, 1", same, [1, 2, 3, 0], 20)
    check.exact("tokens in the order 3, 1, 2, 4", same, [2, 0, 1, 3], check.pick(20, 200), form="tested")
    check.control("a token twice, another left out", same, [0, 0, 1, 3], 20)
