// Reading: services, methods, messages and enums with their comments.

function typeLink(ref) {
  return el('a', { href: `#${ref}`, title: ref }, simpleName(ref));
}

function typeWords(field) {
  const value = field.ref && !WELL_KNOWN[field.ref] ? typeLink(field.ref) : simpleName(field.ref || field.type);
  if (field.map) {
    return [`map of ${field.map} to `, value];
  }
  return field.repeated ? ['repeated ', value] : [value];
}

function fieldWords(field) {
  const words = [];
  if (field.oneof) {
    words.push(`one of ${field.oneof}`);
  }
  for (const word of ['optional', 'required', 'deprecated']) {
    if (field[word]) {
      words.push(word);
    }
  }
  return words.length > 0 ? `, ${words.join(', ')}` : '';
}

/** The fields of a message, with links to the types within. */
function messageDocs(ref) {
  const { fields } = schema.messages[ref];
  if (fields.length === 0) {
    return el('p', { class: 'muted' }, 'It has no fields.');
  }
  const list = el('dl', { class: 'fields' });
  for (const field of fields) {
    list.append(
      el('dt', {}, el('span', { class: 'mono' }, field.name), ' ',
        el('span', { class: 'type' }, ...typeWords(field), fieldWords(field))),
      el('dd', {}, comment(field.comment)));
  }
  return list;
}

function enumDocs(ref) {
  const list = el('dl', { class: 'fields' });
  for (const value of schema.enums[ref].values) {
    list.append(
      el('dt', {}, el('span', { class: 'mono' }, value.name), ' ',
        el('span', { class: 'type' }, `= ${value.number}${value.deprecated ? ', deprecated' : ''}`)),
      el('dd', {}, comment(value.comment)));
  }
  return list;
}

/** A message or enum under a heading that opens. */
function typeDetails(word, ref) {
  const type = schema.messages[ref];
  return el('details', {},
    el('summary', {}, `${word}: `, el('span', { class: 'mono' }, simpleName(ref))),
    comment(type.comment),
    messageDocs(ref));
}

function heading(name, path) {
  return el('h1', { tabindex: '-1' }, path ? el('span', { class: 'path' }, path) : undefined, name);
}

function methodTags(method) {
  const tags = el('p', { class: 'tags' }, tag(KINDS[method.kind]));
  if (method.noSideEffects) {
    tags.append(tag('no side effects'));
  }
  if (method.deprecated) {
    tags.append(tag('deprecated'));
  }
  return tags;
}

function methodList(service) {
  return el('ul', { class: 'list' }, ...service.methods.map((method) => el('li', {},
    el('a', { href: `#${service.name}/${method.name}` }, method.name), ' ',
    tag(KINDS[method.kind]),
    comment(method.comment))));
}

function overviewView() {
  const sections = schema.services.map((service) => el('section', { class: 'panel' },
    el('h2', {}, el('a', { href: `#${service.name}` }, service.name)),
    comment(service.comment),
    methodList(service)));
  const count = schema.services.length;
  return [
    heading('What this server serves'),
    el('p', { class: 'muted' },
      count === 0 ? 'No service was added to it.' : 'Choose a method to read about it and to call it.'),
    ...sections,
  ];
}

function serviceView(service) {
  return [
    heading(simpleName(service.name), packageName(service.name)),
    el('p', { class: 'muted' }, service.file ? `service of ${service.file}` : 'service without a descriptor'),
    comment(service.comment),
    el('section', { class: 'panel' }, el('h2', {}, 'Methods'), methodList(service)),
  ];
}

function typeView(ref) {
  const type = schema.messages[ref] || schema.enums[ref];
  return [
    heading(simpleName(ref), packageName(ref)),
    comment(type.comment),
    el('section', { class: 'panel' },
      el('h2', {}, schema.messages[ref] ? 'Fields' : 'Values'),
      schema.messages[ref] ? messageDocs(ref) : enumDocs(ref)),
    usesOf(ref),
  ];
}

function usesOf(ref) {
  const uses = [];
  for (const service of schema.services) {
    for (const method of service.methods) {
      if (method.request === ref || method.response === ref) {
        const path = `${service.name}/${method.name}`;
        uses.push(el('li', {}, el('a', { href: `#${path}` }, path)));
      }
    }
  }
  return uses.length === 0 ? undefined
    : el('section', { class: 'panel' }, el('h2', {}, 'Methods with it'), el('ul', { class: 'list' }, ...uses));
}
