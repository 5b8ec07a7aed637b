// Calls in the Connect protocol with JSON: unary as a plain POST, streams in envelopes of one byte
// of flags, four bytes of length, and the message.

const PREFIX_BYTES = 5;
const FLAG_COMPRESSED = 1;
const FLAG_END = 2;
/** No message of a page for people is larger; a length beyond is a broken stream. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Calls a method.
 *
 * @param path package.Service/Method
 * @param options body: the request as text; headers: pairs; timeoutMillis, signal
 * @param listener told of head(response), message(text), and once, unless this throws, of
 *     end({ error, trailers, text }): error in Connect's form, text of a body that is no JSON
 */
async function call(path, streams, options, listener) {
  const headers = new Headers(options.headers);
  headers.set('content-type', streams ? 'application/connect+json' : 'application/json');
  headers.set('connect-protocol-version', '1');
  if (options.timeoutMillis) {
    headers.set('connect-timeout-ms', String(options.timeoutMillis));
  }
  const response = await fetch(`/${path}`, {
    method: 'POST',
    headers,
    body: streams ? envelope(options.body) : options.body,
    signal: options.signal,
    cache: 'no-store',
    credentials: 'same-origin',
  });
  listener.head(response);
  if (streams && response.ok) {
    listener.end(await readStream(response, listener));
  } else {
    listener.end(await readUnary(response, listener));
  }
}

function envelope(text) {
  const message = new TextEncoder().encode(text);
  const bytes = new Uint8Array(PREFIX_BYTES + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, PREFIX_BYTES);
  return bytes;
}

async function readUnary(response, listener) {
  const text = await response.text();
  const trailers = [...response.headers]
    .filter(([name]) => name.startsWith('trailer-'))
    .map(([name, value]) => [name.slice('trailer-'.length), value]);
  if (response.ok) {
    listener.message(text);
    return { trailers };
  }
  try {
    return { error: JSON.parse(text), trailers };
  } catch {
    return { error: { code: `HTTP ${response.status}` }, text, trailers };
  }
}

async function readStream(response, listener) {
  const reader = response.body.getReader();
  let chunks = [];
  let size = 0;
  let needed = PREFIX_BYTES;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      throw new Error('The stream ended without its last envelope.');
    }
    chunks.push(value);
    size += value.length;
    if (size < needed) {
      continue;
    }
    let rest = joined(chunks, size);
    while (rest.length >= (needed = neededFor(rest))) {
      const flags = rest[0];
      const text = new TextDecoder().decode(rest.subarray(PREFIX_BYTES, needed));
      rest = rest.subarray(needed);
      if (flags & FLAG_COMPRESSED) {
        throw new Error('A message came compressed, which was not asked for.');
      }
      if (flags & FLAG_END) {
        return endOfStream(text);
      }
      listener.message(text);
    }
    chunks = [rest];
    size = rest.length;
  }
}

/** How many bytes the first envelope takes, as far as can be seen from some of them. */
function neededFor(bytes) {
  if (bytes.length < PREFIX_BYTES) {
    return PREFIX_BYTES;
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  if (length > MAX_MESSAGE_BYTES) {
    throw new Error(`A message of ${length} bytes: this is no stream of Connect.`);
  }
  return PREFIX_BYTES + length;
}

function joined(chunks, size) {
  if (chunks.length === 1) {
    return chunks[0];
  }
  const all = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}

function endOfStream(text) {
  const end = JSON.parse(text);
  const trailers = Object.entries(end.metadata || {})
    .flatMap(([name, values]) => values.map((value) => [name, value]));
  return { error: end.error, trailers };
}

/** Metadata as the user writes it, a line each. */
function parseHeaders(text) {
  const pairs = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const colon = line.indexOf(':');
    if (colon <= 0) {
      throw new Error(`“${line.trim()}” is not of the form name: value`);
    }
    pairs.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  new Headers(pairs); // throws where a name or a value cannot be sent
  return pairs;
}
