#!/usr/bin/env python3
"""check_certificate.py PROOF.cert DATA.npz [QUERIES.npz], or check_certificate.py --batch LIST

Decides proof files in plain Python, for psi <= 300. Written from proofs_check/checker/FORMAT.md with nothing but the
standard library. Answers and exit codes are those of attest-check; what is too large for plain Python exits 3.
A line of LIST holds the two or three files of one proof, with tabs between them; for each it prints the exit code and
the answer, and exits 0 itself."""
import os
import stat
import sys
from fractions import Fraction
from math import gcd

from certificate_arithmetic import dot, is_prime, nonsingular
from certificate_data import MAX_BYTES, BadFile, Data, TooLarge, layer_arrays
from certificate_features import Table, misfit, require_small
from certificate_layer import MAX_TEXT, Layer, NotCanonical
from certificate_text import Proof, Rejected

MAX_PROOF = 2**26  # bytes


class Checker:
    """Blocks (section 3) and claims (section 4) of FORMAT.md, each a function."""

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


def problem_line(proof, word, data):
    described = data.describe().split(" ")
    proof.require(proof.take(word, len(described)) == described, "another data set: " + data.describe())


def read_layer(proof):
    """Of the line `layer`, and its number; the paper's, and the number of the line before, where there is none."""
    before = proof.number  # looking at the next word goes beyond comments
    if proof.next_word() != "layer":
        return Layer(), before
    text = proof.rest("layer", MAX_TEXT)
    try:
        return Layer(text), proof.number
    except NotCanonical:
        return proof.require(False, "not the canonical text of a layer")


def verify(text, data, queries=None):
    """The claim, as written; raises Rejected."""
    proof = Proof(text)
    proof.require(proof.take("attest-proof", 1) == ["1"], "expected attest-proof 1")
    problem_line(proof, "data", data)
    layer, line = read_layer(proof)
    reason = misfit(layer, [data])
    proof.require(not reason, reason, line)
    if queries:
        problem_line(proof, "queries", queries)
        reason = misfit(layer, [data, queries])
        proof.require(not reason, reason)
    require_small(layer, [data] + ([queries] if queries else []))
    fields = proof.take("claim", max(3, 1 + (queries.num_examples if queries else 0)))
    checker = Checker(proof, Table(data, queries, layer))
    claims = {name.replace("_", "-"): getattr(checker, name) for name in (
        "full_rank", "deficient", "rank", "lambda_min", "determined", "undetermined", "labels_consistent",
        "labels_inconsistent", "inexpressible", "grouped")}
    proof.require(fields and fields[0] in claims, "unknown claim")
    claims[fields[0]](fields[1:])
    proof.finish()
    return " ".join(fields)


def read(path, limit):
    """The bytes of a regular file that is not larger."""
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
        raise BadFile("no regular file, or too large")
    with open(path, "rb", buffering=0) as file:
        return file.readall()


def answer(paths):
    """(exit code, one line) for a proof, its data and perhaps its queries."""
    if len(paths) not in (2, 3):
        return 2, "usage: " + __doc__.split("\n")[0]
    path = paths[0]
    try:
        proof = read(path, MAX_PROOF)
        sets = []
        for path in paths[1:]:
            sets.append(Data(read(path, MAX_BYTES), layer_arrays(proof)))
        return 0, "VERIFIED " + verify(proof, *sets)
    except Rejected as rejected:
        return 1, "REJECTED: line %d: %s" % rejected.args
    except TooLarge as large:
        return 3, "check_certificate.py: %s: %s; use attest-check" % (path, large)
    except (BadFile, OSError) as bad:
        return 4, "check_certificate.py: %s: %s" % (path, bad)
    except MemoryError:
        return 5, "check_certificate.py: out of memory"


def check_batch(path):
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as batch:
            for line in batch:
                print("%d %s" % answer(line.rstrip("\n").split("\t")), flush=True)
        return 0
    except OSError as bad:
        print("check_certificate.py: %s" % bad, file=sys.stderr)
        return 4


def main(arguments):
    sys.stdout.reconfigure(errors="backslashreplace")
    if len(arguments) == 2 and arguments[0] == "--batch":
        return check_batch(arguments[1])
    code, line = answer(arguments)
    print(line, file=sys.stdout if code < 2 else sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
