#!/usr/bin/env python3
"""Writes the table of the learned machine that the explorer runs: docs/play/machine_table.js.

    play_machine.py ATTEST OUTPUT

Exports 1000 random runs of machines of two states and two letters on four cells (attest turing export bb2), joins features
that agree up to sign on every run into classes, and eliminates modulo a prime below 2^31. What comes out is then proved over
the integers: every coefficient vector gives every label, and every null vector vanishes on every row; as rank and null vectors
add up to the number of classes, a row outside the training rows' span is one on which some null vector does not vanish.
Needs NumPy; about five minutes. Exit: 0 written and proved, 1 something does not hold.
"""

import base64
import json
import math
import subprocess
import sys
import tempfile
import zlib
from fractions import Fraction

import numpy as np

PRIME = 2147483629
RUNS = 1000


def classes_of(H):
    """The class of each feature, from 1, with its sign; 0 for features that are 0 on every row. The class columns."""
    active = np.flatnonzero(np.abs(H).any(0))
    signs = np.array([np.sign(column[np.flatnonzero(column)[0]]) for column in H[:, active].T])
    unique, number = np.unique((H[:, active] * signs).T, axis=0, return_inverse=True)
    found = np.zeros(H.shape[1], dtype=np.int16)
    found[active] = (number.ravel() + 1) * signs
    return found, unique.T


def eliminated(rows, width):
    """Reduced echelon form modulo PRIME of the first `width` columns; the pivots."""
    M, pivots = rows % PRIME, []
    for column in range(width):
        left = np.flatnonzero(M[len(pivots):, column])
        if left.size == 0:
            continue
        here = len(pivots)
        M[[here, here + left[0]]] = M[[here + left[0], here]]
        M[here] = M[here] * pow(int(M[here, column]), PRIME - 2, PRIME) % PRIME
        others = np.flatnonzero(M[:, column])
        others = others[others != here]
        on = np.flatnonzero(M[here])
        M[np.ix_(others, on)] = (M[np.ix_(others, on)] - M[others, column][:, None] * M[here, on] % PRIME) % PRIME
        pivots.append(column)
        if len(pivots) == len(M):
            break
    return M[: len(pivots)], pivots


def fraction_of(residue):
    """The fraction with numerator and denominator below the root of PRIME/2; exact proofs follow."""
    r, s, t, u = PRIME, int(residue), 0, 1
    while s * s * 2 > PRIME:
        r, s, t, u = s, r % s, u, t - (r // s) * u
    return Fraction(s, u)


def integers(residues):
    """The residues as integers over one denominator."""
    values, number = np.unique(residues, return_inverse=True)
    fractions = [fraction_of(value) for value in values]
    common = math.lcm(*(value.denominator for value in fractions))
    return np.array([int(value * common) for value in fractions], dtype=np.int64)[number].reshape(residues.shape), common


def main(attest, output):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/runs.npz"
        subprocess.run([attest, "turing", "export", "bb2", "-o", path, "--train-runs", str(RUNS)], check=True, stdout=subprocess.DEVNULL)
        data = np.load(path)
        tokens, offsets, y = data["tokens"].astype(np.int64), data["offsets"], data["y"].astype(np.int64)
        names = json.loads(bytes(data["meta"]).decode())["rows"]
    d = tokens.shape[1]
    above = np.triu_indices(d)
    H = np.array([np.outer((tokens[a:b].T @ tokens[a:b])[above], tokens[b - 1]).ravel() for a, b in zip(offsets, offsets[1:])])
    class_of, columns = classes_of(H)
    width = columns.shape[1]
    joined = np.unique(np.hstack([columns, y]), axis=0)
    reduced, pivots = eliminated(joined, width)
    free = [j for j in range(width) if j not in set(pivots)]
    solution, denominator = integers(reduced[:, free + list(range(width, width + d))])
    null, P = solution[:, : len(free)], solution[:, len(free):]
    at_pivots, at_free, labels = joined[:, pivots], joined[:, free], joined[:, width:]
    # Sums of at most `pivots` products far below 2^63 / pivots: int64 is exact.
    if np.abs(at_pivots).max() * np.abs(solution).max() * len(pivots) >= 2**62:
        sys.exit("play_machine: numbers too large for int64")
    if (at_pivots @ null != denominator * at_free).any() or (at_pivots @ P != denominator * labels).any():
        sys.exit("play_machine: the solution does not hold over the integers")
    entries, fill = np.unique(null, return_inverse=True)
    if len(entries) > 256:
        sys.exit(f"play_machine: {len(entries)} different entries, at most 256 fit a byte")
    fill = fill.reshape(null.shape).astype(np.uint8)
    packed = zlib.compress(class_of.astype("<i2").tobytes() + fill.tobytes("F"), 9)
    table = {
        "d": d, "rows": names, "train_runs": RUNS, "train_tokens": len(y), "rank": len(pivots), "num_classes": width,
        "denominator": denominator, "pivots": pivots, "free": free, "entries": [int(value) for value in entries],
        "coefficients": [[[int(i), int(column[i])] for i in np.flatnonzero(column)] for column in P.T],
        "packed": base64.b64encode(packed).decode(),
    }
    with open(output, "w", encoding="utf-8") as file:
        file.write("'use strict';\n\n// Written by scripts/play_machine.py.\nconst kMachineTable = ")
        json.dump(table, file, separators=(",", ":"))
        file.write(";\n")
    print(f"rank {len(pivots)} of {width} classes, denominator {denominator}, proved on {len(joined)} different rows")


if __name__ == "__main__":
    main(*sys.argv[1:])
