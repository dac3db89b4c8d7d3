import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { Agent } from 'undici';

/**
 * The floor of bench/webhooks.ts: undici that signs and posts the same bytes over kept TLS connections, one after another for each
 * host, and writes one row for each answer. It has no lanes, leases, checks of addresses, retries or limits.
 */
const [port = '', hosts = '', deliveries = '', caFile = '', database = ''] = process.argv.slice(2);
const agent = new Agent({ connections: 1, pipelining: 1, connect: { ca: readFileSync(caFile) } });
const pool = new pg.Pool({ connectionString: database, max: 4 });
await pool.query(
  'create table bare_delivery (id text primary key, host int, status int, at timestamptz default now())',
);
const key = randomBytes(32);
const filler = 'x'.repeat(320);

async function send(host: number, count: number): Promise<void> {
  const origin = `https://127.0.0.${host}:${port}`;
  for (let n = 1; n <= count; n += 1) {
    const id = `dlv_${host}_${n}`;
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify({
      type: 'alert.created',
      timestamp: new Date().toISOString(),
      sequence: n,
      data: { n, atMs: Date.now(), filler },
    });
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const { statusCode, body: answer } = await agent.request({
      origin,
      path: '/',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    await answer.dump();
    await pool.query('insert into bare_delivery (id, host, status) values ($1, $2, $3)', [
      id,
      host,
      statusCode,
    ]);
  }
}

const each = Math.floor(Number(deliveries) / Number(hosts));
const before = process.cpuUsage();
const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(hosts) }, (_, at) => send(at + 1, each)));
const { user, system } = process.cpuUsage(before);
process.send?.({
  deliveries: each * Number(hosts),
  cpuS: (user + system) / 1e6,
  seconds: (performance.now() - startedAt) / 1_000,
});
await pool.end();
await agent.close();
process.disconnect?.();
