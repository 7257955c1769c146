// A figure enlarged: it moves into the dialog and back, so that its ids stay unique.
function setUpFigures() {
    const dialog = byId('zoom');
    let home = null;
    let scale = 1;
    function drawing() {
        return dialog.querySelector('svg');
    }
    function resize(factor) {
        scale = factor === 0 ? 1 : Math.min(8, Math.max(0.5, scale * factor));
        drawing().style.width = 100 * scale + '%';
        byId('zoom-scale').textContent = Math.round(100 * scale) + ' %';
    }
    function open(figure) {
        home = figure.querySelector('.drawing');
        const frame = element('div', {class: 'zoom-frame', tabindex: '0'});
        frame.append(home.querySelector('svg'));
        frame.addEventListener('wheel', (event) => {
            if (event.ctrlKey) {
                event.preventDefault();
                resize(event.deltaY < 0 ? 1.25 : 0.8);
            }
        });
        const bar = element('div', {class: 'controls'}, button('Close', () => dialog.close()),
                            button('Larger', () => resize(1.25)), button('Smaller', () => resize(0.8)),
                            button('Fit', () => resize(0)), element('span', {id: 'zoom-scale', role: 'status'}));
        dialog.replaceChildren(bar, frame);
        dialog.showModal();
        resize(0);
    }
    dialog.addEventListener('close', () => {
        const svg = drawing();
        svg.style.width = '';
        home.append(svg);
        home.parentElement.querySelector('button.zoom').focus();
        dialog.replaceChildren();
    });
    document.querySelectorAll('figure').forEach((figure) => {
        figure.querySelector('button.zoom').addEventListener('click', () => open(figure));
    });
}
