import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AsOfDeps, checkAsOf } from '#capabilities/check/index.ts';
import { registerSource } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK, type NetworkBook } from '#capabilities/enrichment/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { testApp } from '#test/http-app.ts';
import { parsed, type SimulatedCorpus, simulateCorpus } from '#test/simulated-corpus.ts';
import { ReputationHistory } from './contract.ts';
import { historyRoutes } from './routes.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2026, 7, 1, 9);
const NOW_MS = FIRST_DAY_MS + 40 * DAY_MS;

let simulated: SimulatedCorpus;
let app: FastifyInstance;
let deps: AsOfDeps;
const book: NetworkBook = {
  ...EMPTY_BOOK,
  networkOf: () => ({ asn: 64_500, name: 'Network', prefix: null }),
};

const get = (query: string) => app.inject({ method: 'GET', url: `/threat-intel/history?${query}` });
async function history(query: string): Promise<ReputationHistory> {
  const answer = await get(query);
  expect(answer.statusCode, answer.body).toBe(200);
  return ReputationHistory.parse(answer.json());
}
const on = (day: number) => simulated.clock.set(FIRST_DAY_MS + day * DAY_MS);
const dateOf = (day: number) => new Date(FIRST_DAY_MS + day * DAY_MS).toISOString();

async function passFortyDays(): Promise<void> {
  const { list, follow } = simulated;
  const c2 = { name: 'C2 tracker', category: 'c2', reliability: 0.9, letter: 'A', fpRisk: 'low' } as const;
  await list('c2', ['9.9.9.1'], c2);
  await list('ssh', ['11.1.1.0/24', '11.1.1.1'], {
    name: 'SSH list',
    category: 'brute-force',
    reliability: 0.6,
  });
  await list(
    'reports',
    [{ indicator: parsed('11.2.2.2'), firstSeenMs: FIRST_DAY_MS - 20 * DAY_MS }, '11.2.2.3'],
    { name: 'Reports', category: 'c2', reliability: 0.9 },
  );
  await list('nets', ['AS64500'], { category: 'hijacked-netblock' });
  await list('top', [{ indicator: parsed('11.1.1.1') }], { threatClass: 'infrastructure' });
  await follow();
  for (let day = 1; day <= 40; day += 1) {
    on(day);
    const isAccused = (day >= 20 && day < 30) || day >= 39;
    await list('c2', [isAccused ? '11.1.1.1' : '9.9.9.1', ...(day < 30 ? [] : ['evil.example.com'])]);
    // The list is not read for nine days, so its listings age.
    if (day < 10 || day > 18) await list('ssh', ['11.1.1.0/24', '11.1.1.1']);
    if (day === 35)
      await registerSource(simulated.deps, 'ssh', { reliability: 0.2, name: 'SSH list, renamed' });
    // Switching a source off and on changes no listing.
    if (day === 37 || day === 38) await registerSource(simulated.deps, 'ssh', { enabled: day === 38 });
    await follow();
  }
}

beforeAll(async () => {
  simulated = await simulateCorpus(FIRST_DAY_MS);
  const { postgres, clock } = simulated;
  deps = { postgres, clock, enrichment: { bookAt: async () => book } };
  app = testApp(historyRoutes({ ...deps, isWatched: async () => false }));
  expect(await history('entity=11.1.1.1')).toMatchObject({ points: [], events: [], retainedFrom: null });
  await passFortyDays();
});
afterAll(() => simulated?.close());

describe('200', () => {
  test('thirty days by default, one point a day, oldest first, today included', async () => {
    const { entity, type, days, points } = await history('entity=11[.]1.1[.]1');
    expect({ entity, type, days }).toEqual({ entity: '11.1.1.1', type: 'ip', days: 30 });
    expect(points.map(({ date }) => date)).toEqual(
      Array.from({ length: 30 }, (_, index) => dateOf(11 + index).slice(0, 10)),
    );
  });

  test('each point has the score that a check gave at that moment', async () => {
    for (const entity of [
      '11.1.1.1',
      'evil.example.com',
      'sub.evil.example.com',
      'example.com',
      'unknown.org',
    ])
      for (const { date, ...point } of (await history(`entity=${entity}&days=41`)).points) {
        const atMs = Math.min(Date.parse(`${date}T23:59:59.999Z`), NOW_MS);
        const { verdict } = await checkAsOf(deps, parsed(entity) as Indicator, atMs);
        const { score, level } = verdict.riskScore;
        const { blocklistHits, malicious } = verdict;
        expect({ date, ...point }).toEqual({ date, score, level, blocklistHits, malicious });
      }
  });

  test('events name the list that added or removed it, and the changes of the level', async () => {
    const { events, trend } = await history('entity=11.1.1.1&days=41');
    expect(events.filter(({ type }) => type !== 'score_changed')).toEqual([
      { at: dateOf(20), type: 'listed', source: 'C2 tracker' },
      { at: dateOf(30), type: 'delisted', source: 'C2 tracker' },
      { at: dateOf(39), type: 'listed', source: 'C2 tracker' },
    ]);
    expect(events.find(({ to }) => to === 'critical')).toEqual({
      at: `${dateOf(20).slice(0, 10)}T23:59:59.999Z`,
      type: 'score_changed',
      from: expect.any(String),
      to: 'critical',
    });
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort());
    expect(trend).not.toBe('stable');
    const below = await history('entity=www.evil.example.com&days=20');
    expect(below.events[0]).toEqual({ at: dateOf(30), type: 'listed', source: 'C2 tracker' });
    expect(below).toMatchObject({ firstSeen: dateOf(30), lastSeen: null, trend: 'rising' });
  });

  test('a listing begins at the date that its list gives, not at our import, and reaches behind the record', async () => {
    const { events, spans, firstSeen, retainedFrom } = await history('entity=11.2.2.2&days=90');
    expect(events[0]).toEqual({ at: dateOf(-20), type: 'listed', source: 'Reports' });
    expect(spans).toEqual([
      {
        sourceId: 'reports',
        source: 'Reports',
        first: dateOf(-20),
        startKnown: true,
        last: dateOf(0),
        open: true,
      },
    ]);
    expect({ firstSeen, retainedFrom }).toEqual({ firstSeen: dateOf(-20), retainedFrom: dateOf(0) });
  });

  test('where nothing dates the entry, the span begins with the data, its start is unknown, and there is no event', async () => {
    const { events, spans, firstSeen } = await history('entity=11.2.2.3&days=90');
    expect(events.filter(({ type }) => type === 'listed')).toEqual([]);
    expect(spans).toMatchObject([{ first: dateOf(0), startKnown: false, last: dateOf(0), open: true }]);
    expect(firstSeen).toBeNull();
  });

  test('each time that a list had the address is a span of its own; an address and its range are one', async () => {
    const { spans } = await history('entity=11.1.1.1&days=41');
    expect(spans).toMatchObject([
      { source: 'SSH list, renamed', first: dateOf(0), startKnown: false, last: dateOf(40), open: true },
      { source: 'C2 tracker', first: dateOf(20), startKnown: true, last: dateOf(30), open: false },
      { source: 'C2 tracker', first: dateOf(39), startKnown: true, last: dateOf(40), open: true },
    ]);
    // Of a span that began before the days asked for, the start is told all the same.
    expect((await history('entity=11.1.1.1&days=1')).spans.map(({ first }) => first)).toEqual([
      dateOf(0),
      dateOf(39),
    ]);
  });

  test('an unlisted address has points and no events', async () => {
    const { points, events, spans, firstSeen, lastSeen, trend } = await history('entity=unknown.org&days=7');
    expect(points).toHaveLength(7);
    expect(points[6]).toMatchObject({ score: 0, level: 'inconclusive', blocklistHits: 0, malicious: false });
    expect({ events, spans, firstSeen, lastSeen, trend }).toEqual({
      events: [],
      spans: [],
      firstSeen: null,
      lastSeen: null,
      trend: 'stable',
    });
  });

  test('days before the record began are left out, and the answer names the first day of the record', async () => {
    const { points, retainedFrom, days } = await history('entity=11.1.1.1&days=365');
    expect(days).toBe(365);
    expect((await history('entity=11.1.1.1&days=100000')).days).toBe(365);
    expect(points).toHaveLength(41);
    expect(points[0]?.date).toBe(dateOf(0).slice(0, 10));
    expect(retainedFrom).toBe(dateOf(0));
  });

  test('nothing older than 90 days is returned', async () => {
    on(100);
    const { points, retainedFrom } = await history('entity=11.1.1.1&days=365');
    expect(points).toHaveLength(91);
    expect(points[0]?.date).toBe(dateOf(10).slice(0, 10));
    expect(retainedFrom).toBe(dateOf(10));
    on(40);
  });
});

test.each([
  ['no entity', '', /entity/i],
  ['a hash', `entity=${'aa'.repeat(16)}`, 'neither an IP address nor a domain'],
  ['a URL', 'entity=http://example.com/x', 'neither an IP address nor a domain'],
  ['a range', 'entity=11.1.1.0/24', 'neither an IP address nor a domain'],
  ['no indicator', 'entity=%20', /./],
  ['no day', 'entity=11.1.1.1&days=0', 'Send at least 1, not'],
  ['half a day', 'entity=11.1.1.1&days=1.5', 'Send a whole number, not'],
  ['days that are no number', 'entity=11.1.1.1&days=many', 'Send a number, not'],
])('400 for %s', async (_what, query, message) => {
  const answer = await get(query);
  expect(answer.statusCode).toBe(400);
  expect(JSON.stringify(answer.json())).toMatch(message);
});
