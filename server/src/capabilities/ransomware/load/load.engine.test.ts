import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeDatasets, runDefinition } from '#capabilities/datasets/index.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { sql } from '#platform/postgres.ts';
import { startPublisher } from '#test/publisher.ts';
import { type RansomwareRig, startRansomwareRig } from '#test/ransomware-rig.ts';
import { GROUPS, NOW_MS, PAGE, POSTS, PRESS, WITH_NEWS } from '../claims.fixture.ts';
import { listMerges } from './merge-store.ts';

/** The posts that a load accepts: one fixture post is dated weeks ahead and is refused. */
const DATED = POSTS.filter(({ discovered }) => Date.parse(discovered) < NOW_MS);

let rig: RansomwareRig;
const get: RansomwareRig['get'] = (path) => rig.get(path);
const load: RansomwareRig['load'] = (...given) => rig.load(...given);
beforeAll(async () => {
  rig = await startRansomwareRig();
});
afterAll(() => rig?.close());

const claims = async () =>
  (
    await sql<{ victim: string; posts: number; written: string }>`
    select victim, posts, xmin::text as written from ransomware_claim order by id`.execute(rig.system.db)
  ).rows;
const events = async (type: string) =>
  (
    await sql<{ payload: { victim?: string; claims?: number } }>`
    select payload from event_outbox where type = ${type} order by draft`.execute(rig.system.db)
  ).rows.map(({ payload }) => payload);

describe('before anything is loaded', () => {
  test('every answer is empty, says so and carries its disclaimer', async () => {
    for (const path of [
      '/ransomware/feed',
      '/ransomware/stats',
      '/ransomware/press',
      '/ransomware/groups',
      '/ransomware/sector-risk',
    ]) {
      const { status, body } = await get(path);
      expect(status, path).toBe(200);
      expect(body.disclaimer, path).toMatch(/does not show that an attack took place/);
    }
    expect((await get('/ransomware/stats')).body).toMatchObject({
      loaded: false,
      totalVictims: null,
      updatedAt: null,
    });
    expect((await get('/check/ransomware')).body.message).toMatch(/No ransomware claims are loaded/);
  });

  test('a group with no claim history carries none of the four claim fields, and activity is false', async () => {
    await load('ransomwatch-groups', GROUPS);
    const { body } = await get('/ransomware/groups?sort=activity');
    expect(body.activity).toBe(false);
    expect(body.groups.map((group: object) => Object.keys(group))).toEqual([
      ['name', 'family', 'generations', 'victims', 'status', 'countries', 'sectors'],
      ['name', 'family', 'generations', 'victims', 'status', 'countries', 'sectors'],
    ]);
  });
});

describe('loading', () => {
  test('the first content of a source is history: claims, one summary, no event for each', async () => {
    const outcome = await load('ransomwatch-posts', POSTS);
    expect(outcome).toMatchObject({
      status: 'imported',
      report: { entries: DATED.length, delta: { added: DATED.length } },
    });
    expect(await events('ransomware.claim')).toEqual([]);
    expect(await events('ransomware.loaded')).toEqual([
      { datasetId: 'ransomwatch-posts', claims: DATED.length, firstLoad: true },
    ]);
  });

  test('the same file again writes nothing', async () => {
    const before = await claims();
    expect(await load('ransomwatch-posts', POSTS)).toMatchObject({ status: 'unchanged' });
    expect(await claims()).toEqual(before);
  });

  test('a claim that a second tracker tells stays one claim, with the earliest date and both trackers', async () => {
    const outcome = await load('ransomposts-latest', PAGE);
    expect(outcome).toMatchObject({ status: 'imported', report: { delta: { added: 1 } } });
    const merges = await listMerges(rig.system.db);
    expect(merges).toMatchObject([
      {
        group: 'akira',
        domain: 'northwind-clinic.com',
        posts: [{ discoveredAt: '2026-05-05' }, { discoveredAt: '2026-05-06' }],
      },
    ]);
  });

  test('a later file tells of new claims, each once, in the transaction that writes them', async () => {
    await load('ransomwatch-posts', WITH_NEWS);
    expect((await events('ransomware.claim')).map(({ victim }) => victim)).toEqual(['Wingtip Toys']);
    await load('ransomwatch-posts', POSTS);
    await load('ransomwatch-posts', WITH_NEWS);
    expect(await events('ransomware.claim')).toHaveLength(1);
  });

  test('a load that is stopped goes on behind its last batch, and ends as one that was not', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => ({
      post_title: `stopped-${n}.com`,
      group_name: `group${n % 7}`,
      discovered: '2020-02-03',
    }));
    const stop = new AbortController();
    const stopped = load('ransomlook', many, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(stopped).rejects.toThrow();
    const half = await sql<{ rows: number }>`select rows_done as rows from ransomware_load`.execute(
      rig.system.db,
    );
    expect(half.rows).toEqual([{ rows: 500 }]);
    const seen: number[] = [];
    const outcome = await load('ransomlook', many, { onProgress: (rows) => seen.push(rows) });
    expect(seen).toEqual([1_000, 1_200]);
    expect(outcome.report).toMatchObject({ entries: 1_200, delta: { added: 1_200 } });
    expect((await sql`select 1 from ransomware_load`.execute(rig.system.db)).rows).toEqual([]);
  });

  test('a file that is not what its publisher publishes changes nothing', async () => {
    const before = await claims();
    for (const bad of ['<html>Sign in</html>', '[]', '[{"post_title":"a"'])
      expect(await load('ransomwatch-posts', bad), bad).toMatchObject({ status: 'quarantined' });
    expect(await claims()).toEqual(before);
  });

  test('groups and articles are replaced as a whole, and older ones are refused', async () => {
    await load('cyberwatch', PRESS);
    const older = { dataAtMs: NOW_MS - 86_400_000 };
    expect(await load('cyberwatch', PRESS.slice(1), older)).toMatchObject({ status: 'quarantined' });
    expect((await get('/ransomware/press')).body.total).toBe(3);
  });

  test('a load of more than a thousand new claims tells of a thousand, and sums up', async () => {
    const more = Array.from({ length: 1_100 }, (_, n) => ({
      post_title: `busy-day-${n}.com`,
      group_name: 'busy',
      discovered: '2026-05-08',
    }));
    const before = (await events('ransomware.claim')).length;
    await load('ransomlook', more);
    expect((await events('ransomware.claim')).length - before).toBe(1_000);
    expect((await events('ransomware.loaded')).at(-1)).toMatchObject({ claims: 1_100, firstLoad: false });
  });
});

describe('fetching', () => {
  test('the worker asks the publisher, keeps the last good content and shows how it went', async () => {
    const publisher = await startPublisher();
    const outbound = createOutbound({ log: createLog('silent'), clock: rig.clock, allow: [publisher.allow] });
    const deps = { ...rig.deps, outbound, keys: () => undefined };
    const definition = { ...rig.definitionOf('ransomware-live'), urls: [publisher.url('recent')] };
    try {
      const victims = [{ victim: 'Fetched Ltd', group: 'akira', discovered: '2026-05-08 02:00:00' }];
      publisher.publish('recent', JSON.stringify(victims));
      expect(await runDefinition(deps, definition, { force: true })).toMatchObject({ status: 'succeeded' });
      publisher.misbehave('recent', (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
      });
      expect(await runDefinition(deps, definition, { force: true })).toMatchObject({ status: 'quarantined' });
      expect((await get('/check/ransomware?query=fetched%20ltd')).body.found).toBe(true);
      const [row] = await describeDatasets({ postgres: rig.system }, [definition]);
      expect(row).toMatchObject({
        id: 'ransomware-live',
        category: 'ransomware',
        records: 1,
        isFailing: true,
      });
    } finally {
      await outbound.close();
      await publisher.close();
    }
  });
});
