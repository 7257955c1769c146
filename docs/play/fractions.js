'use strict';

// Exact numbers: BigInt fractions {n, d} with d > 0 in lowest terms, and integer vectors without a common factor.
const kZero = {n: 0n, d: 1n};

function magnitude(a) {
    return a < 0n ? -a : a;
}

function greatestCommonDivisor(a, b) {
    let x = magnitude(a);
    let y = magnitude(b);
    while (y !== 0n) {
        [x, y] = [y, x % y];
    }
    return x;
}

function fraction(n, d) {
    const common = greatestCommonDivisor(n, d) || 1n;
    const sign = d < 0n ? -1n : 1n;
    return {n: sign * n / common, d: sign * d / common};
}

function whole(n) {
    return {n: BigInt(n), d: 1n};
}

function sum(a, b) {
    return fraction(a.n * b.d + b.n * a.d, a.d * b.d);
}

function product(a, b) {
    return fraction(a.n * b.n, a.d * b.d);
}

function quotient(a, b) {
    return fraction(a.n * b.d, a.d * b.n);
}

function negative(a) {
    return {n: -a.n, d: a.d};
}

function compare(a, b) {
    const left = a.n * b.d;
    const right = b.n * a.d;
    return left < right ? -1 : left > right ? 1 : 0;
}

function inner(a, b) {
    return a.reduce((total, value, i) => sum(total, product(value, b[i])), kZero);
}

function power(a, exponent) {
    return {n: a.n ** BigInt(exponent), d: a.d ** BigInt(exponent)};
}

function fractionText(a) {
    return a.d === 1n ? String(a.n) : a.n + '/' + a.d;
}

// The nearest double but for a last bit; exact fractions of any size.
function toNumber(a) {
    const bits = magnitude(a.n).toString(2).length - a.d.toString(2).length;
    const shift = BigInt(Math.max(0, 60 - bits));
    const drop = BigInt(Math.max(0, bits - 60));
    const scaled = Number((a.n << shift) / (a.d << drop));
    return scaled * 2 ** (Number(drop) - Number(shift));
}

// "3", "-2/5", "0.75". Null where it is none.
function parseFraction(text) {
    const found = /^\s*(-?\d{1,9})(?:\/(\d{1,9})|\.(\d{1,9}))?\s*$/.exec(text.replace('\u2212', '-'));
    if (!found || (found[2] && BigInt(found[2]) === 0n)) {
        return null;
    }
    if (found[3]) {
        return fraction(BigInt(found[1] + found[3]), 10n ** BigInt(found[3].length));
    }
    return fraction(BigInt(found[1]), BigInt(found[2] || 1));
}

// The integer square root if a ≥ 0 is a square, else null.
function exactRoot(a) {
    if (a < 0n) {
        return null;
    }
    let root = 1n << BigInt(a.toString(2).length / 2 + 1 | 0);
    for (let next = root; ; root = next) {
        next = (root + a / root) >> 1n;
        if (next >= root) {
            return root * root === a ? root : null;
        }
    }
}

function leastCommonMultiple(values) {
    return values.reduce((all, value) => all / greatestCommonDivisor(all, value) * value, 1n);
}

// The multiple of the row that is a vector of integers without a common factor.
function primitive(row) {
    const scale = leastCommonMultiple(row.map((value) => value.d));
    return withoutFactor(row.map((value) => value.n * (scale / value.d)));
}

function withoutFactor(row) {
    const common = row.reduce(greatestCommonDivisor, 0n);
    return common <= 1n ? row : row.map((value) => value / common);
}
