// The page's script: checks.html?server=ORIGIN&where=NAME runs every check against that server.
import { connectChecks } from './connect.js';
import { grpcWebChecks } from './grpcweb.js';
import { check, failure } from './results.js';

const parameters = new URLSearchParams(window.location.search);
const server = parameters.get('server');
const where = parameters.get('where');

if (parameters.has('refused')) {
  await check(`${where}: a server without CORS shows other origins no answer`, async () => {
    await failure(fetch(`${server}/peregrine.conformance.v1.Probe/Echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }));
  });
} else {
  await connectChecks(server, where);
  await grpcWebChecks(server, where);
}
console.log('done');
