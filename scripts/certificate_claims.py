"""Claims of a proof, each decided from its blocks. Part of check_certificate.py; written from
proofs_check/checker/FORMAT.md, section 4."""
from fractions import Fraction
from math import gcd

from certificate_arithmetic import dot, nonsingular
from certificate_blocks import Blocks


class Checker(Blocks):
    """Each claim a function of the fields beside its name."""

    def full_rank(self, fields):
        self.proof.only(fields, 0)
        self.minor(self.psi)

    def deficient(self, fields):
        self.proof.only(fields, 0)
        self.bound(self.psi - 1)

    def rank(self, fields):
        r = self.proof.index(self.proof.only(fields, 1)[0], self.psi + 1)
        self.minor(r)
        self.bound(r)

    def lambda_min(self, fields):
        proof, M, psi = self.proof, self.M, self.psi
        (low, low_exponent), (high, high_exponent) = [proof.dyadic(field) for field in proof.only(fields, 2)]
        unit = self.table.unit ** 2  # of H'H: the integers are that many times too large
        if low > 0:
            size = 1 + psi * (psi + 1) // 2
            entries = proof.only(proof.take("factor", size), size)
            power = proof.exponent(entries[0])
            flat = [proof.integer(field) for field in entries[1:]]
            L = [flat[i * (i + 1) // 2:(i + 1) * (i + 2) // 2] for i in range(psi)]
            least = min(0, low_exponent, 2 * power)
            slack = [-(M * low * unit << low_exponent - least)] * psi
            for i in range(psi):
                for j in range(i + 1):
                    gram = sum(h[i] * h[j] for h in self.H)
                    R = (gram << -least) - (M * unit * sum(x * y for x, y in zip(L[i], L[j])) << 2 * power - least)
                    if i == j:
                        slack[i] += R
                    else:
                        slack[i] -= abs(R)
                        slack[j] -= abs(R)
            proof.require(min(slack) >= 0, "not diagonally dominant")
        x = proof.vector(proof.take("upper", psi), psi)
        proof.require(x, "the vector is 0")
        least = min(0, high_exponent)
        image = sum(dot(x, h) ** 2 for h in self.H) << -least
        bound = high * M * unit * sum(v * v for v in x.values()) << high_exponent - least
        proof.require(image <= bound, "the Rayleigh quotient exceeds the upper bound")

    def queries(self, fields):
        listed = self.proof.indices(fields, len(self.table.queries))
        self.proof.require(listed, "no query is listed")
        return listed

    def determined(self, fields):
        listed = self.queries(fields)
        if self.proof.next_word() == "basis":
            r = self.proof.index(self.proof.one("basis"), self.psi + 1)
            self.minor(r)
            self.orthogonal(self.nulls(self.psi - r, self.psi), [self.table.queries[k] for k in listed])
            return
        for k in listed:
            fields = self.proof.take("relation", 1 + self.M)
            self.proof.require(fields and self.proof.integer(fields[0]) != 0, "the query takes no part")
            c = self.proof.integer(fields[0])
            self.relation(self.proof.vector(fields[1:], self.M), [c * x for x in self.table.queries[k]])

    def undetermined(self, fields):
        listed = self.queries(fields)
        if self.proof.next_word() == "extend":
            r = self.extended()
            for k in listed:
                self.minor(r + 1, query=k)
            return
        (number, v), = self.nulls(1, self.psi)
        for k in listed:
            self.proof.require(dot(v, self.table.queries[k]) != 0, "orthogonal to query %d" % k, number)

    def labels_consistent(self, fields):
        self.proof.only(fields, 0)
        self.proof.require(self.table.o > 0, "there are no labels")
        number, first = self.nulls(self.table.o, self.psi + self.table.o)[0]
        self.proof.require(max(first) >= self.psi, "there is no label in it", number)

    def labels_inconsistent(self, fields):
        self.proof.only(fields, 0)
        if self.proof.next_word() == "extend":
            r = self.extended()
            output = self.proof.index(self.proof.one("output"), self.table.o)
            self.minor(r + 1, label=output)
        else:
            v = self.proof.vector(self.proof.take("relation", self.M), self.M)
            self.proof.require(any(self.relation(v, [0] * self.psi)), "the labels cancel too")

    def inexpressible(self, fields):
        proof = self.proof
        above, below = [proof.integer(field) for field in proof.only(fields, 2)]
        proof.require(above > 0 and below > 0 and gcd(above, below) == 1, "not a positive fraction in lowest terms")
        proof.require(self.table.o > 0, "there are no labels")
        total = Fraction(0)  # of <v, y>^2 / <v, v>
        for a in range(self.table.o):
            v = proof.vector(proof.take("relation", self.M), self.M)
            label = self.relation(v, [0] * self.psi)[a]
            total += Fraction(label ** 2, sum(x * x for x in v.values())) if v else 0
        proof.require(total * below >= above * self.M * self.table.unit ** 2, "the risk may be smaller")

    def grouped(self, fields):
        proof, data = self.proof, self.table.data
        claimed = proof.index(proof.only(fields, 1)[0], self.psi + 1)
        proof.require(not self.table.layer.words and not data.prefixes, "only of the paper's layer, without labels for each prefix")
        examples = list(data.examples())
        states = [self.table.state(data, tokens) for _, tokens, _ in examples]
        asked = [self.table.token(data, query) for _, _, query in examples]
        count = proof.index(proof.one("groups"), data.d + 1)
        proof.require(count > 0, "there is no group")
        groups = [self.group(states, asked) for _ in range(count)]
        prime = self.prime()
        columns = self.list("columns", count, data.d)
        proof.require(nonsingular([[query[a] for a in columns] for _, _, query in groups], prime), "the queries' minor vanishes")
        proof.require(sum(r for _, r, _ in groups) == claimed, "the ranks of the groups have another sum")
        proof.require(claimed == self.psi or sum(size for size, _, _ in groups) == self.M, "an example is in no group")

    def list(self, word, size, limit):
        """A line of this word and so many indices."""
        found = self.proof.indices(self.proof.take(word, size), limit)
        self.proof.require(len(found) == size, "a wrong number of " + word)
        return found

    def group(self, states, asked):
        """(size, rank, query) of the group that comes next."""
        proof, q = self.proof, len(states[0])
        members = proof.indices(proof.take("group", self.M), self.M)
        proof.require(members, "the group is empty")
        query = asked[members[0]]
        proof.require(all(asked[i] == query for i in members), "the group has more than one query")
        r = proof.index(proof.one("rank"), q + 1)
        prime = self.prime()
        rows = self.list("rows", r, self.M)
        proof.require(set(rows) <= set(members), "not all of them are in the group")
        columns = self.list("columns", r, q)
        proof.require(nonsingular([[states[i][k] for k in columns] for i in rows], prime), "the minor vanishes modulo the prime")
        if proof.next_word() == "few-examples":
            proof.take("few-examples", 0)
            proof.require(len(members) <= r, "there are more examples in the group than that")
        else:
            self.nulls(q - r, q, [states[i] for i in members])
        return len(members), r, query
