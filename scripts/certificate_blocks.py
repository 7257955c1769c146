"""Blocks of a proof: minors, null vectors, bounds on the rank. Part of check_certificate.py; written from
proofs_check/checker/FORMAT.md, section 3."""
from certificate_arithmetic import dot, is_prime, nonsingular


class Blocks:
    """Blocks of lines that several claims share, each a function."""

    def __init__(self, proof, table):
        self.proof, self.table = proof, table
        self.H, self.psi, self.M = table.features, table.psi, len(table.features)
        self.rows = [h + y for h, y in zip(table.features, table.labels)]

    def prime(self):
        proof = self.proof
        prime = proof.integer(proof.one("prime"))
        proof.require(2 < prime < 2 ** 62 and is_prime(prime), "not an odd prime below 2^62")
        proof.require(all(b % prime for b in self.table.layer.denominators()), "the prime divides a denominator of the layer")
        return prime

    def minor(self, size, query=None, label=None):
        proof, prime = self.proof, self.prime()
        rows = proof.indices(proof.take("rows", size), self.M)
        proof.require(len(rows) + (query is not None) == size, "a wrong number of rows")
        columns = proof.indices(proof.take("columns", size), self.psi)
        proof.require(len(columns) + (label is not None) == size, "a wrong number of columns")
        columns += [] if label is None else [self.psi + label]
        matrix = [[self.rows[i][k] for k in columns] for i in rows]
        matrix += [] if query is None else [[self.table.queries[query][k] for k in columns]]
        proof.require(nonsingular(matrix, prime), "the minor vanishes modulo the prime")

    def nulls(self, count, width, rows=None):
        found = []
        for _ in range(count):
            v = self.proof.vector(self.proof.take("null", width), width)
            self.proof.require(v and (not found or max(found[-1][1]) < max(v)), "empty, or ends too far left")
            found.append((self.proof.number, v))
        self.orthogonal(found, self.rows if rows is None else rows)
        return found

    def orthogonal(self, vectors, rows):
        for i, row in enumerate(rows):
            for number, v in vectors:
                self.proof.require(dot(v, row) == 0, "not orthogonal to row %d" % i, number)

    def bound(self, r):
        if self.proof.next_word() == "few-examples":
            self.proof.take("few-examples", 0)
            self.proof.require(self.M <= r, "there are more examples than that")
        else:
            self.nulls(self.psi - r, self.psi)

    def extended(self):
        r = self.proof.index(self.proof.one("extend"), self.psi + 1)
        self.bound(r)
        return r

    def relation(self, v, start):
        """The features of start + Σ v_i H_i must be 0; the combined labels are returned."""
        for k in range(self.psi):
            self.proof.require(start[k] + sum(c * self.H[i][k] for i, c in v.items()) == 0, "the features do not cancel")
        return [sum(c * self.rows[i][self.psi + a] for i, c in v.items()) for a in range(self.table.o)]
