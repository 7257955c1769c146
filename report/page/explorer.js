// The explorer, a page of its own with ids of its own, in a frame that is filled when it is opened first.
function setUpExplorer() {
    const details = byId('explorer-frame');
    details.addEventListener('toggle', () => {
        if (!details.open || details.querySelector('iframe')) {
            return;
        }
        const frame = element('iframe', {title: 'Explorer: what do your data determine?', srcdoc: dataOf('data-explorer')});
        frame.addEventListener('load', () => {
            // In such a frame "#tokens" is an address of the report, and other pages have no place.
            const inside = frame.contentDocument;
            inside.addEventListener('click', (event) => {
                const link = event.target.closest('a[href]');
                if (!link) {
                    return;
                }
                if (!link.getAttribute('href').startsWith('#')) {
                    link.target = '_blank';
                    return;
                }
                event.preventDefault();
                const target = inside.getElementById(link.getAttribute('href').slice(1));
                target.tabIndex = -1;
                target.focus({preventScroll: true});
                target.scrollIntoView();
            });
        });
        details.append(frame);
    });
}
