'use strict';

// The two small drawings: ranks over the mixture, and a kernel over distance.
const kPlot = {width: 720, height: 240, left: 46, bottom: 206, top: 18};

function plotFrame(label, children) {
    return drawn('svg', {viewBox: '0 0 ' + kPlot.width + ' ' + kPlot.height, role: 'img', 'aria-label': label},
        ...children, drawn('line', {class: 'axis', x1: kPlot.left, x2: kPlot.width - 8, y1: kPlot.bottom, y2: kPlot.bottom}));
}

function slot(i, count) {
    const step = (kPlot.width - kPlot.left - 16) / count;
    return {x: kPlot.left + 8 + i * step, width: step * 0.72, middle: kPlot.left + 8 + i * step + step * 0.36};
}

// Ranks stand out against 40, so the scale starts at 34.
function drawRanks(ranks, chosen) {
    const bottom = 34;
    const y = (rank) => kPlot.bottom - (rank - bottom) / (40 - bottom) * (kPlot.bottom - kPlot.top);
    const children = ranks.steps.flatMap((step, g) => {
        const {x, width, middle} = slot(g, ranks.steps.length);
        const bar = drawn('rect', {class: 'bar', x: x, width: width, y: y(step.rank), height: kPlot.bottom - y(step.rank), rx: 4});
        const gap = drawn('rect', {class: 'gap', x: x, width: width, y: y(40), height: y(step.rank) - y(40), rx: 4});
        const text = drawn('text', {x: middle, y: kPlot.bottom + 20, 'text-anchor': 'middle', text: g});
        const here = drawn('rect', {class: 'here', x: x - 5, width: width + 10, y: kPlot.top - 8, height: kPlot.bottom - kPlot.top + 14, rx: 8});
        return [step.rank < 40 ? gap : '', bar, text, g === chosen ? here : ''].filter(Boolean);
    });
    children.push(drawn('text', {x: 8, y: kPlot.bottom + 20, text: 'g ='}));
    children.push(...[36, 38, 40].map((rank) => drawn('text', {x: 8, y: y(rank) + 5, text: rank})));
    return plotFrame('Rank ' + ranks.steps.map((step, g) => step.rank + ' at ' + g).join(', '), children);
}

function setUpMixture() {
    let seed = 1;
    let ranks = mixtureRanks(seed);
    const slider = byId('gaussian');
    function update() {
        const g = Number(slider.value);
        const step = ranks.steps[g];
        byId('gaussian-says').textContent = g;
        byId('mixture-plot').replaceChildren(drawRanks(ranks, g));
        const truth = minus(fractionText(step.truth));
        byId('mixture-says').textContent = 'Rank ' + step.rank + ' of ' + ranks.psi + ', exactly. ' + (step.open
            ? step.open + (step.open === 1 ? ' direction is' : ' directions are') + ' open: on a fresh sequence the memory that made the labels answers ' +
                truth + ', another minimiser of the same training error ' + minus(Number(toNumber(step.other).toPrecision(4))) + '.'
            : 'Nothing is open: every minimiser answers ' + truth + ' on a fresh sequence, as the memory does that made the labels.');
    }
    slider.addEventListener('input', update);
    byId('redraw').addEventListener('click', () => {
        ranks = mixtureRanks(++seed);
        update();
    });
    update();
}

function drawKernel(kernel) {
    const numbers = kernel.map(toNumber);
    const high = Math.max(0, ...numbers) || 0;
    const low = Math.min(0, ...numbers);
    // Values below 0 need room for their numbers above the axis's.
    const foot = kPlot.bottom - (low < 0 ? 18 : 0);
    const y = (value) => kPlot.top + 12 + (high - value) / ((high - low) || 1) * (foot - kPlot.top - 12);
    const children = numbers.flatMap((value, delta) => {
        const {x, width, middle} = slot(delta, numbers.length);
        const [top, end] = [Math.min(y(0), y(value)), Math.max(y(0), y(value))];
        return [drawn('rect', {class: 'kernel', x: x, width: width, y: top, height: Math.max(1, end - top), rx: 3}),
                drawn('text', {class: 'value', x: middle, y: value < 0 ? end + 15 : top - 5, 'text-anchor': 'middle', text: minus(Number(value.toPrecision(3)))}),
                drawn('text', {x: middle, y: kPlot.bottom + 24, 'text-anchor': 'middle', text: delta})];
    });
    children.push(drawn('text', {x: 8, y: kPlot.bottom + 24, text: 'δ'}));
    return plotFrame('Kernel ' + kernel.map((value, delta) => fractionText(value) + ' at ' + delta).join(', '), children);
}

function setUpDecay() {
    const heads = [{rate: fraction(3n, 4n), weight: whole(2)}, {rate: fraction(1n, 2n), weight: whole(-1)}];
    function update() {
        const reading = readKernel(Array.from({length: kDistances}, (_, delta) => decayAnswer(heads, delta)));
        byId('decay-plot').replaceChildren(drawKernel(reading.kernel));
        const rates = reading.rates.map(fractionText);
        byId('decay-says').textContent = reading.says + (rates.length
            ? ' Decays read off: ' + rates.join(' and ') + (obeys(reading) ? ', exactly; all ' + kDistances + ' values obey.' : '.') : '');
    }
    heads.forEach((head, g) => ['rate', 'weight'].forEach((what) => {
        const input = element('input', {size: 5, value: fractionText(head[what])});
        input.addEventListener('input', () => {
            const value = parseFraction(input.value);
            const valid = value !== null && (what === 'weight' || (value.n >= 0n && value.n <= value.d));
            input.setAttribute('aria-invalid', String(!valid));
            if (valid) {
                head[what] = value;
                update();
            }
        });
        byId('decay-heads').append(element('label', {}, 'head ' + (g + 1) + (what === 'rate' ? ' decay γ ' : ' weight c '), input));
    }));
    update();
}
