import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import { SOURCES } from './dataset.ts';
import { confirmFetch } from './fetch-time.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 8, 1);
let listed: ListedCorpus;

beforeAll(async () => {
  listed = await openListedCorpus(START_MS);
});
afterAll(() => listed.close());

const DATA = { dataAtMs: START_MS - HOUR_MS };
const merge = () => listed.list('hourly', ['51.1.1.1'], { intervalS: 3_600 }, DATA);
const confirm = async () => {
  await listed.system.transaction((tx) => confirmFetch(tx, listed, 'hourly'));
  await listed.built.sync();
};
const told = () => listed.corpus.lookup(indicatorOf('51.1.1.1')).listings[0]?.source.lastFetchAtS;

async function written() {
  const { rows } = await sql<{ fetches: number; changes: number; atS: number }>`
    select (select count(*)::int from source_fetch) as fetches, (select count(*)::int from replica_change) as changes,
           (select date_part('epoch', last_fetch_at) from source where id = 'hourly') as "atS"`.execute(
    listed.system.db,
  );
  return rows[0];
}

test('a list that is read again at once, unchanged, writes nothing and logs no change', async () => {
  await merge();
  const before = await written();
  listed.pass(60_000);
  const again = await merge();
  await confirm();
  expect(await written()).toEqual(before);
  expect(again).toMatchObject({ added: 0, removed: 0, changed: 0, unchanged: 1 });
  expect(again.source.lastFetchAtS).toBe(START_MS / 1_000);
  expect(told()).toBe(START_MS / 1_000);
});

test('after half an interval an unchanged read is logged, with a row of its own in the record', async () => {
  const before = await written();
  listed.pass(HOUR_MS);
  await merge();
  expect(told()).toBe(listed.clock.now() / 1_000);
  expect(await written()).toEqual({
    fetches: (before?.fetches ?? 0) + 1,
    changes: (before?.changes ?? 0) + 1,
    atS: listed.clock.now() / 1_000,
  });
});

test('a publisher that answers "not modified" keeps its source fresh in the same way', async () => {
  const before = await written();
  listed.pass(HOUR_MS);
  await confirm();
  expect(told()).toBe(listed.clock.now() / 1_000);
  listed.pass(60_000);
  await confirm();
  expect(await written()).toMatchObject({
    fetches: (before?.fetches ?? 0) + 1,
    changes: (before?.changes ?? 0) + 1,
  });
  const { rows } = await sql`
    select f.added, f.removed, f.changed, f.entries, f.data_at as "dataAt", f.fetched_at = s.last_fetch_at as newest
      from source_fetch f join source s on s.number = f.source_number
     where s.id = 'hourly' order by f.fetched_at desc limit 1`.execute(listed.system.db);
  expect(rows[0]).toEqual({
    added: 0,
    removed: 0,
    changed: 0,
    entries: 1,
    dataAt: new Date(DATA.dataAtMs),
    newest: true,
  });
});

test('a confirmed fetch does not make a source fresh that was never read', async () => {
  await listed.system.transaction((tx) => confirmFetch(tx, listed, 'nobody'));
  await sql`insert into source (id, name) values ('unread', 'unread')`.execute(listed.system.db);
  const before = await written();
  await listed.system.transaction((tx) => confirmFetch(tx, listed, 'unread'));
  expect(await written()).toEqual(before);
});

test('replicas know the same fetches as the record', async () => {
  listed.pass(60_000);
  await merge();
  // The row of `unread` was inserted without an entry of the change log, so it would count as a difference.
  await sql`delete from source where id = 'unread'`.execute(listed.system.db);
  expect(await listed.differences(SOURCES)).toEqual([]);
});
