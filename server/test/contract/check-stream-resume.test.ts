import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ReadStream, readStream } from '#test/read-stream.ts';
import { type Service, startService } from '#test/service.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { beginWithinOneHour } from './one-hour.ts';

const PHASES = ['reputation', 'basic', 'insights', 'enrichment', 'done'];
const PER_HOUR = 10;

let shared: SharedService;
let service: SharedService['service'];
let accounts: SharedService['accounts'];
let key: string;
const others: Service[] = [];

beforeAll(async () => {
  shared = await sharedService('check-stream-resume');
  ({ service, accounts } = shared);
  key = await newKey('resume@example.com');
}, 600_000);
beforeEach(beginWithinOneHour);
afterAll(async () => {
  for (const other of others) await other.stop();
  await shared?.stop();
});

const newKey = async (email: string): Promise<string> =>
  (await accounts.newAccount(email, { plan: 'ENTERPRISE' })).credential;
const streamUrl = (query: string, at: Pick<Service, 'url'> = service) =>
  `${at.url}/check/stream?query=${encodeURIComponent(query)}`;
const withKey = (lastEventId?: string, credential = key): Record<string, string> => ({
  'X-API-KEY': credential,
  ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
});
const typesOf = ({ events }: Pick<ReadStream, 'events'>) => events.map(({ type }) => type);
const usageIn = ({ headers }: Pick<ReadStream, 'headers'>) => Number(headers.get('x-monthly-usage'));
const usage = async (credential = key) =>
  usageIn(await fetch(`${service.url}/check`, { headers: { 'X-API-KEY': credential } }));

async function cutAfter(events: number, url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(url, { headers });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const ids = [...text.matchAll(/^id: (.+)\ndata: .*\n\n/gm)].map(([, id]) => id ?? '');
    const id = ids[events - 1];
    // Leaving the loop cancels the body, which closes the connection.
    if (id !== undefined) return id;
  }
  throw new Error(`The stream ended before its event ${events}.`);
}

const undated = ({ type, data }: ReadStream['events'][number]) => ({
  type,
  data: JSON.stringify(data).replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '""'),
});

describe('a stream that was cut off', () => {
  test.each([1, 2, 3, 4])(
    'after event %i resumes with the remaining events and is charged once',
    async (events) => {
      const before = await usage();
      const id = await cutAfter(events, streamUrl('evil.com'), withKey());
      const rest = await readStream(streamUrl('EVIL[.]com'), withKey(id));
      expect(rest.status).toBe(200);
      expect(typesOf(rest)).toEqual(PHASES.slice(events));
      expect(usageIn(rest)).toBe(before + 1);
      expect(await usage()).toBe(before + 1);
    },
  );

  test('may be cut again and again within the two minutes', async () => {
    const before = await usage();
    let id = await cutAfter(1, streamUrl('evil.com'), withKey());
    for (let again = 0; again < 3; again += 1) id = await cutAfter(1, streamUrl('evil.com'), withKey(id));
    expect(typesOf(await readStream(streamUrl('evil.com'), withKey(id)))).toEqual(['done']);
    expect(await usage()).toBe(before + 1);
  });

  test('gives the same events as an uninterrupted one', async () => {
    const whole = await readStream(streamUrl('198.51.100.7'), withKey());
    const rest = await readStream(streamUrl('198.51.100.7'), withKey(whole.events[1]?.id));
    expect(rest.events.slice(0, -1).map(undated)).toEqual(whole.events.slice(2, -1).map(undated));
  });

  test('after its last event answers 204 at no cost, which stops an EventSource', async () => {
    const whole = await readStream(streamUrl('evil.com'), withKey());
    const after = await readStream(streamUrl('evil.com'), withKey(whole.events.at(-1)?.id));
    expect([after.status, after.text]).toEqual([204, '']);
    expect(usageIn(after)).toBe(usageIn(whole));
  });

  test('spends the burst on every resume, so that resuming cannot evade it', async () => {
    const { credential } = await accounts.newAccount('burst@example.com', {
      plan: 'FREE',
      limits: { burstPerMinute: 4 },
    });
    const id = await cutAfter(1, streamUrl('evil.com'), withKey(undefined, credential));
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1)
      statuses.push((await readStream(streamUrl('evil.com'), withKey(id, credential))).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses[0]).toBe(200);
  });
});

describe('a new check, charged and sent from the beginning, for', () => {
  const isNew = async (
    id: string,
    query = 'evil.com',
    credential = key,
    at: Pick<Service, 'url'> = service,
  ) => {
    const before = await usage(credential);
    const stream = await readStream(streamUrl(query, at), withKey(id, credential));
    expect([stream.status, typesOf(stream)], stream.text.slice(0, 200)).toEqual([200, PHASES]);
    expect(usageIn(stream)).toBe(before + 1);
  };
  const later = async (offsetMs: number): Promise<Service> => {
    const { REDIS_PREFIX = '', REDIS_TIMEOUT_MS = '' } = service.env;
    const env = { REDIS_PREFIX, REDIS_TIMEOUT_MS, CLOCK_OFFSET_MS: String(offsetMs) };
    const node = await startService({ databaseUrl: service.env.DATABASE_URL ?? '', env });
    others.push(node);
    return node;
  };

  test('an invented or altered id', async () => {
    const id = await cutAfter(2, streamUrl('evil.com'), withKey());
    for (const forged of ['1', '5', 'x', `4${id.slice(1)}`, `${id.slice(0, -4)}AAAA`, `${id}0`])
      await isNew(forged);
  });

  test('an id of another target, and of another caller', async () => {
    const id = await cutAfter(2, streamUrl('evil.com'), withKey());
    await isNew(id, 'www.evil.com');
    await isNew(id, 'evil.com', await newKey('stranger@example.com'));
  });

  test('an id older than two minutes; until then any node accepts it', async () => {
    const [soonNode, lateNode] = [await later(60_000), await later(121_000)];
    const id = await cutAfter(2, streamUrl('evil.com'), withKey());
    const soon = await readStream(streamUrl('evil.com', soonNode), withKey(id));
    expect([soon.status, typesOf(soon)], soon.text.slice(0, 200)).toEqual([200, PHASES.slice(2)]);
    await isNew(id, 'evil.com', key, lateNode);
  }, 600_000);
});

test('without credentials neither resuming nor an unreadable target spends one of the ten calls', async () => {
  const { fromHere } = shared;
  const id = await cutAfter(1, streamUrl('evil.com'), fromHere);
  expect((await readStream(streamUrl('not an indicator'), fromHere)).status).toBe(400);
  for (let call = 1; call < PER_HOUR; call += 1) {
    expect((await readStream(streamUrl('evil.com'), fromHere)).status).toBe(200);
    const resumed = await readStream(streamUrl('evil.com'), { ...fromHere, 'Last-Event-ID': id });
    expect(typesOf(resumed)).toEqual(PHASES.slice(1));
  }
  expect((await readStream(streamUrl('evil.com'), fromHere)).status).toBe(429);
  expect(typesOf(await readStream(streamUrl('evil.com'), { ...fromHere, 'Last-Event-ID': id }))).toEqual(
    PHASES.slice(1),
  );
  expect((await readStream(streamUrl('other.com'), { ...fromHere, 'Last-Event-ID': id })).status).toBe(429);
  // A resume id of an anonymous caller is not valid for a key, and vice versa.
  const before = await usage();
  expect(typesOf(await readStream(streamUrl('evil.com'), withKey(id)))).toEqual(PHASES);
  expect(await usage()).toBe(before + 1);
});
