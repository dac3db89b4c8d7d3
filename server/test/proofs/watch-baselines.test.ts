import { afterAll, beforeAll, expect, test } from 'vitest';
import { targetOf } from '#capabilities/monitoring/target.ts';
import { sql } from '#platform/postgres.ts';
import { CALLER } from '#test/http-app.ts';
import { bySize } from '#test/lane.ts';
import { DAY_MS, indicatorOf } from '#test/listed-corpus.ts';
import { putRequested } from '#test/monitoring-load.ts';
import { C2, type MonitoringRig, openMonitoringRig } from '#test/monitoring-rig.ts';
import { keepResult } from '#test/proof-results.ts';

/** The first check of a value is its baseline and raises nothing, even where lists accuse the value already. */
const WATCHED = bySize(2_000, 100_000);
const BY_ROUTE = bySize(40, 2_000);
const ACCOUNTS = 100;
const AT_ONCE = 5_000;
const NEWLY_LISTED = 10;

const ipOf = (n: number): string => `45.${Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}`;
/** Watched values, each with a listing that bears on it: itself, a parent domain, its host, the domain of a mailbox. */
const KINDS: readonly ((n: number) => { readonly value: string; readonly listed: string })[] = [
  (n) => ({ value: ipOf(n), listed: ipOf(n) }),
  (n) => ({ value: `shop.site${n}.com`, listed: `site${n}.com` }),
  (n) => ({ value: `https://www.site${n}.net/login`, listed: `www.site${n}.net` }),
  (n) => ({ value: `someone@site${n}.org`, listed: `site${n}.org` }),
];
const ALL = Array.from({ length: WATCHED }, (_, at) => {
  const n = Math.floor(at / KINDS.length);
  const kind = KINDS[at % KINDS.length] as (typeof KINDS)[number];
  return { ...kind(n), isListed: n % 2 === 0, accountId: `org_${100 + (n % ACCOUNTS)}` };
});

let rig: MonitoringRig;
beforeAll(async () => {
  rig = await openMonitoringRig(Date.UTC(2026, 8, 1));
  rig.limits.items = WATCHED;
});
afterAll(() => rig?.close());

async function counted(table: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from ${sql.table(table)}`.execute(rig.listed.system.db);
  return rows[0]?.count ?? -1;
}
const told = async (): Promise<number> =>
  (await rig.told()).filter(({ type }) => type.startsWith('alert.')).length;
const raised = async () => ({ alerts: await counted('alert'), events: await told() });

async function watchAll(): Promise<void> {
  const { clock, system } = rig.listed;
  for (const { value, accountId } of ALL.slice(0, BY_ROUTE)) {
    rig.as({ ...CALLER, accountId, organizationId: accountId });
    expect((await rig.call('POST', '/monitoring', { value })).status).toBe(201);
  }
  for (let from = BY_ROUTE; from < WATCHED; from += AT_ONCE)
    await putRequested(
      system.db,
      ALL.slice(from, from + AT_ONCE).map(({ value, accountId }, at) => {
        const indicator = indicatorOf(value);
        const target = targetOf(indicator);
        if (target === null) throw new Error(`${value} cannot be watched.`);
        const judged = at % 2 === 0 ? rig.deps.checking.judge(indicator, clock.now()) : null;
        return { target, judged, accountId };
      }),
      clock.now(),
    );
}

test('the first checks of 100,000 values raise nothing, half of them accused; the next change does', {
  timeout: 3_600_000,
}, async () => {
  const { clock, system } = rig.listed;
  await rig.listed.list(
    'c2',
    ALL.filter(({ isListed }) => isListed).map(({ listed }) => listed),
    C2,
  );
  await rig.listed.list('other', [], C2);
  await rig.keep();
  await rig.told();
  await watchAll();
  expect((await rig.keep()).settled).toBe(WATCHED);
  const nothing = { alerts: 0, events: 0 };
  expect(await raised()).toEqual(nothing);

  const { rows } = await sql<{ value: string; level: string | null; listed: string | null }>`
    select value, level, encode(listed, 'hex') as listed from watch_target`.execute(system.db);
  expect(rows).toHaveLength(WATCHED);
  const wrong = rows.filter(({ value, level, listed }) => {
    const judged = rig.deps.checking.judge(indicatorOf(value), clock.now());
    return judged.level !== level || judged.listed !== listed;
  });
  expect(wrong).toEqual([]);
  const accused = rows.filter(({ level }) => level === 'high' || level === 'critical').length;
  expect(accused).toBeGreaterThanOrEqual(WATCHED / 4);

  rig.listed.pass(DAY_MS + 1);
  expect((await rig.check()).checked).toBe(WATCHED);
  expect(await raised()).toEqual(nothing);

  const news = ALL.filter(({ isListed, value }) => !isListed && value.startsWith('45.')).slice(
    0,
    NEWLY_LISTED,
  );
  await rig.listed.list(
    'other',
    news.map(({ listed }) => listed),
    C2,
  );
  await rig.keep();
  expect(await raised()).toEqual({ alerts: NEWLY_LISTED, events: NEWLY_LISTED });
  keepResult('watch-baselines', { baselines: WATCHED, accused, alerts: 0 });
});
