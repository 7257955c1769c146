'use strict';

// The kernel of a layer y = Σ_g c_g Σ_t γ_g^(n−t) ⟨v, z_t⟩⟨z_t, q⟩, read off its outputs, and the decays behind it.
const kDistances = 9;

// What the layer answers to a token 1 that stands δ places before a query 1, all between being 0: d = 1. The query asks
// itself as well, which adds the kernel at 0.
function decayAnswer(heads, delta) {
    const kernel = (t) => heads.reduce((total, head) => sum(total, product(head.weight, power(head.rate, t))), kZero);
    return delta === 0 ? kernel(0) : sum(kernel(0), kernel(delta));
}

// κ(δ) from answers alone, then the shortest linear recurrence (Prony): one decay or two, exactly.
function readKernel(answers) {
    const kernel = answers.map((answer, delta) => delta === 0 ? answer : sum(answer, negative(answers[0])));
    if (kernel.slice(1).every((value) => value.n === 0n)) {
        return {kernel: kernel, rates: [], says: 'The kernel is 0 from distance 1 on: only the last token counts.'};
    }
    const [a, b, c, e] = kernel.slice(1, 5);
    const determinant = sum(product(a, c), negative(product(b, b)));
    if (determinant.n === 0n) {
        const rate = quotient(b, a);
        return {kernel: kernel, rates: [rate], recurrence: [rate],
                says: 'Each value is ' + fractionText(rate) + ' times the one before: a single decay.'};
    }
    // κ(δ+2) = s κ(δ+1) + p κ(δ), from κ(1) … κ(4).
    const s = quotient(sum(product(a, e), negative(product(b, c))), determinant);
    const p = quotient(sum(product(c, c), negative(product(b, e))), determinant);
    const spread = sum(product(s, s), product(whole(4), p));
    const roots = [exactRoot(spread.n), exactRoot(spread.d)];
    const says = 'κ(δ+2) = ' + minus(fractionText(s)) + ' κ(δ+1) ' + (p.n < 0n ? '\u2212 ' : '+ ') +
        fractionText(fraction(magnitude(p.n), p.d)) + ' κ(δ), from four values.';
    const half = fraction(1n, 2n);
    const root = roots[0] === null || roots[1] === null ? null : fraction(roots[0], roots[1]);
    const rates = root === null ? [] : [product(half, sum(s, root)), product(half, sum(s, negative(root)))];
    return {kernel: kernel, rates: rates, recurrence: [s, p], says: says};
}

// Whether the recurrence holds as far as the kernel was read.
function obeys(reading) {
    const {kernel, recurrence} = reading;
    if (!recurrence) {
        return true;
    }
    const order = recurrence.length;
    return kernel.slice(1).every((value, i) => i < order ||
        compare(value, recurrence.reduce((total, factor, j) => sum(total, product(factor, kernel[i - j])), kZero)) === 0);
}
