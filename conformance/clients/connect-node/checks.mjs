// Checks a server with @connectrpc/connect-node, by each of its transports: one "ok NAME" or
// "not ok NAME: why" per check, then "done". Arguments: address, a set of file descriptors.

import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Code, createClient } from '@connectrpc/connect';
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';

const AWKWARD_TEXT = '100% größer\nline2 🚀';
const TIMEOUT_MILLIS = 20_000;
const ITEMS = 200;

const [address, descriptors] = process.argv.slice(2);
const registry = createFileRegistry(
  fromBinary(FileDescriptorSetSchema, readFileSync(descriptors)),
);
const probeType = registry.getService('peregrine.conformance.v1.Probe');
const streamsType = registry.getService('peregrine.conformance.v1.Streams');

const transports = [];
for (const [name, create] of [
  ['connect', createConnectTransport],
  ['grpc-web', createGrpcWebTransport],
  ['grpc', createGrpcTransport],
]) {
  for (const httpVersion of name === 'grpc' ? ['2'] : ['1.1', '2']) {
    for (const useBinaryFormat of [true, false]) {
      transports.push({
        name: `${name}-http${httpVersion}-${useBinaryFormat ? 'proto' : 'json'}`,
        fullDuplex: httpVersion === '2',
        transport: create({
          baseUrl: `http://${address}`,
          httpVersion,
          useBinaryFormat,
          // A hundred kilobytes are too long for a request line, unless they are compressed.
          useHttpGet: useBinaryFormat,
          acceptCompression: [compressionGzip],
          sendCompression: useBinaryFormat ? compressionGzip : null,
          compressMinBytes: 100,
          defaultTimeoutMs: TIMEOUT_MILLIS,
        }),
      });
    }
  }
}

async function collect(messages) {
  const all = [];
  for await (const message of messages) {
    all.push(message);
  }
  return all;
}

async function* items(count) {
  for (let number = 0; number < count; number++) {
    yield { number, payload: new Uint8Array(number) };
  }
}

const checks = {
  async echo({ probe }) {
    for (const bytes of [0, 3, 100_000]) {
      const payload = new Uint8Array(bytes).fill(7);
      const reply = await probe.echo({ payload });
      assert.deepStrictEqual(reply.payload, payload);
    }
  },

  async fail({ probe }) {
    await assert.rejects(probe.fail({ code: 9, text: AWKWARD_TEXT }), (error) => {
      assert.strictEqual(error.code, Code.FailedPrecondition);
      assert.strictEqual(error.rawMessage, AWKWARD_TEXT);
      return true;
    });
  },

  async metadata({ probe }) {
    const seen = {};
    await probe.metadata(
      {},
      {
        headers: { 'echo-one': 'a b', 'echo-trailing-two': 'c', 'echo-three-bin': 'AAEC' },
        onHeader: (headers) => (seen.headers = headers),
        onTrailer: (trailers) => (seen.trailers = trailers),
      },
    );
    assert.strictEqual(seen.headers.get('echo-one'), 'a b');
    assert.strictEqual(seen.headers.get('echo-three-bin'), 'AAEC');
    assert.strictEqual(seen.trailers.get('echo-trailing-two'), 'c');
  },

  async deadline({ probe }) {
    await assert.rejects(probe.sleep({ millis: 5_000 }, { timeoutMs: 100 }), (error) => {
      assert.strictEqual(error.code, Code.DeadlineExceeded);
      return true;
    });
  },

  async download({ streams }) {
    const all = await collect(streams.download({ items: ITEMS, payloadBytes: 1_000 }));
    assert.deepStrictEqual(
      all.map((item) => item.number),
      [...Array(ITEMS).keys()],
    );
  },

  async 'download-fails'({ streams }) {
    const seen = [];
    await assert.rejects(
      async () => {
        for await (const item of streams.download({ items: 2, code: 5, text: AWKWARD_TEXT })) {
          seen.push(item.number);
        }
      },
      (error) => error.code === Code.NotFound && error.rawMessage === AWKWARD_TEXT,
    );
    assert.deepStrictEqual(seen, [0, 1]);
  },

  async upload({ streams }) {
    const reply = await streams.upload(items(ITEMS));
    assert.strictEqual(reply.items, ITEMS);
    assert.strictEqual(reply.payloadBytes, BigInt((ITEMS * (ITEMS - 1)) / 2));
  },

  async chat({ streams, fullDuplex }) {
    if (fullDuplex) {
      const all = await collect(streams.chat(items(ITEMS)));
      assert.strictEqual(all.length, ITEMS);
    } else {
      // A bidirectional stream needs HTTP/2: refused, not left hanging.
      await assert.rejects(collect(streams.chat(items(1))));
    }
  },
};

for (const { name, transport, fullDuplex } of transports) {
  const context = {
    probe: createClient(probeType, transport),
    streams: createClient(streamsType, transport),
    fullDuplex,
  };
  for (const [check, run] of Object.entries(checks)) {
    try {
      await run(context);
      console.log(`ok ${name}-${check}`);
    } catch (error) {
      console.log(`not ok ${name}-${check}: ${String(error).replaceAll('\n', ' ')}`);
    }
  }
}
console.log('done');
process.exit(0);
