'use strict';

// Checks a server with @grpc/grpc-js: one "ok NAME" or "not ok NAME: why" per
// check, then "done". Arguments: address, then the folders of .proto files.

const assert = require('node:assert');
const { once } = require('node:events');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const FILES = [
  'peregrine/conformance/v1/probe.proto',
  'peregrine/conformance/v1/streams.proto',
  'helloworld/v1/helloworld.proto',
  'helloworld/helloworld.proto',
];
// Two UTF-8 lengths, a line break and the escape character itself.
const AWKWARD_TEXT = '100% größer\nline2 🚀';
const MESSAGE_LIMIT_BYTES = 4 << 20;
// Tag and length of a bytes field of 4 MiB.
const ECHO_OVERHEAD_BYTES = 5;
const CONCURRENT_CALLS = 1000;
const TIMEOUT_MILLIS = 30_000;
const ITEMS = 500;
const ITEM_PAYLOAD_BYTES = 10_000;
// More than anybody waits for: only a cancel ends it.
const ENDLESS_ITEMS = 2 ** 30;

const [address, ...includeDirs] = process.argv.slice(2);
const packages = grpc.loadPackageDefinition(loader.loadSync(FILES, { includeDirs, defaults: true }));
const options = {
  'grpc.max_receive_message_length': 2 * MESSAGE_LIMIT_BYTES,
  'grpc.max_send_message_length': 2 * MESSAGE_LIMIT_BYTES,
};
const insecure = grpc.credentials.createInsecure();
const probe = new packages.peregrine.conformance.v1.Probe(address, insecure, options);
const streams = new packages.peregrine.conformance.v1.Streams(address, insecure, options);
const greeter = new packages.helloworld.Greeter(address, insecure, options);
const greeterV1 = new packages.helloworld.v1.Greeter(address, insecure, options);
const clients = [probe, streams, greeter, greeterV1];

function call(client, method, request, metadata = new grpc.Metadata()) {
  return new Promise((resolve, reject) => {
    const result = {};
    const deadline = Date.now() + TIMEOUT_MILLIS;
    const stream = client[method](request, metadata, { deadline }, (error, reply) => {
      if (error) {
        reject(error);
      } else {
        result.reply = reply;
      }
    });
    stream.on('metadata', (header) => {
      result.header = header;
    });
    stream.on('status', (status) => {
      result.trailer = status.metadata;
      resolve(result);
    });
  });
}

async function echo(payload) {
  return (await call(probe, 'Echo', { payload })).reply.payload;
}

async function refused(promise, code) {
  const outcome = await promise.then(
    () => ({ code: 0 }),
    (error) => error,
  );
  assert.strictEqual(outcome.code, code, `wanted ${code}, got ${outcome.code} ${outcome.details}`);
  return outcome;
}

function unknown(path) {
  const same = (value) => value;
  return new Promise((resolve, reject) => {
    const done = (error) => (error ? reject(error) : resolve());
    probe.makeUnaryRequest(path, same, same, Buffer.alloc(0), done);
  });
}

const inTime = () => ({ deadline: Date.now() + TIMEOUT_MILLIS });

function item(number, payloadBytes) {
  return { number, payload: Buffer.alloc(payloadBytes) };
}

// Reads a stream of items to its end, checking their order.
async function readItems(stream, payloadBytes) {
  let number = 0;
  for await (const { number: found, payload } of stream) {
    assert.deepStrictEqual([found, payload.length], [number, payloadBytes]);
    number++;
  }
  return number;
}

const checks = {
  async hello() {
    const v1 = await call(greeterV1, 'Hello', { name: 'grpc-js' });
    assert.strictEqual(v1.reply.message, 'Hello `grpc-js` 👋');
    const plain = await call(greeter, 'SayHello', { name: 'grpc-js' });
    assert.strictEqual(plain.reply.message, 'Hello grpc-js!');
  },

  async 'unknown-method'() {
    await refused(unknown('/peregrine.conformance.v1.Probe/Missing'), grpc.status.UNIMPLEMENTED);
  },

  async 'unknown-service'() {
    await refused(unknown('/peregrine.conformance.v1.Missing/Echo'), grpc.status.UNIMPLEMENTED);
  },

  async 'status-text'() {
    const code = grpc.status.FAILED_PRECONDITION;
    const error = await refused(call(probe, 'Fail', { code, text: AWKWARD_TEXT }), code);
    assert.strictEqual(error.details, AWKWARD_TEXT);
  },

  async metadata() {
    const every = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const sent = new grpc.Metadata();
    sent.add('echo-text', 'one');
    sent.add('echo-text', 'two');
    sent.add('echo-bytes-bin', every);
    sent.add('echo-trailing-text', 'three');
    sent.add('echo-trailing-bytes-bin', every.subarray(0, 1));
    const { header, trailer } = await call(probe, 'Metadata', {}, sent);
    // Node joins values of one name with a comma before this client sees them.
    assert.strictEqual(header.get('echo-text').join(', '), 'one, two');
    assert.deepStrictEqual(header.get('echo-bytes-bin'), [every]);
    assert.deepStrictEqual(trailer.get('echo-trailing-text'), ['three']);
    assert.deepStrictEqual(trailer.get('echo-trailing-bytes-bin'), [every.subarray(0, 1)]);
  },

  async 'empty-message'() {
    assert.strictEqual((await echo(Buffer.alloc(0))).length, 0);
  },

  async 'message-at-limit'() {
    for (const messageBytes of [300 << 10, MESSAGE_LIMIT_BYTES - 1, MESSAGE_LIMIT_BYTES]) {
      const sent = Buffer.alloc(messageBytes - ECHO_OVERHEAD_BYTES, '0123456789abcdef');
      assert.ok(sent.equals(await echo(sent)), `message of ${messageBytes} bytes came back changed`);
    }
  },

  async 'message-over-limit'() {
    const sent = Buffer.alloc(MESSAGE_LIMIT_BYTES + 1 - ECHO_OVERHEAD_BYTES);
    await refused(echo(sent), grpc.status.RESOURCE_EXHAUSTED);
    assert.strictEqual((await echo(Buffer.alloc(0))).length, 0);
  },

  async concurrent() {
    const calls = Array.from({ length: CONCURRENT_CALLS }, async (_, i) => {
      const sent = Buffer.alloc(2 + 2 * i, i % 251);
      assert.ok(sent.equals(await echo(sent)), `call ${i} came back changed`);
    });
    await Promise.all(calls);
  },

  async download() {
    const request = { items: ITEMS, payloadBytes: ITEM_PAYLOAD_BYTES };
    const read = await readItems(streams.Download(request, inTime()), ITEM_PAYLOAD_BYTES);
    assert.strictEqual(read, ITEMS);
  },

  async 'download-status'() {
    const code = grpc.status.FAILED_PRECONDITION;
    const stream = streams.Download({ items: 5, code, text: AWKWARD_TEXT }, inTime());
    let read = 0;
    stream.on('data', () => read++);
    const [error] = await once(stream, 'error');
    assert.deepStrictEqual([read, error.code, error.details], [5, code, AWKWARD_TEXT]);
  },

  async upload() {
    const sum = await new Promise((resolve, reject) => {
      const done = (error, reply) => (error ? reject(error) : resolve(reply));
      const stream = streams.Upload(new grpc.Metadata(), inTime(), done);
      for (let i = 0; i < ITEMS; i++) {
        stream.write(item(i, ITEM_PAYLOAD_BYTES));
      }
      stream.end();
    });
    assert.deepStrictEqual([sum.items, Number(sum.payloadBytes)], [ITEMS, ITEMS * ITEM_PAYLOAD_BYTES]);
  },

  async chat() {
    const stream = streams.Chat(inTime());
    let number = 0;
    stream.write(item(0, 0));
    for await (const { number: found, payload } of stream) {
      assert.deepStrictEqual([found, payload.length], [number, number]);
      number++;
      if (number < ITEMS) {
        stream.write(item(number, number));
      } else {
        stream.end();
      }
    }
    assert.strictEqual(number, ITEMS);
  },

  async cancel() {
    const stream = streams.Download({ items: ENDLESS_ITEMS }, inTime());
    let read = 0;
    stream.on('data', () => {
      read++;
      if (read === 10) {
        stream.cancel();
      }
    });
    const [error] = await once(stream, 'error');
    assert.strictEqual(error.code, grpc.status.CANCELLED);
    assert.strictEqual((await echo(Buffer.alloc(0))).length, 0);
  },
};

async function main() {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      console.log('ok', name);
    } catch (error) {
      process.exitCode = 1;
      console.log(`not ok ${name}: ${String(error.message).replaceAll('\n', ' ')}`);
    }
  }
  console.log('done');
  clients.forEach((client) => client.close());
}

main();
