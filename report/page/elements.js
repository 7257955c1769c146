// Building blocks. Text always goes in as text, never as markup.
function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
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

function button(text, action) {
    const made = element('button', {type: 'button', text: text});
    made.addEventListener('click', action);
    return made;
}

function byId(id) {
    return document.getElementById(id);
}

function dataOf(id) {
    return JSON.parse(byId(id).textContent);
}
