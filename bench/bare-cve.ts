import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';
import { type BareFloor, endWithParent, openBareMeter } from './support/bare-meter.ts';

/**
 * The floor of `npm run bench:cve`: Fastify with one call of the same Redis Function, one SELECT of the bytes of the record, the
 * same headers and the same log line. It does not authenticate, validate, parse or compose. Started by cve.ts, not by hand.
 */
type Floor = BareFloor & { readonly databaseUrl: string; readonly pool: number };
const floor = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Floor;
const { config, spend, writeHeaders, logAnswer } = await openBareMeter(floor);
const pool = new pg.Pool({
  connectionString: floor.databaseUrl,
  max: floor.pool,
  options: '-c role=assay_app',
});

const app = Fastify({ logger: false });
if (config.LOG_LEVEL === 'info')
  app.addHook('onResponse', (_request, reply, done) => {
    logAnswer('GET', '/cve/:id', reply);
    done();
  });
app.get<{ Params: { id: string } }>('/cve/:id', async (request, reply) => {
  const metered = await spend('1');
  const { rows } = await pool.query<{ body: string }>('select body from bench_cve_body where id = $1', [
    request.params.id,
  ]);
  writeHeaders(reply, metered);
  reply.header('content-type', 'application/json; charset=utf-8');
  return rows[0]?.body;
});
await app.listen({ host: '127.0.0.1', port: floor.port });
endWithParent();
