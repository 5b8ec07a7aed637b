// The page: the list of services, and what the address behind # names.

const main = document.getElementById('main');
const menu = document.getElementById('menu');
const filter = document.getElementById('filter');
const wide = window.matchMedia('(min-width: 52rem)');
/** The call under way, or nothing. */
let calling;

function methodView({ service, method }) {
  const path = `${service.name}/${method.name}`;
  const parts = [
    heading(method.name, service.name),
    methodTags(method),
    comment(method.comment),
  ];
  if (canCall(method)) {
    const result = resultPanel();
    const request = requestPanel(path, method,
      (draft) => send(path, method, draft, request, result), () => calling && calling.abort());
    parts.push(request, result);
  } else {
    parts.push(el('p', { class: 'panel' },
      'This page calls unary and server-streaming methods only: browsers cannot send a stream of '
      + 'requests. Use a gRPC client such as grpcurl or buf curl for this one.'));
  }
  const types = [['Request', method.request], ['Reply', method.response]].filter(([, ref]) => ref);
  if (types.length > 0) {
    parts.push(el('section', { class: 'panel' }, el('h2', {}, 'Messages'),
      ...types.map(([word, ref]) => typeDetails(word, ref))));
  }
  return parts;
}

async function send(path, method, draft, request, panel) {
  if (calling) {
    return;
  }
  const streams = method.kind === 'server_streaming';
  const controller = new AbortController();
  const result = new Result(panel, streams);
  calling = controller;
  request.busy(true);
  try {
    await call(path, streams, {
      body: draft.text,
      headers: parseHeaders(draft.headers),
      timeoutMillis: draft.timeoutMillis,
      signal: controller.signal,
    }, result);
  } catch (error) {
    result.failed(error, controller.signal.aborted);
  } finally {
    controller.abort(); // a stream that broke off in the middle is not read further
    calling = undefined;
    request.busy(false);
  }
}

function view(name) {
  const method = findMethod(name);
  const service = findService(name);
  if (method) {
    return methodView(method);
  }
  if (service) {
    return serviceView(service);
  }
  if (Object.hasOwn(schema.messages, name) || Object.hasOwn(schema.enums, name)) {
    return typeView(name);
  }
  return name === '' ? overviewView() : [
    heading('Not found'),
    el('p', {}, `This server has no service, method or message “${name}”. `, el('a', { href: '#' }, 'What it has')),
  ];
}

function currentName() {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return window.location.hash.slice(1);
  }
}

/** Shows what the address names; after a click the heading gets the focus. */
function show(focus) {
  if (calling) {
    calling.abort();
  }
  const name = currentName();
  main.replaceChildren(...view(name).filter(Boolean));
  document.title = name === '' ? 'Explorer' : `${name} · Explorer`;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === `#${name}`) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  if (focus) {
    menu.open = wide.matches;
    window.scrollTo(0, 0);
    main.querySelector('h1').focus({ preventScroll: true });
  }
}

function listServices() {
  document.getElementById('services').replaceChildren(...schema.services.map((service) =>
    el('section', {},
      el('h2', {}, el('a', { href: `#${service.name}` }, service.name)),
      el('ul', {}, ...service.methods.map((method) => {
        const path = `${service.name}/${method.name}`;
        return el('li', { 'data-path': path.toLowerCase() }, el('a', { href: `#${path}` }, method.name,
          method.kind === 'unary' ? undefined : tag(KINDS[method.kind])));
      })))));
}

function applyFilter() {
  const wanted = filter.value.trim().toLowerCase();
  let matches = 0;
  for (const section of document.querySelectorAll('#services > section')) {
    let any = wanted === '';
    for (const item of section.querySelectorAll('li')) {
      item.hidden = !item.dataset.path.includes(wanted);
      matches += item.hidden ? 0 : 1;
      any = any || !item.hidden;
    }
    section.hidden = !any;
  }
  document.getElementById('matches').textContent =
    wanted === '' ? '' : `${matches} ${matches === 1 ? 'method' : 'methods'}`;
}

function start() {
  document.getElementById('host').textContent = window.location.host;
  listServices();
  filter.addEventListener('input', applyFilter);
  window.addEventListener('hashchange', () => show(true));
  wide.addEventListener('change', () => { menu.open = wide.matches; });
  menu.open = wide.matches;
  document.getElementById('skip').addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
  });
  document.addEventListener('keydown', (event) => {
    const typing = ['INPUT', 'TEXTAREA', 'SELECT'].includes(event.target.tagName);
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      menu.open = true;
      filter.focus();
    }
  });
  show(false);
}

start();
