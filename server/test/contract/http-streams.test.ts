import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createEventStreams, type EventStream, frame } from '#platform/http/sse.ts';
import { listen, POLICY, plainRoute, rawConnection, testApp } from '#test/http-app.ts';

type StreamCall = { request: FastifyRequest; reply: FastifyReply };

function streamApp() {
  const opened: EventStream[] = [];
  const app = testApp([
    plainRoute({
      path: '/stream',
      policy: { ...POLICY, deadlineMs: 50 },
      handle: (({ request, reply }: StreamCall) => {
        opened.push(request.server.eventStreams.open(request, reply));
      }) as never,
    }),
    plainRoute({
      path: '/failing',
      handle: (async ({ request, reply }: StreamCall) => {
        request.server.eventStreams.open(request, reply);
        await wait(20);
        throw new Error('the source broke');
      }) as never,
    }),
  ]);
  return { app, opened };
}

describe('event streams (decisions 3.13)', () => {
  test('retry comes first, frames have an id and one line of data, and nothing is cached or buffered', async () => {
    const { app, opened } = streamApp();
    const raw = await rawConnection(await listen(app));
    raw.socket.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
    await raw.until(/retry/);
    opened[0]?.write(frame('1-0', { type: 'threat.new', data: { text: 'a\r\nb\u2028c' } }));
    const received = await raw.until(/1-0[\s\S]*\n\n/);
    const head = received.split('\r\n\r\n')[0]?.toLowerCase() ?? '';
    expect(head).toContain('content-type: text/event-stream; charset=utf-8');
    expect(head).toContain('cache-control: no-store');
    expect(head).toContain('x-accel-buffering: no');
    expect(head).toContain('x-ratelimit-limit: 60');
    expect(head).toContain('x-request-id: req_');
    expect(received).toMatch(/retry: 5000\n\n/);
    expect(received).toContain('id: 1-0\ndata: {"type":"threat.new","data":{"text":"a\\r\\nb\\u2028c"}}\n\n');
    expect(received).not.toContain('event:');
    raw.socket.destroy();
    await app.close();
  });

  test('the deadline of the route does not end a stream; a disconnect of the caller does', async () => {
    const { app, opened } = streamApp();
    const raw = await rawConnection(await listen(app));
    raw.socket.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
    await raw.until(/retry/);
    await wait(250);
    expect(opened[0]?.closed).toBe(false);
    expect(app.eventStreams.size()).toBe(1);
    let told = 0;
    opened[0]?.onClose(() => {
      told += 1;
    });
    raw.socket.destroy();
    await expect.poll(() => opened[0]?.closed).toBe(true);
    expect(told).toBe(1);
    expect(app.eventStreams.size()).toBe(0);
    expect(opened[0]?.write(frame('1', {}))).toBe(false);
    await app.close();
  });

  test('a reader that does not read is closed before 1 MiB is queued for it, and other streams continue', async () => {
    const { app, opened } = streamApp();
    const port = await listen(app);
    const stalled = connect(port, '127.0.0.1');
    stalled.on('error', () => undefined);
    stalled.pause();
    stalled.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => opened.length).toBe(1);
    const good = await rawConnection(port);
    good.socket.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => opened.length).toBe(2);
    const [slow, quick] = opened;
    const block = 'x'.repeat(64 * 1024);
    // The kernel buffers some megabytes before the process sees a queue (reliability A10).
    for (let i = 0; i < 400 && slow?.closed === false; i += 1) {
      const text = frame(String(i), block);
      slow.write(text);
      quick?.write(text);
      await wait(1);
    }
    expect(slow?.closed).toBe(true);
    expect(quick?.closed).toBe(false);
    stalled.destroy();
    good.socket.destroy();
    await app.close();
  });

  test('a reader that reads nothing for too long is closed, however little is queued for it', async () => {
    const streams = createEventStreams({
      clock: systemClock(),
      limits: { stalledMaxMs: 200, queuedBytesMax: Number.MAX_SAFE_INTEGER },
    });
    const app = Fastify();
    let stream: EventStream | null = null;
    app.get('/stream', (request, reply) => {
      stream = streams.open(request, reply);
    });
    const reader = connect(await listen(app), '127.0.0.1');
    reader.on('error', () => undefined);
    reader.pause();
    reader.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => stream).not.toBeNull();
    const block = frame('1', 'x'.repeat(1024 * 1024));
    for (let i = 0; i < 8; i += 1) (stream as unknown as EventStream).write(block);
    await expect.poll(() => (stream as unknown as EventStream).closed).toBe(true);
    expect(streams.size()).toBe(0);
    streams.stop();
    reader.destroy();
    await app.close();
  });

  test('a handler that fails after the stream has begun closes the stream', async () => {
    const { app } = streamApp();
    const raw = await rawConnection(await listen(app));
    raw.socket.write('GET /failing HTTP/1.1\r\nHost: a\r\n\r\n');
    await raw.closed;
    expect(raw.received()).toContain('retry: 5000');
    await app.close();
  });

  test('HEAD gets the headers and no stream', async () => {
    const { app } = streamApp();
    const raw = await rawConnection(await listen(app));
    raw.socket.write('HEAD /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await raw.closed;
    expect(raw.received()).toMatch(/^HTTP\/1\.1 200/);
    expect(raw.received()).not.toContain('retry');
    await app.close();
  });
});
