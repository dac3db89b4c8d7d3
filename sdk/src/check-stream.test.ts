import { afterEach, describe, expect, test } from 'vitest';
import { beginEvents, eventText, json, type Loopback, startLoopback } from '../test/loopback.ts';
import { type AssayOptions, createAssay } from './client.ts';
import { Aborted, RateLimited, StreamBroken, TimedOut } from './errors.ts';

let peer: Loopback;
afterEach(() => peer?.close());
async function open(answer: Parameters<typeof startLoopback>[0], options: Partial<AssayOptions> = {}) {
  peer = await startLoopback(answer);
  return createAssay({ baseUrl: peer.url, ...options });
}
const PHASES = ['reputation', 'basic', 'insights', 'enrichment', 'done'];
const whole = PHASES.map((type, index) => eventText(index + 1, type)).join('');

async function collect(stream: AsyncIterable<{ readonly type: string }>, onPhase = (): void => undefined) {
  const types: string[] = [];
  try {
    for await (const { type } of stream) {
      types.push(type);
      onPhase();
    }
  } catch (error) {
    return { types, error };
  }
  return { types, error: null };
}

describe('checkStream', () => {
  test('gives each phase as it comes, and ends with done', async () => {
    let goOn = (): void => undefined;
    const assay = await open((response) => {
      beginEvents(response).write(`: ping\n\n${eventText(1, 'reputation', { malicious: true })}`);
      goOn = () =>
        void response.end(
          PHASES.slice(1)
            .map((type) => eventText(2, type))
            .join(''),
        );
    });
    const stream = assay.checkStream('a.example');
    const { value: first } = await stream.next();
    expect(first).toEqual({ type: 'reputation', data: { malicious: true }, id: '1' });
    goOn();
    expect(await collect(stream)).toEqual({ types: PHASES.slice(1), error: null });
  });

  test('after done the connection is closed and not made again', async () => {
    const assay = await open((response) => void beginEvents(response).write(whole));
    expect(await collect(assay.checkStream('a.example'))).toEqual({ types: PHASES, error: null });
    await expect.poll(() => peer.hungUp()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(peer.received).toHaveLength(1);
  });

  test('leaving the loop early closes the connection', async () => {
    const assay = await open((response) => void beginEvents(response).write(eventText(1, 'reputation')));
    for await (const { type } of assay.checkStream('a.example')) if (type === 'reputation') break;
    await expect.poll(() => peer.hungUp()).toBe(1);
  });

  test('an end without done is an error, never a short answer, and no request is repeated', async () => {
    const assay = await open((response) => void beginEvents(response).end(eventText(1, 'reputation')));
    const { types, error } = await collect(assay.checkStream('a.example'));
    expect(types).toEqual(['reputation']);
    expect(error).toBeInstanceOf(StreamBroken);
    expect(error).toMatchObject({ lastEventId: '1' });
    expect(peer.received).toHaveLength(1);
  });

  test('a connection that breaks in the middle is an error, and a begun stream is not asked for again', async () => {
    const assay = await open(
      (response) => void beginEvents(response).write(eventText(1, 'reputation'), () => response.destroy()),
    );
    const { types, error } = await collect(assay.checkStream('a.example'));
    expect(types).toEqual(['reputation']);
    expect(error).toBeInstanceOf(StreamBroken);
    expect(error).toMatchObject({ lastEventId: '1', cause: { name: 'NetworkFailure' } });
    expect(peer.received).toHaveLength(1);
  });

  test('an error event is thrown with the message of the service', async () => {
    const data = { error: 'Internal Server Error', message: 'Something went wrong on our side. Try again.' };
    const assay = await open(
      (response) => void beginEvents(response).end(eventText(1, 'reputation') + eventText(1, 'error', data)),
    );
    const { error } = await collect(assay.checkStream('a.example'));
    expect(error).toBeInstanceOf(StreamBroken);
    expect(error).toMatchObject({ ...data, lastEventId: '1' });
  });

  test('a line that is not JSON is an error', async () => {
    const assay = await open((response) => void beginEvents(response).end('data: {"type":\n\n'));
    expect((await collect(assay.checkStream('a.example'))).error).toBeInstanceOf(StreamBroken);
  });

  test('a refusal before the first byte has its class; 503 before it is repeated', async () => {
    const refused = await open((response) =>
      json(response, 429, { error: 'Rate Limited', plan: 'ANONYMOUS' }, { 'Retry-After': '3000' }),
    );
    const { error } = await collect(refused.checkStream('a.example'));
    expect(error).toBeInstanceOf(RateLimited);
    expect(error).toMatchObject({ usedUp: 'anonymous' });
    await peer.close();
    const busy = await open((response, _request, number) => {
      if (number === 1) json(response, 503, {}, { 'Retry-After': '0' });
      else beginEvents(response).end(whole);
    });
    expect((await collect(busy.checkStream('a.example'))).types).toEqual(PHASES);
  });

  test('an abort ends it and closes the connection', async () => {
    const assay = await open((response) => void beginEvents(response).write(eventText(1, 'reputation')));
    const leave = new AbortController();
    const stream = assay.checkStream('a.example', { signal: leave.signal });
    // Aborts after the first phase instead of after a time, because slow machines take longer to reach it.
    const { types, error } = await collect(stream, () => leave.abort());
    expect(types).toEqual(['reputation']);
    expect(error).toBeInstanceOf(Aborted);
    await expect.poll(() => peer.hungUp()).toBe(1);
  });

  test('a stream that falls silent is given up; a comment is a sign of life', async () => {
    const assay = await open((response) => {
      beginEvents(response);
      const ping = setInterval(() => response.write(': ping\n\n'), 50);
      setTimeout(() => clearInterval(ping), 3_000);
    });
    const started = performance.now();
    // Forty intervals of the ping, so that a late event loop is not taken for silence.
    const { error } = await collect(assay.checkStream('a.example', { silentMaxMs: 2_000 }));
    expect(error).toBeInstanceOf(StreamBroken);
    expect(error).toMatchObject({ lastEventId: null, cause: expect.any(TimedOut) as unknown });
    expect(performance.now() - started).toBeGreaterThan(3_000);
    await expect.poll(() => peer.hungUp()).toBe(1);
  });

  test('the time for the first byte does not end a stream that has begun', async () => {
    const assay = await open((response) => {
      beginEvents(response);
      setTimeout(() => response.end(whole), 3_000);
    });
    const { types } = await collect(assay.checkStream('a.example', { timeoutMs: 2_000 }));
    expect(types).toEqual(PHASES);
  });
});

describe('a check that resumes', () => {
  /** A server that sends the phases after `Last-Event-ID` and ends each connection after a given number of them. */
  const cutting =
    (
      perConnection: readonly number[],
      end: 'destroy' | 'end' = 'destroy',
    ): Parameters<typeof startLoopback>[0] =>
    (response, { headers }, number) => {
      const after = Number(headers['last-event-id'] ?? 0);
      const events = PHASES.map((type, index) => eventText(index + 1, type)).slice(after);
      const most = perConnection[number - 1] ?? events.length;
      const out = beginEvents(response);
      out.write(events.slice(0, most).join('') || ': ping\n\n', () => void out[end]());
    };
  const sentIds = () => peer.received.map(({ headers }) => headers['last-event-id']);

  test('connects again after a break and an early end, gives each phase once, and names the last event', async () => {
    for (const end of ['destroy', 'end'] as const) {
      const assay = await open(cutting([1, 2, 1], end));
      const stream = assay.checkStream('a.example', { resume: true });
      expect(await collect(stream)).toEqual({ types: PHASES, error: null });
      expect(sentIds()).toEqual([undefined, '1', '3', '4']);
      await peer.close();
    }
  });

  test('gives up after `retries` connections that brought nothing, and says where to go on', async () => {
    const assay = await open(cutting([2, 0, 0, 0, 0]), { retries: 2 });
    const { types, error } = await collect(assay.checkStream('a.example', { resume: true }));
    expect(types).toEqual(PHASES.slice(0, 2));
    expect(error).toBeInstanceOf(StreamBroken);
    expect(error).toMatchObject({ lastEventId: '2' });
    expect(sentIds()).toEqual([undefined, '2', '2']);
  });

  test('a stream that broke before its first event is not requested again: it would be another check', async () => {
    const assay = await open(cutting([0]));
    const { error } = await collect(assay.checkStream('a.example', { resume: true }));
    expect(error).toMatchObject({ name: 'StreamBroken', lastEventId: null });
    expect(peer.received).toHaveLength(1);
  });

  test('a phase that the service repeats after a restart is not given twice', async () => {
    const assay = await open((response, _request, number) => {
      const out = beginEvents(response);
      if (number === 1) out.write(eventText(1, 'reputation'), () => void out.destroy());
      else out.end(whole);
    });
    expect((await collect(assay.checkStream('a.example', { resume: true }))).types).toEqual(PHASES);
  });

  test('a refusal while resuming is thrown with its own class', async () => {
    const assay = await open((response, _request, number) => {
      if (number === 1) beginEvents(response).end(eventText(1, 'reputation'));
      else json(response, 429, { error: 'Rate Limited', plan: 'ANONYMOUS' }, { 'Retry-After': '3000' });
    });
    const { error } = await collect(assay.checkStream('a.example', { resume: true }));
    expect(error).toBeInstanceOf(RateLimited);
  });

  test('an abort while it waits to connect again ends it', async () => {
    const assay = await open((response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(`retry: 60000\n\n${eventText(1, 'reputation')}`);
    });
    const leave = new AbortController();
    const stream = assay.checkStream('a.example', { resume: true, signal: leave.signal });
    const { types, error } = await collect(stream, () => void setTimeout(() => leave.abort(), 100));
    expect([types, error]).toEqual([['reputation'], expect.any(Aborted)]);
  });

  test('begins after the event that the caller names; where nothing is left it ends at once', async () => {
    const assay = await open((response, { headers }) => {
      if (headers['last-event-id'] === '5') response.writeHead(204).end();
      else
        beginEvents(response).end(
          PHASES.slice(3)
            .map((type, at) => eventText(at + 4, type))
            .join(''),
        );
    });
    const resumed = await collect(assay.checkStream('a.example', { lastEventId: '3' }));
    expect(resumed).toEqual({ types: PHASES.slice(3), error: null });
    expect(await collect(assay.checkStream('a.example', { lastEventId: '5' }))).toEqual({
      types: [],
      error: null,
    });
    expect(sentIds()).toEqual(['3', '5']);
  });
});
