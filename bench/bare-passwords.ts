import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { bucketKey } from '../server/src/capabilities/passwords/bucket.ts';
import { BUCKETS } from '../server/src/capabilities/passwords/corpus-head.ts';
import { beginRead, openEnvironment, openTable } from '../server/src/platform/lmdb.ts';
import { type BareFloor, endWithParent, openBareMeter } from './support/bare-meter.ts';

/**
 * The floor of `npm run bench:passwords`: Fastify with one call of the same Redis Function, one read of the same LMDB
 * value, the same headers and log line, and the finished bytes of the answer. It does not authenticate, validate, check
 * the bucket or write the answer. Started by passwords.ts, not by hand.
 */
type Floor = BareFloor & { readonly data: string; readonly answers: Readonly<Record<string, string>> };
const floor = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Floor;
const { spend, writeHeaders, logAnswer } = await openBareMeter(floor);
const ready = new Map(Object.entries(floor.answers).map(([url, text]) => [url, Buffer.from(text)]));
const environment = openEnvironment(floor.data, 'read');
const table = openTable(environment, BUCKETS);
const snapshot = { transaction: beginRead(environment) };

const app = Fastify({ logger: false });
app.addHook('onResponse', (_request, reply, done) => {
  logAnswer('GET', '/api/pwned-passwords/range/:prefix', reply);
  done();
});
app.get('/api/pwned-passwords/range/:prefix', (request, reply) => {
  void spend('1').then((metered) => {
    const { prefix } = request.params as { readonly prefix: string };
    const bucket = table?.getBinary(bucketKey(Number.parseInt(prefix, 16)), snapshot);
    writeHeaders(reply, metered);
    reply.header('content-type', 'application/json; charset=utf-8');
    reply.send(bucket === undefined ? '' : ready.get(request.url));
  });
});
await app.listen({ host: '127.0.0.1', port: floor.port });
endWithParent();
