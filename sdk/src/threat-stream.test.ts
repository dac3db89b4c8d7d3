import { afterEach, describe, expect, test } from 'vitest';
import { beginEvents, eventText, json, type Loopback, startLoopback } from '../test/loopback.ts';
import { type AssayOptions, createAssay } from './client.ts';
import { Forbidden } from './errors.ts';

let peer: Loopback;
afterEach(() => peer?.close());
async function open(answer: Parameters<typeof startLoopback>[0], options: Partial<AssayOptions> = {}) {
  peer = await startLoopback(answer);
  return createAssay({ baseUrl: peer.url, ...options });
}
const sentIds = () => peer.received.map(({ headers }) => headers['last-event-id']);

describe('the threat stream', () => {
  test('sends its filter, resumes after every break and gives each event once', async () => {
    const assay = await open((response, { headers }, number) => {
      const after = Number(headers['last-event-id'] ?? 0);
      const out = beginEvents(response);
      out.write(eventText(after + 1, 'threat.new') + eventText(after + 2, 'gap'), () => {
        if (number % 2 === 0) out.end();
        else out.destroy();
      });
    });
    const ids: string[] = [];
    for await (const { id } of assay.stream({
      types: ['threat.new', 'ioc.published'],
      severity: 'high',
      categories: ['c2'],
    })) {
      ids.push(id);
      if (ids.length === 6) break;
    }
    expect(ids).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(sentIds()).toEqual([undefined, '2', '4']);
    const { searchParams } = new URL(peer.received[0]?.url ?? '', peer.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      types: 'threat.new,ioc.published',
      severity: 'high',
      categories: 'c2',
    });
  });

  test('a mark without an event moves the place to resume from; half an event does not', async () => {
    const assay = await open((response, _request, number) => {
      const out = beginEvents(response);
      if (number === 1) out.write('id: 7\n\n: ping\nid: 9\n\nid: 10\ndata: {"ty', () => void out.destroy());
      else out.write(eventText(11, 'threat.new'));
    });
    for await (const { id } of assay.stream()) {
      expect(id).toBe('11');
      break;
    }
    expect(sentIds()).toEqual([undefined, '9']);
  });

  test('a refusal is thrown with its class and not repeated', async () => {
    const assay = await open((response) =>
      json(response, 403, { error: 'Forbidden', message: 'The streaming API needs PRO or ENTERPRISE.' }),
    );
    await expect(assay.stream().next()).rejects.toBeInstanceOf(Forbidden);
    expect(peer.received).toHaveLength(1);
  });
});
