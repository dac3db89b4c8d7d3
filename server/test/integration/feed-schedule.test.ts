import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOGUE, type CatalogueRow, OFFLINE_FILES } from '#capabilities/catalogue/index.ts';
import { feedsWorkerPart, startFeeds } from '#capabilities/feeds/index.ts';
import { loadConfig } from '#platform/config.ts';
import { createWorker, enqueue } from '#platform/jobs.ts';
import { eventually } from '#test/eventually.ts';
import { type FeedPipeline, startFeedPipeline } from '#test/feed-pipeline.ts';
import { bySize } from '#test/lane.ts';
import { type Publisher, startPublisher } from '#test/publisher.ts';

/** Real lists, if the data set lies beside the repository. */
const DATA = join(import.meta.dirname, '../../../../shared/data');
const FILE_BYTES_MAX = bySize(5_000, 400_000);
const WITHIN_MS = 900_000;
/** Interval of each source: longer than a pass, and shorter than the step of the clock between two passes. */
const POLL_S = 20 * 86_400;

type Ended = {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly startedAt: Date;
};

let publisher: Publisher;
let feeds: FeedPipeline;
beforeAll(async () => {
  publisher = await startPublisher();
  feeds = await startFeedPipeline({
    allow: [publisher.allow],
    keys: () => 'key',
    downloadDeadlineMs: 60_000,
  });
});
afterAll(async () => {
  await feeds.close();
  await publisher.close();
});

/** Rows of the catalogue whose addresses point to a loopback copy of the same list. */
function realRows(): { rows: readonly CatalogueRow[]; files: number } {
  let files = 0;
  const rows = CATALOGUE.flatMap((row) => {
    const parts = OFFLINE_FILES.filter(({ source, role }) => source === row.id && role === 'part');
    const [first] = parts;
    const formats = new Set(parts.map(({ format }) => JSON.stringify(format ?? row.format)));
    const bodies = parts.map(({ path }) => readFileSync(join(DATA, path)));
    // A list without a supported entry (patterns, telephone numbers) has nothing to load.
    if (first === undefined || formats.size > 1 || row.volume.min === 0) return [];
    if (bodies.some((body) => body.length > FILE_BYTES_MAX)) return [];
    for (const [nth, body] of bodies.entries()) {
      const { path } = parts[nth] ?? first;
      // Compressed text files are served uncompressed, because the publisher compresses them for transport
      // only.
      const isText = path.endsWith('.gz') && !path.endsWith('.tar.gz');
      publisher.publish(path, isText ? gunzipSync(body) : body);
      files += 1;
    }
    const urls = parts.map(({ path }) => publisher.url(path));
    return [
      { ...row, urls, format: first.format ?? row.format, isDefault: true, minIntervalS: 0, pollS: POLL_S },
    ];
  });
  return { rows, files };
}

test.skipIf(!existsSync(join(DATA, 'MANIFEST.json')))(
  'real lists (needs the data set): one pass of the schedule loads them all, the next one records only that each was read',
  async () => {
    const { rows, files } = realRows();
    expect(files).toBeGreaterThanOrEqual(60);
    feeds.deps.catalogue.push(...rows);
    const worker = createWorker({
      config: loadConfig({ DATABASE_URL: feeds.database.url }),
      log: feeds.deps.log,
      clock: feeds.clock,
      ...feedsWorkerPart(feeds.deps),
      concurrency: 4,
      onLeaseLost: () => undefined,
      pollMs: 100,
    });
    const ended = async () =>
      (
        await feeds.owner.query<Ended>(
          `select s.id, r.status, r.reason, r.started_at as "startedAt" from feed_run r
             join source s on s.number = r.source_number order by r.started_at, r.id`,
        )
      ).rows;
    const digest = async () =>
      (
        await feeds.owner.query(
          `select (select count(*)::int from listing) as listings, (select count(*)::int from listing_past) as past,
                  (select coalesce(max(seq), 0)::int from replica_change) as seq, (select count(*)::int from source_fetch) as merges`,
        )
      ).rows[0];
    const pass = async (nth: number): Promise<Map<string, readonly Ended[]>> => {
      feeds.clock.move(40 * 86_400_000);
      const sinceMs = feeds.clock.now();
      await feeds.deps.system.transaction((tx) => enqueue(tx, 'feeds.schedule', {}));
      // The schedule may have run some sources at its start, before the clock was moved.
      const ofPass = async () =>
        (await ended()).filter(({ status, startedAt }) => status !== 'running' && +startedAt >= sinceMs);
      await eventually(
        `pass ${nth} is over`,
        WITHIN_MS,
        async () => new Set((await ofPass()).map(({ id }) => id)).size === rows.length,
      );
      return Map.groupBy(await ofPass(), ({ status }) => status);
    };
    try {
      const startedAt = performance.now();
      await startFeeds(feeds.deps);
      const first = await pass(1);
      const loadedMs = performance.now() - startedAt;
      expect(first.get('failed')).toBeUndefined();
      expect(first.get('quarantined')).toBeUndefined();
      const before = await digest();
      const second = await pass(2);
      const secondMs = performance.now() - startedAt - loadedMs;
      expect([...second.keys()]).toEqual(['unchanged']);
      expect(second.get('unchanged')).toHaveLength(rows.length);
      // The time of the last read may be written after the end of the run.
      await expect.poll(digest, { timeout: 60_000 }).toEqual({
        ...before,
        seq: before?.seq + rows.length,
        merges: before?.merges + rows.length,
      });
      process.stdout.write(
        `${rows.length} sources, ${files} files, ${before?.listings} listings: ${Math.round(loadedMs)} ms, again ${Math.round(secondMs)} ms\n`,
      );
    } finally {
      await worker.stop();
    }
  },
  2 * WITHIN_MS,
);
