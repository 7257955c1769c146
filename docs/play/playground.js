'use strict';

// The data set that the reader makes, and what is said of it.
const kPresets = [
    {name: 'five of six', d: 2, examples: [[[1, 0], [1, 1]], [[0, 1], [1, 2]], [[1, 1], [2, 1]], [[2, 1], [1, -1]], [[1, -1], [0, 2]]]},
    {name: 'enough', d: 2, examples: [[[1, 0], [1, 1]], [[0, 1], [1, 2]], [[1, 1], [2, 1]], [[2, 1], [1, -1]], [[1, -1], [0, 2]], [[3, 1], [1, 0]]]},
    {name: 'queries on a line', d: 2, examples: [[[1, 0], [1, 1]], [[0, 1], [2, 2]], [[1, 2], [1, 1]], [[2, 1], [-1, -1]], [[1, -1], [1, 1]], [[3, 1], [2, 2]], [[1, 3], [1, 1]]]},
    {name: 'single tokens', d: 2, examples: [[[1, 0]], [[0, 1]], [[1, 1]], [[1, -1]], [[2, 1]], [[1, 2]], [[3, 1]]]},
    {name: 'orthogonal pairs, asked again', d: 2, examples: [[[1, 2], [-2, 1], [1, 2]], [[2, 1], [1, -2], [1, -2]], [[3, 1], [-1, 3], [3, 1]], [[1, 0], [0, 1], [0, 1]], [[1, 1], [1, -1], [1, 1]], [[2, 3], [3, -2], [3, -2]]]},
    {name: 'one empty coordinate', d: 3, examples: Array.from({length: 20}, (_, i) => [[1 + i % 3, i % 4 - 1, 0], [i % 5 - 2, 2 - i % 3, 0], [1, (i * i) % 5 - 2, 0]])},
    {name: 'twenty drawn at random', d: 3, examples: drawnExamples(3, 20, 7)},
];

function drawnExamples(d, count, seed) {
    const draw = drawsFrom(seed);
    return Array.from({length: count}, () => Array.from({length: 3}, () => Array.from({length: d}, () => draw() % 7 - 3)));
}

const data = {d: 2, gamma: whole(1), examples: [], chosen: 0};

function usePreset(preset) {
    data.d = preset.d;
    data.examples = preset.examples.map((tokens) => tokens.map((token) => [...token]));
    data.chosen = 0;
    byId('dimension').value = String(preset.d);
    show();
}

function showExamples() {
    const chips = data.examples.map((_, i) => {
        const chip = element('button', {type: 'button', text: i + 1, 'aria-pressed': String(i === data.chosen), 'aria-label': 'example ' + (i + 1)});
        chip.addEventListener('click', () => { data.chosen = i; show(); byId('examples').children[i].focus(); });
        return chip;
    });
    const more = element('button', {type: 'button', text: '+', 'aria-label': 'Add an example'});
    more.addEventListener('click', () => addExample(Array.from({length: 2}, (_, t) => Array.from({length: data.d}, (_, i) => i === t ? 1 : 0))));
    byId('examples').replaceChildren(...chips, more);
}

function addExample(tokens) {
    data.examples.push(tokens);
    data.chosen = data.examples.length - 1;
    show();
}

function showEntries() {
    const tokens = data.examples[data.chosen];
    const sets = tokens.map((token, t) => element('fieldset', {},
        element('legend', {text: t === tokens.length - 1 ? 'query z' : 'token ' + (t + 1)}),
        ...token.map((value, i) => {
            const input = element('input', {type: 'number', step: '1', min: '-99', max: '99', value: value,
                'aria-label': 'entry ' + (i + 1) + ' of ' + (t === tokens.length - 1 ? 'the query' : 'token ' + (t + 1))});
            input.addEventListener('input', () => {
                const valid = /^-?\d{1,2}$/.test(input.value);
                input.setAttribute('aria-invalid', String(!valid));
                if (valid) {
                    token[i] = Number(input.value);
                    showPlane();
                    showAnswer();
                }
            });
            return input;
        })));
    byId('entries').replaceChildren(...sets);
    byId('drop-token').disabled = tokens.length === 1;
    byId('add-token').disabled = tokens.length === 6;
    byId('drop-example').disabled = data.examples.length === 1;
}

function showPlane() {
    drawPlane(byId('plane'), data.examples[data.chosen], (t, x, y) => {
        const token = data.examples[data.chosen][t];
        if (token[0] !== x || token[1] !== y) {
            [token[0], token[1]] = [x, y];
            showPlane();
            showEntries();
            showAnswer();
        }
    });
}

function showModels(found) {
    byId('open-part').hidden = found.rank === found.psi;
    byId('closed-part').hidden = found.rank < found.psi;
    if (found.rank === found.psi) {
        return;
    }
    byId('relation').replaceChildren(...withSubscripts(minus(relationText(found.relation, featureIndices(found.d).map(featureName)))));
    byId('reasons').replaceChildren(...reasons(found).map((reason) => element('li', {text: reason})));
    const {tokens} = found.witness;
    byId('probe').textContent = matrixText(tokens);
    const line = (name, features) => [name, ...found.models.map((model) => minus(fractionText(inner(model, features))))];
    const rows = found.features.map((features, i) => line('example ' + (i + 1), features)).slice(0, 4);
    rows.push(line(matrixText(tokens), featuresOf(tokens, data.gamma)));
    fillTable(byId('models'), 'What each answers' + (found.features.length > 4 ? '; examples from 5 on agree too' : ''),
              ['input', 'one', 'another'], rows, rows.length - 1);
}

function showFeatures(found) {
    const names = featureIndices(found.d).map(featureName);
    fillTable(byId('features'), found.psi + ' features of ' + found.features.length + ' examples', ['example', ...names],
              found.features.map((row, i) => [String(i + 1), ...row.map((value) => minus(fractionText(value)))]));
    const tokens = data.examples.flat();
    const offsets = data.examples.reduce((all, example) => [...all, all[all.length - 1] + example.length], [0]);
    const layer = compare(data.gamma, whole(1)) === 0 ? '' : ' --layer "decay=' + fractionText(data.gamma) + '"';
    byId('snippet').textContent = 'import numpy as np\n\nnp.savez("data.npz", tokens=np.array(' + JSON.stringify(tokens) +
        '),\n         offsets=np.array(' + JSON.stringify(offsets) + '), y=np.zeros(' + data.examples.length + '))\n\n' +
        '$ attest certify data.npz --explain' + layer + '\n';
}

function showAnswer() {
    const found = solve(data.d, data.gamma, data.examples);
    const whole_rank = found.rank === found.psi;
    byId('verdict').textContent = whole_rank ? 'Determined: one function only' : 'Not determined: models disagree';
    byId('verdict').className = 'verdict ' + (whole_rank ? 'good' : 'bad');
    byId('rank').textContent = found.rank + ' of ' + found.psi;
    byId('nullity').textContent = found.psi - found.rank;
    const exact = whole_rank ? 'enclosed to six digits, proved' : 'exactly';
    byId('lambda').replaceChildren(lambdaText(found.lambda), element('small', {text: exact}));
    byId('meter').replaceChildren(...Array.from({length: found.psi}, (_, i) => element('span', {class: i < found.rank ? 'on' : ''})));
    byId('meter').setAttribute('aria-label', found.rank + ' of ' + found.psi + ' directions are determined');
    const without = rankWithout(found, data.chosen);
    byId('contribution').textContent = 'Without example ' + (data.chosen + 1) + ' the rank would be ' + without +
        (without < found.rank ? ': it adds one.' : ': it adds nothing.');
    showModels(found);
    showFeatures(found);
    data.found = found;
}

function show() {
    showExamples();
    showEntries();
    showPlane();
    showAnswer();
}

function setUpPlayground() {
    byId('preset').append(...kPresets.map((preset, i) => option(i, preset.name)));
    byId('preset').addEventListener('change', (event) => usePreset(kPresets[event.target.value]));
    byId('dimension').addEventListener('change', (event) => {
        const d = Number(event.target.value);
        usePreset({d: d, examples: data.examples.map((tokens) => tokens.map((token) => Array.from({length: d}, (_, i) => token[i] || 0)))});
    });
    byId('gamma').addEventListener('input', (event) => {
        const gamma = parseFraction(event.target.value);
        const valid = gamma !== null && gamma.n > 0n && gamma.n <= gamma.d;
        event.target.setAttribute('aria-invalid', String(!valid));
        if (valid) {
            data.gamma = gamma;
            showAnswer();
        }
    });
    const chosen = () => data.examples[data.chosen];
    byId('add-token').addEventListener('click', () => { chosen().unshift(Array.from({length: data.d}, (_, i) => i === 0 ? 1 : 0)); show(); });
    byId('drop-token').addEventListener('click', () => { chosen().shift(); show(); });
    byId('drop-example').addEventListener('click', () => {
        data.examples.splice(data.chosen, 1);
        data.chosen = Math.max(0, data.chosen - 1);
        show();
    });
    byId('add-probe').addEventListener('click', () =>
        addExample(data.found.witness.tokens.map((token) => token.map((value) => Number(value.n)))));
    usePreset(kPresets[0]);
}
