'use strict';

// Starts the parts, and gives tests the same functions that the page uses, numbers as text.
setUpPlayground();
setUpDecay();
// The ranks of nine mixtures take a moment, and stand below the first screen.
setTimeout(setUpMixture);
const layerIsOpen = openLayer(kMachineTable).then((layer) => {
    setUpMachine(layer);
    return layer;
});

window.attestPlay = {
    solve: (d, gamma, examples) => {
        const found = solve(d, parseFraction(gamma), examples);
        return {psi: found.psi, rank: found.rank, features: found.features.map((row) => row.map(fractionText)),
                nullVectors: found.nullVectors.map((vector) => vector.map(String)),
                lambda: [found.lambda.lo, found.lambda.hi].map(fractionText),
                witness: found.witness ? found.witness.tokens.map((token) => token.map(fractionText)) : null};
    },
    mixture: (seed) => {
        const ranks = mixtureRanks(seed);
        return {ranks: ranks.steps.map((step) => step.rank),
                sequences: ranks.sequences.map((tokens) => tokens.map((token) => token.map(fractionText)))};
    },
    decay: (heads) => {
        const own = heads.map(([rate, weight]) => ({rate: parseFraction(rate), weight: parseFraction(weight)}));
        return readKernel(Array.from({length: kDistances}, (_, delta) => decayAnswer(own, delta))).rates.map(fractionText);
    },
    machine: async (text, tape, head) => {
        const run = runMachine(await layerIsOpen, rulesOf(text), Array.from(tape, Number), head);
        return {ending: run.ending, frames: run.frames.slice(1)};
    },
};
