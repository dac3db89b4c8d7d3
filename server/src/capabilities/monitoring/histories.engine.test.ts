import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerSource, type SourceSettings } from '#capabilities/corpus/index.ts';
import { reputationChange, type Stood } from '#domain/monitoring/index.ts';
import { sql } from '#platform/postgres.ts';
import { bySize } from '#test/lane.ts';
import { DAY_MS, indicatorOf } from '#test/listed-corpus.ts';
import { C2, type MonitoringRig, openMonitoringRig } from '#test/monitoring-rig.ts';

/** Watched values; each is reached by the lists of `LISTED` in another way: itself, host, parent or range. */
const WATCHED = [
  '45.83.64.1',
  '45.83.64.77',
  '2a00:1450::1',
  'bad.com',
  'www.bad.com',
  'deep.www.bad.com',
  'other.co.uk',
  'https://www.bad.com/login',
  'http://45.83.64.9/x',
  'someone@bad.com',
  'someone@other.co.uk',
  'a.github.io',
];
const LISTED = [
  '45.83.64.1',
  '45.83.64.0/24',
  '45.83.0.0/16',
  '45.83.64.9',
  '2a00:1450::2',
  '2a00:1450::/32',
  'bad.com',
  'www.bad.com',
  'mail.bad.com',
  'other.co.uk',
  'github.io',
  'a.github.io',
  'https://www.bad.com/login',
  'https://bad.com/other',
  'someone@bad.com',
];
const SOURCES: Readonly<Record<string, SourceSettings>> = {
  c2: C2,
  weak: { category: 'spam', reliability: 0.5, letter: 'C', fpRisk: 'high' },
  scanner: { ...C2, signal: 'scanner', scannerKinds: ['domain', 'url', 'ip'], lineage: 'scanner' },
  cloud: { threatClass: 'infrastructure', category: 'cloud', attributes: ['cloud'] },
  good: { threatClass: 'allowlist', guard: 'known-good' },
} as Readonly<Record<string, SourceSettings>>;
const IDS = Object.keys(SOURCES);

type Step =
  | { readonly do: 'list'; readonly id: string; readonly values: readonly string[] }
  | { readonly do: 'switch'; readonly id: string; readonly enabled: boolean }
  | { readonly do: 'wait'; readonly days: number };
const id = fc.constantFrom(...IDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 7, arbitrary: fc.record({ do: fc.constant('list' as const), id, values: fc.subarray(LISTED) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), id, enabled: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
);

let rig: MonitoringRig;
beforeAll(async () => {
  rig = await openMonitoringRig(Date.UTC(2026, 8, 1));
});
afterAll(() => rig?.close());

type Known = Map<string, Stood>;

/** The expected changes, by checking every watched value; the follower must find the same without doing so. */
function checkAll(known: Known): readonly string[] {
  const told: string[] = [];
  for (const value of WATCHED) {
    const after = rig.deps.checking.judge(indicatorOf(value), rig.listed.clock.now());
    const change = reputationChange(known.get(value) ?? null, after);
    if (change !== null) told.push(`${value} ${change.type} ${change.severity}`);
    known.set(value, after);
  }
  return told.sort();
}

async function take(given: Step): Promise<void> {
  const { system, clock } = rig.listed;
  if (given.do === 'list') await rig.listed.list(given.id, given.values, SOURCES[given.id]);
  else if (given.do === 'switch') {
    await registerSource({ system, clock }, given.id, { ...SOURCES[given.id], enabled: given.enabled });
    await rig.listed.built.sync();
  } else {
    rig.listed.pass(given.days * DAY_MS);
    await rig.check();
  }
  await rig.keep();
}

/**
 * Fetching a list again makes its unchanged entries count more; the next check of a value stores that without an alert.
 * Checking every value after each step lets later changes start from the same state as in `checkAll`.
 */
async function checkEach(known: Known): Promise<void> {
  const now = new Date(rig.listed.clock.now());
  await sql`update watch_target set next_check_at = ${now}`.execute(rig.listed.system.db);
  await rig.check();
  expect([await reputationsIn(), checkAll(known)]).toEqual([[], []]);
}

const reputationsIn = async () =>
  (await rig.told())
    .filter(
      ({ type, payload }) => type.startsWith('alert.') && String(payload.type).startsWith('reputation.'),
    )
    .map(
      ({ payload }) =>
        `${(payload.entity as { value: string }).value} ${String(payload.type)} ${String(payload.severity)}`,
    )
    .sort();

test(
  'after any history the alerts and states are those of checking every item after each step',
  async () => {
    for (const name of IDS) await rig.listed.list(name, [], SOURCES[name]);
    await rig.watch(...WATCHED);
    expect(await reputationsIn()).toEqual([]);
    const known: Known = new Map();
    checkAll(known);
    let alerts = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const each of steps) {
          await take(each);
          const told = await reputationsIn();
          alerts += told.length;
          expect(told, JSON.stringify(each)).toEqual(checkAll(known));
          await checkEach(known);
        }
        const { rows } = await sql<{ value: string; level: string }>`
          select value, level from watch_target`.execute(rig.listed.system.db);
        for (const { value, level } of rows) expect(level, value).toBe(known.get(value)?.level);
      }),
      { numRuns: bySize(12, 2_000), endOnFailure: true },
    );
    expect(alerts).toBeGreaterThan(bySize(5, 1_000));
  },
  bySize(300_000, 3_600_000),
);
