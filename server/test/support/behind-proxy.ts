import { createServer, request as plainRequest, type Server } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRoutes } from '../../src/app/build-app.ts';
import { eventually, freePort } from './eventually.ts';
import { bySize } from './lane.ts';
import type { ProxyKind, RunningProxy } from './proxies.ts';

export type Asked = {
  readonly status: number;
  readonly text: string;
  readonly headers: Record<string, string | string[] | undefined>;
};

/** One request over TLS through the proxy. */
export const ask = (
  { port, ca }: Pick<RunningProxy, 'port' | 'ca'>,
  path: string,
  options: RequestOptions = {},
  body?: string | Buffer,
): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: 'localhost', port, ca, path, agent: false, ...options }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
    });
    asked.once('error', reject);
    // As curl does: a proxy that refuses a body by its length answers before it is sent, and may close the connection.
    if (options.headers !== undefined && 'expect' in options.headers)
      asked.once('continue', () => asked.end(body)).flushHeaders();
    else asked.end(body);
  });

const BODY_ROUTES = describeRoutes().filter(({ body }) => body !== undefined);
export const LARGEST_BODY = Math.max(...BODY_ROUTES.map(({ policy }) => policy.bodyMax));

/** One address of each route that takes a body; at full size both. */
const bodyAddresses = BODY_ROUTES.flatMap((route) => {
  const bases = { api: [''], web: ['/api'], both: bySize([''], ['', '/api']) }[route.policy.surface];
  return bases.map((base) => ({ route, path: `${base}${route.path.replace(/:\w+/g, 'x')}` }));
});

const jsonOf = (bytes: number): Buffer => {
  const [open, close] = ['{"padding":"', '"}'];
  return Buffer.from(`${open}${'a'.repeat(bytes - open.length - close.length)}${close}`);
};

/** Posts the largest body of every route; the service answers each, whatever it says of the padding. */
export async function postLargestBodies(
  proxy: RunningProxy,
  headers: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const { route, path } of bodyAddresses) {
    const type = route.accepts?.[0] ?? 'application/json';
    const options = { method: route.method, headers: { ...headers, 'content-type': type } };
    const answer = await ask(proxy, path, options, jsonOf(route.policy.bodyMax)).catch(
      (error: Error) => error,
    );
    const id = answer instanceof Error ? answer.message : answer.headers['x-request-id'];
    if (answer instanceof Error || answer.status === 413 || !String(id).startsWith('req_'))
      refused.push(`${route.method} ${path} ${route.policy.bodyMax}: ${JSON.stringify(answer)}`);
  }
  return refused;
}

export function expectOwnError(answer: Asked, status: number, error: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('private, no-store');
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  expect(body).toMatchObject({ error, message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(body.requestId).toMatch(/^proxy_[\w-]{6,}$/);
  const isTemporary = status !== 413;
  expect(answer.headers['retry-after']).toBe(isTemporary ? '5' : undefined);
  expect(body.retryAfter).toBe(isTemporary ? 5 : undefined);
}

/** A node that shows what a proxy sends: its headers, an event stream, an answer that takes longer than most, or none. */
function openNode(): Server {
  return createServer((asked, answer) => {
    const path = asked.url ?? '';
    asked.resume();
    if (path === '/hang') return;
    if (path === '/check/stream') {
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
      return;
    }
    const send = () =>
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(asked.headers));
    // After the whole body, as the service answers.
    asked.once('end', () => {
      if (path === '/api/mmdb/download') void sleep(3_000).then(send);
      else send();
    });
  });
}

/** The promises of docs/operating/behind-a-proxy.md that need no service, for one proxy. */
export function proxyTests(kind: ProxyKind): void {
  let node: Server;
  let proxy: RunningProxy;
  let alone: RunningProxy;

  beforeAll(async () => {
    node = openNode();
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const { port } = node.address() as AddressInfo;
    proxy = await kind.start([`http://127.0.0.1:${port}`], 'shortened');
    alone = await kind.start([`http://127.0.0.1:${await freePort()}`]);
    await eventually('the node is used', 10_000, async () => (await ask(proxy, '/livez')).status === 200);
  });
  afterAll(async () => {
    await proxy?.stop();
    await alone?.stop();
    node?.closeAllConnections();
    node?.close();
  });

  describe(`deploy file of ${kind.name}`, () => {
    test('a caller cannot name its own address or scheme', async () => {
      const written = { 'X-Forwarded-For': '6.6.6.6, 10.0.0.1', 'X-Forwarded-Proto': 'http' };
      const seen = JSON.parse((await ask(proxy, '/check', { headers: written })).text) as Record<
        string,
        string
      >;
      expect([seen['x-forwarded-for'], seen['x-forwarded-proto']]).toEqual(['127.0.0.1', 'https']);
    });

    test('plain HTTP reaches the service as plain HTTP, which refuses it; it is not redirected', async () => {
      const seen = await new Promise<string>((resolve, reject) => {
        const headers = { Host: 'localhost', 'X-Forwarded-Proto': 'https' };
        const asked = plainRequest(
          { host: '127.0.0.1', port: proxy.plainPort, path: '/check', headers },
          (answer) => {
            let text = '';
            answer.on('data', (part) => {
              text += String(part);
            });
            answer.once('end', () => resolve(text));
          },
        );
        asked.once('error', reject).end();
      });
      expect(JSON.parse(seen)).toMatchObject({ 'x-forwarded-proto': 'http', 'x-forwarded-for': '127.0.0.1' });
    });

    test('an event arrives while its stream is open, and a silent stream stays open', async () => {
      const first = await new Promise<string>((resolve, reject) => {
        const options = {
          host: 'localhost',
          port: proxy.port,
          ca: proxy.ca,
          path: '/check/stream',
          agent: false,
        };
        const asked = request(options, (answer) => {
          answer.once('data', (part) => {
            // Longer than the shortened time for an ordinary answer.
            const open = setTimeout(() => {
              resolve(String(part));
              asked.destroy();
            }, 2_500);
            answer.once('end', () => {
              clearTimeout(open);
              reject(new Error('The stream was closed.'));
            });
            answer.once('error', () => undefined);
          });
        });
        asked.once('error', reject).end();
      });
      expect(first).toContain('data: first');
    });

    test('a file that takes longer than ordinary answers is waited for', async () => {
      expect((await ask(proxy, '/api/mmdb/download')).status).toBe(200);
    });

    test('a body above the largest of any route is 413, and a node that is away 502 or 503, in the form of our errors', async () => {
      const type = { 'content-type': 'application/json' };
      const length = { 'content-length': String(LARGEST_BODY + 1), expect: '100-continue' };
      const above = { method: 'POST', headers: { ...type, ...length } };
      const largest = { method: 'POST', headers: type };
      expectOwnError(
        await ask(proxy, '/mail/scan', above, jsonOf(LARGEST_BODY + 1)),
        413,
        'Payload Too Large',
      );
      expect((await ask(proxy, '/mail/scan', largest, jsonOf(LARGEST_BODY))).status).toBe(200);
      const away = await ask(alone, '/check');
      if (away.status === 503) expectOwnError(away, 503, 'Service unavailable');
      else expectOwnError(away, 502, 'Bad Gateway');
    });

    test('a node that does not answer is 504', async () => {
      expectOwnError(await ask(proxy, '/hang', { method: 'POST' }, '{}'), 504, 'Gateway Timeout');
    });

    test.runIf(kind.limitsConnections)('too many connections of one address are 429', async () => {
      const waiting = Array.from({ length: 8 }, () => ask(proxy, '/hang', { method: 'POST' }, '{}'));
      const answers = await Promise.all(waiting);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) expectOwnError(answer, 429, 'Rate Limited');
    });
  });
}
