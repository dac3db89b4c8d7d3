import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { startLoad } from '#test/load.ts';
import { type Nginx, startNginx } from '#test/nginx.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts } from '#test/service-accounts.ts';

/** At full size half of the requests run while the processes of one node restart, half while the two nodes do. */
const REQUESTS = bySize(1_500, 50_000);
const CALLERS = bySize(8, 32);
const PROCESSES = bySize(2, 3);
const NODES = bySize(1, 2);
/** Timeouts of the documented file, shortened for the test that waits for them, but not below a slow handshake. */
const SHORTER = [
  ['client_header_timeout 10s;', 'client_header_timeout 5s;'],
  ['client_body_timeout 10s;', 'client_body_timeout 5s;'],
] as const;

let database: TestDatabase;
let nginx: Nginx;
let credential: string;
/** Keys that are bound to an address: the one of this machine, and those that a caller writes into a header. */
const bound = { here: '', elsewhere: '' };
const nodes: Service[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  for (let nth = 0; nth < NODES; nth += 1)
    nodes.push(
      await startService({
        databaseUrl: database.url,
        processes: PROCESSES,
        env: {
          TRUSTED_PROXIES: '127.0.0.1/32',
          REQUIRE_HTTPS: 'true',
          AUTH_FAILURES_PER_MINUTE: '100000',
          ...(nodes[0] !== undefined && { REDIS_PREFIX: nodes[0].env.REDIS_PREFIX ?? '' }),
        },
      }),
    );
  for (const each of nodes) {
    const accounts = openAccounts(each);
    const plan = { plan: 'ENTERPRISE', limits: { burstPerMinute: 1_000_000 } } as const;
    const account = await accounts.newAccount(`${each.pid}@example.com`, plan);
    credential = account.credential;
    bound.here = await accounts.newBoundKey(account.accountId, ['127.0.0.1/32']);
    bound.elsewhere = await accounts.newBoundKey(account.accountId, ['6.6.6.6/32', '10.0.0.1/32']);
    await accounts.close();
  }
  nginx = await startNginx(
    nodes.map(({ url }) => url),
    SHORTER,
  );
});
afterAll(async () => {
  await nginx?.stop();
  for (const each of nodes) await each.stop();
  await database?.drop();
});

type Seen = { readonly status: number; readonly text: string; readonly headers: Record<string, unknown> };

/** One request over TLS through the proxy. */
const ask = (path: string, options: RequestOptions = {}, body?: string): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const asked = request(
      { host: 'localhost', port: nginx.port, ca: nginx.ca, path, ...options },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
/** The text of a connection until it is closed by the other side. */
const untilClosed = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (part) => {
      text += String(part);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(text));
  });
const keyed = () => ({ headers: { 'X-API-KEY': credential } });

describe('deploy/nginx/assay.conf before a real service', () => {
  test('connections are kept, on both sides', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: nginx.ca });
    let sockets = 0;
    const createConnection = agent.createConnection.bind(agent);
    agent.createConnection = (...args: Parameters<typeof createConnection>) => {
      sockets += 1;
      return createConnection(...args);
    };
    for (let nth = 0; nth < 20; nth += 1)
      expect((await ask('/check?query=203.0.114.7', { ...keyed(), agent })).status).toBe(200);
    agent.destroy();
    expect(sockets).toBe(1);
  });

  test('the caller is the address that nginx saw, whatever the caller wrote', async () => {
    const written = { 'X-Forwarded-For': '6.6.6.6, 10.0.0.1', Forwarded: 'for=6.6.6.6' };
    const statusOf = async (key: string) =>
      (await ask('/check?query=203.0.114.7', { headers: { ...written, 'X-API-KEY': key } })).status;
    await eventually(
      'the key of this address is known',
      30_000,
      async () => (await statusOf(bound.here)) === 200,
    );
    await eventually('the other key is known', 30_000, async () => (await statusOf(bound.elsewhere)) !== 401);
    expect(await statusOf(bound.elsewhere)).toBe(403);
  });

  test('HTTPS is demanded: plain HTTP is refused with a sentence and never redirected', async () => {
    const plain = await fetch(`http://127.0.0.1:${nginx.plainPort}/check`, { redirect: 'manual' });
    expect(plain.status).toBe(403);
    expect(await plain.text()).toContain('HTTPS required');
    const secure = await ask('/livez');
    expect(secure.status).toBe(200);
    expect(secure.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(String(secure.headers.server)).toBe('nginx');
  });

  test('an event arrives while the stream is open: nothing is buffered', async () => {
    const first = await new Promise<string>((resolve, reject) => {
      const options = {
        host: 'localhost',
        port: nginx.port,
        ca: nginx.ca,
        path: '/check/stream?query=203.0.114.7',
      };
      const asked = request({ ...options, ...keyed() }, (answer) => {
        expect(answer.headers['content-type']).toContain('text/event-stream');
        answer.once('data', (part) => {
          resolve(String(part));
          asked.destroy();
        });
      });
      asked.once('error', reject);
      asked.end();
    });
    expect(first).toMatch(/^(retry|id|event|data|:)/);
  });

  test('a body above the limit is refused by the proxy; one below it by the route', async () => {
    const post = (bytes: number, path = '/bulk/check') =>
      ask(
        path,
        { method: 'POST', headers: { 'X-API-KEY': credential, 'content-type': 'application/json' } },
        JSON.stringify({ entities: ['x'.repeat(bytes)] }),
      );
    expect((await post(16_000_000)).status).toBe(413);
    // A message of 2 MB is within the limit of its route, so the proxy has to let it pass.
    expect((await post(2_000_000, '/mail/scan')).status).toBe(400);
    expect([400, 413]).toContain((await post(200_000)).status);
  });

  test('slow senders end at the proxy, and no node hears of them', async () => {
    const slow = Array.from({ length: 20 }, (_, nth) => {
      const socket = connectTls({
        port: nginx.port,
        host: '127.0.0.1',
        servername: 'localhost',
        ca: nginx.ca,
      });
      const closed = untilClosed(socket);
      const head = 'POST /submit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
      socket.write(nth % 2 === 0 ? head : `${head}Content-Length: 5000\r\n\r\n{"slow":`);
      return closed;
    });
    const plain = connect(nginx.plainPort, '127.0.0.1');
    plain.write('GET / HT');
    const plainClosed = untilClosed(plain);
    expect((await ask('/check?query=203.0.114.7', keyed())).status).toBe(200);
    for (const text of await Promise.all(slow)) expect(text).toMatch(/^(HTTP\/1\.1 408[\s\S]*)?$/);
    await plainClosed;
    const metrics = await (await fetch(nodes[0]?.metricsUrl ?? '')).text();
    expect(metrics).not.toMatch(/route="\/submit"/);
  });
});

const reached = (load: ReturnType<typeof startLoad>, count: number) =>
  eventually(`${count} requests were sent`, 1_800_000, () => load.sent() >= count);
/** Sockets that listen on a port of this machine, as the kernel lists them: state 0A. */
const listenersOf = (port: number): number => {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  return rows.filter(([, address = '', , state]) => address.endsWith(local) && state === '0A').length;
};
const newLoad = () => startLoad({ nginx, credential, total: REQUESTS, callers: CALLERS });

describe('restarts behind it (reliability R1)', () => {
  // A closing process resets connections that the kernel had queued for it: 1 of 1,500 requests on a busy machine.
  test.runIf(IS_FULL_SIZE)(
    'every process of a node restarts in turn under load, and no request fails',
    async () => {
      const [first] = nodes;
      if (first === undefined) throw new Error('There is no node.');
      const load = newLoad();
      for (const [nth, pid] of first.listenerPids().entries()) {
        await reached(load, Math.round(((nth + 1) * REQUESTS) / (PROCESSES + 1)));
        process.kill(pid, 'SIGTERM');
        // A rolling restart waits until the new process listens; two at once would leave none.
        await eventually('another process listens in its place', 60_000, () => {
          const isGone = !first.listenerPids().includes(pid);
          return isGone && listenersOf(Number(new URL(first.url).port)) === PROCESSES;
        });
      }
      await load.done;
      console.log(`figure rolling-processes-requests ${load.sent()}`);
      console.log(`figure rolling-processes-failed ${load.failures.length}`);
      expect(load.failures).toEqual([]);
    },
  );

  test.runIf(IS_FULL_SIZE)(
    'both nodes are stopped and started in turn under load, and no request fails',
    async () => {
      const load = newLoad();
      for (const [nth, old] of [...nodes].entries()) {
        await reached(load, Math.round(((nth + 1) * REQUESTS) / 3));
        await old.stop();
        const { DATA_DIR: _, ...env } = old.env;
        nodes[nth] = await startService({
          databaseUrl: database.url,
          processes: PROCESSES,
          env,
        });
      }
      await load.done;
      console.log(`figure rolling-nodes-requests ${load.sent()}`);
      console.log(`figure rolling-nodes-failed ${load.failures.length}`);
      expect(load.failures).toEqual([]);
    },
  );
});
