'use strict';

// Checks a server with @grpc/grpc-js: one "ok NAME" or "not ok NAME: why" per
// check, then "done". Arguments: address, then the folders of .proto files.

const assert = require('node:assert');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const FILES = [
  'peregrine/conformance/v1/probe.proto',
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

const [address, ...includeDirs] = process.argv.slice(2);
const packages = grpc.loadPackageDefinition(loader.loadSync(FILES, { includeDirs, defaults: true }));
const options = {
  'grpc.max_receive_message_length': 2 * MESSAGE_LIMIT_BYTES,
  'grpc.max_send_message_length': 2 * MESSAGE_LIMIT_BYTES,
};
const insecure = grpc.credentials.createInsecure();
const probe = new packages.peregrine.conformance.v1.Probe(address, insecure, options);
const greeter = new packages.helloworld.Greeter(address, insecure, options);
const greeterV1 = new packages.helloworld.v1.Greeter(address, insecure, options);
const clients = [probe, greeter, greeterV1];

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
