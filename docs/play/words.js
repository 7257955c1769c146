'use strict';

// Exact facts as sentences.
function minus(text) {
    return String(text).replaceAll('-', '\u2212');
}

// "2 S_12 z_1 + S_22 z_2 = 3 S_11 z_1": what is negative goes to the other side.
function relationText(vector, names) {
    const side = (sign) => vector.map((value, i) => ({value: value * sign, name: names[i]}))
        .filter((term) => term.value > 0n)
        .map((term) => (term.value === 1n ? '' : term.value + ' ') + term.name).join(' + ') || '0';
    return side(1n) + ' = ' + side(-1n);
}

function integerRank(rows, width) {
    return echelonOf(rows.map((row) => withoutFactor(row)), width).rank;
}

// Why the data leave something open; every reason is checked exactly on all examples.
function reasons(found) {
    const {d, sequences, psi, rows} = found;
    const integers = (token) => token.map((value) => value.n);
    const said = [];
    if (rows.length < psi) {
        said.push('There are ' + rows.length + ' examples for ' + psi + ' unknowns: any ' + rows.length +
            ' leave at least ' + (psi - rows.length) + (psi - rows.length === 1 ? ' direction' : ' directions') + ' open.');
    }
    if (sequences.every((tokens) => tokens.length === 1)) {
        said.push('Every sequence is a single token, so S is the query times itself, and features that are equal as ' +
            'cubic monomials cannot be told apart. Two tokens can.');
    }
    const queries = sequences.map((tokens) => integers(tokens[tokens.length - 1]));
    const tokens = sequences.flat().map(integers);
    if (integerRank(tokens, d) < d) {
        said.push('All tokens lie in one subspace of dimension ' + integerRank(tokens, d) + ': nothing was ever seen outside it.');
    } else if (integerRank(queries, d) < d) {
        said.push('All queries lie in one subspace of dimension ' + integerRank(queries, d) + ': no other question was asked.');
    }
    const states = rows.length >= psi ? packedStates(found) : [];
    const width = d * (d + 1) / 2;
    if (states.length && integerRank(states, width) < width) {
        said.push('The states S of all examples obey a linear relation, such as a fixed trace.');
    }
    return said.length ? said : ['It holds in every example; no simpler cause is known by name.'];
}

function packedStates(found) {
    const indices = featureIndices(found.d).filter((index) => index[2] === 0);
    return found.sequences.map((tokens) => primitive(indices.map(([j, k]) => tokens.reduce((total, token, t) =>
        sum(total, product(power(found.gamma, tokens.length - 1 - t), product(token[j], token[k]))), kZero))));
}

function matrixText(tokens) {
    return '[' + tokens[0].map((_, i) => tokens.map((token) => minus(fractionText(token[i]))).join(' ')).join('; ') + ']';
}

// Digits that both ends of the enclosure share the sense of.
function lambdaText(lambda) {
    if (lambda.lo.n === 0n && lambda.hi.n === 0n) {
        return '0';
    }
    return minus(Number(toNumber(lambda.hi).toPrecision(5)));
}
