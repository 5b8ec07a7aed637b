// grpc-web, the library of the gRPC project, binary and text. Messages are those of
// @bufbuild/protobuf: its own generator is not on npm, and its calls take any functions that
// make bytes and read them.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { GrpcWebClientBase, MethodDescriptor, MethodType, StatusCode } from 'grpc-web';
import { Probe } from '../.build/gen/peregrine/conformance/v1/probe_pb.js';
import { Streams } from '../.build/gen/peregrine/conformance/v1/streams_pb.js';
import { check, equal, failure, pattern, TEXT } from './results.js';

function describe(method) {
  return new MethodDescriptor(
    `/${method.parent.typeName}/${method.name}`,
    method.methodKind === 'unary' ? MethodType.UNARY : MethodType.SERVER_STREAMING,
    Object,
    Object,
    (message) => toBinary(method.input, message),
    (bytes) => fromBinary(method.output, bytes),
  );
}

/** One call, with all that the library tells of it. */
function run(client, server, method, request, metadata = {}) {
  const descriptor = describe(method);
  const args = [server + descriptor.getName(), create(method.input, request), metadata, descriptor];
  return new Promise((resolve, reject) => {
    const seen = { items: [], times: [] };
    const take = (item) => {
      seen.items.push(item);
      seen.times.push(performance.now());
    };
    const done = (error, item) => (error ? reject(Object.assign(error, { seen })) : take(item));
    const unary = method.methodKind === 'unary';
    const call = unary ? client.rpcCall(...args, done) : client.serverStreaming(...args);
    call.on('metadata', (headers) => { seen.headers = headers; });
    call.on('status', (status) => { seen.status = status; });
    // Only then all events have been: in text mode the metadata comes after the status.
    call.on('end', () => resolve(seen));
    if (!unary) {
      call.on('data', take);
      call.on('error', (error) => done(error));
    }
  });
}

export async function grpcWebChecks(server, where) {
  for (const format of ['binary', 'text']) {
    const client = new GrpcWebClientBase({ format });
    const name = `${where}: grpc-web ${format}`;
    const { echo, fail, metadata, sleep } = Probe.method;

    await check(`${name} echoes 300 KiB`, async () => {
      const payload = pattern(300 * 1024);
      const { items: [reply] } = await run(client, server, echo, { payload });
      equal([...reply.payload.subarray(0, 600)], [...payload.subarray(0, 600)], 'payload');
      equal(reply.payload.length, payload.length, 'length');
    });

    await check(`${name} sees code, text and details of an error`, async () => {
      const error = await failure(run(client, server, fail,
        { code: StatusCode.FAILED_PRECONDITION, text: TEXT, withDetail: true }));
      equal(error.code, StatusCode.FAILED_PRECONDITION, 'code');
      equal(error.message, TEXT, 'text');
      if (!error.metadata['grpc-status-details-bin']) {
        throw new Error(`no details in ${JSON.stringify(error.metadata)}`);
      }
    });

    await check(`${name} carries metadata both ways`, async () => {
      const seen = await run(client, server, metadata, {}, { 'echo-a': 'one', 'echo-trailing-c': 'three' });
      equal(seen.headers['echo-a'], 'one', 'header');
      equal(seen.status.metadata['echo-trailing-c'], 'three', 'trailer');
    });

    await check(`${name} ends by its deadline`, async () => {
      const deadline = String(Date.now() + 300);
      const error = await failure(run(client, server, sleep, { millis: 10000 }, { deadline }));
      equal(error.code, StatusCode.DEADLINE_EXCEEDED, 'code');
    });

    await streamChecks(name, client, server, format);
  }
}

async function streamChecks(name, client, server, format) {
  const { download } = Streams.method;

  await check(`${name} reads a stream`, async () => {
    const seen = await run(client, server, download, { items: 5, payloadBytes: 1000, pauseMillis: 100 });
    equal(seen.items.map((item) => item.number), [0, 1, 2, 3, 4], 'numbers');
    const spread = seen.times[4] - seen.times[0];
    // The library reads binary streams only when they have ended.
    if (format === 'text' && spread < 200) {
      throw new Error(`all items came within ${spread} ms`);
    }
  });

  await check(`${name} sees the error after a stream's items`, async () => {
    const error = await failure(run(client, server, download, { items: 2, code: StatusCode.ABORTED, text: TEXT }));
    equal([error.code, error.message], [StatusCode.ABORTED, TEXT], 'error');
    equal(error.seen.items.map((item) => item.number), [0, 1], 'items before it');
  });
}
