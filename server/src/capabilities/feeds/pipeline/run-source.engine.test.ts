import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { findSource } from '#capabilities/corpus/index.ts';
import { LeaseLostError } from '#platform/jobs.ts';
import { eventually } from '#test/eventually.ts';
import { addressList, type FeedPipeline, startFeedPipeline } from '#test/feed-pipeline.ts';
import { feedRow } from '#test/feed-row.ts';
import { goodFile, type Publisher, startPublisher } from '#test/publisher.ts';
import { answers } from '#test/publisher-faults.ts';
import { runSource } from './run-source.ts';

let publisher: Publisher;
let feeds: FeedPipeline;
let keysAsked: string[] = [];

beforeAll(async () => {
  publisher = await startPublisher();
  feeds = await startFeedPipeline({
    allow: [publisher.allow],
    downloadDeadlineMs: 120_000,
    keys: (env) => {
      keysAsked.push(env);
      return env === 'TEST_KEY' ? 'k/1 ?' : undefined;
    },
  });
});
afterAll(async () => {
  await feeds.close();
  await publisher.close();
});
beforeEach(() => {
  publisher.asked.length = 0;
  keysAsked = [];
});

function source(id: string, given: Partial<CatalogueRow> = {}): void {
  feeds.deps.catalogue.push(feedRow(id, [publisher.url(id)], given));
}
const count = async (table: string): Promise<number> =>
  (await feeds.owner.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? -1;
const statuses = () => publisher.asked.map(({ status }) => status);
const run = (id: string, options = {}) => runSource(feeds.deps, id, options);
const events = async (id: string) =>
  (
    await feeds.owner.query<{ payload: Record<string, unknown> }>(
      `select payload from event_outbox where type = 'source.updated' and payload->>'sourceId' = $1 order by draft`,
      [id],
    )
  ).rows.map(({ payload }) => payload);

describe('a list that has not changed', () => {
  test('is requested with its ETag, and 304 writes no listing, no change and no event', async () => {
    source('same');
    publisher.publish('same', addressList(1_000));
    const first = await run('same');
    expect(first).toMatchObject({ status: 'succeeded', report: { added: 1_000, removed: 0 } });
    expect(await events('same')).toEqual([
      { sourceId: 'same', version: 1, added: 1_000, removed: 0, changed: 0, firstLoad: true },
    ]);
    const before = [await feeds.listed('same'), await count('replica_change'), await count('source_fetch')];
    expect(await run('same')).toMatchObject({ status: 'unchanged', runId: expect.stringMatching(/^run_/) });
    expect(statuses()).toEqual([200, 304]);
    expect([await feeds.listed('same'), await count('replica_change'), await count('source_fetch')]).toEqual(
      before,
    );
    expect(await events('same')).toHaveLength(1);
    expect(await feeds.runs('same')).toMatchObject([
      { status: 'succeeded', reason: null, entries: 1_000 },
      { status: 'unchanged', reason: 'Nothing has changed since the last download.' },
    ]);
  });

  test('under a new ETag is recognised by its content, and the next request has the new ETag', async () => {
    source('restamped');
    publisher.publish('restamped', addressList(1_000), { etag: '"one"' });
    await run('restamped');
    publisher.publish('restamped', addressList(1_000), { etag: '"two"' });
    expect(await run('restamped')).toMatchObject({ status: 'unchanged' });
    expect(await run('restamped')).toMatchObject({ status: 'unchanged' });
    expect(publisher.asked).toMatchObject([
      { status: 200 },
      { status: 200, ifNoneMatch: '"one"' },
      { status: 304, ifNoneMatch: '"two"' },
    ]);
    expect(
      await count(`source_fetch f join source s on s.number = f.source_number where s.id = 'restamped'`),
    ).toBe(1);
  });

  test('without an ETag is requested by its date', async () => {
    source('dated');
    publisher.publish('dated', addressList(1_000), {
      etag: null,
      lastModified: 'Sat, 01 Aug 2026 00:00:00 GMT',
    });
    await run('dated');
    await run('dated');
    expect(publisher.asked).toMatchObject([
      { status: 200 },
      { status: 304, ifModifiedSince: 'Sat, 01 Aug 2026 00:00:00 GMT' },
    ]);
  });

  test('clears a problem that an outage left', async () => {
    source('outage');
    publisher.publish('outage', addressList(1_000));
    await run('outage');
    publisher.misbehave('outage', answers(503));
    await run('outage');
    expect((await feeds.state('outage')).problem).toContain('503');
    publisher.publish('outage', addressList(1_000));
    expect(await run('outage')).toMatchObject({ status: 'unchanged' });
    expect(await feeds.state('outage')).toMatchObject({ problem: null, failures: 0 });
  });
});

describe('a publisher with wrong metadata', () => {
  test('the same ETag on new bytes: the bytes count', async () => {
    source('liar');
    publisher.misbehave('liar', answers(200, addressList(1_000), { etag: '"fixed"' }));
    await run('liar');
    publisher.misbehave('liar', answers(200, addressList(1_100), { etag: '"fixed"' }));
    expect(await run('liar')).toMatchObject({ status: 'succeeded', report: { added: 100 } });
  });

  test('304 for ever: after a week the request has no conditions', async () => {
    source('frozen');
    publisher.publish('frozen', addressList(1_000), { etag: '"fixed"' });
    await run('frozen');
    publisher.publish('frozen', addressList(1_100), { etag: '"fixed"' });
    expect(await run('frozen')).toMatchObject({ status: 'unchanged' });
    feeds.clock.move(7 * 86_400_000 + 1);
    expect(await run('frozen')).toMatchObject({ status: 'succeeded', report: { added: 100 } });
  });

  test('a Last-Modified of tomorrow does not make the data newer than now', async () => {
    source('tomorrow');
    publisher.publish('tomorrow', addressList(1_000), {
      lastModified: new Date(feeds.clock.now() + 86_400_000).toUTCString(),
    });
    const { report } = await run('tomorrow');
    expect(report?.dataAtMs).toBeLessThanOrEqual(feeds.clock.now());
    expect(report?.dataAtMs).toBeGreaterThan(feeds.clock.now() - 60_000);
  });

  test('304 to an unconditional request is no list', async () => {
    source('unasked');
    publisher.misbehave('unasked', answers(304));
    expect(await run('unasked')).toMatchObject({ status: 'failed', reason: expect.stringContaining('304') });
    expect((await feeds.state('unasked')).problem).toContain('Nothing has been loaded yet.');
  });
});

describe('a list in parts', () => {
  const parts = ['p1', 'p2', 'p3'];
  const publish = (seeds: readonly number[]) =>
    parts.forEach((part, nth) => {
      publisher.publish(part, addressList(300, seeds[nth]));
    });

  test('is one snapshot: a part that changed brings the others with it', async () => {
    feeds.deps.catalogue.push(feedRow('parts', parts.map(publisher.url)));
    publish([0, 1, 2]);
    expect(await run('parts')).toMatchObject({ status: 'succeeded', report: { added: 900 } });
    expect(await run('parts')).toMatchObject({ status: 'unchanged' });
    publisher.asked.length = 0;
    publish([0, 1, 3]);
    expect(await run('parts')).toMatchObject({ status: 'succeeded', report: { added: 300, removed: 300 } });
    expect(statuses()).toEqual([304, 304, 200, 200, 200]);
    expect((await feeds.listed('parts')).split('\n')).toHaveLength(900);
  });

  test('is not taken when one part is unavailable', async () => {
    const before = await feeds.listed('parts');
    publish([5, 6, 7]);
    publisher.misbehave('p2', answers(404));
    expect(await run('parts')).toMatchObject({ status: 'failed' });
    expect(await feeds.listed('parts')).toBe(before);
  });
});

describe('how often a publisher is asked', () => {
  test('never within its own interval, unless an operator forces it', async () => {
    source('slow-down', { minIntervalS: 3_600 });
    publisher.publish('slow-down', addressList(1_000));
    await run('slow-down');
    expect(await run('slow-down')).toMatchObject({ status: 'skipped', runId: null });
    expect(statuses()).toEqual([200]);
    expect(await feeds.runs('slow-down')).toHaveLength(1);
    expect(await run('slow-down', { force: true })).toMatchObject({
      status: 'succeeded',
      report: { added: 0 },
    });
    feeds.clock.move(3_600_001);
    expect(await run('slow-down')).toMatchObject({ status: 'unchanged' });
  });

  test('later when the publisher says so, and less and less often while it fails', async () => {
    source('busy', { pollS: 3_600 });
    publisher.misbehave('busy', answers(429, '', { 'retry-after': '86400' }));
    await run('busy');
    const inS = async () =>
      ((await feeds.state('busy')).next_run_at?.getTime() ?? 0) / 1_000 - feeds.clock.now() / 1_000;
    expect(await inS()).toBeGreaterThan(86_000);
    publisher.misbehave('busy', answers(503));
    await run('busy');
    const second = await inS();
    await run('busy');
    const third = await inS();
    expect(second).toBeGreaterThan(500);
    expect(third).toBeGreaterThan(second * 1.8);
    expect((await feeds.state('busy')).failures).toBe(3);
  });
});

describe('a publisher’s key', () => {
  test('goes into the header or the URL, and into no row and no message', async () => {
    feeds.deps.catalogue.push(
      feedRow('keyed', [`${publisher.url('keyed')}?key={key}`], {
        key: { env: 'TEST_KEY', header: 'Auth-Key' },
      }),
    );
    let seen: unknown[] = [];
    publisher.misbehave('keyed', (request, response) => {
      seen = [request.url, request.headers['auth-key']];
      answers(403)(request, response);
    });
    const outcome = await run('keyed');
    expect(seen).toEqual(['/keyed?key=k%2F1%20%3F', 'k/1 ?']);
    expect(outcome.reason).toContain('TEST_KEY');
    publisher.publish('keyed', addressList(1_000));
    await run('keyed');
    const { rows } = await feeds.owner.query(
      `select f::text as state, r::text as run from feed_state f join source s on s.number = f.source_number
         join feed_run r on r.source_number = s.number where s.id = 'keyed'`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/k%2F1|k\/1/);
  });

  test('that is not set is named, and no request is sent', async () => {
    source('keyless', { key: { env: 'OTHER_KEY', header: 'Auth-Key' } });
    publisher.publish('keyless', addressList(1_000));
    expect(await run('keyless')).toMatchObject({
      status: 'failed',
      reason: 'This source needs a key: set OTHER_KEY.',
    });
    expect(publisher.asked).toEqual([]);
  });
});

describe('a run that was cut short', () => {
  const spool = (id: string) => join(feeds.deps.dataDir, 'feeds', 'spool', id);
  const spoolOf = async (id: string, list: string, given: { sha?: string; etag?: string | null } = {}) => {
    const { createHash } = await import('node:crypto');
    mkdirSync(spool(id), { recursive: true });
    writeFileSync(join(spool(id), '0.data'), list);
    const sha256 = given.sha ?? createHash('sha256').update(list).digest('hex');
    const about = {
      url: publisher.url(id),
      etag: given.etag ?? '"v1"',
      lastModified: null,
      sha256,
      bytes: list.length,
      atMs: 0,
    };
    writeFileSync(join(spool(id), '0.json'), JSON.stringify(about));
  };

  test('is closed as interrupted when the next one starts', async () => {
    source('killed');
    publisher.publish('killed', addressList(1_000));
    await run('killed');
    await feeds.owner.query(
      `insert into feed_run (id, source_number, started_at, status)
       select 'run_dead', number, now() - interval '1 hour', 'running' from source where id = 'killed'`,
    );
    await run('killed');
    expect(await feeds.runs('killed')).toContainEqual(
      expect.objectContaining({
        id: 'run_dead',
        status: 'failed',
        reason: expect.stringContaining('interrupted'),
      }),
    );
  });

  test('leaves a download that is used again when the publisher still has it', async () => {
    source('resumed');
    publisher.publish('resumed', addressList(1_000), { etag: '"v1"' });
    await spoolOf('resumed', addressList(1_000));
    expect(await run('resumed')).toMatchObject({ status: 'succeeded', report: { added: 1_000 } });
    expect(publisher.asked).toMatchObject([{ status: 304, ifNoneMatch: '"v1"' }]);
    expect(existsSync(spool('resumed'))).toBe(false);
  });

  test.each([
    ['whose bytes are not the ones it wrote down', { sha: '0'.repeat(64) }],
    ['that the publisher has replaced', { etag: '"v0"' }],
  ])('leaves a download %s, which is thrown away', async (name, given) => {
    const id = `spoiled-${name.length}`;
    source(id);
    publisher.publish(id, addressList(1_100), { etag: '"v1"' });
    await spoolOf(id, addressList(700), given);
    expect(await run(id)).toMatchObject({ status: 'succeeded', report: { added: 1_100 } });
    expect(statuses()).toEqual([200]);
  });

  test('by its signal: nothing is listed, no problem is shown, and it is due again soon', async () => {
    source('stopped');
    publisher.publish('stopped', addressList(1_000));
    const stop = new AbortController();
    const outcome = await run('stopped', {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('stopped') });
    expect(await feeds.listed('stopped')).toBe('');
    expect(await feeds.state('stopped')).toMatchObject({ problem: null, failures: 0 });
    expect(await run('stopped')).toMatchObject({ status: 'succeeded' });
  });
});

test('two runs of one source at once: one runs, the other is skipped with a reason', async () => {
  source('twice');
  const serve = goodFile(Buffer.from(addressList(1_000)));
  const { promise: othersHaveEnded, resolve: answer } = Promise.withResolvers<void>();
  publisher.misbehave('twice', (request, response) => {
    void othersHaveEnded.then(() => serve(request, response));
  });
  const statuses: string[] = [];
  const all = [1, 2, 3].map(async () => statuses.push((await run('twice')).status));
  // The publisher answers only after this, so that the first run still holds the source when the others try it.
  await eventually('two runs have ended', 10_000, () => statuses.length === 2);
  expect(statuses).toEqual(['skipped', 'skipped']);
  answer();
  await Promise.all(all);
  expect(statuses[2]).toBe('succeeded');
  expect(await feeds.runs('twice')).toHaveLength(1);
});

test('a worker that lost its lease commits nothing of a run', async () => {
  source('fenced');
  publisher.publish('fenced', addressList(1_000));
  let calls = 0;
  const fence = async () => {
    calls += 1;
    if (calls > 1) throw new LeaseLostError('wrk_dead');
  };
  await expect(run('fenced', { fence })).rejects.toThrow(LeaseLostError);
  expect(calls).toBeGreaterThan(1);
  expect(await feeds.listed('fenced')).toBe('');
  expect((await findSource(feeds.deps.system.db, 'fenced'))?.entries).toBe(0);
});

test('no downloads are left, except of the run whose worker was declared dead', () => {
  expect(readdirSync(join(feeds.deps.dataDir, 'feeds', 'spool'))).toEqual(['fenced']);
});
