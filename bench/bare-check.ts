import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { type BareFloor, endWithParent, openBareMeter } from './support/bare-meter.ts';

/**
 * The floor of `npm run bench:check`: Fastify with one call of the same Redis Function with the same arguments, the
 * same headers, the same body through JSON.stringify like any Fastify handler, and the same log line. It does not
 * authenticate, validate, look up or judge. Started by check.ts, not by hand.
 */
type Floor = BareFloor & { readonly bodies: Readonly<Record<string, object>> };
const floor = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Floor;
const { config, spend, writeHeaders, logAnswer } = await openBareMeter(floor);

const app = Fastify({ logger: false });
if (config.LOG_LEVEL === 'info')
  app.addHook('onResponse', (_request, reply, done) => {
    logAnswer('GET', '/check', reply);
    done();
  });
app.get('/check', (request, reply) => {
  void spend('1').then((metered) => {
    writeHeaders(reply, metered);
    reply.send(floor.bodies[request.url]);
  });
});
await app.listen({ host: '127.0.0.1', port: floor.port });
endWithParent();
