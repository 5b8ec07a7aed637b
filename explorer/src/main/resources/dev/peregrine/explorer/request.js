// What the user sends: one text of JSON, which the form shows in another way.

/** Drafts by path, so that looking elsewhere loses nothing. */
const drafts = new Map();

function draftOf(path, method) {
  if (!drafts.has(path)) {
    drafts.set(path, {
      text: requestTemplate(method),
      headers: '',
      timeoutMillis: '',
      asForm: Boolean(method.request) && !WELL_KNOWN[method.request],
    });
  }
  return drafts.get(path);
}

/** The panel; `send` and `cancel` are called by its buttons. */
function requestPanel(path, method, send, cancel) {
  const draft = draftOf(path, method);
  const body = el('div');
  const draw = () => body.replaceChildren(
    draft.asForm ? formBody(method, draft) : jsonBody(draft));
  draw();

  const callButton = el('button', { type: 'submit', class: 'main', title: 'Ctrl+Enter' }, 'Call');
  const cancelButton = button('Cancel', cancel, { disabled: true });
  const panel = el('form', {
    class: 'panel',
    'aria-label': 'Request',
    onsubmit: (event) => {
      event.preventDefault();
      send(draft);
    },
    onkeydown: (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        panel.requestSubmit(callButton);
      } else if (event.key === 'Enter' && event.target.tagName === 'INPUT') {
        // Enter in one field of many should not call; Ctrl+Enter and the button do.
        event.preventDefault();
      }
    },
  },
  el('div', { class: 'row' },
    el('h2', {}, 'Request'),
    method.request && !WELL_KNOWN[method.request] ? viewChoice(draft, draw) : undefined),
  body,
  el('div', { class: 'row' },
    button('Fill in', () => { draft.text = requestTemplate(method); draw(); }, { class: 'small', title: 'Every field with a value' }),
    button('Clear', () => { draft.text = '{}'; draw(); }, { class: 'small' })),
  extras(draft),
  el('div', { class: 'row' }, callButton, cancelButton,
    el('span', { class: 'hint' }, 'or Ctrl+Enter')));

  panel.busy = (on) => {
    if (on) {
      cancelButton.disabled = false;
      if (document.activeElement === callButton) {
        cancelButton.focus();
      }
      callButton.disabled = true;
    } else {
      callButton.disabled = false;
      if (document.activeElement === cancelButton) {
        callButton.focus();
      }
      cancelButton.disabled = true;
    }
  };
  return panel;
}

function viewChoice(draft, draw) {
  const option = (text, asForm) => {
    const input = el('input', {
      type: 'radio',
      name: 'view',
      checked: draft.asForm === asForm,
      onchange: () => { draft.asForm = asForm; draw(); },
    });
    return el('label', {}, input, text);
  };
  return el('fieldset', { class: 'choice' },
    el('legend', { class: 'hidden' }, 'Show the request as'), option('Form', true), option('JSON', false));
}

function jsonBody(draft) {
  const problem = el('p', { class: 'hint', role: 'status' });
  const check = () => {
    try {
      JSON.parse(area.value);
      problem.textContent = '';
      area.setAttribute('aria-invalid', 'false');
    } catch (error) {
      problem.textContent = error.message;
      area.setAttribute('aria-invalid', 'true');
    }
  };
  const area = el('textarea', {
    'aria-label': 'Request in JSON',
    rows: String(Math.min(24, Math.max(6, draft.text.split('\n').length + 1))),
    spellcheck: 'false',
    autocapitalize: 'off',
    oninput: () => { draft.text = area.value; check(); },
  });
  area.value = draft.text;
  check();
  return el('div', {}, area, problem);
}

function formBody(method, draft) {
  let value;
  try {
    value = JSON.parse(draft.text);
  } catch (error) {
    return el('p', { class: 'error' }, `The JSON cannot be shown as a form: ${error.message}`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return el('p', { class: 'error' }, 'The JSON cannot be shown as a form: it is no object.');
  }
  return messageForm(method.request, value, () => {
    draft.text = JSON.stringify(value, null, 2);
  });
}

function extras(draft) {
  const headers = el('textarea', {
    rows: '2',
    placeholder: 'authorization: Bearer …',
    spellcheck: 'false',
    autocapitalize: 'off',
    oninput: () => { draft.headers = headers.value; },
  });
  headers.value = draft.headers;
  const timeout = el('input', {
    type: 'number',
    min: '1',
    max: '9999999999', // ten digits, by the Connect protocol
    step: '1',
    inputmode: 'numeric',
    placeholder: 'none',
    oninput: () => { draft.timeoutMillis = timeout.value; },
  });
  timeout.value = draft.timeoutMillis;
  return el('details', { open: draft.headers !== '' || draft.timeoutMillis !== '' },
    el('summary', {}, 'Headers and timeout'),
    el('div', { class: 'extras' },
      labelled(['Headers'], 'one a line, name: value', headers),
      labelled(['Timeout'], 'in milliseconds', timeout)));
}
