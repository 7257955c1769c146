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
    copies, codes = 3 * N * Phi, 3 * N * (Phi + 1)
    print("Phi =", Phi, "cells", N - 1, "copying heads/(n Phi S) =", F(copies, n * Phi * symbols), "over (n + Phi) Phi S:", F(copies, (n + Phi) * Phi * symbols))
    print("    rows of position codes/(n Phi S^2) =", F(codes, n * Phi * symbols**2), "over (n + Phi) Phi S^2:", F(codes, (n + Phi) * Phi * symbols**2))
    # A tape that grows by a cell a step has n + t + 1 positions in step t instead: heads grow as Phi^2/2 all the same.
    growing = 3 * sum(n + t + 1 for t in range(1, Phi + 1))
    print("    a tape that grows with t: copying heads/(n Phi S) =", F(growing, n * Phi * symbols))
