'use strict';

// The layer ŷ = Pᵀ (pack(S) ⊗ z), S = Σ_t γ^(n−t) z_t z_tᵀ, in Attest's order of features.

// Pairs j < k first, then squares, and for each of them l = 1 … d.
function featureIndices(d) {
    const states = [];
    for (let j = 0; j < d; ++j) {
        for (let k = j + 1; k < d; ++k) {
            states.push([j, k]);
        }
    }
    for (let j = 0; j < d; ++j) {
        states.push([j, j]);
    }
    return states.flatMap(([j, k]) => Array.from({length: d}, (_, l) => [j, k, l]));
}

function featureName([j, k, l]) {
    return 'S_' + (j + 1) + (k + 1) + ' z_' + (l + 1);
}

// Of tokens that are arrays of fractions, the last one asking; γ a fraction.
function featuresOf(tokens, gamma) {
    const query = tokens[tokens.length - 1];
    const weights = tokens.map((_, t) => power(gamma, tokens.length - 1 - t));
    const state = (j, k) => tokens.reduce((total, token, t) =>
        sum(total, product(weights[t], product(token[j], token[k]))), kZero);
    return featureIndices(query.length).map(([j, k, l]) => product(state(j, k), query[l]));
}

// Coefficients of the head V = (1 0 …), Q = 1: "each token's first entry, weighed by ⟨token, query⟩".
function plainTeacher(d) {
    return featureIndices(d).map(([j, k, l]) => {
        const ordered = (b, c) => b === 0 && c === l ? 1 : 0;
        return whole(j === k ? ordered(j, k) : ordered(j, k) + ordered(k, j));
    });
}

// A sequence of one or two small tokens on which the functional does not vanish; the first found in order of size.
function disagreeingInput(d, gamma, functional) {
    const values = [0, 1, -1, 2];
    const all = Array.from({length: values.length ** d}, (_, code) =>
        Array.from({length: d}, (_, i) => whole(values[Math.floor(code / values.length ** i) % values.length])));
    for (const tokens of [...all.map((z) => [z]), ...all.flatMap((z) => all.map((t) => [t, z]))]) {
        const value = inner(functional, featuresOf(tokens, gamma));
        if (value.n !== 0n) {
            return {tokens: tokens, difference: value};
        }
    }
    return null;
}

function asFractions(examples) {
    return examples.map((tokens) => tokens.map((token) => token.map(whole)));
}

// The shortest null vector, by number of terms, then by size.
function simplest(vectors) {
    const weight = (vector) => [vector.filter((value) => value !== 0n).length,
                                vector.reduce((total, value) => total + magnitude(value), 0n)];
    return vectors.reduce((best, vector) => {
        const [a, b] = [weight(best), weight(vector)];
        return b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? vector : best;
    });
}

// All that the page says of a data set. Each of `examples` is a list of tokens of d integers.
function solve(d, gamma, examples) {
    const sequences = asFractions(examples);
    const features = sequences.map((tokens) => featuresOf(tokens, gamma));
    const rows = features.map(primitive);
    const psi = featureIndices(d).length;
    const echelon = echelonOf(rows, psi);
    const found = {d: d, gamma: gamma, psi: psi, rank: echelon.rank, features: features, rows: rows, sequences: sequences};
    if (echelon.rank === psi) {
        return {...found, nullVectors: [], lambda: smallestEigenvalue(secondMoment(features))};
    }
    const nullVectors = echelon.nullVectors();
    const relation = simplest(nullVectors);
    const change = relation.map(whole);
    const first = plainTeacher(d);
    const witness = disagreeingInput(d, gamma, change);
    return {...found, nullVectors: nullVectors, relation: relation, lambda: {lo: kZero, hi: kZero},
            models: [first, first.map((value, i) => sum(value, change[i]))], witness: witness};
}

// The rank without example i: what this one adds.
function rankWithout(found, i) {
    return echelonOf(found.rows.filter((_, j) => j !== i), found.psi).rank;
}
