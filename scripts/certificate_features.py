"""Features of examples, from the definitions, and the integer table of features and labels. Part of check_certificate.py;
written from proofs_check/checker/FORMAT.md, sections 1, 3 and 6."""
import math
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

from certificate_data import MANY_NUMBERS, TooLarge
from certificate_layer import Layer

MAX_PSI = 300
MAX_WEIGHT_BITS = 2**20
MAX_STATE_BITS = 2**31
MAX_FEATURES = 2**25


def denominator(numbers):
    """The least power of two that makes all these doubles integers."""
    return max([1] + [x.as_integer_ratio()[1] for x in numbers])


def integer(x, scale):
    numerator, below = x.as_integer_ratio()
    return numerator * scale // below


def integers(numbers, scale):
    return [integer(x, scale) for x in numbers]


def monomial_count(d, degree):
    return math.comb(d + degree - 1, degree)


def sizes(layer, data):
    """(q, m, psi)."""
    d, one = data.d, int(layer.has("affine"))
    columns = {name: len(each[0]) if each else 0 for name, each in data.columns.items()}
    if layer.has("moments"):
        q, m = columns["s"], columns["u"]
    elif layer.degrees:
        degrees = range(layer.degrees[0], layer.degrees[1] + 1)
        parts = [(monomial_count(d, p + 1), monomial_count(d, p)) for p in degrees]
        return sum(q for q, m in parts), sum(m for q, m in parts), sum(q * m for q, m in parts)
    else:
        keys = columns["phi"] if layer.has("mapped") else columns["keys"]
        summand = d * keys if layer.has("mapped") or layer.has("delta") else d * d if layer.by_key else (d + one) * (d + one + 1) // 2
        q = summand * max(1, len(layer.kernels)) + one
        m = columns["phi"] if layer.has("mapped") else columns["x"] + one if layer.has("cross") else d + one
    return q, m, q * m


def lacks(layer, data):
    """What the layer needs and the data do not have; empty if nothing."""
    if layer.has("moments"):
        return "" if data.columns["s"] else "s and u"
    if not data.d:
        return "tokens"
    for word, name in (("mapped", "phi"), ("delta", "keys"), ("delta", "beta"), ("cross", "x"), ("gates", "gates")):
        if layer.has(word) and not data.columns[name]:
            return name
    if layer.has("delta") and len(data.columns["beta"][0]) != 1:
        return "beta of one number"
    own = "phi" if layer.has("mapped") else "keys" if layer.has("delta") else None
    keys = 1 if not layer.by_key else len(data.columns[own][0]) if own else data.d
    return "gates of that size" if layer.has("gates") and len(data.columns["gates"][0]) != keys else ""


def longest(sets):
    return max(b - a for each in sets for a, b in zip(each.offsets, each.offsets[1:]))


def column_scale(sets, name):
    return denominator(x for each in sets for vector in each.columns[name] for x in vector)


def largest(sets, name, scale):
    return max(abs(integer(x, scale)) for each in sets for vector in each.columns[name] for x in vector)


def delta_scales(layer, sets):
    """Numbers that make integers of keys, of beta and of the entries of I - beta k k'."""
    keys, beta = ((column_scale(sets, name) if layer.has("delta") else 1) for name in ("keys", "beta"))
    return keys, beta, keys ** 2 * beta


def weight_bits(layer, sets):
    """k of section 6."""
    if layer.has("gates"):
        scale = column_scale(sets, "gates")
        step = max(scale, largest(sets, "gates", scale))
    else:
        step = layer.denominators()[0]
    bits = (step - 1).bit_length()
    if layer.has("delta"):
        key_scale, beta_scale, kept = delta_scales(layer, sets)
        kept += len(sets[0].columns["keys"][0]) * largest(sets, "beta", beta_scale) * largest(sets, "keys", key_scale) ** 2
        bits += (kept - 1).bit_length()
    return bits * (longest(sets) - 1) + (layer.denominators()[1] - 1).bit_length()


def misfit(layer, sets):
    """Why the layer does not fit the data and, if they are given too, the queries; empty if it does."""
    for each in sets:
        if lacks(layer, each):
            return "the layer finds no " + lacks(layer, each)
    q, m, psi = sizes(layer, sets[0])
    bits = weight_bits(layer, sets)
    if bits > MAX_WEIGHT_BITS or (64 + bits) * q > MAX_STATE_BITS or psi > MAX_FEATURES:
        return "the layer has too many features, or too large weights"
    if any(each.d != sets[0].d or sizes(layer, each) != (q, m, psi) for each in sets):
        return "the queries have another dimension"
    return ""


def require_small(layer, sets):
    """Raises TooLarge for what would take plain Python too long."""
    psi = sizes(layer, sets[0])[2]
    examples = sum(each.num_examples for each in sets)
    words = 1 + weight_bits(layer, sets) // 64
    if psi > MAX_PSI or psi * examples * words > MANY_NUMBERS or longest(sets) * len(layer.kernels) * words > MANY_NUMBERS:
        raise TooLarge("psi is above %d, or the table or its weights above %d entries or words" % (MAX_PSI, MANY_NUMBERS))


class Table:
    """The integer table: rows of features and labels, both multiplied by `unit`; and the queries' rows of features."""

    def __init__(self, data, queries=None, layer=None):
        self.layer = layer or Layer()
        self.data = data
        sets = [data] + ([queries] if queries else [])
        self.set_scales(data, sets)
        self.psi, self.o = sizes(self.layer, data)[2], data.o
        self.features = list(self.rows(data))
        self.labels = [integers(row, self.unit) for row in data.labels]
        self.queries = list(self.rows(queries)) if queries else []

    def set_scales(self, data, sets):
        """`scale` makes integers of what the layer reads, `common` of the weights, `unit` of features and labels."""
        layer = self.layer
        names = ["phi"] * layer.has("mapped") + ["keys", "beta"] * layer.has("delta") + ["x"] * layer.has("cross") + ["s", "u"] * layer.has("moments")
        read = [each.tokens for each in sets] + [each.columns[name] for each in sets for name in names]
        self.scale = denominator(x for vectors in read for vector in vectors for x in vector)
        self.degree = 2 * layer.degrees[1] + 1 if layer.degrees else 2 if layer.has("moments") else 4 if layer.has("delta") else 3
        labels = denominator(v for row in data.labels for v in row)
        while self.scale ** self.degree < labels:
            self.scale *= 2
        self.gate = column_scale(sets, "gates") if layer.has("gates") else 1
        self.key_scale, self.beta_scale, self.forgets = delta_scales(layer, sets)
        decays, entries = layer.denominators()
        self.common = (decays * self.gate * self.forgets) ** (longest(sets) - 1) * entries
        self.unit = self.scale ** self.degree * self.common
        self.kernels = [self.weights(kernel, longest(sets)) for kernel in layer.kernels] or [[self.common] * longest(sets)]

    def weights(self, kernel, count):
        """κ(δ)·common for δ < count; powers one after the other, for a long fraction is slow to reduce."""
        kind, parameter = kernel
        if kind != "decay":
            values = [Fraction(self.layer.weight(kernel, delta)) for delta in range(count)]
            return [value.numerator * (self.common // value.denominator) for value in values]
        weights = [self.common]
        while len(weights) < count:
            weights.append(weights[-1] * parameter.numerator // parameter.denominator)
        return weights

    def rows(self, data):
        for i, tokens, query in data.examples():
            if self.layer.has("moments"):
                s, u = (integers(data.columns[name][i], self.scale) for name in ("s", "u"))
                yield [a * b for a in s for b in u]
            elif self.layer.degrees:
                yield self.graded([self.token(data, t) for t in tokens], self.token(data, query))
            else:
                yield [a * b for a in self.state(data, tokens) for b in self.asking(data, i, query)]

    def token(self, data, t):
        return [self.scale] * self.layer.has("affine") + integers(data.tokens[t], self.scale)

    def asking(self, data, i, query):
        """u."""
        if self.layer.has("mapped"):
            return integers(data.columns["phi"][query], self.scale)
        if self.layer.has("cross"):
            return [self.scale] * self.layer.has("affine") + integers(data.columns["x"][i], self.scale)
        return self.token(data, query)

    def summand(self, data, t):
        z = self.token(data, t)
        if self.layer.has("mapped"):
            phi = integers(data.columns["phi"][t], self.scale)
            return [a * b for a in z for b in phi]
        if self.layer.by_key:
            return [a * b for a in z for b in z]
        return [a * b for a, b in combinations(z, 2)] + [a * a for a in z]

    def state(self, data, tokens):
        """s: a weight times a summand for each token."""
        last = tokens[-1]
        if self.layer.has("delta"):
            s = self.kept(data, tokens)
        elif self.layer.has("gates"):
            s = self.gated(data, tokens)
        else:
            summands = [self.summand(data, t) for t in tokens]
            s = []
            for weights in self.kernels:
                seen = [(weights[last - t], x) for t, x in zip(tokens, summands) if weights[last - t]]
                s += [sum(w * x[j] for w, x in seen) for j in range(len(summands[0]))]
        return s + [self.scale ** 2 * self.common] * self.layer.has("affine")

    def gated(self, data, tokens):
        """Each summand's entry times the gates of all later tokens."""
        gates = data.columns["gates"]
        keys = len(gates[0])
        products = [self.common] * keys
        s = None
        for t in reversed(tokens):
            term = [x * products[j % keys] for j, x in enumerate(self.summand(data, t))]
            s = term if s is None else [a + b for a, b in zip(s, term)]
            if t > tokens[0]:
                products = [p * integer(g, self.gate) // self.gate for p, g in zip(products, gates[t])]
        return s

    def kept(self, data, tokens):
        """Each token's beta z k' times the product W of D (I - beta k k') of all later tokens, D their gates."""
        K = len(data.columns["keys"][0])
        W = [[self.common * (a == b) for b in range(K)] for a in range(K)]
        s = [0] * (data.d * K)
        for t in reversed(tokens):
            k = integers(data.columns["keys"][t], self.key_scale)
            kW = [sum(k[a] * W[a][b] for a in range(K)) for b in range(K)]
            strength = integer(data.columns["beta"][t][0], self.scale) * (self.scale // self.key_scale)
            for j, z in enumerate(integers(data.tokens[t], self.scale)):
                for b in range(K):
                    s[j * K + b] += strength * z * kW[b]
            if t > tokens[0]:
                beta = integer(data.columns["beta"][t][0], self.beta_scale)
                g = integers(data.columns["gates"][t], self.gate) if self.layer.has("gates") else [1]
                W = [[(W[a][b] * self.forgets - beta * k[a] * kW[b]) * g[a % len(g)] // (self.forgets * self.gate) for b in range(K)]
                     for a in range(K)]
        return s

    def graded(self, tokens, z):
        """Block after block, those of lower degree on the scale of the highest."""
        features = []
        for p in range(self.layer.degrees[0], self.layer.degrees[1] + 1):
            raised = self.scale ** (self.degree - 2 * p - 1)
            s = [sum(math.prod(x) for x in factors)
                 for factors in zip(*(combinations_with_replacement(token, p + 1) for token in tokens))]
            u = [math.prod(factors) for factors in combinations_with_replacement(z, p)]
            features += [raised * a * b for a in s for b in u]
        return features
