// Tables of rows, drawn when they are opened and a hundred rows at a time: thousands of rows stay light.
const kRowsAtOnce = 100;

// A number as it reads best; the full one is in the tooltip.
function brief(value) {
    if (typeof value !== 'number' || Number.isInteger(value)) {
        return String(value);
    }
    return String(Number(value.toPrecision(6)));
}

function rowCell(cell, column) {
    if (cell === null || cell === '') {
        return element('td', {});
    }
    if (column.kind === 'setting' || column.name === 'status' || column.name === 'message') {
        return element('td', {text: cell});
    }
    const [value, bound, exact] = Array.isArray(cell) ? cell : [cell, null, null];
    const unit = column.unit ? ' ' + column.unit : '';
    let title = value + unit;
    title += bound === null ? '' : ', off by at most ' + bound;
    title += exact === null ? '' : ', exactly ' + exact;
    return element('td', {class: 'number', title: title, text: brief(value)});
}

function columnTitle(column) {
    return column.name + (column.unit ? ' [' + column.unit + ']' : '');
}

// The numbers of the rows whose text holds every word.
function matchingRows(data, words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    data.rows.forEach((row, number) => {
        const text = row.flat().join(' ').toLowerCase();
        if (wanted.every((word) => text.includes(word))) {
            found.push(number);
        }
    });
    return found;
}

function appendRows(body, data, numbers, from, anchor) {
    numbers.slice(from, from + kRowsAtOnce).forEach((number) => {
        const link = element('a', {href: '#rows-' + anchor + '-' + number, text: number});
        const line = element('tr', {id: 'row-' + anchor + '-' + number},
                             element('th', {scope: 'row'}, link));
        data.rows[number].forEach((cell, j) => line.append(rowCell(cell, data.columns[j])));
        body.append(line);
    });
}

function drawTable(place, data, numbers, anchor) {
    const head = element('tr', {}, element('th', {scope: 'col', text: 'row'}));
    data.columns.forEach((column) => {
        head.append(element('th', {scope: 'col', class: column.kind, text: columnTitle(column)}));
    });
    const body = element('tbody', {});
    const table = element('table', {class: 'numbers'}, element('thead', {}, head), body);
    const region = element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'rows of ' + anchor},
                           table);
    const more = button('', () => {
        appendRows(body, data, numbers, body.childElementCount, anchor);
        update();
    });
    function update() {
        const left = numbers.length - body.childElementCount;
        more.hidden = left <= 0;
        more.textContent = 'Show more (' + left + ' left)';
    }
    appendRows(body, data, numbers, 0, anchor);
    update();
    place.replaceChildren(region, more);
}

// Draws the rows into their details element: those numbered in `only`, or all, with a filter.
function drawRows(details, only) {
    const anchor = details.id.slice('rows-'.length);
    const data = dataOf('data-' + anchor);
    const body = details.querySelector('.rows-body');
    const place = element('div', {});
    const count = element('span', {role: 'status', 'aria-live': 'polite'});
    const filter = element('input', {type: 'search', 'aria-label': 'Filter the rows', placeholder: 'filter'});
    function show(numbers) {
        count.textContent = numbers.length + ' of ' + data.rows.length + ' rows';
        drawTable(place, data, numbers, anchor);
    }
    const same = data.same.filter(([, value]) => value !== null && value !== '').map((pair) => pair.join(' = '));
    const all = button('All rows', () => {
        filter.value = '';
        show(matchingRows(data, ''));
    });
    filter.addEventListener('input', () => show(matchingRows(data, filter.value)));
    body.replaceChildren(
        element('div', {class: 'filters'}, filter, all, count),
        element('p', {class: 'quiet', text: same.length ? 'In every row: ' + same.join(', ') : ''}), place);
    show(only || matchingRows(data, ''));
    details.dataset.drawn = 'yes';
}

function setUpRows() {
    document.querySelectorAll('details.rows').forEach((details) => {
        details.addEventListener('toggle', () => {
            if (details.open && !details.dataset.drawn) {
                drawRows(details, null);
            }
        });
    });
}

// "#rows-quick-fig2-3.4" shows these two rows. True if the address is one of rows.
function showAddressedRows(address) {
    const parts = /^rows-(.+)-([0-9.]+)$/.exec(address);
    const details = parts && byId('rows-' + parts[1]);
    if (!details) {
        return false;
    }
    drawRows(details, parts[2].split('.').map(Number));
    details.open = true;
    details.scrollIntoView();
    details.querySelector('summary').focus({preventScroll: true});
    return true;
}
