// Steps through the learned machine, token by token.
function setUpTrace() {
    const trace = dataOf('data-trace');
    const frames = trace.frames;
    const slider = byId('trace-slider');
    const lines = Array.from(document.querySelectorAll('#trace-tokens tbody tr'));
    const kMillisecondsAFrame = 700;
    let at = 0;
    let timer = 0;

    function drawTape(frame) {
        const cells = frame.tape.map((letter, position) => {
            const here = position === frame.head;
            const shown = letter < 0 ? '·' : trace.symbols[letter];
            return element('div', {class: here ? 'cell here' : 'cell'}, element('span', {class: 'letter', text: shown}),
                           element('span', {class: 'state', text: here ? frame.state : ''}));
        });
        byId('trace-tape').replaceChildren(...cells);
        byId('trace-tape').setAttribute('aria-label', 'tape ' + frame.tape.map((letter) =>
            letter < 0 ? 'unknown' : trace.symbols[letter]).join(' '));
    }

    function show(number) {
        at = Math.min(frames.length - 1, Math.max(0, number));
        const frame = frames[at];
        drawTape(frame);
        const by = frame.printed ? 'printed by the layer' : 'in the prompt';
        const proof = frame.certified ? ' Determined by the training data, proved.' : '';
        // A minus sign, unlike a hyphen, stays with what it stands before.
        const token = frame.token.replaceAll('-', '\u2212');
        byId('trace-says').textContent = 'Token ' + (at + 1) + ' of ' + frames.length + ', ' + by + ': ' + token + '. ' +
            frame.meaning + '.' + proof;
        slider.value = String(at + 1);
        lines.forEach((line, i) => line.classList.toggle('marked', i === at));
        byId('trace-first').disabled = byId('trace-back').disabled = at === 0;
        byId('trace-next').disabled = byId('trace-last').disabled = at === frames.length - 1;
    }

    function stop() {
        clearInterval(timer);
        timer = 0;
        byId('trace-play').textContent = 'Play';
        byId('trace-play').setAttribute('aria-pressed', 'false');
    }

    function play() {
        if (timer) {
            stop();
            return;
        }
        show(at === frames.length - 1 ? 0 : at);
        byId('trace-play').textContent = 'Pause';
        byId('trace-play').setAttribute('aria-pressed', 'true');
        timer = setInterval(() => {
            show(at + 1);
            if (at === frames.length - 1) {
                stop();
            }
        }, kMillisecondsAFrame);
    }

    function go(number) {
        stop();
        show(number);
    }
    slider.max = String(frames.length);
    slider.addEventListener('input', () => go(Number(slider.value) - 1));
    byId('trace-first').addEventListener('click', () => go(0));
    byId('trace-back').addEventListener('click', () => go(at - 1));
    byId('trace-next').addEventListener('click', () => go(at + 1));
    byId('trace-last').addEventListener('click', () => go(frames.length - 1));
    byId('trace-play').addEventListener('click', play);
    // The prompt is read first; what the layer prints is what one came for.
    show(Math.max(0, frames.findIndex((frame) => frame.printed) - 1));
}
