'use strict';

// The reader's machine, stepped through token by token.
const kStates = ['A', 'B', 'halt'];
const kMachines = [
    {name: 'busy beaver: four ones in six steps', text: '1RB1LB_1LA1RZ', tape: '0000', head: 2},
    {name: 'fill with ones, then fall off', text: '1RA1RA_1RA1RA', tape: '0101', head: 0},
    {name: 'swap letters until the end', text: '1RA0RA_0LB1LB', tape: '0110', head: 0},
    {name: 'back and forth', text: '0RB1RB_0LA1LA', tape: '1001', head: 1},
    {name: 'stop on the first one', text: '0RA1RZ_0RA1RZ', tape: '0010', head: 0},
    {name: 'a token that the runs leave open, and right', text: '1RB1RZ_1LB1LB', tape: '0010', head: 1},
    {name: 'a token that the runs leave open, and nonsense', text: '1LA1LB_0RB1RB', tape: '1011', head: 2},
];

// "1RB1LB_1LA1RZ" as rules[state][letter].
function rulesOf(text) {
    return text.split('_').map((row) => [row.slice(0, 3), row.slice(3)].map((rule) =>
        ({write: Number(rule[0]), move: rule[1] === 'R' ? 1 : 0, next: {A: 0, B: 1, Z: 2}[rule[2]]})));
}

function choice(values, chosen, label, take) {
    const select = element('select', {'aria-label': label}, ...values.map((text, i) => option(i, text)));
    select.value = String(chosen);
    select.addEventListener('change', () => take(Number(select.value)));
    return select;
}

function setUpMachine(layer) {
    let rules = rulesOf(kMachines[0].text);
    let run = null;
    let at = 0;

    function drawFrame() {
        const frame = run.frames[at];
        const cells = frame.tape.map((letter, p) => element('div', {class: p === frame.head ? 'cell here' : 'cell'},
            element('span', {class: 'letter', text: letter}),
            element('span', {class: 'state', text: p === frame.head ? kStates[frame.state] : ''})));
        byId('trace-tape').replaceChildren(...cells);
        byId('trace-tape').setAttribute('aria-label', 'tape ' + frame.tape.join(' ') + ', head on cell ' + frame.head + ', state ' + kStates[frame.state]);
        const proof = frame.prompt ? '.' : frame.certified
            ? '. Determined by the training runs, proved: every layer that fits them prints this.'
            : '. Not determined: another layer that fits the training runs prints something else.';
        byId('trace-says').textContent = (at === 0 ? 'Before the first token: ' : 'Token ' + at + ' of ' + (run.frames.length - 1) + ': ') +
            minus(frame.text) + proof + (at === run.frames.length - 1 ? ' The end: ' + run.ending + '.' : '');
        Array.from(byId('trace-tokens').children).forEach((item, i) => {
            item.removeAttribute('aria-current');
            if (i + 1 === at) {
                item.setAttribute('aria-current', 'step');
            }
        });
        byId('trace-slider').value = String(at);
        byId('trace-first').disabled = byId('trace-back').disabled = at === 0;
        byId('trace-next').disabled = byId('trace-last').disabled = at === run.frames.length - 1;
    }

    function go(to) {
        at = Math.max(0, Math.min(run.frames.length - 1, to));
        drawFrame();
    }

    function start() {
        const tape = byId('tape').value;
        const valid = /^[01]{4}$/.test(tape);
        byId('tape').setAttribute('aria-invalid', String(!valid));
        if (!valid) {
            return;
        }
        run = runMachine(layer, rules, Array.from(tape, Number), Number(byId('head').value));
        byId('trace-tokens').replaceChildren(...run.frames.slice(1).map((frame) =>
            element('li', {class: frame.certified ? 'certified' : 'open', text: minus(frame.text)})));
        byId('trace-slider').max = String(run.frames.length - 1);
        go(0);
    }

    function drawRules() {
        const row = (q) => element('tr', {}, element('th', {scope: 'row', text: 'state ' + kStates[q]}), ...rules[q].map((rule, a) => {
            const label = 'state ' + kStates[q] + ' reads ' + a + ': ';
            return element('td', {}, choice(['0', '1'], rule.write, label + 'write', (value) => { rule.write = value; start(); }), ' ',
                choice(['← left', '→ right'], rule.move, label + 'move', (value) => { rule.move = value; start(); }), ' ',
                choice(kStates, rule.next, label + 'next state', (value) => { rule.next = value; start(); }));
        }));
        byId('rules').replaceChildren(element('thead', {}, element('tr', {}, element('td', {}),
            ...['reads 0', 'reads 1'].map((text) => element('th', {scope: 'col', text: text + ': write, move, go to'})))),
            element('tbody', {}, row(0), row(1)));
    }

    function usePreset(preset) {
        rules = rulesOf(preset.text);
        byId('tape').value = preset.tape;
        byId('head').value = String(preset.head);
        drawRules();
        start();
    }
    byId('machine-lead').textContent = 'A layer with tokens of ' + layer.d + ' entries was learned, exactly, from ' + layer.train_runs +
        ' short runs of random machines (' + layer.train_tokens + ' printed tokens, rank ' + layer.rank + '). The prompt holds your rules and your tape; ' +
        'the layer prints the rest. A tick marks a token that the training runs determine, proved here over the integers.';
    byId('machine-preset').append(...kMachines.map((machine, i) => option(i, machine.name)));
    byId('machine-preset').addEventListener('change', (event) => usePreset(kMachines[event.target.value]));
    byId('tape').addEventListener('input', start);
    byId('head').addEventListener('change', start);
    byId('trace-slider').addEventListener('input', (event) => go(Number(event.target.value)));
    byId('trace-first').addEventListener('click', () => go(0));
    byId('trace-back').addEventListener('click', () => go(at - 1));
    byId('trace-next').addEventListener('click', () => go(at + 1));
    byId('trace-last').addEventListener('click', () => go(Infinity));
    usePreset(kMachines[0]);
}
