'use strict';

// Figure 2 with keys and values of two entries: tokens of four, 40 features, orthogonal sequences of rational rotations.
const kUnitary = 60;
const kGaussianMost = 8;

// Mulberry32: one draw in [0, 2³²) a call, the same in every browser.
function drawsFrom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6D2B79F5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return (t ^ (t >>> 14)) >>> 0;
    };
}

// A rotation or reflection with columns ((a²−b²)/c, 2ab/c), c = a² + b².
function rationalOrthogonal(draw) {
    const a = BigInt(1 + draw() % 6);
    const b = BigInt(1 + draw() % 6);
    const [x, y, c] = [a * a - b * b, 2n * a * b, a * a + b * b];
    const sign = draw() % 2 ? 1n : -1n;
    return [[fraction(x, c), fraction(y, c)], [fraction(-sign * y, c), fraction(sign * x, c)]];
}

function smallWhole(draw) {
    return whole(draw() % 9 - 4);
}

// Two keys with their values, and a query that is one of the keys with a value of its own.
function memorySequence(draw, unitary) {
    const pair = () => unitary ? rationalOrthogonal(draw)
                               : [[smallWhole(draw), smallWhole(draw)], [smallWhole(draw), smallWhole(draw)]];
    const keys = pair();
    const values = pair();
    const asked = keys[draw() % 2];
    return [[...keys[0], ...values[0]], [...keys[1], ...values[1]], [...asked, smallWhole(draw), smallWhole(draw)]];
}

// V = [0 0; 0 1], Q = [1 0; 0 0], first value entry: the sum of v_1 ⟨k, q⟩.
function memoryTeacher() {
    return featureIndices(4).map(([j, k, l]) => whole(l < 2 && j === l && k === 2 ? 1 : 0));
}

// Ranks for g = 0 … 8 Gaussian sequences beside 60 unitary ones; how far another minimiser is off on a fresh sequence.
function mixtureRanks(seed) {
    const draw = drawsFrom(seed);
    const unitary = Array.from({length: kUnitary}, () => memorySequence(draw, true));
    const gaussian = Array.from({length: kGaussianMost}, () => memorySequence(draw, false));
    const fresh = featuresOf(memorySequence(draw, false), whole(1));
    const features = [...unitary, ...gaussian].map((tokens) => featuresOf(tokens, whole(1)));
    const echelon = echelonOf(features.slice(0, kUnitary).map(primitive), fresh.length);
    const steps = [];
    for (let g = 0; g <= kGaussianMost; ++g) {
        if (g > 0) {
            echelon.add(primitive(features[kUnitary + g - 1]));
        }
        const open = echelon.nullVectors();
        const truth = inner(memoryTeacher(), fresh);
        // Of the directions left open, one that the fresh sequence notices.
        const seen = open.map((vector) => vector.map(whole)).map((vector) => inner(vector, fresh)).find((value) => value.n !== 0n);
        steps.push({rank: echelon.rank, open: open.length, truth: truth, other: sum(truth, seen || kZero)});
    }
    return {steps: steps, sequences: [...unitary, ...gaussian], psi: fresh.length};
}
