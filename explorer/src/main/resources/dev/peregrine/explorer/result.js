// What came back: the status in one line, the messages as they arrive, headers and trailers.

/** A stream may go on for hours: older messages leave the page. */
const MAX_MESSAGES_SHOWN = 200;
/** More text than this makes browsers slow. */
const MAX_CHARS_SHOWN = 200000;

function resultPanel() {
  const status = el('p', { class: 'status', role: 'status' });
  // Beside the status, so that a fast stream does not talk without end to those who listen.
  const count = el('span', { class: 'muted' });
  const body = el('div');
  const panel = el('section', { class: 'panel', 'aria-label': 'Response', hidden: true },
    el('div', { class: 'row' }, el('h2', {}, 'Response'), count), status, body);
  return Object.assign(panel, { status, count, body });
}

/** Shows one call in a panel. */
class Result {
  constructor(panel, streams) {
    this.panel = panel;
    this.streams = streams;
    this.startMillis = performance.now();
    this.messages = 0;
    this.list = el('ol', { class: 'messages' });
    this.after = el('div');
    panel.hidden = false;
    panel.count.textContent = '';
    panel.body.replaceChildren(this.list, this.after);
    this.say('Calling…', '');
    panel.status.scrollIntoView({ block: 'nearest' });
  }

  say(text, kind) {
    this.panel.status.textContent = text;
    this.panel.status.className = `status ${kind}`;
  }

  millis() {
    return Math.round(performance.now() - this.startMillis);
  }

  head(response) {
    this.response = response;
    if (this.streams && response.ok) {
      this.say('Receiving…', '');
    }
  }

  message(text) {
    this.messages += 1;
    const content = el('pre', { tabindex: '0' }, shortened(pretty(text)));
    if (!this.streams) {
      content.setAttribute('aria-label', 'Reply');
      this.list.append(el('li', {}, content));
      return;
    }
    content.setAttribute('aria-label', `Message ${this.messages}`);
    this.list.append(el('li', {},
      el('span', { class: 'muted' }, `#${this.messages} · ${this.millis()} ms`), content));
    if (this.list.children.length > MAX_MESSAGES_SHOWN) {
      this.list.firstElementChild.remove();
    }
    this.panel.count.textContent = messagesText(this.messages)
      + (this.messages > MAX_MESSAGES_SHOWN ? `, the last ${MAX_MESSAGES_SHOWN} shown` : '');
  }

  end({ error, text, trailers }) {
    const words = [
      error ? error.code || 'unknown' : 'OK',
      `HTTP ${this.response.status}`,
      `${this.millis()} ms`,
    ];
    if (this.streams) {
      words.push(messagesText(this.messages));
      if (this.messages <= MAX_MESSAGES_SHOWN) {
        this.panel.count.textContent = '';
      }
    }
    this.say(words.join(' · '), error ? 'bad' : 'good');
    if (error) {
      this.after.append(errorView(error, text, this.response));
    }
    const headers = [...this.response.headers].filter(([name]) => !name.startsWith('trailer-'));
    this.after.append(pairsView('Headers', headers), pairsView('Trailers', trailers));
  }

  /** The call broke off without an end. */
  failed(error, cancelled) {
    if (cancelled) {
      this.say(`Cancelled after ${this.millis()} ms`, '');
    } else {
      this.say(`Failed after ${this.millis()} ms`, 'bad');
      this.after.append(el('p', { class: 'error' },
        error instanceof TypeError ? `No answer could be read: ${error.message}` : error.message));
    }
    if (this.response) {
      this.after.append(pairsView('Headers', [...this.response.headers]));
    }
  }
}

function messagesText(count) {
  return count === 1 ? '1 message' : `${count} messages`;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function shortened(text) {
  const more = text.length - MAX_CHARS_SHOWN;
  return more > 0 ? `${text.slice(0, MAX_CHARS_SHOWN)}\n… and ${more} characters more` : text;
}

function errorView(error, text, response) {
  const view = el('div', { class: 'error' },
    el('p', { class: 'comment' }, error.message || text || 'The error came without a message.'));
  if (response.status === 415) {
    view.append(el('p', {}, 'Does the server have the JSON module, peregrine-json, on its path?'));
  }
  const details = error.details || [];
  if (details.length > 0) {
    view.append(el('h3', {}, 'Details'));
  }
  for (const detail of details) {
    view.append(el('p', { class: 'mono' }, detail.type),
      el('pre', { tabindex: '0', 'aria-label': detail.type },
        shortened(detail.debug === undefined ? `base64: ${detail.value}` : JSON.stringify(detail.debug, null, 2))));
  }
  return view;
}

function pairsView(name, pairs) {
  if (pairs.length === 0) {
    return '';
  }
  const list = el('dl', { class: 'pairs mono' });
  for (const [key, value] of pairs) {
    list.append(el('dt', {}, key), el('dd', {}, value));
  }
  return el('details', {}, el('summary', {}, `${name} (${pairs.length})`), list);
}
