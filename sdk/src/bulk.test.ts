import { afterEach, describe, expect, test } from 'vitest';
import { json, type Loopback, startLoopback } from '../test/loopback.ts';
import { createAssay } from './client.ts';
import { Aborted, RateLimited } from './errors.ts';

let peer: Loopback;
afterEach(() => peer?.close());

const sentTo = ({ received }: Loopback) =>
  received
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body) as { entities: string[]; enrichment?: string });

async function open(most: number, waitS?: number) {
  let refused = waitS === undefined;
  peer = await startLoopback((response, { method, body }) => {
    if (method === 'GET') return json(response, 200, { limits: { maxEntitiesPerRequest: most } });
    if (!refused) {
      refused = true;
      return json(response, 429, { error: 'Rate Limited' }, { 'Retry-After': String(waitS) });
    }
    const { entities } = JSON.parse(body) as { entities: string[] };
    const results = entities.map((entity) => ({ entity }));
    return json(response, 200, {
      success: true,
      total: entities.length,
      processed: entities.length,
      results,
    });
  });
  return createAssay({ baseUrl: peer.url });
}
async function rows(stream: AsyncIterable<{ readonly entity: string }>) {
  const seen: string[] = [];
  for await (const { entity } of stream) seen.push(entity);
  return seen;
}
const names = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.example`);

describe('bulk', () => {
  test('requests the plan limit once, and sends batches within it in order', async () => {
    const assay = await open(10);
    expect(await rows(assay.bulk(names(25), { enrichment: 'basic' }))).toEqual(names(25));
    const sent = sentTo(peer);
    expect(sent.map(({ entities }) => entities.length)).toEqual([10, 10, 5]);
    expect(sent[0]?.enrichment).toBe('basic');
    expect(peer.received.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  test('entities that the service treats as equal are sent and charged once', async () => {
    const assay = await open(2);
    const seen = await rows(assay.bulk(['A.example', 'b.example', ' a.EXAMPLE', 'c.example', 'b.example']));
    expect(seen).toEqual(['A.example', 'b.example', 'c.example']);
  });

  test('the next batch is sent when the last one has been read, and input is read as it is needed', async () => {
    const assay = await open(2);
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1;
        yield `h${read}.example`;
      }
    }
    let seen = 0;
    for await (const _row of assay.bulk(endless())) {
      seen += 1;
      if (seen === 3) break;
    }
    expect(sentTo(peer)).toHaveLength(2);
    expect(read).toBeLessThanOrEqual(5);
  });

  test('a used-up burst is waited for', async () => {
    const assay = await open(10, 1);
    expect(await rows(assay.bulk(names(3)))).toEqual(names(3));
    await peer.close();
    const slow = await open(10, 65);
    const signal = AbortSignal.timeout(150);
    await expect(rows(slow.bulk(names(3), { signal }))).rejects.toBeInstanceOf(Aborted);
    await peer.close();
    const tooSlow = await open(10, 71);
    await expect(rows(tooSlow.bulk(names(3)))).rejects.toBeInstanceOf(RateLimited);
  });

  test('long entities are spread so that the body is accepted', async () => {
    const assay = await open(500);
    const long = Array.from({ length: 500 }, (_, index) => `${index}${'ü'.repeat(1_500)}`);
    expect(await rows(assay.bulk(long))).toEqual(long);
    for (const { body } of peer.received) expect(Buffer.byteLength(body)).toBeLessThan(1_048_576);
    expect(sentTo(peer).length).toBeGreaterThan(1);
  });

  test('an empty input requests only the limit; with a given batch size it requests nothing', async () => {
    const assay = await open(10);
    expect(await rows(assay.bulk([]))).toEqual([]);
    expect(peer.received.map(({ method }) => method)).toEqual(['GET']);
    const totals: number[] = [];
    await rows(assay.bulk(names(3), { batchSize: 2, onBatch: ({ total }) => totals.push(total) }));
    expect(peer.received.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST']);
    expect(totals).toEqual([2, 1]);
  });
});
