'use strict';

// Turing machines of two states and two letters on four cells, run by a layer that was learned from random ones.
// The layer's table is in the page: coefficients on the pivots of the training rows, and every null vector of them.
const kMostMachineSteps = 20;

async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function openLayer(table) {
    const bytes = await unpack(table.packed);
    const features = table.d * table.d * (table.d + 1) / 2;
    const classes = new Int16Array(bytes.buffer, 0, features);
    return {...table, classOf: classes, fill: bytes.subarray(2 * features)};
}

// Rows of the blocks of a token, in the order of the program's schema.
const kRow = {K: 0, D: 4, T: 10, aL: 12, aR: 14, P: 16, R: 20, x: 24, one: 25};

function oneHot(rows) {
    const token = Array(26).fill(0);
    rows.forEach((row) => { token[row] = 1; });
    return token;
}

// rules[state][letter] = {write, move: 0 left or 1 right, next: 0, 1 or 2 for halt}, or null.
function machinePrompt(rules, tape, head) {
    const tokens = [oneHot([kRow.one])];
    rules.forEach((of, q) => of.forEach((rule, a) => {
        if (rule) {
            tokens.push(oneHot([kRow.K + 2 * q + a, kRow.D + 3 * rule.move + rule.next, kRow.T + rule.write]));
        }
    }));
    tape.forEach((letter, p) => tokens.push(oneHot([kRow.P + p, kRow.T + letter])));
    tokens.push(oneHot([kRow.K + tape[head], kRow.R + head]));
    return tokens;
}

// The values of the classes of features, or null where the features of a class differ: then the row is in no span of
// training rows. Plain numbers: all are integers far below 2⁵³.
function classValues(layer, S, z) {
    const values = new Float64Array(layer.num_classes);
    const seen = new Uint8Array(layer.num_classes);
    let inside = true;
    let feature = 0;
    for (let j = 0; j < layer.d; ++j) {
        for (let k = j; k < layer.d; ++k) {
            for (let l = 0; l < layer.d; ++l, ++feature) {
                const value = S[j][k] * z[l];
                const signed = layer.classOf[feature];
                const number = Math.abs(signed) - 1;
                const own = signed < 0 ? -value : value;
                if (number < 0) {
                    inside = inside && value === 0;
                } else if (seen[number]) {
                    inside = inside && values[number] === own;
                } else {
                    seen[number] = 1;
                    values[number] = own;
                }
            }
        }
    }
    return {values: values, inside: inside};
}

// Every null vector, times the common denominator of all, at the row.
function inSpan(layer, values) {
    const pivots = [];
    layer.pivots.forEach((number, i) => {
        if (values[number] !== 0) {
            pivots.push([i, values[number]]);
        }
    });
    return layer.free.every((number, column) => {
        let total = -layer.denominator * values[number];
        const start = column * layer.pivots.length;
        for (const [i, value] of pivots) {
            total += layer.entries[layer.fill[start + i]] * value;
        }
        return total === 0;
    });
}

// What the layer prints next after these tokens, and whether its training data determine it.
function nextToken(layer, tokens) {
    const d = layer.d;
    const S = Array.from({length: d}, () => Array(d).fill(0));
    tokens.forEach((token) => {
        for (let j = 0; j < d; ++j) {
            for (let k = 0; token[j] && k < d; ++k) {
                S[j][k] += token[j] * token[k];
            }
        }
    });
    const {values, inside} = classValues(layer, S, tokens[tokens.length - 1]);
    const token = layer.coefficients.map((terms) =>
        terms.reduce((total, [i, value]) => total + value * values[layer.pivots[i]], 0) / layer.denominator);
    return {token: token, certified: inside && inSpan(layer, values)};
}

function onlyOne(token, start, count) {
    const on = [];
    for (let i = 0; i < count; ++i) {
        if (token[start + i] !== 0) {
            on.push(token[start + i] === 1 ? i : NaN);
        }
    }
    return on.length === 0 ? -1 : on.length === 1 ? on[0] : NaN;
}

// "D[4] -T[0] x": the rows that are not 0, as attest prints them.
function tokenText(layer, token) {
    return token.map((value, i) => value === 0 ? '' : value === 1 ? layer.rows[i] :
        value === -1 ? '-' + layer.rows[i] : value + '*' + layer.rows[i]).filter(Boolean).join(' ');
}

// Runs the learned layer on its own output until the rules say stop. Frames hold what is known after each token.
function runMachine(layer, rules, tape, head) {
    const tokens = machinePrompt(rules, tape, head);
    const cells = [...tape];
    const frames = [{text: 'the prompt: rules, tape, start', tape: [...cells], head: head, state: 0, certified: true, prompt: true}];
    let ending = 'stopped after ' + kMostMachineSteps + ' steps';
    for (let printed = 0; printed < 2 * kMostMachineSteps; ++printed) {
        const {token, certified} = nextToken(layer, tokens);
        tokens.push(token);
        const frame = {...frames[frames.length - 1], text: tokenText(layer, token), certified: certified, prompt: false};
        const done = printed % 2 === 0 ? readStep(token, cells, frame) : readConfiguration(token, frame);
        frame.tape = [...cells];
        frames.push(frame);
        if (done) {
            ending = done;
            break;
        }
    }
    return {frames: frames, ending: ending};
}

function readStep(token, cells, frame) {
    const next = onlyOne(token, kRow.D, 6);
    const cell = onlyOne(token, kRow.P, 4);
    if (Number.isNaN(next) || !(cell >= 0)) {
        return 'the layer printed a token that means nothing';
    }
    if (next < 0) {
        return 'no rule: the machine is stuck';
    }
    const added = [0, 1].find((letter) => token[kRow.T + letter] === 1);
    cells[cell] = added === undefined ? cells[cell] : added;
    frame.head = cell + (next < 3 ? -1 : 1);
    frame.state = next % 3;
    return next % 3 === 2 ? 'the machine halts' : '';
}

function readConfiguration(token, frame) {
    const key = onlyOne(token, kRow.K, 4);
    const address = onlyOne(token, kRow.R, 4);
    if (Number.isNaN(key) || Number.isNaN(address) || (key < 0) !== (address < 0)) {
        return 'the layer printed a token that means nothing';
    }
    return key < 0 ? 'the head left the tape' : '';
}
