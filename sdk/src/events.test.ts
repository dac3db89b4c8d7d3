import { afterEach, describe, expect, test } from 'vitest';
import { beginEvents, eventText, json, type Loopback, startLoopback } from '../test/loopback.ts';
import { type AssayOptions, createAssay } from './client.ts';

let peer: Loopback;
afterEach(() => peer?.close());
async function open(answer: Parameters<typeof startLoopback>[0], options: Partial<AssayOptions> = {}) {
  peer = await startLoopback(answer);
  return createAssay({ baseUrl: peer.url, ...options });
}
async function collect(stream: AsyncIterable<{ readonly type: string }>) {
  const types: string[] = [];
  try {
    for await (const { type } of stream) types.push(type);
  } catch (error) {
    return { types, error };
  }
  return { types, error: null };
}

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
