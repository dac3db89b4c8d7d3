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

async function collect(stream: AsyncIterable<{ readonly type: string }>) {
  const types: string[] = [];
  try {
    for await (const { type } of stream) types.push(type);
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
    expect(first).toEqual({ type: 'reputation', data: { malicious: true } });
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

  test('a reader who leaves early hangs up', async () => {
    const assay = await open((response) => void beginEvents(response).write(eventText(1, 'reputation')));
    for await (const { type } of assay.checkStream('a.example')) if (type === 'reputation') break;
    await expect.poll(() => peer.hungUp()).toBe(1);
  });

  test('an end without done is an error, never a short answer, and nothing is asked twice', async () => {
    const assay = await open((response) => void beginEvents(response).end(eventText(1, 'reputation')));
    const { types, error } = await collect(assay.checkStream('a.example'));
    expect(types).toEqual(['reputation']);
    expect(error).toBeInstanceOf(StreamBroken);
    expect(peer.received).toHaveLength(1);
  });

  test('a connection that breaks in the middle is an error, and a begun stream is not asked for again', async () => {
    const assay = await open(
      (response) => void beginEvents(response).write(eventText(1, 'reputation'), () => response.destroy()),
    );
    const { types, error } = await collect(assay.checkStream('a.example'));
    expect(types).toEqual(['reputation']);
    expect(error).toMatchObject({ name: 'NetworkFailure' });
    expect(peer.received).toHaveLength(1);
  });

  test('what the service calls an error is thrown in its words', async () => {
    const data = { error: 'Internal Server Error', message: 'Something went wrong on our side. Try again.' };
    const assay = await open((response) => void beginEvents(response).end(eventText(1, 'error', data)));
    const { error } = await collect(assay.checkStream('a.example'));
    expect(error).toBeInstanceOf(StreamBroken);
    expect(error).toMatchObject(data);
  });

  test('a line that is no JSON is an error', async () => {
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

  test('an abort ends it and hangs up', async () => {
    const assay = await open((response) => void beginEvents(response).write(eventText(1, 'reputation')));
    const { types, error } = await collect(
      assay.checkStream('a.example', { signal: AbortSignal.timeout(100) }),
    );
    expect(types).toEqual(['reputation']);
    expect(error).toBeInstanceOf(Aborted);
    await expect.poll(() => peer.hungUp()).toBe(1);
  });

  test('a stream that falls silent is given up; a comment is a sign of life', async () => {
    const assay = await open((response) => {
      beginEvents(response);
      const ping = setInterval(() => response.write(': ping\n\n'), 40);
      setTimeout(() => clearInterval(ping), 400);
    });
    const started = performance.now();
    const { error } = await collect(assay.checkStream('a.example', { silentMaxMs: 200 }));
    expect(error).toBeInstanceOf(TimedOut);
    expect(performance.now() - started).toBeGreaterThan(500);
    await expect.poll(() => peer.hungUp()).toBe(1);
  });

  test('the time for the first byte does not end a stream that has begun', async () => {
    const assay = await open((response) => {
      beginEvents(response);
      setTimeout(() => response.end(whole), 250);
    });
    const { types } = await collect(assay.checkStream('a.example', { timeoutMs: 100 }));
    expect(types).toEqual(PHASES);
  });
});

describe('a feed without an end', () => {
  const feed = { query: { query: 'a.example' } };

  test('goes on after the last event seen, when told to resume', async () => {
    const assay = await open((response, { headers }, number) => {
      const after = Number(headers['last-event-id'] ?? 0);
      const out = beginEvents(response);
      out.write(eventText(after + 1, 'dns') + eventText(after + 2, 'dns'), () => {
        if (number % 2 === 0) out.end();
        else out.destroy();
      });
    });
    const ids: string[] = [];
    for await (const { id } of assay.events('getCheckStream', feed, { resume: true })) {
      ids.push(id);
      if (ids.length === 6) break;
    }
    expect(ids).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(peer.received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '4']);
  });

  test('begins after an id that the caller kept', async () => {
    const assay = await open((response) => void beginEvents(response).end(eventText(8, 'dns')));
    await collect(assay.events('getCheckStream', feed, { lastEventId: '7' }));
    expect(peer.received[0]?.headers['last-event-id']).toBe('7');
  });

  test('gives up on a refusal, and on connections that bring nothing', async () => {
    const refused = await open((response, _request, number) => {
      if (number === 1) beginEvents(response).end(eventText(1, 'dns'));
      else json(response, 403, { error: 'Forbidden', message: 'Needs PRO.' });
    });
    const { error } = await collect(refused.events('getCheckStream', feed, { resume: true }));
    expect(error).toMatchObject({ name: 'Forbidden' });
    await peer.close();
    const barren = await open((response) => void beginEvents(response).end());
    expect(await collect(barren.events('getCheckStream', feed, { resume: true }))).toEqual({
      types: [],
      error: null,
    });
    expect(peer.received).toHaveLength(4);
  });

  test('204 says that there is nothing more', async () => {
    const assay = await open((response) => response.writeHead(204).end());
    const { error } = await collect(assay.events('getCheckStream', feed, { resume: true }));
    expect(error).toBeNull();
    expect(peer.received).toHaveLength(1);
  });
});
