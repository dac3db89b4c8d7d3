import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { unavailable } from '#platform/errors.ts';
import { CORPUS, checkDeps, DNS, found, gathering } from '#test/check-deps.ts';
import { listen, recordedGates, testApp } from '#test/http-app.ts';
import { readStream } from '#test/read-stream.ts';
import type { CheckDeps } from './check-deps.ts';
import { checkRoutes } from './routes.ts';

let app: FastifyInstance | null = null;
afterEach(() => app?.close());

async function open(parts: Partial<CheckDeps>, lastEventId?: string) {
  const { gates, calls } = recordedGates();
  app = testApp(checkRoutes(checkDeps(parts)), { gates });
  const port = await listen(app);
  const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  return { ...(await readStream(`http://127.0.0.1:${port}/check/stream?query=evil.com`, headers)), calls };
}

test('a failure before the first byte is a JSON error with its status, and the charge is refunded', async () => {
  const lookup = () => {
    throw unavailable('The corpus is not loaded yet.', 5);
  };
  const { status, headers, text, calls } = await open({ corpus: { ...CORPUS, lookup } });
  expect(status).toBe(503);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(JSON.parse(text)).toMatchObject({ error: 'Service unavailable' });
  expect(calls).toContain('refund 1');
});

test('a later failure is one error event without internals, and the stream ends without done', async () => {
  const attack = () => {
    throw new Error('secret detail');
  };
  const { enrichment } = checkDeps();
  const { status, events, text } = await open({ enrichment: { ...enrichment, attack } });
  expect(status).toBe(200);
  expect(events.map(({ type }) => type)).toEqual(['error']);
  expect(events[0]?.data).toMatchObject({ error: 'Internal Server Error' });
  expect(text).not.toContain('secret');
});

describe('a reader that resumes', () => {
  const withDns = { live: gathering({ dns: found(DNS) as never }) };
  const typesOf = ({ events }: { readonly events: readonly { readonly type: string }[] }) =>
    events.map(({ type }) => type);

  test('misses no phase when name lookups were switched on or off in between', async () => {
    const first = await open(withDns);
    expect(typesOf(first)).toEqual(['reputation', 'basic', 'insights', 'dns', 'enrichment', 'done']);
    const [, , insights, dns] = first.events;
    await app?.close();
    expect(typesOf(await open({}, dns?.id))).toEqual(['enrichment', 'done']);
    await app?.close();
    expect(typesOf(await open({}, insights?.id))).toEqual(['enrichment', 'done']);
    await app?.close();
    const local = await open({});
    await app?.close();
    expect(typesOf(await open(withDns, local.events[2]?.id))).toEqual(['dns', 'enrichment', 'done']);
    await app?.close();
    expect(typesOf(await open(withDns, local.events[3]?.id))).toEqual(['done']);
  });

  test('pays once: resuming costs no check', async () => {
    const first = await open({});
    expect(first.calls).toContain('admit 1');
    await app?.close();
    expect((await open({}, first.events[0]?.id)).calls).toContain('admit 0');
  });

  test('after a failure gets the failed phase, not the phases before it', async () => {
    const { enrichment } = checkDeps();
    let asked = 0;
    const attack = () => {
      asked += 1;
      if (asked > 2) throw new Error('secret detail');
      return null;
    };
    const failing = { enrichment: { ...enrichment, attack } };
    const first = await open(failing);
    await app?.close();
    const id = first.events.at(-1)?.id;
    expect(typesOf(first)).toEqual(['reputation', 'basic', 'insights', 'error']);
    expect(id).toBe(first.events.at(-2)?.id);
    expect(typesOf(await open({}, id))).toEqual(['enrichment', 'done']);
  });
});
