import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { unavailable } from '#platform/errors.ts';
import { CORPUS, checkDeps } from '#test/check-deps.ts';
import { listen, recordedGates, testApp } from '#test/http-app.ts';
import { readStream } from '#test/read-stream.ts';
import type { CheckDeps } from './check-indicator.ts';
import { checkRoutes } from './routes.ts';

let app: FastifyInstance | null = null;
afterEach(() => app?.close());

async function open(parts: Partial<CheckDeps>) {
  const { gates, calls } = recordedGates();
  app = testApp(checkRoutes(checkDeps(parts)), { gates });
  const port = await listen(app);
  return { ...(await readStream(`http://127.0.0.1:${port}/check/stream?query=evil.com`)), calls };
}

test('what fails before the first byte is answered as JSON with its status, and its charge given back', async () => {
  const lookup = () => {
    throw unavailable('The corpus is not loaded yet.', 5);
  };
  const { status, headers, text, calls } = await open({ corpus: { ...CORPUS, lookup } });
  expect(status).toBe(503);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(JSON.parse(text)).toMatchObject({ error: 'Service unavailable' });
  expect(calls).toContain('refund 1');
});

test('what fails later is one error event without internals, and the stream ends without done', async () => {
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
