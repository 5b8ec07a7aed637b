// @connectrpc/connect-web: Connect and gRPC-Web, in both codecs.
import { Code, createClient, encodeBinaryHeader, decodeBinaryHeader } from '@connectrpc/connect';
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web';
import { FailRequestSchema, Probe } from '../.build/gen/peregrine/conformance/v1/probe_pb.js';
import { Streams } from '../.build/gen/peregrine/conformance/v1/streams_pb.js';
import { check, equal, failure, pattern, TEXT } from './results.js';

export async function connectChecks(server, where) {
  const fetched = [];
  const options = {
    baseUrl: server,
    fetch: (input, init) => {
      fetched.push(init.method);
      return fetch(input, init);
    },
  };
  const transports = {
    'connect proto': createConnectTransport({ ...options, useBinaryFormat: true }),
    'connect json': createConnectTransport({ ...options, useBinaryFormat: false }),
    'connect-web grpc-web proto': createGrpcWebTransport({ ...options, useBinaryFormat: true }),
    'connect-web grpc-web json': createGrpcWebTransport({ ...options, useBinaryFormat: false }),
  };
  for (const [kind, transport] of Object.entries(transports)) {
    const name = `${where}: ${kind}`;
    await unaryChecks(name, createClient(Probe, transport));
    await streamChecks(name, createClient(Streams, transport));
  }
  await getChecks(`${where}: connect`, options, fetched);
}

async function unaryChecks(name, probe) {
  await check(`${name} echoes 300 KiB`, async () => {
    const payload = pattern(300 * 1024);
    const reply = await probe.echo({ payload });
    equal([...reply.payload.subarray(0, 600)], [...payload.subarray(0, 600)], 'payload');
    equal(reply.payload.length, payload.length, 'length');
  });

  await check(`${name} sees code, text and details of an error`, async () => {
    const error = await failure(probe.fail({ code: Code.FailedPrecondition, text: TEXT, withDetail: true }));
    equal(error.code, Code.FailedPrecondition, 'code');
    equal(error.rawMessage, TEXT, 'text');
    const [detail] = error.findDetails(FailRequestSchema);
    equal(detail && detail.text, TEXT, 'detail');
  });

  await check(`${name} carries metadata both ways`, async () => {
    let header;
    let trailer;
    await probe.metadata({}, {
      headers: {
        'echo-a': 'one',
        'echo-b-bin': encodeBinaryHeader(Uint8Array.of(0, 255, 16)),
        'echo-trailing-c': 'three',
      },
      onHeader: (headers) => { header = headers; },
      onTrailer: (trailers) => { trailer = trailers; },
    });
    equal(header.get('echo-a'), 'one', 'header');
    equal([...decodeBinaryHeader(header.get('echo-b-bin'))], [0, 255, 16], 'binary header');
    equal(trailer.get('echo-trailing-c'), 'three', 'trailer');
  });

  await check(`${name} ends by its deadline`, async () => {
    const error = await failure(probe.sleep({ millis: 10000 }, { timeoutMs: 300 }));
    equal(error.code, Code.DeadlineExceeded, 'code');
  });

  await check(`${name} cancels, and the server answers on`, async () => {
    const controller = new AbortController();
    const call = probe.sleep({ millis: 10000 }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    equal((await failure(call)).code, Code.Canceled, 'code');
    equal((await probe.sleep({ millis: 1 })).cancelled, false, 'cancelled');
  });
}

async function streamChecks(name, streams) {
  await check(`${name} reads a stream as it comes`, async () => {
    const numbers = [];
    let first;
    const start = performance.now();
    for await (const item of streams.download({ items: 5, payloadBytes: 1000, pauseMillis: 100 })) {
      first ??= performance.now() - start;
      numbers.push(item.number);
    }
    const whole = performance.now() - start;
    equal(numbers, [0, 1, 2, 3, 4], 'numbers');
    if (whole - first < 200) {
      throw new Error(`the first item came after ${first} of ${whole} ms`);
    }
  });

  await check(`${name} sees the error after a stream's items`, async () => {
    const numbers = [];
    const error = await failure((async () => {
      for await (const item of streams.download({ items: 2, code: Code.Aborted, text: TEXT })) {
        numbers.push(item.number);
      }
    })());
    equal([numbers, error.code, error.rawMessage], [[0, 1], Code.Aborted, TEXT], 'items and error');
  });

  await check(`${name} reads 5 MB of stream`, async () => {
    let bytes = 0;
    for await (const item of streams.download({ items: 50, payloadBytes: 100000 })) {
      bytes += item.payload.length;
    }
    equal(bytes, 5000000, 'bytes');
  });

  await check(`${name} leaves a stream in the middle`, async () => {
    for await (const item of streams.download({ items: 1000, pauseMillis: 20 })) {
      if (item.number === 2) {
        break;
      }
    }
  });
}

async function getChecks(name, options, fetched) {
  const transport = createConnectTransport({ ...options, useHttpGet: true });
  const probe = createClient(Probe, transport);
  await check(`${name} calls by GET what has no side effects`, async () => {
    fetched.length = 0;
    const reply = await probe.big({ payloadBytes: 1000 });
    equal(reply.payload.length, 1000, 'length');
    equal(fetched, ['GET'], 'HTTP method');
  });
}
