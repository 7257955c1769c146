// What belongs to the page as a whole: addresses, copying, printing.
function followAddress() {
    const address = decodeURIComponent(location.hash.slice(1));
    if (address && !showAddressedRows(address)) {
        const target = byId(address);
        if (target && target.matches('details')) {
            target.open = true;
        }
        showAddressedClaim(address);
    }
}

function setUpCopying() {
    document.querySelectorAll('button.copy').forEach((copy) => {
        const words = copy.parentElement.querySelector('code');
        copy.addEventListener('click', async () => {
            try {
                await navigator.clipboard.writeText(words.textContent);
                copy.textContent = 'Copied';
            } catch {
                // No clipboard here: what is selected can be copied by hand.
                getSelection().selectAllChildren(words);
                copy.textContent = 'Selected';
            }
            setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
        });
    });
}

// On paper nothing can be opened: claims and tables are, rows stay in their files; the explorer is left out.
function setUpPrinting() {
    let opened = [];
    addEventListener('beforeprint', () => {
        document.querySelectorAll('details:not([open]):not(.rows):not(#explorer-frame)').forEach((details) => {
            details.open = true;
            opened.push(details);
        });
    });
    addEventListener('afterprint', () => {
        opened.forEach((details) => { details.open = false; });
        opened = [];
    });
}

setUpRows();
setUpClaims();
setUpFigures();
setUpTrace();
setUpExplorer();
setUpCopying();
setUpPrinting();
addEventListener('hashchange', followAddress);
// A second click on the address already shown is no hashchange.
document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#rows-"], a[href^="#claim-"]');
    if (link && link.hash === location.hash) {
        followAddress();
    }
});
followAddress();
