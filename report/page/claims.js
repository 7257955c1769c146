// Filters of the claims: each choice narrows the list, the count says how many are left.
function setUpClaims() {
    const form = byId('claim-filters');
    if (!form) {
        return;
    }
    const claims = Array.from(document.querySelectorAll('details.claim'));
    const texts = claims.map((claim) => claim.textContent.toLowerCase());
    function update() {
        const words = byId('filter-text').value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        claims.forEach((claim, i) => {
            const chosen = ['paper', 'outcome', 'method'].every((name) => {
                const value = byId('filter-' + name).value;
                return value === '' || claim.dataset[name] === value;
            });
            claim.hidden = !(chosen && words.every((word) => texts[i].includes(word)));
            shown += claim.hidden ? 0 : 1;
        });
        byId('claim-count').textContent = shown + ' of ' + claims.length + ' claims';
    }
    form.addEventListener('input', update);
    form.addEventListener('change', update);
    form.addEventListener('submit', (event) => event.preventDefault());
    // The fields are empty only after the event.
    form.addEventListener('reset', () => setTimeout(update));
}

// A link to a claim opens it, whatever the filters say.
function showAddressedClaim(address) {
    const claim = byId(address);
    if (claim && claim.matches('details.claim')) {
        claim.hidden = false;
        claim.open = true;
        claim.scrollIntoView();
        claim.querySelector('summary').focus({preventScroll: true});
    }
}
