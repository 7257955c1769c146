from itertools import product

# Two states, letters 0 and 1. A row is delta(q, 0), delta(q, 1); a transition is (state, letter, move). A cell is (letter, state or None).
row_of = [(q, a, move) for q in (0, 1) for a in (0, 1) for move in "LR"]

def printed(row, left, own, right):  # the three branches; the letter that selects the transition is the row's first
    q, a, move = row[0]
    if right[1] is not None:  # branch 1: both tests are for L, and the state is q' in the reading that fails least
        return (own[0], q) if move == "L" else (None, None)
    if own[1] is not None:  # branch 2
        return (a, None)
    if left[1] is not None:  # branch 3
        return (own[0], None) if move == "L" else (own[0], q)
    return (None, None)

for cells in (2, 3):
    tried = wrong = 0
    for row, letters, head in product(product(row_of, repeat=2), product((0, 1), repeat=cells), range(cells)):
        tape = [(None, None), *((a, 0 if i == head else None) for i, a in enumerate(letters)), (None, None)]
        q, a, move = row[letters[head]]
        target = head + (1 if move == "R" else -1)
        if 0 <= target < cells:
            right = [(a if i == head else b, q if i == target else None) for i, b in enumerate(letters)]
            tried, wrong = tried + 1, wrong + (right != [printed(row, *tape[i : i + 3]) for i in range(cells)])
    print(wrong, "of", tried, "tapes of", cells, "cells come out otherwise than the machine says")
