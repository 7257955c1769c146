"""Proofs about stacks of layers: the claim `dimension D`. Part of check_certificate.py; written from
proofs_check/checker/FORMAT.md, section 8."""
from itertools import count
from math import comb
from types import SimpleNamespace

from certificate_arithmetic import is_prime, nonsingular
from certificate_data import TooLarge

MAX_PARAMETERS, MAX_ENTRIES, PYTHON_PARAMETERS = 8192, 2 ** 26, 300
LAYER_WORDS = ["heads", "groups", "key", "value", "residual", "causal", "rotary", "decay", "biases", "mlp", "width"]


class Undefined(Exception):
    """A number of an example has no image."""


class Number:
    """An image ("Images"): residues modulo P, q and q - 1 of an integer, P and q of a rational, P of an algebraic number; modulo P
    alone without softmax. The slope holds its derivatives by the parameters ("Derivative"), modulo P, 0 where it has no entry."""
    moduli, logarithm = (), 0

    def __init__(self, residues, slope):
        self.residues, self.slope = residues, slope

    @classmethod
    def integer(cls, value, parameter=None):
        return cls(tuple(value % m for m in cls.moduli), {} if parameter is None else {parameter: 1})

    def __truediv__(self, other):
        """A quotient is never an integer."""
        P = self.moduli[0]
        parts = list(zip(self.residues, other.residues, self.moduli[:2]))
        if not all(y for _, y, _ in parts):
            raise Undefined("a denominator vanishes")
        residues = tuple(x * pow(y, -1, m) % m for x, y, m in parts)
        inverse = pow(other.residues[0], -1, P)
        slope = {k: x * inverse for k, x in self.slope.items()}
        for k, y in other.slope.items():
            slope[k] = slope.get(k, 0) - residues[0] * y * inverse
        return Number(residues, {k: x % P for k, x in slope.items()})

    def power_of_two(self):
        """2^s, its derivative λ·2^s·s'."""
        if len(self.residues) == 1:
            raise Undefined("an exponent of 2 is algebraic")
        P = self.moduli[0]
        residues = tuple(pow(2, s, m) for s, m in zip(self.residues[1:], self.moduli))
        factor = self.logarithm * residues[0]
        return Number(residues, {k: x * factor % P for k, x in self.slope.items()})


ONE = SimpleNamespace(residues=(1, 1, 1), slope={})


def total(pairs):
    """Σ u·v: of the widest kind among them, as residues that one of them lacks are dropped."""
    P, kind, slope = Number.moduli[0], min(min(len(u.residues), len(v.residues)) for u, v in pairs), {}
    for u, v in pairs:
        for one, other in ((u, v.residues[0]), (v, u.residues[0])):
            for k, x in one.slope.items():
                slope[k] = slope.get(k, 0) + x * other
    residues = tuple(sum(u.residues[i] * v.residues[i] for u, v in pairs) % Number.moduli[i] for i in range(min(kind, len(Number.moduli))))
    return Number(residues, {k: x % P for k, x in slope.items()})


# The shape: what the lines before the claim say, and the numbers of the parameters.

def labelled(proof, fields, words):
    """The values of fields that alternate with these words."""
    proof.only(fields, 2 * len(words))
    proof.require(fields[::2] == words, "expected " + " ... ".join(words))
    return fields[1::2]


def bounded(proof, field, least, most):
    value = proof.index(field, most + 1)
    proof.require(value >= least, "a number is out of range")
    return value


def choice(proof, field, words):
    proof.require(field in words, "expected " + " or ".join(words))
    return field


def read_layer(proof, d):
    """A line `stack-layer`."""
    fields = proof.take("stack-layer", 1 + 2 * len(LAYER_WORDS))
    proof.require(fields, "expected a score")
    layer = SimpleNamespace(softmax=choice(proof, fields[0], ["linear", "softmax"]) == "softmax")
    H, G, a, v, residual, causal, rotary, decay, biases, mlp, m = labelled(proof, fields[1:], LAYER_WORDS)
    layer.H, layer.G = bounded(proof, H, 1, 256), bounded(proof, G, 1, 256)
    proof.require(layer.H % layer.G == 0, "the groups do not divide the heads")
    layer.a, layer.v = bounded(proof, a, 1, 256), bounded(proof, v, 1, 256)
    layer.residual, layer.causal, layer.rotary = [choice(proof, bit, ["0", "1"]) == "1" for bit in (residual, causal, rotary)]
    proof.require(layer.a % 2 == 0 or not layer.rotary, "rotary needs an even key")
    layer.decay = choice(proof, decay, ["none", "fixed", "learned"])
    proof.require(layer.decay == "none" or not layer.softmax, "a decay needs linear scores")
    layer.biases = "" if biases == "none" else biases
    proof.require(biases == "none" or biases and biases == "".join(b for b in "qkvom" if b in biases), "expected none or letters of qkvom")
    layer.mlp = choice(proof, mlp, ["none", "square", "cube"])
    layer.width = bounded(proof, m, 1, 1024) if layer.mlp != "none" else bounded(proof, m, 0, 0)
    proof.require(layer.mlp != "none" or "m" not in layer.biases, "a bias of an MLP that is not there")
    has = {b: int(b in layer.biases) for b in "qkvom"}
    layer.size = layer.G * (layer.a * (d + has["k"]) + layer.v * (d + has["v"])) + has["o"] * d + layer.width * (2 * d + has["m"]) \
        + layer.H * (layer.a * (d + has["q"]) + d * layer.v + (layer.decay == "learned")) + has["m"] * d
    return layer


def parameters(layers, d):
    """Of each sublayer ("Parameters"): its matrices of parameter numbers; a vector is a matrix of one column, of none if it is not
    there. `inputs` are the matrices that read the tokens with their biases, `outputs` those that write, and `bias` what is added."""
    number, sublayers = count(), []

    def matrix(rows, columns):
        return [[next(number) for _ in range(columns)] for _ in range(rows)]

    for layer in layers:
        a, v, m, has = layer.a, layer.v, layer.width, {b: int(b in layer.biases) for b in "qkvom"}
        attention = SimpleNamespace(layer=layer, attention=True, residual=layer.residual, groups=[])
        for _ in range(layer.G):
            group = SimpleNamespace(K=matrix(a, d), V=matrix(v, d), bK=matrix(a, has["k"]), bV=matrix(v, has["v"]), heads=[])
            for _ in range(layer.H // layer.G):
                group.heads.append(SimpleNamespace(Q=matrix(a, d), O=matrix(d, v), bQ=matrix(a, has["q"]),
                                                   decay=matrix(1, int(layer.decay == "learned"))))
            attention.groups.append(group)
        attention.bias = matrix(d, has["o"])
        attention.heads = [head for group in attention.groups for head in group.heads]
        attention.inputs = [pair for g in attention.groups for pair in [(g.K, g.bK), (g.V, g.bV)] + [(h.Q, h.bQ) for h in g.heads]]
        attention.outputs = [head.O for head in attention.heads]
        sublayers.append(attention)
        if layer.mlp != "none":
            W1, b1, W2, b2 = matrix(m, d), matrix(m, has["m"]), matrix(d, m), matrix(d, has["m"])
            sublayers.append(SimpleNamespace(layer=layer, attention=False, residual=layer.residual, inputs=[(W1, b1)], outputs=[W2], bias=b2))
    return sublayers


# The function ("Function").

def affine(theta, M, b, X):
    """M x + b for each token x."""
    rows = [([theta[k] for k in row], [(theta[k], ONE) for k in bias]) for row, bias in zip(M, b)]
    return [[total(list(zip(row, x)) + bias) for row, bias in rows] for x in X]


def turned(x, turn):
    """A key or query, each pair of its entries turned by the pair (cos, sin) at the same place."""
    result, minus = [], Number.integer(-1)
    for k in range(0, len(x), 2):
        result += [total([(turn[k], x[k]), (total([(turn[k + 1], minus)]), x[k + 1])]), total([(turn[k + 1], x[k]), (turn[k], x[k + 1])])]
    return result


def weights(layer, keys, queries, decay):
    """For each query j the weights w_ij of the keys i that count."""
    powers = [ONE]
    for j, query in enumerate(queries):
        ahead = layer.causal or layer.decay != "none"
        scores = [total(list(zip(key, query))) for key in (keys[:j + 1] if ahead else keys)]
        if layer.softmax:
            exponentials = [s.power_of_two() for s in scores]
            over = total([(e, ONE) for e in exponentials])
            scores = [e / over for e in exponentials]
        elif decay:
            scores = [total([(powers[j - i], s)]) for i, s in enumerate(scores)]
            powers.append(total([(powers[-1], decay)]))
        yield scores


def attention(sublayer, theta, X):
    """For each token and output the products whose sum it is."""
    layer, terms = sublayer.layer, [[[(theta[k], ONE) for k in bias] for bias in sublayer.bias] for _ in X]
    decays = {"none": [None] * layer.H, "fixed": layer.decays, "learned": [theta[k] for h in sublayer.heads for k in h.decay[0]]}[layer.decay]
    for g, group in enumerate(sublayer.groups):
        keys, values = affine(theta, group.K, group.bK, X), affine(theta, group.V, group.bV, X)
        for h, head in enumerate(group.heads):
            queries = affine(theta, head.Q, head.bQ, X)
            pair = [[turned(x, turn) if turn else x for x, turn in zip(Y, layer.turns)] for Y in (keys, queries)]
            for column, w in zip(terms, weights(layer, *pair, decays[g * len(group.heads) + h])):
                mixed = [total([(w_ij, values[i][k]) for i, w_ij in enumerate(w)]) for k in range(layer.v)]
                for row, term in zip(head.O, column):
                    term += [(theta[k], x) for k, x in zip(row, mixed)]
    return terms


def mlp(sublayer, theta, X):
    terms, (W1, b1), (W2,) = [], sublayer.inputs[0], sublayer.outputs
    for y in affine(theta, W1, b1, X):
        powers = [total([(total([(x, x)]), x if sublayer.layer.mlp == "cube" else ONE)]) for x in y]
        terms.append([[(theta[k], x) for k, x in zip(row, powers)] + [(theta[k], ONE) for k in bias] for row, bias in zip(W2, sublayer.bias)])
    return terms


def forward(sublayers, theta, X):
    """The tokens behind the last sublayer."""
    for sublayer in sublayers:
        terms = (attention if sublayer.attention else mlp)(sublayer, theta, X)
        X = [[total(term + ([(x, ONE)] if sublayer.residual else [])) for term, x in zip(column, old)] for column, old in zip(terms, X)]
    return X


# The fields ("Fields"): each a dictionary from parameters to their changes.

class Change(dict):
    """A field at the parameters theta (residues modulo P)."""

    def __init__(self, theta):
        super().__init__()
        self.theta = theta

    def add(self, parameter, change):
        self[parameter] = self.get(parameter, 0) + change

    def left(self, S, M, sign=1):
        """δM += sign S M, for S a list of entries (i, j, value)."""
        for i, j, x in S:
            for k, l in zip(M[i], M[j]):
                self.add(k, sign * x * self.theta[l])
        return self

    def right(self, M, S, sign=1):
        """δM += sign M S."""
        return self.left([(j, i, x) for i, j, x in S], list(zip(*M)), sign)

    def plus(self, M, A, sign=1):
        """δM += sign A."""
        for row, values in zip(M, A):
            for k, x in zip(row, values):
                self.add(k, sign * x)
        return self

    def minus_image(self, b, M, c):
        """δb -= M c."""
        return self.plus(b, [[sum(self.theta[k] * x for k, x in zip(row, c))] for row in M], -1)


def units(n):
    return [[(i, j, 1)] for i in range(n) for j in range(n)]


def reduced(A, P):
    """(Reduced row echelon form modulo P without its zero rows, pivot columns)."""
    rows, done, pivots = [[x % P for x in row] for row in A], [], []
    for f in range(len(A[0])):
        top = next((row for row in rows if row[f]), None)
        if top is None:
            continue
        rows.remove(top)
        inverse = pow(top[f], -1, P)
        top = [x * inverse % P for x in top]
        rows, done = [[[(x - row[f] * y) % P for x, y in zip(row, top)] for row in part] for part in (rows, done)]
        done.append(top)
        pivots.append(f)
    return done, pivots


def inverse(A, P):
    """Of a square matrix modulo P; None if it is singular."""
    n = len(A)
    rows, pivots = reduced([list(row) + [int(i == j) for j in range(n)] for i, row in enumerate(A)], P)
    return [row[n:] for row in rows] if pivots == list(range(n)) else None


def product(A, B):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*B)] for row in A]


def attention_fields(sublayer, theta, P):
    """Items 1 to 6."""
    layer, groups, heads = sublayer.layer, sublayer.groups, sublayer.heads

    def at(M):
        return [[theta[k] for k in row] for row in M]

    pairs = [S for k in range(0, layer.a, 2) for S in ([(k, k, 1), (k + 1, k + 1, 1)], [(k + 1, k, 1), (k, k + 1, -1)])]
    for group in groups:
        for S in pairs if layer.rotary else units(layer.a):
            change, transposed = Change(theta), [(j, i, x) for i, j, x in S]
            for head in group.heads:
                change.left(S, head.Q).left(S, head.bQ)
            yield change.left(transposed, group.K, -1).left(transposed, group.bK, -1)
    for group in groups:
        for S in units(layer.v):
            change = Change(theta).left(S, group.V).left(S, group.bV)
            for head in group.heads:
                change.right(head.O, S, -1)
            yield change
    if not layer.softmax:
        for group in groups:
            for h in group.heads:
                for k in group.heads if layer.decay == "none" else [h]:
                    yield Change(theta).plus(h.Q, at(k.Q)).plus(h.bQ, at(k.bQ)).plus(k.O, at(h.O), -1)
        if layer.H == layer.G and layer.a == layer.v == len(sublayer.bias) and layer.decay == "none" and not layer.rotary \
                and not set("qkv") & set(layer.biases):
            K, V, Q, O = [[at(g.K) for g in groups], [at(g.V) for g in groups], [at(h.Q) for h in heads], [at(h.O) for h in heads]]
            K_inverse, V_inverse = [[inverse(A, P) for A in part] for part in (K, V)]
            for h in range(layer.H):
                for k in range(layer.H):
                    if h != k and K_inverse[h] and V_inverse[k]:
                        Q_change = product(list(zip(*K_inverse[h])), product(list(zip(*K[k])), Q[k]))
                        yield Change(theta).plus(heads[h].Q, Q_change).plus(heads[k].O, product(product(O[h], V[h]), V_inverse[k]), -1)
    elif not layer.rotary and "k" in layer.biases:
        for group in groups:
            for (k,) in group.bK:
                yield {k: 1}
    if layer.softmax and "v" in layer.biases and "o" in layer.biases:
        for group in groups:
            for i, (k,) in enumerate(group.bV):
                change = Change(theta)
                change.add(k, 1)
                for head in group.heads:
                    change.plus(sublayer.bias, [[theta[row[i]]] for row in head.O], -1)
                yield change


def mlp_fields(sublayer, theta):
    (W1, b1), (W2,), degree = sublayer.inputs[0], sublayer.outputs, 2 if sublayer.layer.mlp == "square" else 3
    for i in range(len(W1)):
        yield Change(theta).left([(i, i, 1)], W1).left([(i, i, 1)], b1).right(W2, [(i, i, 1)], -degree)


def column(c):
    return [[x] for x in c]


def pair_fields(first, second, theta, d):
    """Items 7 and 8."""
    if not first.residual and not second.residual:
        for S in units(d):
            change = Change(theta)
            for M in first.outputs + [first.bias]:
                change.left(S, M)
            for M, _ in second.inputs:
                change.right(M, S, -1)
            yield change
    if first.bias[0] and all(b[0] for _, b in second.inputs) and (second.bias[0] or not second.residual):
        for i in range(d):
            c = [int(i == k) for k in range(d)]
            change = Change(theta).plus(first.bias, column(c))
            for M, b in second.inputs:
                change.minus_image(b, M, c)
            yield change.plus(second.bias, column(c), -1) if second.residual else change


def triple_fields(first, second, third, theta, P):
    """Of three sublayers in a row."""
    (W1, b1), d = third.inputs[0], len(first.bias)
    if not (second.attention and second.layer.softmax and not second.layer.rotary and not third.attention and b1[0] and first.bias[0]):
        return
    queries = [[theta[k] for k in row] for head in second.heads for row in head.Q]
    rows, pivots = reduced(queries, P)
    if len(pivots) < min(len(queries), d):  # then these c are of this point alone, not values of functions of all parameters
        return
    for f in sorted(set(range(d)) - set(pivots)):
        c = [int(k == f) for k in range(d)]
        for row, pivot in zip(rows, pivots):
            c[pivot] = -row[f] % P
        moved = c if second.residual else [0] * d
        for group in second.groups:
            value = [sum(theta[k] * x for k, x in zip(row, c)) for row in group.V]
            for head in group.heads:
                moved = [x + sum(theta[k] * y for k, y in zip(row, value)) for x, row in zip(moved, head.O)]
        change = Change(theta).plus(first.bias, column(c)).minus_image(b1, W1, moved)
        yield change.plus(third.bias, column(moved), -1) if third.residual else change


def fields(sublayers, theta, d, P):
    for n, sublayer in enumerate(sublayers):
        yield from attention_fields(sublayer, theta, P) if sublayer.attention else mlp_fields(sublayer, theta)
        if n + 1 < len(sublayers):
            yield from pair_fields(sublayer, sublayers[n + 1], theta, d)
        if n + 2 < len(sublayers):
            yield from triple_fields(*sublayers[n:n + 3], theta, P)


# The bound ("Bound").

def attention_bound(layer, m, n, t):
    """Of the attention of a layer from m numbers a token to n."""
    H, G, decay = layer.H, layer.G, layer.decay != "none"
    a, v, w = min(layer.a, m), min(layer.v, m, n), min(layer.v, m)
    e = a * (2 * m - a) + v * (m + n - v)
    mu = max(1, H - (m - a) ** 2 - (m - v) * (n - v)) if H <= m * max(m, n) else 1
    h = H * (e - 1) if decay else H * e - H * mu
    if G < H:
        rho, shared = min(n * w, a * m, H // G), a * m + w * m - a * a - w * w
        h = min(h, G * (shared + (H // G * (a * m + n * w - 1) if decay else rho * (n * w + a * m - rho))))
    same, apart = n * comb(m + 2, 3), n * m * m * (m + 1) // 2
    monomials = same if t == 1 else same + (t - 1) * apart if decay else apart
    return min(h, monomials) + (H if layer.decay == "learned" else 0)


def bound(layers, d, t):
    """B."""
    total_bound = 0
    for layer in layers:
        total_bound += attention_bound(layer, d, d, t)
        if layer.mlp != "none":
            total_bound += min(layer.width * (2 * d - 1), d * (d * (d + 1) // 2 if layer.mlp == "square" else comb(d + 2, 3)))
    if not any(layer.residual or layer.mlp != "none" for layer in layers):
        r = [d] + [min(d, layer.H * layer.v) for layer in layers[:-1]] + [d]
        narrow = sum(attention_bound(layer, r[l], r[l + 1], t) for l, layer in enumerate(layers))
        for l, layer in enumerate(layers[:-1]):
            if r[l + 1] <= r[l] and (t > 1 or layer.G == layer.H):  # else the basis between two layers may cost less
                narrow -= r[l + 1] ** 2
        total_bound = min(total_bound, narrow)
    return total_bound


# The lines.

def integers(proof, word, size):
    """A line of so many INTEGERs below 2^62."""
    values = [proof.integer(field) for field in proof.only(proof.take(word, size), size)]
    proof.require(all(abs(x) < 2 ** 62 for x in values), "a number is not below 2^62")
    return values


def indices(proof, word, size, limit):
    found = proof.indices(proof.take(word, size), limit)
    proof.require(len(found) == size, "expected %d fields" % size)
    return found


def read_images(proof, softmax):
    """The lines `prime` and `logarithm`."""
    P = proof.index(proof.one("prime"), 2 ** 31)
    proof.require(P > 2 and is_prime(P), "not an odd prime below 2^31")
    proof.require(not softmax or P % 8 == 7 and is_prime(P // 2), "with softmax P is 2 q + 1, q prime, and 7 modulo 8")
    Number.moduli = (P, P // 2, P // 2 - 1) if softmax else (P,)
    Number.logarithm = integers(proof, "logarithm", 1)[0] if softmax else 0
    return P


def read_constants(proof, layer, t):
    """The line `constants`, of a layer that has one: the decays of the heads, and for each token the entries (cos, sin) of R^{i-1}, of
    which R^0 is no number at all: it leaves the kind of a key as it is."""
    decays, pairs = layer.H if layer.decay == "fixed" else 0, layer.a // 2 if layer.rotary else 0
    values = integers(proof, "constants", decays + pairs) if decays + pairs else []
    layer.decays = [Number.integer(x) for x in values[:decays]]
    layer.turns = [None] * t
    if pairs:
        integer = Number.integer
        once = [integer(y) / integer(1 + x * x) for x in values[decays:] for y in (1 - x * x, 2 * x)]
        layer.turns = [None, once]
        while len(layer.turns) < t:
            layer.turns.append(turned(layer.turns[-1], once))


def defined(proof, function, *arguments):
    try:
        return function(*arguments)
    except Undefined as reason:
        return proof.require(False, str(reason))


def verify_stack(proof):
    """The claim, as written, of the lines behind the first; raises Rejected, or TooLarge."""
    d, L, t, readout = labelled(proof, proof.take("stack", 8), ["dimension", "layers", "tokens", "readout"])
    d, L, t = bounded(proof, d, 1, 256), bounded(proof, L, 1, 64), bounded(proof, t, 1, 64)
    choice(proof, readout, ["all", "last"])
    layers, size = [], 0
    for _ in range(L):
        layers.append(read_layer(proof, d))
        size += layers[-1].size
        proof.require(size <= MAX_PARAMETERS, "more than %d parameters" % MAX_PARAMETERS)
    claim = proof.take("claim", 2)
    proof.require(len(claim) == 2 and claim[0] == "dimension", "expected dimension and a number")
    D = proof.index(claim[1], 2 ** 62)
    P = read_images(proof, any(layer.softmax for layer in layers))
    if size > PYTHON_PARAMETERS:
        raise TooLarge("%d parameters, at most %d" % (size, PYTHON_PARAMETERS))
    theta = integers(proof, "parameters", size)
    for layer in layers:
        defined(proof, read_constants, proof, layer, t)
    sublayers = parameters(layers, d)
    numbers = [Number.integer(x, k) for k, x in enumerate(theta)]
    jacobian = []
    while not jacobian or proof.next_word() == "example":
        values = [Number.integer(x) for x in integers(proof, "example", d * t)]
        outputs = defined(proof, forward, sublayers, numbers, [values[j * d:(j + 1) * d] for j in range(t)])
        proof.require((len(jacobian) + d * (t if readout == "all" else 1)) * size <= MAX_ENTRIES, "too many outputs")
        jacobian += [y.slope for x in (outputs if readout == "all" else outputs[-1:]) for y in x]
    rows = indices(proof, "rows", D, len(jacobian))
    columns = indices(proof, "columns", D, size)
    proof.require(nonsingular([[jacobian[i].get(k, 0) for k in columns] for i in rows], P), "the minor of the derivative vanishes")
    if proof.next_word() == "bound":
        proof.only(proof.take("bound", 0), 0)
        proof.require(not any(layer.softmax or layer.rotary or layer.biases for layer in layers), "the bound is of linear layers without biases")
        most = bound(layers, d, t)
        proof.require(D == most, "the bound is %d" % most)
    else:
        found = list(fields(sublayers, [x % P for x in theta], d, P))
        chosen = indices(proof, "field-rows", size - D, len(found))
        columns = indices(proof, "field-columns", size - D, size)
        proof.require(not any(sum(x * row.get(k, 0) for k, x in field.items()) % P for field in found for row in jacobian),
                      "a field changes the outputs")
        proof.require(nonsingular([[found[i].get(k, 0) for k in columns] for i in chosen], P), "the minor of the fields vanishes")
    return " ".join(claim)
