import { afterAll, beforeAll, expect, test } from 'vitest';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import type { Assessment } from '#capabilities/judging/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { parsed, type SimulatedCorpus, simulateCorpus } from '#test/simulated-corpus.ts';
import { judgePast } from './judge-past.ts';
import { TIMELINE_DAYS, tellTimeline } from './tell-timeline.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2026, 7, 1, 9);
const PAGE = 'http://evil.example.com/login';
const FILE = 'ab'.repeat(32);

let simulated: SimulatedCorpus;
beforeAll(async () => {
  simulated = await simulateCorpus(FIRST_DAY_MS);
  const settings = { category: 'malware', reliability: 0.9, letter: 'A', fpRisk: 'low' } as const;
  for (let day = 0; day <= 30; day += 3) {
    simulated.clock.set(FIRST_DAY_MS + day * DAY_MS);
    await simulated.list('pages', day >= 21 ? [PAGE, FILE, '9.9.9.1'] : ['9.9.9.1'], settings);
    await simulated.list('hosts', day <= 9 ? ['gone.example.com'] : ['9.9.9.2'], settings);
    await simulated.follow();
  }
});
afterAll(() => simulated?.close());

async function timelineOf(text: string) {
  const { postgres, clock } = simulated;
  const deps = { postgres, clock, enrichment: { bookAt: async () => EMPTY_BOOK } };
  const { assessments } = await judgePast(deps, parsed(text) as Indicator, TIMELINE_DAYS);
  return tellTimeline(assessments.at(-1) as Assessment, assessments);
}

test('a page and a file have a timeline like an address: listed ten days ago, and rising', async () => {
  for (const text of [PAGE, FILE])
    expect(await timelineOf(text), text).toMatchObject({
      firstSeen: new Date(FIRST_DAY_MS + 21 * DAY_MS).toISOString(),
      trend: 'rising',
      totalDetections: 1,
    });
});

test('an indicator delisted within the month falls, and its dates are shown', async () => {
  expect(await timelineOf('gone.example.com')).toMatchObject({ trend: 'falling', totalDetections: 1 });
});

test('an indicator that was never listed has an empty timeline', async () => {
  expect(await timelineOf('nobody.example.com')).toEqual({
    firstSeen: null,
    lastSeen: null,
    trend: 'stable',
    totalDetections: 0,
  });
});
