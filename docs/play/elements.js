'use strict';

// Building blocks. Text always goes in as text, never as markup.
function fill(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name === 'text') {
            made.textContent = value;
        } else {
            made.setAttribute(name, value);
        }
    }
    made.append(...children);
    return made;
}

function element(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

function drawn(tag, attributes, ...children) {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function byId(id) {
    return document.getElementById(id);
}

// "S_12 z_1" with its indices set below the line.
function withSubscripts(text) {
    return text.split(/(_\d+)/).filter(Boolean).map((part) =>
        part.startsWith('_') ? element('sub', {text: part.slice(1)}) : part);
}

function option(value, text) {
    return element('option', {value: value, text: text});
}

// A table from arrays of text; the first column heads its row.
function fillTable(table, caption, head, rows, marked) {
    const cells = (tag, scope) => (value) => element(tag, scope ? {scope: scope} : {}, ...withSubscripts(value));
    const body = rows.map((row, i) => element('tr', i === marked ? {class: 'differs'} : {},
        cells('th', 'row')(row[0]), ...row.slice(1).map(cells('td'))));
    table.replaceChildren(element('caption', {text: caption}),
        element('thead', {}, element('tr', {}, ...head.map(cells('th', 'col')))), element('tbody', {}, ...body));
}
