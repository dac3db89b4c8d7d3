import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { DAY_MS, indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import { contextOf } from './context.ts';
import { LISTINGS } from './dataset.ts';
import { registerSource } from './register-source.ts';
import { sweepFading } from './sweep-fading.ts';

const START_MS = Date.UTC(2026, 8, 1);
let listed: ListedCorpus;

beforeAll(async () => {
  listed = await openListedCorpus(START_MS);
});
afterAll(() => listed.close());

const sweep = async (): Promise<number> => {
  const swept = await sweepFading({ clock: listed.clock, transaction: listed.system.transaction });
  await listed.built.sync();
  return swept;
};
const fadingRows = async (id: string) => {
  const { rows } = await sql<{ value: string; lastSeen: Date; until: Date }>`
    select i.value, f.last_seen as "lastSeen", f.fades_until as until
      from listing_fading f join indicator i using (key) join source s on s.number = f.source_number
     where s.id = ${id} order by i.value`.execute(listed.system.db);
  return rows;
};

test('a listing that a source drops is delisted as of that moment, and stays so until 2 % is left', async () => {
  const settings = { category: 'brute-force' };
  await listed.list('attackers', ['11.1.1.1', '11.1.2.0/24', '11.9.9.9'], settings);
  listed.pass(DAY_MS);
  await listed.list('attackers', ['11.9.9.9'], settings);
  const droppedS = listed.clock.now() / 1_000;
  expect(listed.found('11.1.1.1')).toEqual(['attackers delisted exact 11.1.1.1']);
  expect(listed.found('11.1.2.7')).toEqual(['attackers delisted cidr 11.1.2.0/24']);
  expect(listed.found('11.9.9.9')).toEqual(['attackers exact 11.9.9.9']);
  const [address] = listed.corpus.lookup(indicatorOf('11.1.1.1')).listings;
  expect(address).toMatchObject({ isDelisted: true, firstSeenS: START_MS / 1_000, lastSeenS: droppedS });
  const [range] = listed.corpus.lookup(indicatorOf('11.1.2.7')).listings;
  expect(range).toMatchObject({ isDelisted: true, prefixBits: 24, lastSeenS: droppedS });
  const [row] = await fadingRows('attackers');
  expect(((row?.until.getTime() ?? 0) - droppedS * 1_000) / DAY_MS).toBeCloseTo(73.37, 2);
});

test('a fading listing is swept when its time is over, not before, and the replica forgets it', async () => {
  listed.pass(73 * DAY_MS);
  expect(await sweep()).toBe(0);
  expect(listed.found('11.1.1.1')).toEqual(['attackers delisted exact 11.1.1.1']);
  listed.pass(DAY_MS);
  expect(await sweep()).toBe(2);
  expect(listed.found('11.1.1.1')).toEqual([]);
  expect(listed.found('11.1.2.7')).toEqual([]);
  expect(await listed.differences(LISTINGS)).toEqual([]);
});

test('a listing that comes back is no longer delisted', async () => {
  const values = ['21.1.1.1', '21.1.2.0/24', 'http://a.example.com/x', 'who@example.com', 'b.example.com'];
  await listed.list('comes-and-goes', values);
  listed.pass(DAY_MS);
  await listed.list('comes-and-goes', []);
  expect(listed.found('21.1.1.1')).toEqual(['comes-and-goes delisted exact 21.1.1.1']);
  expect((await fadingRows('comes-and-goes')).map(({ value }) => value)).toEqual([...values].sort());
  listed.pass(DAY_MS);
  await listed.list('comes-and-goes', values);
  expect(listed.found('21.1.1.1')).toEqual(['comes-and-goes exact 21.1.1.1']);
  expect(await fadingRows('comes-and-goes')).toEqual([]);
  expect(await listed.differences(LISTINGS)).toEqual([]);
});

test('an entry that only changed is not delisted', async () => {
  await listed.list('changing', [{ indicator: indicatorOf('22.1.1.1'), confidence: 10 }]);
  listed.pass(DAY_MS);
  await listed.list('changing', [{ indicator: indicatorOf('22.1.1.1'), confidence: 90 }]);
  expect(listed.found('22.1.1.1')).toEqual(['changing exact 22.1.1.1']);
  expect(await fadingRows('changing')).toEqual([]);
});

test('the source’s own last sighting is the clock: an entry that was old when it left may be gone already', async () => {
  const nowMs = listed.clock.now();
  const seen = (daysAgo: number) => ({ lastSeenMs: nowMs - daysAgo * DAY_MS });
  await listed.list(
    'dated',
    [
      { indicator: indicatorOf('23.1.1.1'), ...seen(5) },
      { indicator: indicatorOf('23.1.1.2'), ...seen(80) },
    ],
    { category: 'brute-force' },
  );
  listed.pass(DAY_MS);
  await listed.list('dated', []);
  expect(listed.corpus.lookup(indicatorOf('23.1.1.1')).listings[0]).toMatchObject({
    isDelisted: true,
    lastSeenS: (nowMs - 5 * DAY_MS) / 1_000,
  });
  expect(listed.found('23.1.1.2')).toEqual([]);
});

test('digests and listings that do not accuse leave at once: guards never come from delisted entries', async () => {
  const digest = 'ab'.repeat(16);
  const good = { threatClass: 'allowlist', guard: 'known-good' } as const;
  await listed.list('samples', [digest]);
  await listed.list('good-names', ['24.1.1.1', 'c.example.com'], good);
  await listed.list('trackers', ['24.1.1.1'], { adOnly: true });
  listed.pass(DAY_MS);
  for (const id of ['samples', 'good-names', 'trackers']) await listed.list(id, []);
  expect(listed.found(digest)).toEqual([]);
  expect(listed.found('24.1.1.1')).toEqual([]);
  for (const id of ['samples', 'good-names', 'trackers']) expect(await fadingRows(id)).toEqual([]);
});

test('a source that ceases to accuse withdraws its dropped listings, and guards nothing by them', async () => {
  await listed.list('turns', ['25.1.1.1']);
  listed.pass(DAY_MS);
  await listed.list('turns', []);
  await registerSource(listed, 'turns', { threatClass: 'allowlist', guard: 'known-good' });
  await listed.built.sync();
  expect(listed.found('25.1.1.1')).toEqual([]);
  const { listings } = listed.corpus.lookup(indicatorOf('25.1.1.1'));
  expect(contextOf(listings, indicatorOf('25.1.1.1')).guards).toEqual([]);
});

test('a delisted row guards nothing even where a caller hands it over', async () => {
  await listed.list('once-good', ['26.1.1.1'], { threatClass: 'allowlist', guard: 'known-good' });
  const subject = indicatorOf('26.1.1.1');
  const { listings } = listed.corpus.lookup(subject);
  expect(contextOf(listings, subject).guards).toHaveLength(1);
  const delisted = listings.map((listing) => ({ ...listing, isDelisted: true as const }));
  expect(contextOf(delisted, subject)).toMatchObject({ guards: [], labels: [] });
});

test('a platform list that dropped a name no longer shields its tenants', async () => {
  await listed.list('rented', ['sites.example.org'], { threatClass: 'allowlist', guard: 'platform' });
  await listed.list('blocked', ['sites.example.org']);
  expect(listed.found('tenant.sites.example.org')).toEqual([]);
  await listed.list('rented', []);
  expect(listed.found('tenant.sites.example.org')).toEqual(['blocked parent sites.example.org']);
});

test('a rollback delists what the bad edition brought, for all semantics', async () => {
  await listed.list('window', ['27.1.1.1', '27.1.1.2'], { semantics: 'window' });
  listed.pass(DAY_MS);
  await listed.list('window', ['27.1.1.1'], {}, { isWhole: true });
  expect(listed.found('27.1.1.2')).toEqual(['window delisted exact 27.1.1.2']);
});

test('listings of a disabled source do not count, delisted or not', async () => {
  await registerSource(listed, 'window', { enabled: false });
  await listed.built.sync();
  expect(listed.found('27.1.1.1')).toEqual([]);
  expect(listed.found('27.1.1.2')).toEqual([]);
});

test('in the end the replica equals the record, and once everything has faded nothing is left', async () => {
  expect(await listed.differences(LISTINGS)).toEqual([]);
  listed.pass(200 * DAY_MS);
  expect(await sweep()).toBeGreaterThan(0);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from listing_fading`.execute(
    listed.system.db,
  );
  expect(rows[0]?.n).toBe(0);
  expect(await listed.differences(LISTINGS)).toEqual([]);
});
