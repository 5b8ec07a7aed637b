// Elements without a framework. Text reaches the page by textContent alone: nothing that a
// descriptor or a server says is ever read as HTML.

function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

let lastId = 0;

function newId() {
  lastId += 1;
  return `e${lastId}`;
}

function button(text, onclick, attributes = {}) {
  return el('button', { type: 'button', onclick, ...attributes }, text);
}

function tag(text) {
  return el('span', { class: 'tag' }, text);
}

function comment(text) {
  return text ? el('p', { class: 'comment' }, reflowed(text)) : undefined;
}

/** A comment without the line breaks of its source, except where they mean something. */
function reflowed(text) {
  return text.split(/\n{2,}/)
    .map((paragraph) => (/^([ \t|]|[-*+#] |\d+[.)] )/m.test(paragraph) ? paragraph : paragraph.replaceAll('\n', ' ')))
    .join('\n\n');
}

/** The first focusable control inside an element gets the focus. */
function focusFirst(element) {
  const control = element.querySelector('input, select, textarea, button');
  if (control) {
    control.focus();
  }
}
