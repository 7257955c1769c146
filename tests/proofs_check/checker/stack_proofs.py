"""Writes proofs about stacks of layers (FORMAT.md, section 8) for the tests: parameters and examples are drawn, rows and columns
found by elimination. The derivative and the fields are those of the Python checker, so what is tested with these proofs is
everything else, and the other checker. Needs scripts/ on sys.path; standard library only."""
import random

import certificate_stack
from broken_examples import signed
from certificate_arithmetic import is_prime
from certificate_stack import Number
from certificate_text import Proof

LINEAR_PRIME = 2**31 - 1
SOFTMAX_PRIME = next(P for P in range(2**31 - 1, 0, -8) if is_prime(P) and is_prime(P // 2))
WORDS = {"heads": 1, "groups": 1, "key": 1, "value": 1, "residual": 0, "causal": 0, "rotary": 0, "decay": "none", "biases": "none",
         "mlp": "none", "width": 0}


def layer(score="linear", **words):
    """A line `stack-layer`; as many groups as heads if nothing is said of them."""
    all_words = {**WORDS, "groups": words.get("heads", 1), **words}
    return "stack-layer %s " % score + " ".join("%s %s" % (word, all_words[word]) for word in WORDS)


class Elimination:
    """Rows that are taken one by one, dictionaries, modulo P: the numbers of the independent ones, and their pivot columns, ascending."""

    def __init__(self, P):
        self.P, self.basis, self.taken, self.rows = P, [], 0, []

    def take(self, row):
        row = dict(row)
        for pivot, other in self.basis:
            factor = row.get(pivot, 0)
            for k, x in other.items() if factor else ():
                row[k] = (row.get(k, 0) - factor * x) % self.P
        pivot = next((k for k, x in sorted(row.items()) if x % self.P), None)
        if pivot is not None:
            inverse = pow(row[pivot], -1, self.P)
            self.basis.append((pivot, {k: x * inverse % self.P for k, x in row.items()}))
            self.rows.append(self.taken)
        self.taken += 1

    def columns(self):
        return sorted(pivot for pivot, _ in self.basis)


def independent(rows, P):
    """What elimination of all of them finds."""
    found = Elimination(P)
    for row in rows:
        found.take(row)
    return found


class Point:
    """Drawn parameters and constants of a stack."""

    def __init__(self, d, t, readout, lines, seed):
        self.d, self.t, self.readout, self.rng = d, t, readout, random.Random(seed)
        self.softmax = any("softmax" in line for line in lines)
        self.P = SOFTMAX_PRIME if self.softmax else LINEAR_PRIME
        Number.moduli = (self.P, self.P // 2, self.P // 2 - 1) if self.softmax else (self.P,)
        self.logarithm = Number.logarithm = self.rng.randrange(2, self.P)
        self.layers = [certificate_stack.read_layer(lone(line), d) for line in lines]
        self.constants = []
        for one in self.layers:
            number = one.H * (one.decay == "fixed") + one.a // 2 * one.rotary
            line = "constants" + listed(self.rng.randint(2, 40) for _ in range(number))
            self.constants += [line] if number else []
            certificate_stack.read_constants(lone(line), one, t)
        self.sublayers = certificate_stack.parameters(self.layers, d)
        self.theta = [self.rng.randint(1, 10**4) for _ in range(sum(one.size for one in self.layers))]

    def derivative(self, example):
        X = [[Number.integer(x) for x in example[j * self.d:(j + 1) * self.d]] for j in range(self.t)]
        numbers = [Number.integer(x, k) for k, x in enumerate(self.theta)]
        outputs = certificate_stack.forward(self.sublayers, numbers, X)
        return [y.slope for x in (outputs if self.readout == "all" else outputs[-1:]) for y in x]

    def rank(self):
        """(Examples, derivative, its elimination): drawn until two more change nothing."""
        examples, rows, found, ranks = [], [], Elimination(self.P), [-2, -1, 0]
        while ranks[-1] > ranks[-3]:
            examples.append([self.rng.randint(-999, 999) for _ in range(self.d * self.t)])
            for row in self.derivative(examples[-1]):
                rows.append(row)
                found.take(row)
            ranks.append(len(found.rows))
        return examples, rows, found


def lone(line):
    """A line to be read for itself."""
    proof = Proof(signed("\n" + line + "\n").encode())
    proof.at, proof.number = 1, 1
    return proof


def listed(values):
    return "".join(" %d" % x for x in values)


def proof_of(d, t, lines, readout="all", bound=False, seed=1, claimed=None):
    """The text of a proof, not signed; of less than the rank found, if so claimed."""
    point = Point(d, t, readout, lines, seed)
    examples, jacobian, found = point.rank()
    rows, columns = found.rows, found.columns()
    if claimed is not None:
        rows = rows[:claimed]
        columns = independent([jacobian[i] for i in rows], point.P).columns()
    body = ["attest-proof 1", "stack dimension %d layers %d tokens %d readout %s" % (d, len(lines), t, readout), *lines,
            "claim dimension %d" % len(rows), "prime %d" % point.P]
    body += ["logarithm %d" % point.logarithm] if point.softmax else []
    body += ["parameters" + listed(point.theta), *point.constants] + ["example" + listed(x) for x in examples]
    body += ["rows" + listed(rows), "columns" + listed(columns)]
    if bound:
        return body + ["bound"]
    fields = list(certificate_stack.fields(point.sublayers, [x % point.P for x in point.theta], d, point.P))
    chosen = independent(fields, point.P)
    return body + ["field-rows" + listed(chosen.rows), "field-columns" + listed(chosen.columns())]


# (d, tokens, lines, options), and the dimension.
VALID = {
    "one number": ((1, 1, [layer()]), 1),
    "one number, bound": ((1, 1, [layer()], "all", True), 1),
    "rank one heads": ((2, 2, [layer(heads=2)]), 10),
    "full heads": ((3, 2, [layer(heads=2, key=3, value=3, residual=1)]), 32),
    "shared keys": ((3, 3, [layer(heads=4, groups=2, key=2, value=2, causal=1)]), 48),
    "shared keys, bound": ((3, 3, [layer(heads=4, groups=2, key=2, value=2, causal=1)], "all", True), 48),
    "rotary": ((3, 3, [layer(heads=2, key=4, value=2, rotary=1, biases="qkvo")]), 77),
    "fixed decays": ((3, 3, [layer(heads=2, key=2, value=2, decay="fixed")]), 30),
    "learned decays": ((3, 3, [layer(heads=2, key=2, value=2, decay="learned")]), 32),
    "full heads of two numbers": ((2, 3, [layer(heads=2, key=2, value=2)]), 12),
    "shared keys with biases": ((3, 3, [layer(heads=2, groups=1, key=2, value=2, biases="qkvo", residual=1)]), 35),
    "rotary, fixed decays": ((3, 4, [layer(heads=2, key=2, value=2, decay="fixed", rotary=1)]), 34),
    "rotary, learned decays, last token": ((3, 3, [layer(heads=2, groups=1, key=2, value=2, decay="learned", rotary=1, residual=1)], "last"), 30),
    "an MLP between": ((2, 2, [layer(heads=2, causal=1, mlp="square", width=2), layer()]), 13),
    "MLPs with all biases": ((2, 3, [layer(key=2, value=2, residual=1, biases="qkvom", mlp="square", width=2),
                                     layer(residual=1, biases="qkvom", mlp="cube", width=2)]), 39),
    "two layers, bound": ((3, 3, [layer(heads=2), layer(heads=2)], "all", True), 24),
    "narrow layers, bound": ((3, 2, [layer(), layer(), layer(heads=3, key=2)], "all", True), 9),
    "a residual connection before none": ((2, 2, [layer(residual=1), layer()]), 10),
    "softmax": ((3, 3, [layer("softmax", heads=2, key=2, value=2, residual=1, causal=1, biases="qkvo")]), 39),
    "softmax, last token": ((3, 3, [layer("softmax", heads=2, groups=1, key=2, value=2)], "last"), 28),
    "rotary softmax": ((3, 3, [layer("softmax", heads=2, key=2, value=2, residual=1, rotary=1, mlp="square", width=3, biases="m")]), 57),
    "three sublayers": ((2, 3, [layer(residual=1, biases="o"), layer("softmax", key=1, residual=1, biases="om", mlp="square", width=2)]), 22),
    "two softmax layers": ((3, 3, [layer("softmax", heads=2, value=2, mlp="cube", width=3, biases="qkvom"),
                                   layer("softmax", value=2, mlp="square", width=3, biases="om")]), 54),
}

def texts():
    """The text of each of these, not signed."""
    return {name: "\n".join(proof_of(*options)) + "\n" for name, (options, _) in VALID.items()}


def one_entry(rng):
    """A proof that is wrong at `columns` or at `field-rows`: which of the two says whether one entry of J is 0 modulo a small prime, so that
    checkers agree on many of these only if they compute the same function. 1 + x^2 is not 0 modulo such a prime."""
    d, t, P = rng.randint(1, 3), rng.choice((1, 2, 2, 3)), rng.choice((3, 7, 11, 19))
    lines, sizes, constants = [], 0, []
    for _ in range(rng.choice((1, 1, 2))):
        a, v, G, share, m = rng.choice((1, 2, 2)), rng.choice((1, 2)), rng.choice((1, 2)), rng.choice((1, 2)), rng.randint(1, 2)
        decay, mlp, rotary = rng.choice(("none", "fixed", "learned")), rng.choice(("none", "square", "cube")), int(a == 2 and rng.random() < 0.5)
        letters = "".join(x for x in "qkvom" if rng.random() < 0.4 and (x != "m" or mlp != "none"))
        lines.append(layer(heads=G * share, groups=G, key=a, value=v, residual=rng.randrange(2), causal=rng.randrange(2), rotary=rotary, decay=decay,
                           biases=letters or "none", mlp=mlp, width=0 if mlp == "none" else m))
        number = G * share * (decay == "fixed") + a // 2 * rotary
        constants += ["constants" + listed(rng.randrange(P) for _ in range(number))] if number else []
        sizes += certificate_stack.read_layer(lone(lines[-1]), d).size
    readout = rng.choice(("all", "last"))
    outputs = d * (t if readout == "all" else 1)
    return "\n".join(["attest-proof 1", "stack dimension %d layers %d tokens %d readout %s" % (d, len(lines), t, readout), *lines, "claim dimension 1",
                      "prime %d" % P, "parameters" + listed(rng.randrange(1, P) for _ in range(sizes)), *constants,
                      "example" + listed(rng.randrange(1, P) for _ in range(d * t)), "rows %d" % rng.randrange(outputs),
                      "columns %d" % rng.randrange(sizes), "field-rows"]) + "\n"


def dimension_of(text):
    """The rank at drawn parameters, of the stack that a verified proof names: that of almost all."""
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    d, _, t, readout = lines[1].split(" ")[2::2]
    layers = [line for line in lines if line.startswith("stack-layer")]
    return len(Point(int(d), int(t), readout, layers, 7).rank()[2].rows)


def may_leave_out(name, text):
    """Whether this checker may say that it does not support this proof."""
    return {"check_certificate.py": True, "attest-verified": "softmax" in text or "\nbound\n" in text}.get(name, False)


# Well formed, and false: such a proof, the dimension that its stack has at least, the first word of the line that is wrong.
def false_proofs():
    # A bound that takes off changes of basis between a narrow layer and a wide one, of which neither notices all.
    bound = proof_of(4, 2, [layer(), layer(heads=4), layer()], bound=True, claimed=10)
    return [("\n".join(bound) + "\n", 13, "bound"), (DEGENERATE, 29, "field-rows")]


# The two heads of the second layer have the same queries: here, and only here, there is a field of three sublayers for a second c.
DEGENERATE = """attest-proof 1
stack dimension 2 layers 2 tokens 3 readout all
stack-layer linear heads 1 groups 1 key 1 value 1 residual 1 causal 0 rotary 0 decay none biases o mlp none width 0
stack-layer softmax heads 2 groups 2 key 1 value 1 residual 1 causal 0 rotary 0 decay none biases om mlp square width 2
claim dimension 28
prime 2147481143
logarithm 288545020
parameters 22 47 -42 -18 -35 13 47 7 10 33 -2 50 -24 -38 12 -47 -1 5 27 47 48 -50 12 -47 -16 42 -21 25 -37 -10 -47 -48 -47 33 19 -49 -2 37 -23 4
example 16 -29 3 -16 18 -2
example 30 1 5 -16 -8 -16
example 13 -16 18 -1 30 -12
example 29 -29 -4 23 28 5
example 29 11 -24 -19 10 16
example 25 -12 -23 17 -9 27
rows 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27
columns 0 1 2 4 6 8 9 10 11 12 13 14 16 18 19 20 21 22 24 26 28 29 30 31 32 33 34 35
field-rows 0 1 2 3 4 5 6 7 8 9 10 11
field-columns 0 2 4 8 10 12 18 20 26 27 28 30
"""
