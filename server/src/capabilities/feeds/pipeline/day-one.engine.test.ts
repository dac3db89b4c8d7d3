import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOGUE, type CatalogueRow, suggestSources } from '#capabilities/catalogue/index.ts';
import { loadConfig } from '#platform/config.ts';
import { createWorker, enqueue, type Worker } from '#platform/jobs.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { eventually } from '#test/eventually.ts';
import { type FeedPipeline, startFeedPipeline } from '#test/feed-pipeline.ts';
import { publishedList } from '#test/published-list.ts';
import { type Publisher, startPublisher } from '#test/publisher.ts';
import { describeFeed } from '../import/describe-feed.ts';
import { readFeedStatus } from '../import/feed-status-store.ts';
import { feedsWorkerPart, startFeeds } from './jobs.ts';

/** Every publisher serves a thousandth of its list, in its own format, so that counts read as thousands. */
const SCALE = 1_000;

/** Threat lists that are on since their precision was measured; the others were on before. */
const ADDED: ReadonlySet<string> = new Set(
  `amnesty-tech apt-digital-weapon blocklist-de-bruteforce blp-ransomware cps-avanzato cps-sip cps-threatfox
   data-shield destroylist eset-ioc loldrivers loldrivers-malicious malware-hash-db ofac-crypto phishing-database polkadot-phishing
   sblam signature-base-c2 signature-base-hashes stalkerware-samples sw-typo`.split(/\s+/),
);

const GROUPS = {
  phishing: ['phishing', 'scam'],
  c2: ['c2'],
  malware: ['malware', 'ransomware'],
  scanners: ['scanner', 'bruteforce', 'exploit', 'botnet'],
} as const;

let publisher: Publisher;
let feeds: FeedPipeline;
let worker: Worker | null = null;
let rows: readonly CatalogueRow[];

beforeAll(async () => {
  publisher = await startPublisher();
  feeds = await startFeedPipeline({ allow: [publisher.allow], downloadDeadlineMs: 120_000 });
  rows = CATALOGUE.filter(({ threatClass, isDefault }) => threatClass === 'threat' && isDefault).map(served);
  feeds.deps.catalogue.push(...rows);
});
afterAll(async () => {
  await worker?.stop();
  await feeds?.close();
  await publisher?.close();
});

/** The row with its URLs at the publisher on loopback, who serves the files; a list that needs a key stays unreachable. */
function served(row: CatalogueRow): CatalogueRow {
  const paths = row.urls.map((_, nth) => `${row.id}/${nth}`);
  if (row.key === undefined)
    for (const [nth, file] of publishedList(row, Math.ceil((row.entries ?? 0) / SCALE)).entries())
      publisher.publish(paths[nth] ?? '', file);
  return { ...row, urls: paths.map(publisher.url), volume: { ...row.volume, min: 1 } };
}

function startWorker(): void {
  const { jobs } = feedsWorkerPart({ ...feeds.deps, atOnceMax: 4 });
  worker = createWorker({
    config: loadConfig({ DATABASE_URL: feeds.database.url, POSTGRES_POOL_MAX: '6' }),
    log: feeds.deps.log,
    clock: feeds.clock,
    jobs,
    crons: [],
    concurrency: 6,
    onLeaseLost: () => undefined,
    pollMs: 100,
  });
}

const many = async <T extends object>(query: string, values: unknown[] = []): Promise<readonly T[]> =>
  (await feeds.owner.query<T>(query, values)).rows;

/** Distinct values that the lists of these sources name, by group of categories; files apart, whatever their category. */
async function answered(isWanted: (id: string) => boolean) {
  const ids = rows.map(({ id }) => id).filter(isWanted);
  const found = await many<{ category: string; isFile: boolean; values: number }>(
    `select s.category, substr(l.key, 1, 1) in ('\\x07', '\\x08', '\\x09') as "isFile", count(distinct l.key)::int as values
       from listing l join source s on s.number = l.source_number where s.id = any($1) group by 1, 2`,
    [ids],
  );
  const sumOf = (isCounted: (row: (typeof found)[number]) => boolean): number =>
    found.filter(isCounted).reduce((sum, { values }) => sum + values, 0);
  const ofGroup = (categories: readonly string[]) =>
    sumOf(({ category, isFile }) => !isFile && categories.includes(category));
  return {
    phishing: ofGroup(GROUPS.phishing),
    c2: ofGroup(GROUPS.c2),
    malware: ofGroup(GROUPS.malware),
    scanners: ofGroup(GROUPS.scanners),
    files: sumOf(({ isFile }) => isFile),
  };
}

test('a new operator without a key: what one hour of a worker brings, before and after the measured lists are on', async () => {
  const free = rows.filter(({ key }) => key === undefined);
  const done = async (): Promise<number> =>
    (await many<{ n: number }>(`select count(*)::int as n from feed_run where status = 'succeeded'`))[0]?.n ??
    0;
  startWorker();
  await startFeeds(feeds.deps);
  feeds.clock.move(HOUR_MS);
  await feeds.deps.system.transaction((tx) => enqueue(tx, 'feeds.schedule', {}));
  await eventually('every free list was fetched', 120_000, async () => {
    if ((await done()) === free.length) return true;
    await feeds.deps.system.transaction((tx) => enqueue(tx, 'feeds.schedule', {}));
    return false;
  });

  const status = (await readFeedStatus(feeds.deps.system.db, null)).map((one) =>
    describeFeed(one, feeds.clock.now()),
  );
  const fetched = status.filter(({ fetchedAt }) => fetchedAt !== null).map(({ id }) => id);
  expect(fetched).toEqual(free.map(({ id }) => id).toSorted());
  const before = await answered((id) => !ADDED.has(id));
  const after = await answered(() => true);
  expect({ before, after }).toEqual({
    before: { phishing: 183, c2: 43, malware: 1_666, scanners: 74, files: 53 },
    after: { phishing: 609, c2: 66, malware: 1_671, scanners: 176, files: 198 },
  });

  const suggested = suggestSources(feeds.deps.catalogue, {
    hasKey: () => false,
    isScheduled: (id) => status.some((one) => one.id === id && one.scheduled),
  });
  expect(suggested.map(({ sourceId }) => sourceId)).toEqual(['threatfox', 'phishtank', 'malshare']);
});
