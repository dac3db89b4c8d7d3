import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { discardQuarantine, listQuarantine } from '#capabilities/datasets/index.ts';
import { addresses, addressList, type FeedPipeline, startFeedPipeline } from '#test/feed-pipeline.ts';
import { feedRow } from '#test/feed-row.ts';
import { type Publisher, startPublisher } from '#test/publisher.ts';
import { releaseQuarantine } from './release-quarantine.ts';
import { rollbackSource } from './rollback-source.ts';
import { runSource } from './run-source.ts';

let publisher: Publisher;
let feeds: FeedPipeline;

beforeAll(async () => {
  publisher = await startPublisher();
  feeds = await startFeedPipeline({ allow: [publisher.allow], downloadDeadlineMs: 120_000 });
});
afterAll(async () => {
  await feeds.close();
  await publisher.close();
});

const CSV = {
  kind: 'csv',
  header: 'none',
  values: [0],
  firstSeen: 1,
  lastSeen: 2,
  confidence: 3,
  reference: 4,
  family: 5,
} as const;
/** Uses every column of a listing, so that a rollback that loses one fails. */
const csvList = (count: number, edition: number): string =>
  addresses(count, edition)
    .map((address, nth) => {
      const seen = `2026-0${1 + edition}-0${1 + (nth % 9)} 0${nth % 10}:00:00`;
      return [
        address,
        '2026-01-01 00:00:00',
        seen,
        (nth + edition) % 101,
        `https://x.example/${nth}`,
        nth % 3 === 0 ? '' : `family-${edition}`,
      ].join(',');
    })
    .join('\n');

function source(id: string, given: Partial<CatalogueRow> = {}): void {
  feeds.deps.catalogue.push(feedRow(id, [publisher.url(id)], { format: CSV, ...given }));
}
async function load(id: string, content: string) {
  publisher.publish(id, content);
  const outcome = await runSource(feeds.deps, id);
  expect(outcome).toMatchObject({ status: 'succeeded' });
  return outcome;
}
async function content(id: string): Promise<string> {
  const { rows } = await feeds.owner.query<{ line: string }>(
    `select (l.key, l.first_seen, l.last_seen, l.dated_by, l.confidence, l.reference, l.family, l.rank)::text as line
       from listing l join source s on s.number = l.source_number where s.id = $1 order by l.key`,
    [id],
  );
  return rows.map(({ line }) => line).join('\n');
}
const figures = async (id: string) =>
  (
    await feeds.owner.query(
      `select s.entries, s.data_at, s.version, (select count(*)::int from listing l where l.source_number = s.number) as listed
         from source s where s.id = $1`,
      [id],
    )
  ).rows[0];

describe('rolling back', () => {
  test.each(['state', 'window', 'delta', 'archive'] as const)(
    'a %s source has exactly the content from before the last download',
    async (semantics) => {
      const id = `back-${semantics}`;
      source(id, { semantics });
      await load(id, csvList(1_000, 0));
      const [wanted, before] = [await content(id), await figures(id)];
      // A third of the entries stays, a third changes, a third is removed, and 400 others are added.
      const lines = csvList(1_000, 0).split('\n');
      const bad = [
        ...lines.slice(0, 333),
        ...lines
          .slice(333, 666)
          .map((line) => line.replace('family-0', 'other').replace(/,(\d+),https/, ',99,https')),
        ...csvList(400, 1).split('\n'),
      ].join('\n');
      await load(id, bad);
      expect(await content(id)).not.toBe(wanted);
      const report = await rollbackSource(feeds.deps, id, { by: 'anna' });
      expect(await content(id)).toBe(wanted);
      const after = await figures(id);
      expect(after).toMatchObject({ entries: 1_000, listed: 1_000, data_at: before.data_at });
      expect(after.version).toBeGreaterThan(before.version);
      expect((await feeds.runs(id)).at(-1)).toMatchObject({
        id: report.runId,
        status: 'succeeded',
        reason: expect.stringMatching(/^Rolled back by anna to the content of /),
      });
    },
  );

  test('rolled back bytes are not taken again; later content is', async () => {
    source('held');
    await load('held', csvList(1_000, 0));
    const wanted = await content('held');
    await load('held', csvList(1_000, 1));
    await rollbackSource(feeds.deps, 'held');
    for (const etag of [undefined, '"other"']) {
      publisher.publish('held', csvList(1_000, 1), etag === undefined ? {} : { etag });
      expect(await runSource(feeds.deps, 'held')).toMatchObject({
        status: 'unchanged',
        reason: expect.stringContaining('rolled back'),
      });
      expect(await content('held')).toBe(wanted);
      expect((await feeds.state('held')).problem).toContain('rolled back');
    }
    await load('held', csvList(1_001, 1));
    expect(await feeds.state('held')).toMatchObject({ problem: null });
  });

  test('the good content served again is recognised as the listed content', async () => {
    source('returned');
    await load('returned', csvList(1_000, 0));
    await load('returned', csvList(1_000, 1));
    await rollbackSource(feeds.deps, 'returned');
    publisher.publish('returned', csvList(1_000, 0));
    expect(await runSource(feeds.deps, 'returned')).toMatchObject({ status: 'unchanged' });
    expect(await feeds.state('returned')).toMatchObject({ problem: null });
  });

  test('an operator may take the held bytes with force', async () => {
    source('insisted');
    await load('insisted', csvList(1_000, 0));
    await load('insisted', csvList(1_000, 1));
    const bad = await content('insisted');
    await rollbackSource(feeds.deps, 'insisted');
    expect(await runSource(feeds.deps, 'insisted', { force: true })).toMatchObject({ status: 'succeeded' });
    expect(await content('insisted')).toBe(bad);
    expect(await runSource(feeds.deps, 'insisted')).toMatchObject({ status: 'unchanged' });
    expect(await feeds.state('insisted')).toMatchObject({ problem: null });
  });

  test('returns to any run whose history is still there', async () => {
    source('far');
    const first = await load('far', csvList(1_000, 0));
    const wanted = await content('far');
    await load('far', csvList(1_000, 1));
    await load('far', csvList(1_000, 2));
    await rollbackSource(feeds.deps, 'far', { to: first.runId ?? '' });
    expect(await content('far')).toBe(wanted);
  });

  test('a first load has no earlier content', async () => {
    source('first');
    await load('first', csvList(1_000, 0));
    await expect(rollbackSource(feeds.deps, 'first')).rejects.toThrow('no earlier content');
    await expect(rollbackSource(feeds.deps, 'nobody')).rejects.toThrow('not found');
  });
});

describe('quarantine', () => {
  const half = addressList(400);

  async function quarantined(id: string, bad: string, given: Partial<CatalogueRow> = {}): Promise<void> {
    feeds.deps.catalogue.push(feedRow(id, [publisher.url(id)], given));
    await load(id, addressList(1_000));
    publisher.publish(id, bad);
    expect(await runSource(feeds.deps, id)).toMatchObject({ status: 'quarantined' });
  }
  const artifacts = async (id: string) =>
    (await feeds.owner.query('select name from artifact where name like $1', [`%${id}%`])).rows.length;

  test('holds the bytes until an operator releases them, and then they are the usual size', async () => {
    await quarantined('released', `${half}10.0.0.1\n8.8.8.8\n`);
    expect(await listQuarantine(feeds.deps)).toContainEqual(
      expect.objectContaining({ sourceId: 'released', gate: 'volume', isReleasable: true }),
    );
    publisher.misbehave('released', () => undefined);
    const outcome = await releaseQuarantine(feeds.deps, 'released', { by: 'anna' });
    expect(outcome).toMatchObject({
      status: 'succeeded',
      reason: expect.stringMatching(/^Released by anna although: /),
    });
    const listed = (await feeds.listed('released')).split('\n');
    expect(listed).toHaveLength(400);
    expect(await feeds.state('released')).toMatchObject({ problem: null, quarantined: null });
    expect(await artifacts('released')).toBe(0);
    publisher.publish('released', addressList(410));
    expect(await runSource(feeds.deps, 'released')).toMatchObject({ status: 'succeeded' });
  });

  test('the bytes that were released are not downloaded and judged again', async () => {
    await quarantined('settled', half);
    await releaseQuarantine(feeds.deps, 'settled');
    expect(await runSource(feeds.deps, 'settled')).toMatchObject({ status: 'unchanged' });
  });

  test('is discarded without a trace, or by the next good download', async () => {
    await quarantined('thrown', half);
    await discardQuarantine(feeds.deps, 'thrown', { by: 'a test' });
    expect(await artifacts('thrown')).toBe(0);
    await expect(releaseQuarantine(feeds.deps, 'thrown')).rejects.toThrow('not found');
    await quarantined('overtaken', half);
    await load('overtaken', addressList(1_001));
    expect(await artifacts('overtaken')).toBe(0);
  });

  test('a web page cannot be released', async () => {
    await quarantined('page', '<html><body>down</body></html>');
    await expect(releaseQuarantine(feeds.deps, 'page')).rejects.toThrow('cannot be released');
    expect(await artifacts('page')).toBe(0);
  });

  test('keeps the date of the first of several bad downloads', async () => {
    await quarantined('again', half);
    const since = (await listQuarantine(feeds.deps)).find(({ sourceId }) => sourceId === 'again')?.since;
    feeds.clock.move(60_000);
    publisher.publish('again', addressList(300));
    await runSource(feeds.deps, 'again');
    expect((await listQuarantine(feeds.deps)).find(({ sourceId }) => sourceId === 'again')).toMatchObject({
      since,
      reason: expect.stringContaining('300 entries'),
    });
  });
});
