"""Primes, minors and integer products. Part of check_certificate.py; written from proofs_check/checker/FORMAT.md, section 3."""


def is_prime(p):
    """Miller-Rabin to bases that decide every number below 3.3e24 (Sorenson, Webster 2015)."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if p < 2 or any(p % b == 0 for b in bases):
        return p in bases
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for b in bases:
        x = pow(b, odd, p)
        if x != 1 and all(pow(x, 2 ** i, p) != p - 1 for i in range(twos)):
            return False
    return True


def nonsingular(rows, p):
    """Gaussian elimination modulo the prime p."""
    rows = [[x % p for x in row] for row in rows]
    while rows:
        pivot = next((i for i, row in enumerate(rows) if row[0]), None)
        if pivot is None:
            return False
        top = rows.pop(pivot)
        inverse = pow(top[0], -1, p)
        factors = [row[0] * inverse % p for row in rows]
        rows = [[(x - f * y) % p for x, y in zip(row[1:], top[1:])] for row, f in zip(rows, factors)]
    return True


def dot(v, row):
    return sum(coefficient * row[k] for k, coefficient in v.items())
