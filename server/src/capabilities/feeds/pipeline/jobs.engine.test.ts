import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CATALOGUE } from '#capabilities/catalogue/index.ts';
import { findSource, registerSource } from '#capabilities/corpus/index.ts';
import { Environment, loadConfig } from '#platform/config.ts';
import { createWorker, enqueue, type Worker } from '#platform/jobs.ts';
import { registry } from '#platform/metrics.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { addressList, type FeedPipeline, startFeedPipeline } from '#test/feed-pipeline.ts';
import { feedRow } from '#test/feed-row.ts';
import { goodFile, type Publisher, startPublisher } from '#test/publisher.ts';
import { feedsWorkerPart, startFeeds } from './jobs.ts';
import { syncCatalogue } from './sync-catalogue.ts';

let publisher: Publisher;
let feeds: FeedPipeline;
let worker: Worker | null = null;

beforeAll(async () => {
  publisher = await startPublisher();
  feeds = await startFeedPipeline({
    allow: [publisher.allow],
    downloadDeadlineMs: 120_000,
    keys: (env) => (env === 'SET_KEY' ? 'secret' : undefined),
  });
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
});
afterAll(async () => {
  await feeds.close();
  await publisher.close();
});

function startWorker(): void {
  const { jobs } = feedsWorkerPart({ ...feeds.deps, atOnceMax: 2 });
  worker = createWorker({
    config: loadConfig({ DATABASE_URL: feeds.database.url, POSTGRES_POOL_MAX: '4' }),
    log: feeds.deps.log,
    clock: feeds.clock,
    jobs,
    crons: [],
    concurrency: 6,
    onLeaseLost: () => undefined,
    pollMs: 100,
  });
}
const look = () => feeds.deps.system.transaction((tx) => enqueue(tx, 'feeds.schedule', {}));
const number = async (query: string): Promise<number> =>
  (await feeds.owner.query<{ n: number }>(`select count(*)::int as n from ${query}`)).rows[0]?.n ?? -1;
/** A large merge also asks for the lineage job, which this worker does not run. */
const idle = async () =>
  (await number("graphile_worker.jobs where task_identifier <> 'feeds.lineage'")) === 0;

describe('the schedule', () => {
  test('runs due sources, two at a time, the first at once; the second pass only records that each was read', async () => {
    let [now, most, isPaired] = [0, 0, false];
    const answersWaiting = async () => {
      // Once paired, the publisher waits for a second request, because on a slow machine the two might not overlap.
      while (isPaired && most < 2) await sleep(10);
      await sleep(60);
    };
    const slowly = (list: string) => {
      const serve = goodFile(Buffer.from(list));
      publisher.misbehave(list.length.toString(), async (request, response) => {
        now += 1;
        most = Math.max(most, now);
        await answersWaiting();
        now -= 1;
        serve(request, response);
      });
      return list.length.toString();
    };
    for (let nth = 0; nth < 8; nth += 1)
      feeds.deps.catalogue.push(
        feedRow(`due-${nth}`, [publisher.url(slowly(addressList(1_000 + nth, nth)))]),
      );
    const other = publisher.url(slowly(addressList(2_000)));
    feeds.deps.catalogue.push(
      feedRow('with-key', [other], { key: { env: 'SET_KEY', header: 'Auth' } }),
      feedRow('without-key', [other], { key: { env: 'NO_KEY', header: 'Auth' } }),
      feedRow('not-default', [other], { isDefault: false }),
      feedRow('switched-off', [other]),
    );
    await registerSource(feeds.deps, 'switched-off', { enabled: false, scheduled: true });
    const runs = (status: string) => number(`feed_run where status = '${status}'`);

    startWorker();
    await startFeeds(feeds.deps);
    await eventually(
      'the first source is there without waiting',
      15_000,
      async () => (await runs('succeeded')) >= 1,
    );
    feeds.clock.move(600_000);
    isPaired = true;
    await look();
    await eventually(
      'all that may run have run',
      40_000,
      async () => (await runs('succeeded')) === 9 && (await idle()),
    );
    expect(most).toBe(2);
    expect(await number('feed_run')).toBe(9);
    expect(await number('feed_state where claimed_until is not null')).toBe(0);

    const [changes, past, fetches] = [
      await number('replica_change'),
      await number('listing_past'),
      await number('source_fetch'),
    ];
    feeds.clock.move(2 * 3_600_000);
    await look();
    await eventually(
      'everything was asked again',
      40_000,
      async () => (await runs('unchanged')) === 9 && (await idle()),
    );
    expect([
      await number('replica_change'),
      await number('listing_past'),
      await number('source_fetch'),
    ]).toEqual([changes + 9, past, fetches + 9]);
    expect(await number('feed_run')).toBe(18);
  });

  test('a source is not fetched twice, however often the schedule runs', async () => {
    startWorker();
    const before = await number('feed_run');
    await look();
    await look();
    await eventually('the looks are over', 20_000, idle);
    expect(await number('feed_run')).toBe(before);
  });

  test('figures of every scheduled source stand on the metrics page', async () => {
    const page = await registry.metrics();
    expect(page).toContain('assay_feed_entries{source="due-3"} 1003');
    expect(page).toMatch(/assay_feed_last_success_timestamp_seconds\{source="due-3"\} 1\d{9}/);
    expect(page).toContain('assay_feed_runs_total{source="due-3",status="unchanged"} 1');
    expect(page).toContain('assay_feed_rejected_entries{source="due-3"} 0');
    expect(page).not.toContain('source="not-default"');
  });

  test('runs of more than 90 days and history of more than 180 go, the rest stays', async () => {
    await feeds.owner.query(
      `insert into feed_run (id, source_number, started_at, status)
       select 'run_old_' || n, 1, to_timestamp($1::float8) - n * interval '1 day', 'failed' from generate_series(80, 100) n`,
      [feeds.clock.now() / 1_000],
    );
    await feeds.owner.query(
      `insert into listing_past (key, source_number, listed_from, listed_to, first_seen)
       select '\\x01'::bytea || int4send(n), 1, to_timestamp($1::float8) - interval '200 days',
              to_timestamp($1::float8) - n * interval '1 day', now() from generate_series(170, 190) n`,
      [feeds.clock.now() / 1_000],
    );
    startWorker();
    await feeds.deps.system.transaction((tx) => enqueue(tx, 'feeds.retention', {}));
    await eventually(
      'old things are gone',
      20_000,
      async () => (await number(`feed_run where id like 'run_old_%'`)) <= 10,
    );
    await eventually('old listings are gone', 20_000, async () => (await number('listing_past')) <= 10);
    await eventually('the job is over', 20_000, idle);
    expect([await number(`feed_run where id like 'run_old_%'`), await number('listing_past')]).toEqual([
      10, 10,
    ]);
  });
});

describe('the catalogue', () => {
  test('is registered once, and registering it again writes nothing', async () => {
    const rows = () => Promise.all(['source', 'source_revision', 'replica_change'].map(number));
    await syncCatalogue(feeds.deps);
    const before = await rows();
    const { rows: states } = await feeds.owner.query('select xmin, source_number from feed_state order by 2');
    expect(await syncCatalogue(feeds.deps)).toEqual({ added: 0, changed: 0 });
    expect(await rows()).toEqual(before);
    expect((await feeds.owner.query('select xmin, source_number from feed_state order by 2')).rows).toEqual(
      states,
    );
  });

  test('is followed where the operator has not set otherwise, and never enables or disables a source', async () => {
    const at = feeds.deps.catalogue.findIndex(({ id }) => id === 'due-0');
    await registerSource(feeds.deps, 'due-0', { fpRisk: 'high', scheduled: false });
    const row = feeds.deps.catalogue[at];
    if (row === undefined) throw new Error('no row');
    feeds.deps.catalogue[at] = {
      ...row,
      name: 'A new name',
      fpRisk: 'medium',
      category: 'scanner',
      isDefault: true,
    };
    expect(await syncCatalogue(feeds.deps)).toEqual({ added: 0, changed: 1 });
    expect(await findSource(feeds.deps.system.db, 'due-0')).toMatchObject({
      name: 'A new name',
      category: 'scanner',
      fpRisk: 'high',
      scheduled: false,
    });
  });

  test('names no key that is not a declared variable', () => {
    const names = CATALOGUE.flatMap(({ key }) => (key === undefined ? [] : [key.env]));
    expect(names.filter((name) => !Object.hasOwn(Environment.shape, name))).toEqual([]);
  });
});
