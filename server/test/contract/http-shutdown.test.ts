import { describe, expect, test } from 'vitest';
import { statusRoutes } from '#capabilities/status/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createReadiness } from '#platform/http/readiness.ts';
import { createShutdown } from '#platform/http/shutdown.ts';
import { frame } from '#platform/http/sse.ts';
import { eventually } from '#test/eventually.ts';
import {
  capturedLog,
  FRESH_CONTACT,
  listen,
  PUBLIC,
  plainRoute,
  rawConnection,
  testApp,
} from '#test/http-app.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';

const yes = async () => true;
type StreamCall = {
  request: import('fastify').FastifyRequest;
  reply: import('fastify').FastifyReply;
};
const streaming = plainRoute({
  path: '/stream',
  policy: PUBLIC,
  handle: (({ request, reply }: StreamCall) => {
    request.server.eventStreams.open(request, reply).write(frame('1', { type: 'hello' }));
  }) as never,
});

function running(options: { drainMs: number; inFlightMaxMs?: number }) {
  const readiness = createReadiness();
  const { log, lines } = capturedLog();
  const closed: string[] = [];
  const begun: string[] = [];
  const { promise: workIsOver, resolve: endWork } = Promise.withResolvers<void>();
  const slow = plainRoute({
    path: '/slow',
    // Long enough that the request does not pass its deadline while the test holds it.
    policy: { ...PUBLIC, deadlineMs: 120_000 },
    handle: async () => {
      begun.push('work');
      await workIsOver;
      closed.push('work');
      return { ok: true };
    },
  });
  const status = statusRoutes({
    clock: systemClock(),
    database: async () => 'writable',
    redis: yes,
    replica: yes,
    contact: FRESH_CONTACT,
    readiness,
  });
  const app = testApp([...status, slow, streaming], { readiness, log });
  const shutdown = createShutdown({
    app,
    readiness,
    log,
    drainMs: options.drainMs,
    ...(options.inFlightMaxMs !== undefined && { inFlightMaxMs: options.inFlightMaxMs }),
    closeHooks: [
      () => void closed.push('first'),
      () => Promise.reject(new Error('cannot close')),
      () => void closed.push('last'),
    ],
  });
  return { app, shutdown, begun, endWork, closed, lines };
}

describe('shutdown (reliability R1)', () => {
  test('/readyz fails first, the port stays open until the load balancer reacts, then work in flight finishes', async () => {
    // Long enough for three requests on a slow machine; the work lasts until the test has seen the port closed.
    const { app, shutdown, begun, endWork, closed } = running({ drainMs: 5_000 });
    const port = await listen(app);
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect((await get('/readyz')).status).toBe(200);
    const inFlight = get('/slow');
    await expect.poll(() => begun.length).toBe(1);
    const stopped = shutdown();
    const refusal = await get('/readyz');
    expect(refusal.status).toBe(503);
    expect(await refusal.json()).toMatchObject({ ready: false });
    // During the drain a new request is still served, with `Connection: close`.
    const late = await get('/livez');
    expect(late.status).toBe(200);
    expect(late.headers.get('connection')).toBe('close');
    const isRefused = () =>
      get('/livez').then(
        () => false,
        () => true,
      );
    await eventually('the port is closed', 30_000, isRefused);
    expect(closed).toEqual([]);
    endWork();
    const answered = await inFlight;
    expect(answered.status).toBe(200);
    expect(answered.headers.get('connection')).toBe('close');
    await stopped;
    // Work ends before its dependencies are closed; a failing hook does not keep the other hooks from
    // closing.
    expect(closed).toEqual(['work', 'first', 'last']);
  });

  test('calling it twice stops once', async () => {
    const { app, shutdown, closed } = running({ drainMs: 0 });
    await listen(app);
    await Promise.all([shutdown(), shutdown()]);
    expect(closed).toEqual(['first', 'last']);
  });

  test('an open stream is told when to reconnect and does not delay the exit', async () => {
    const { app, shutdown } = running({ drainMs: 0 });
    const raw = await rawConnection(await listen(app));
    raw.socket.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
    await raw.until(/hello/);
    const startedMs = performance.now();
    await shutdown();
    await raw.closed;
    if (IS_FULL_SIZE) expect(performance.now() - startedMs).toBeLessThan(2_000);
    const retries = [...raw.received().matchAll(/retry: (\d+)/g)].map(([, ms]) => Number(ms));
    expect(retries).toHaveLength(2);
    expect(retries[0]).toBe(5_000);
  });

  test('an idle keep-alive connection does not delay the exit', async () => {
    const { app, shutdown } = running({ drainMs: 0 });
    const raw = await rawConnection(await listen(app));
    raw.socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    await raw.until(/alive/);
    await shutdown();
    await raw.closed;
  });

  test('work that never ends is cut off after its time limit', async () => {
    const { app, shutdown, begun, lines } = running({ drainMs: 0, inFlightMaxMs: 200 });
    const raw = await rawConnection(await listen(app));
    raw.socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => begun.length).toBe(1);
    const startedMs = performance.now();
    await shutdown();
    if (IS_FULL_SIZE) expect(performance.now() - startedMs).toBeLessThan(1_500);
    expect(lines.some((line) => line.includes('cut off'))).toBe(true);
  });
});
