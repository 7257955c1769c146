'use strict';

// The first two entries of the tokens of one example, as points of a plane that can be moved.
const kReach = 5;

function tokenMark(token, t, last, change) {
    const name = t === last ? 'query' : 'token ' + (t + 1);
    const mark = drawn('g', {class: t === last ? 'token query' : 'token', tabindex: '0', role: 'button',
        'data-token': t, transform: 'translate(' + token[0] + ' ' + -token[1] + ')',
        'aria-label': name + ' at ' + token.join(', ') + '; arrow keys move it'},
        drawn('circle', {r: 0.42}), drawn('text', {y: 0.17, text: t === last ? 'z' : t + 1}));
    mark.addEventListener('keydown', (event) => {
        const [dx, dy] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key] || [0, 0];
        if (dx || dy) {
            event.preventDefault();
            change(t, token[0] + dx, token[1] + dy);
        }
    });
    return mark;
}

function planeBackground() {
    const lines = [];
    for (let i = -kReach; i <= kReach; ++i) {
        const kind = i === 0 ? 'axis' : 'grid';
        lines.push(drawn('line', {class: kind, x1: i, x2: i, y1: -kReach, y2: kReach}),
                   drawn('line', {class: kind, y1: i, y2: i, x1: -kReach, x2: kReach}));
    }
    return lines;
}

// Draws the tokens into the place; `move(t, x, y)` is called for every new place of token t, in integers.
function drawPlane(place, tokens, move) {
    const within = (x) => Math.max(-kReach, Math.min(kReach, Math.round(x)));
    const change = (t, x, y) => move(t, within(x), within(y));
    const focused = document.activeElement && document.activeElement.dataset && document.activeElement.dataset.token;
    const last = tokens.length - 1;
    const arrows = tokens.map((token) =>
        drawn('line', {class: 'arrow', x1: 0, y1: 0, x2: token[0], y2: -token[1]}));
    const marks = tokens.map((token, t) => tokenMark(token, t, last, change));
    const old = place.querySelector('svg');
    const svg = old || drawn('svg', {viewBox: '-5.6 -5.6 11.2 11.2', role: 'group', 'aria-label': 'Tokens in the plane of their first two entries'});
    svg.replaceChildren(...planeBackground(), ...arrows, ...marks);
    if (!old) {
        place.replaceChildren(svg);
        followPointer(svg);
    }
    svg.moveToken = change;
    if (focused !== undefined && focused !== null && marks[focused]) {
        marks[focused].focus();
    }
}

// The drawing is made anew while a token moves, so the pointer is followed on what stays.
function followPointer(svg) {
    let held = null;
    svg.addEventListener('pointerdown', (event) => {
        const mark = event.target.closest('.token');
        if (mark) {
            held = Number(mark.dataset.token);
            svg.setPointerCapture(event.pointerId);
            mark.focus();
            event.preventDefault();
        }
    });
    svg.addEventListener('pointermove', (event) => {
        if (held !== null) {
            const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
            svg.moveToken(held, at.x, -at.y);
        }
    });
    ['pointerup', 'pointercancel'].forEach((name) => svg.addEventListener(name, () => { held = null; }));
}
