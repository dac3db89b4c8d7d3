import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { feedsWorkerPart, startFeeds } from '#capabilities/feeds/index.ts';
import { loadConfig } from '#platform/config.ts';
import { LEASE_TIMING } from '#platform/jobs/lease.ts';
import { createWorker } from '#platform/jobs.ts';
import { eventually } from '#test/eventually.ts';
import { addressList, type FeedPipeline, startFeedPipeline } from '#test/feed-pipeline.ts';
import { feedRow } from '#test/feed-row.ts';
import { bySize } from '#test/lane.ts';
import { type Publisher, startPublisher } from '#test/publisher.ts';

const WITHIN_MS = 600_000;
const LINE_CHARS = 8_190;
const LIST_CHARS = bySize(1_000_000, 20_000_000);
const LINE_BYTES = bySize(50_000_000, 200_000_000);

/** Lines as long as a line may be, so that quadratic work on a line would be the largest possible. */
const lines = (start: string, pump: string, end: string): string => {
  const line = `${start}${pump.repeat((LINE_CHARS - start.length) / pump.length)}${end}\n`;
  return line.repeat(LIST_CHARS / LINE_CHARS);
};

type Hostile = {
  readonly body: string | Buffer;
  readonly row: Partial<CatalogueRow>;
  readonly type?: string;
};

const HOSTILE: Readonly<Record<string, () => Hostile>> = {
  // Once exponential: 26 comments took nine seconds, and each further one doubled the time.
  comments: () => ({ body: '<!---->'.repeat(100_000), row: {}, type: 'text/html' }),
  tags: () => ({ body: '<!doctype '.repeat(100_000), row: {}, type: 'text/html' }),
  'one-line': () => ({ body: Buffer.alloc(LINE_BYTES, 'a'), row: { bytesMax: 2 * LINE_BYTES } }),
  'deep-json': () => ({
    body: '['.repeat(LIST_CHARS),
    row: { format: { kind: 'json', each: ['deny[*]'] } },
  }),
  dots: () => ({ body: lines('', '.', ' '), row: { format: { kind: 'ublacklist' } } }),
  blanks: () => ({ body: lines('local-data:', ' ', '"'), row: { format: { kind: 'unbound' } } }),
  dates: () => ({ body: lines('# date: 2026', ' ', '; x'), row: {} }),
};

let publisher: Publisher;
let feeds: FeedPipeline;
beforeAll(async () => {
  publisher = await startPublisher();
  feeds = await startFeedPipeline({ allow: [publisher.allow], downloadDeadlineMs: 180_000 });
});
afterAll(async () => {
  await feeds.close();
  await publisher.close();
});

/** The most CPU time that this thread spent between two turns of the event loop. Load of others does not count. */
function watchTurns() {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1_000);
  }, 5);
  return () => {
    clearInterval(timer);
    return longestMs;
  };
}

test(
  'hostile files cost their own runs only: other sources are loaded, and the worker keeps its lease (reliability 3.F, W3)',
  async () => {
    const good = ['good-1', 'good-2', 'good-3'];
    for (const [nth, id] of good.entries()) {
      publisher.publish(id, addressList(1_000, nth));
      feeds.deps.catalogue.push(feedRow(id, [publisher.url(id)]));
    }
    for (const [id, make] of Object.entries(HOSTILE)) {
      const { body, row, type } = make();
      publisher.publish(id, body, type === undefined ? {} : { type });
      feeds.deps.catalogue.unshift(feedRow(id, [publisher.url(id)], { bytesMax: 64_000_000, ...row }));
    }
    let lost = 0;
    const longestTurn = watchTurns();
    const worker = createWorker({
      config: loadConfig({ DATABASE_URL: feeds.database.url }),
      log: feeds.deps.log,
      clock: feeds.clock,
      ...feedsWorkerPart({ ...feeds.deps, atOnceMax: 4 }),
      concurrency: 4,
      onLeaseLost: () => {
        lost += 1;
      },
      pollMs: 100,
    });
    try {
      await startFeeds(feeds.deps);
      const statuses = async () => {
        const { rows } = await feeds.owner.query<{ id: string; status: string }>(
          `select s.id, r.status from feed_run r join source s on s.number = r.source_number
            where r.status <> 'running'`,
        );
        return new Map(rows.map(({ id, status }) => [id, status]));
      };
      await eventually('every run is over', WITHIN_MS, async () => {
        const { size } = await statuses();
        return size === feeds.deps.catalogue.length;
      });
      const ended = await statuses();
      for (const id of good) expect(ended.get(id), id).toBe('succeeded');
      for (const id of Object.keys(HOSTILE)) expect(ended.get(id), id).toBe('quarantined');
    } finally {
      await worker.stop();
    }
    expect(lost).toBe(0);
    expect(longestTurn()).toBeLessThan(LEASE_TIMING.heartbeatMs);
  },
  2 * WITHIN_MS,
);
