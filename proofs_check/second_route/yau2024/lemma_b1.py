from fractions import Fraction as F

# A machine that writes 1 and goes right, Phi steps on a word of n letters: which cells does it visit?
def cells_visited(n, Phi):
    head, visited = n - 1, set(range(n))
    for _ in range(Phi):
        head += 1
        visited.add(head)
    return len(visited)

# Algorithm 6 copies from the distances N - 1, N and N + 1 for one fixed N, so every step prints a block of N = cells + 1 tokens (the
# cells and #), each in three tokens of the program. A copy into a position needs a head of its own in the print, as its rows are disjoint.
n, symbols = 1, 2
for Phi in (5, 20, 80):
    N = cells_visited(n, Phi) + 1
    first_step, copies = 3 * N, 3 * N * Phi
    print("Phi =", Phi, "cells", N - 1, "c(1)/(n + 1) =", F(first_step, n + 1), "copying heads/(n Phi S) =", F(copies, n * Phi * symbols), "over (n + Phi) Phi S:", F(copies, (n + Phi) * Phi * symbols))
