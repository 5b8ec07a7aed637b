// A form for a message. It holds no state of its own: it reads and writes the request as an object,
// through slots, which are places for a value: { get(), set(value), clear() }. A slot that `stays`
// belongs to something that is removed as a whole: an element, an entry, a member of a oneof.
//
// An empty input leaves its field out, which for protobuf is the default.

function propertySlot(object, key) {
  return {
    get: () => object[key],
    set: (value) => { object[key] = value; },
    clear: () => { delete object[key]; },
  };
}

/** The fields of a message; `changed` is called after each change of the object. */
function messageForm(ref, object, changed) {
  const form = el('div');
  const oneofs = new Set();
  const { fields } = schema.messages[ref];
  for (const field of fields) {
    if (!field.oneof) {
      form.append(fieldForm(field, slotOf(object, field), changed));
    } else if (!oneofs.has(field.oneof)) {
      oneofs.add(field.oneof);
      const members = fields.filter((one) => one.oneof === field.oneof);
      form.append(oneofForm(ref, field.oneof, members, object, changed));
    }
  }
  if (fields.length === 0) {
    form.append(el('p', { class: 'hint' }, `${simpleName(ref)} has no fields.`));
  }
  return form;
}

/** JSON may name a field in either style; what is there stays as it is. */
function slotOf(object, field) {
  return propertySlot(object, field.name in object ? field.name : field.json);
}

function fieldForm(field, slot, changed) {
  if (field.map) {
    return mapForm(field, slot, changed);
  }
  if (field.repeated) {
    return repeatedForm(field, slot, changed);
  }
  return valueForm(field, slot, changed, fieldLabel(field), field.comment);
}

function fieldLabel(field) {
  const words = [typeText(field)];
  for (const word of ['optional', 'required', 'deprecated']) {
    if (field[word]) {
      words.push(word);
    }
  }
  return [field.json, ' ', el('span', { class: 'type' }, words.join(', '))];
}

/** One value: a scalar, an enum, a well-known type, or a message within. */
function valueForm(field, slot, changed, label, note) {
  if (field.type === 'enum') {
    return labelled(label, note, enumControl(field, slot, changed));
  }
  if (field.type !== 'message') {
    return labelled(label, hintOf(field.type, note), scalarControl(field.type, slot, changed));
  }
  const known = WELL_KNOWN[field.ref];
  if (!known) {
    return nestedForm(field, slot, changed, label, note);
  }
  const hint = [note, known.hint].filter(Boolean).join('\n\n');
  if (known.json) {
    return labelled(label, hint, jsonControl(slot, changed));
  }
  return labelled(label, hint, scalarControl(known.scalar || 'string', slot, changed));
}

function hintOf(type, note) {
  return type === 'bytes' ? [note, 'in base64'].filter(Boolean).join('\n\n') : note;
}

function labelled(label, note, control) {
  control.id = newId();
  const field = el('div', { class: 'field' }, el('label', { for: control.id }, ...label));
  if (note) {
    const hint = el('p', { class: 'hint comment', id: newId() }, reflowed(note));
    control.setAttribute('aria-describedby', hint.id);
    field.append(hint);
  }
  field.append(control);
  return field;
}

function shown(value) {
  if (value === undefined || value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function scalarControl(type, slot, changed) {
  if (type === 'bool') {
    return choice(['true', 'false'], slot, changed, (text) => text === 'true');
  }
  const input = el('input', {
    type: 'text',
    inputmode: isNumeric(type) ? 'decimal' : undefined,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    oninput: () => {
      if (input.value === '') {
        slot.clear();
      } else {
        slot.set(scalar(type, input.value));
      }
      input.setAttribute('aria-invalid', String(!isValid(type, input.value)));
      changed();
    },
  });
  input.value = shown(slot.get());
  return input;
}

/** What is no number stays text: the server says best what is wrong with it. */
function scalar(type, text) {
  const number = INTEGERS_32.includes(type) || FRACTIONS.includes(type);
  return number && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function isValid(type, text) {
  if (text === '') {
    return true;
  }
  if (FRACTIONS.includes(type)) {
    return !Number.isNaN(Number(text)) || ['NaN', 'Infinity', '-Infinity'].includes(text);
  }
  if (isNumeric(type)) {
    return /^-?\d+$/.test(text);
  }
  return type !== 'bytes' || /^[A-Za-z0-9+/_-]*={0,2}$/.test(text);
}

function enumControl(field, slot, changed) {
  const { values } = schema.enums[field.ref];
  const names = values.map((value) => value.name);
  const notes = values.map((value) =>
    `${value.name} = ${value.number}${value.comment ? ` · ${firstLine(value.comment)}` : ''}`);
  return choice(names, slot, changed, (text) => text, notes);
}

function firstLine(text) {
  return text.split('\n', 1)[0];
}

/** A select, in which nothing chosen is the default. What the JSON holds beyond it is kept. */
function choice(names, slot, changed, parse, notes = names) {
  const current = shown(slot.get());
  const select = el('select', {
    onchange: () => {
      if (select.value === '') {
        slot.clear();
      } else {
        slot.set(parse(select.value));
      }
      changed();
    },
  }, el('option', { value: '' }, '(not set)'));
  names.forEach((name, i) => select.append(el('option', { value: name }, notes[i])));
  if (current !== '' && !names.includes(current)) {
    select.append(el('option', { value: current }, current));
  }
  select.value = current;
  return select;
}

/** A value that may be any JSON, as text. */
function jsonControl(slot, changed) {
  const area = el('textarea', {
    rows: '3',
    spellcheck: 'false',
    oninput: () => {
      try {
        if (area.value.trim() === '') {
          slot.clear();
        } else {
          slot.set(JSON.parse(area.value));
        }
        area.setAttribute('aria-invalid', 'false');
        changed();
      } catch {
        area.setAttribute('aria-invalid', 'true');
      }
    },
  });
  area.value = slot.get() === undefined ? '' : JSON.stringify(slot.get(), null, 2);
  return area;
}

/** A group with a legend, whose content is drawn anew when its shape changes. */
function group(label, note, draw) {
  const content = el('div', { class: 'inside' });
  const redraw = () => draw(content, redraw);
  redraw();
  return el('fieldset', {}, el('legend', {}, ...label),
    note ? el('p', { class: 'hint comment' }, reflowed(note)) : undefined, content);
}

function nestedForm(field, slot, changed, label, note) {
  return group(label, note, (content, redraw) => {
    const value = slot.get();
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      content.replaceChildren(button(`Set ${simpleName(field.ref)}`, () => {
        slot.set({});
        changed();
        redraw();
        focusFirst(content);
      }, { class: 'small' }));
    } else {
      content.replaceChildren(messageForm(field.ref, value, changed));
      if (!slot.stays) {
        content.append(button(`Remove ${simpleName(field.ref)}`, () => {
          slot.clear();
          changed();
          redraw();
          focusFirst(content);
        }, { class: 'small' }));
      }
    }
  });
}

function oneofForm(ref, name, members, object, changed) {
  const oneofs = schema.messages[ref].oneofs || {};
  const label = [name, ' ', el('span', { class: 'type' }, 'one of')];
  return group(label, oneofs[name] && oneofs[name].comment, (content, redraw) => {
    const chosen = members.find((one) => one.name in object || one.json in object);
    const select = el('select', {
      'aria-label': `Which of ${name}`,
      onchange: () => {
        for (const member of members) {
          delete object[member.name];
          delete object[member.json];
        }
        const next = members.find((one) => one.json === select.value);
        if (next) {
          object[next.json] = valueTemplate(next, [ref]);
        }
        changed();
        redraw();
        focusFirst(content);
      },
    }, el('option', { value: '' }, '(not set)'));
    for (const member of members) {
      select.append(el('option', { value: member.json }, member.json));
    }
    select.value = chosen ? chosen.json : '';
    content.replaceChildren(el('div', { class: 'field' }, select));
    if (chosen) {
      content.append(fieldForm(chosen, oneofSlot(object, chosen), changed));
    }
  });
}

/** An empty value of a oneof is still a choice, so it is not left out. */
function oneofSlot(object, field) {
  const slot = slotOf(object, field);
  return { ...slot, stays: true, clear: () => slot.set(valueTemplate(field)) };
}

function repeatedForm(field, slot, changed) {
  return group(fieldLabel(field), field.comment, (content, redraw) => {
    const items = Array.isArray(slot.get()) ? slot.get() : [];
    const update = () => {
      if (items.length > 0) {
        slot.set(items);
      } else {
        slot.clear();
      }
      changed();
    };
    content.replaceChildren(...items.map((_, i) => {
      const place = {
        get: () => items[i],
        set: (value) => { items[i] = value; update(); },
        clear: () => { items[i] = valueTemplate(field); update(); },
        stays: true,
      };
      return itemRow(
        valueForm(field, place, changed, [`${field.json} ${i + 1}`]), undefined,
        `Remove ${field.json} ${i + 1}`, () => {
          items.splice(i, 1);
          update();
          redraw();
          content.lastElementChild.focus();
        });
    }), button(`Add ${field.json}`, () => {
      items.push(valueTemplate(field));
      update();
      redraw();
      focusFirst(content.children[items.length - 1]);
    }, { class: 'small' }));
  });
}

function mapForm(field, slot, changed) {
  const entries = Object.entries(slot.get() || {});
  return group(fieldLabel(field), field.comment, (content, redraw) => {
    const update = () => {
      if (entries.length > 0) {
        slot.set(Object.fromEntries(entries));
      } else {
        slot.clear();
      }
      changed();
    };
    content.replaceChildren(...entries.map((entry, i) => {
      const key = { get: () => entry[0], set: (k) => { entry[0] = k; }, clear: () => { entry[0] = ''; } };
      const place = {
        get: () => entry[1],
        set: (value) => { entry[1] = value; update(); },
        clear: () => { entry[1] = valueTemplate(field); update(); },
        stays: true,
      };
      return itemRow(
        valueForm(field, place, update, [`Value ${i + 1}`]),
        labelled([`Key ${i + 1}`], undefined, scalarControl('string', key, update)),
        `Remove entry ${i + 1} of ${field.json}`, () => {
          entries.splice(i, 1);
          update();
          redraw();
          content.lastElementChild.focus();
        });
    }), button(`Add entry to ${field.json}`, () => {
      entries.push([entries.length === 0 ? keyTemplate(field.map) : '', valueTemplate(field)]);
      update();
      redraw();
      focusFirst(content.children[entries.length - 1]);
    }, { class: 'small' }));
  });
}

function itemRow(value, key, removeLabel, onremove) {
  return el('div', { class: 'item' },
    key && el('div', { class: 'key' }, key),
    el('div', { class: 'value' }, value),
    button('✕', onremove, { class: 'small', 'aria-label': removeLabel, title: removeLabel }));
}
