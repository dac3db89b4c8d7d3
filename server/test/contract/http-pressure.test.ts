import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { statusRoutes } from '#capabilities/status/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createReadiness } from '#platform/http/readiness.ts';
import { createShedder, SHED_LIMITS } from '#platform/http/shedding.ts';
import { eventually } from '#test/eventually.ts';
import {
  FRESH_CONTACT,
  listen,
  POLICY,
  PUBLIC,
  plainRoute,
  rawConnection,
  recordedGates,
  testApp,
} from '#test/http-app.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';

const yes = async () => true;
const probes = statusRoutes({
  clock: systemClock(),
  database: async () => 'writable',
  redis: yes,
  replica: yes,
  contact: FRESH_CONTACT,
  readiness: createReadiness(),
});

describe('deadlines', () => {
  test('work that takes too long is 503, its signal aborted and its charge refunded', async () => {
    const { gates, calls } = recordedGates();
    let [aborted, ended] = [false, false];
    const app = testApp(
      [
        plainRoute({
          path: '/slow',
          policy: { ...POLICY, deadlineMs: 100 },
          handle: ((call: { signal: AbortSignal }) =>
            new Promise((resolve) => {
              call.signal.addEventListener('abort', () => {
                aborted = true;
                setTimeout(() => {
                  ended = true;
                  resolve({ ok: true });
                }, 20);
              });
            })) as never,
        }),
      ],
      { gates },
    );
    const reply = await app.inject('/slow');
    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('1');
    expect(aborted).toBe(true);
    await expect.poll(() => ended).toBe(true);
    expect(calls).toEqual(['identify', 'admit 1', 'refund 1']);
    await app.close();
  });

  test('a signal requested after the deadline is already aborted', async () => {
    let late: boolean | null = null;
    const app = testApp([
      plainRoute({
        path: '/slow',
        policy: { ...POLICY, deadlineMs: 50 },
        handle: (async (call: { signal: AbortSignal }) => {
          await wait(250);
          late = call.signal.aborted;
          return { ok: true };
        }) as never,
      }),
    ]);
    expect((await app.inject('/slow')).statusCode).toBe(503);
    await expect.poll(() => late).toBe(true);
    await app.close();
  });

  test('a caller who disconnects aborts the signal', async () => {
    let reason: unknown = null;
    let isAsked = false;
    const app = testApp([
      plainRoute({
        path: '/slow',
        handle: ((call: { signal: AbortSignal }) =>
          new Promise((resolve) => {
            isAsked = true;
            call.signal.addEventListener('abort', () => {
              reason = call.signal.reason;
              resolve({ ok: true });
            });
          })) as never,
      }),
    ]);
    const raw = await rawConnection(await listen(app));
    raw.socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => isAsked).toBe(true);
    raw.socket.destroy();
    await expect.poll(() => String(reason)).toContain('disconnected');
    await app.close();
  });
});

describe('connections that send slowly (reliability A8)', () => {
  const drippers = async (port: number, opening: string) => {
    const connections = await Promise.all(Array.from({ length: 20 }, () => rawConnection(port)));
    for (const { socket } of connections) socket.write(opening);
    const drip = setInterval(() => {
      for (const { socket } of connections) socket.write(' ');
    }, 50);
    return {
      first: () => connections[0]?.received() ?? '',
      allClosed: Promise.all(connections.map((each) => each.closed)).finally(() => clearInterval(drip)),
    };
  };
  const routes = [plainRoute({ path: '/ok' }), plainRoute({ method: 'POST', path: '/ok' })];

  test('half-sent headers are closed long before half-sent bodies, and other requests are answered meanwhile', async () => {
    const app = testApp(routes, {
      // Long enough for the complete headers of the other request, however late the event loop is.
      limits: { headersTimeoutMs: 3_000, requestTimeoutMs: 30_000, connectionCheckMs: 50 },
    });
    const port = await listen(app);
    const slow = await drippers(port, 'GET /ok HTTP/1.1\r\nHost: a\r\nX-Drip: ');
    expect((await fetch(`http://127.0.0.1:${port}/ok`)).status).toBe(200);
    await slow.allClosed;
    expect(slow.first()).toMatch(/^HTTP\/1\.1 408 /);
    expect(slow.first()).toContain('"error":"Request Timeout"');
    await app.close();
  });

  test('half-sent bodies are closed too', async () => {
    const app = testApp(routes, {
      limits: { headersTimeoutMs: 300, requestTimeoutMs: 600, connectionCheckMs: 50 },
    });
    const head =
      'POST /ok HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
    const slow = await drippers(await listen(app), head);
    await slow.allClosed;
    await app.close();
  });

  test('the defaults are those of reliability 5.11', async () => {
    const app = testApp(routes);
    await app.ready();
    expect(app.server).toMatchObject({
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 75_000,
      maxConnections: 20_000,
    });
    await app.close();
  });
});

describe('load shedding (reliability A7)', () => {
  test('a delayed event loop refuses class E first and class A last; /livez always answers', async () => {
    const classes = ['A', 'B', 'C', 'D', 'E'] as const;
    let delayMs = 0;
    const shedder = createShedder(SHED_LIMITS, {
      delay: { meanMs: () => delayMs, stop: () => undefined },
      calmInFlight: 0,
    });
    const app = testApp(
      [
        ...classes.map((name) => plainRoute({ path: `/${name}`, policy: { ...PUBLIC, class: name } })),
        ...probes,
      ],
      { shedder },
    );
    const kept = async () => {
      const served: string[] = [];
      for (const name of classes) if ((await app.inject(`/${name}`)).statusCode === 200) served.push(name);
      return served.join('');
    };
    const seen: string[] = [];
    for (const next of [0, 100, 150, 200, 300, 500]) {
      delayMs = next;
      seen.push(await kept());
    }
    expect(seen).toEqual(['ABCDE', 'ABCD', 'ABC', 'AB', 'A', '']);
    const refusal = await app.inject('/A');
    expect(refusal.statusCode).toBe(503);
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await app.inject('/livez')).statusCode).toBe(200);
    await app.close();
  });

  test('too many concurrent requests of one class do not affect the other classes, and the refusal is quick and free', async () => {
    const { gates, calls } = recordedGates();
    const limits = { ...SHED_LIMITS, C: { delayMs: 1_000, inFlightMax: 2 } };
    const shedder = createShedder(limits, { delay: { meanMs: () => 0, stop: () => undefined } });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let begun = 0;
    const app = testApp(
      [
        plainRoute({
          path: '/mail',
          policy: { ...POLICY, class: 'C' },
          handle: () => {
            begun += 1;
            return held.then(() => ({ ok: true }));
          },
        }),
        plainRoute({ path: '/check' }),
      ],
      { gates, shedder },
    );
    const working = [app.inject('/mail'), app.inject('/mail')];
    await expect.poll(() => begun).toBe(2);
    const identifiedBefore = calls.filter((call) => call === 'identify').length;
    const startedMs = performance.now();
    const third = await app.inject('/mail');
    expect(third.statusCode).toBe(503);
    if (IS_FULL_SIZE) expect(performance.now() - startedMs).toBeLessThan(100);
    expect(calls.filter((call) => call === 'identify').length).toBe(identifiedBefore);
    expect((await app.inject('/check')).statusCode).toBe(200);
    release();
    expect((await Promise.all(working)).map((reply) => reply.statusCode)).toEqual([200, 200]);
    expect((await app.inject('/mail')).statusCode).toBe(200);
    await app.close();
  });

  test('a caller who disconnects frees the place', async () => {
    const limits = { ...SHED_LIMITS, C: { delayMs: 1_000, inFlightMax: 1 } };
    const shedder = createShedder(limits, { delay: { meanMs: () => 0, stop: () => undefined } });
    let begun = 0;
    const app = testApp(
      [
        plainRoute({
          path: '/mail',
          policy: { ...POLICY, class: 'C', deadlineMs: 60_000 },
          handle: () => {
            begun += 1;
            return new Promise(() => undefined);
          },
        }),
      ],
      { shedder },
    );
    const port = await listen(app);
    const isServed = async (): Promise<boolean> => {
      const before = begun;
      const raw = await rawConnection(port);
      raw.socket.write('GET /mail HTTP/1.1\r\nHost: a\r\n\r\n');
      await expect.poll(() => begun > before || raw.received() !== '').toBe(true);
      raw.socket.destroy();
      return begun > before;
    };
    expect(await isServed()).toBe(true);
    // The only place is free again once the server has seen the connection close.
    for (let round = 0; round < 2; round += 1) await eventually('the place is free', 30_000, isServed);
    await app.close();
  });
});
