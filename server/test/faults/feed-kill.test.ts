import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { corpusDataset } from '#capabilities/corpus/index.ts';
import type { CatalogueRow } from '#capabilities/feeds/index.ts';
import { asSystem } from '#platform/postgres.ts';
import { corpusContents } from '#test/corpus-contents.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { sleep } from '#test/eventually.ts';
import type { FeedWork } from '#test/feed-process.ts';
import { feedRow } from '#test/feed-row.ts';
import { startPublisher } from '#test/publisher.ts';
import { buildReplica } from '#test/replica.ts';
import { LISTINGS } from '../../src/capabilities/corpus/dataset.ts';
import { isDelistedAt, LISTING_BYTES } from '../../src/capabilities/corpus/listing-value.ts';

const SCRIPT = join(import.meta.dirname, '../support/feed-process.ts');
const KILLS_PER_KIND = 25;
const SOURCES = 4;
const LINES = 5_000;
const root = mkdtempSync(join(tmpdir(), 'assay-feed-kill-'));
const databases: TestDatabase[] = [];

afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(root, { recursive: true, force: true });
});

/** The publisher dates each entry, so the final state depends on the final edition and on nothing else. */
function editionOf(source: number, edition: number): string {
  const lines = ['# value,first seen'];
  for (let i = 0; i < LINES; i += 1) {
    const n = (i * 31 + source * 7 + (i % 10 === 0 ? edition : 0) * 100_003) % 1_000_003;
    lines.push(`n${n}.kill-${source % 3}.com,2026-10-${String(1 + (n % 28)).padStart(2, '0')}`);
  }
  return lines.join('\n');
}

const rowOf = (source: number, url: string): CatalogueRow =>
  feedRow(`kill-${source}`, [url], {
    format: { kind: 'csv', header: 'none', values: [0], firstSeen: 1 },
    entityTypes: ['domain'],
    volume: { min: 1, max: 1_000_000 },
  });

async function prepare(
  name: string,
  given: Pick<FeedWork, 'mode' | 'folder' | 'allow' | 'catalogue'>,
): Promise<{ readonly work: FeedWork; readonly file: string }> {
  const database = await createTestDatabase();
  databases.push(database);
  const dataDir = join(root, `${name}-data`);
  mkdirSync(dataDir, { recursive: true });
  const work = { ...given, databaseUrl: database.url, dataDir };
  const file = join(root, `${name}.json`);
  writeFileSync(file, JSON.stringify(work));
  return { work, file };
}

const start = (file: string): ChildProcess =>
  spawn(process.execPath, [SCRIPT, file], { stdio: ['ignore', 'ignore', 'inherit'] });
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null
      ? resolve(child.exitCode)
      : child.once('exit', (code) => resolve(code)),
  );

/** Kills the process at random points of its life; the moments of a whole run are known from a clean one. */
async function killRepeatedly(
  file: string,
  wholeMs: number,
  between: (kill: number) => Promise<void>,
): Promise<number> {
  let killed = 0;
  for (let kill = 0; killed < KILLS_PER_KIND && kill < KILLS_PER_KIND * 4; kill += 1) {
    await between(killed);
    const child = start(file);
    await Promise.race([sleep(80 + Math.random() * wholeMs), ended(child)]);
    if (child.exitCode === null && child.kill('SIGKILL')) killed += 1;
    await ended(child);
  }
  return killed;
}

async function cleanRun(file: string): Promise<number> {
  const startMs = performance.now();
  expect(await ended(start(file))).toBe(0);
  return performance.now() - startMs;
}

/** Keys that are listed now: what earlier editions dropped still fades after one way, and was never known on the other. */
async function replicaFollows({ databaseUrl }: FeedWork): Promise<number> {
  const system = asSystem({ DATABASE_URL: databaseUrl, POSTGRES_POOL_MAX: 4 });
  const built = await buildReplica(system, corpusDataset);
  const view = built.replica.view();
  const keys = view.keysBetween(LISTINGS, Buffer.of(0), Buffer.of(255), built.replicator.status().entries);
  const entries = keys.filter((key) => isListed(view.get(LISTINGS, key) ?? new Uint8Array())).length;
  await built.close();
  await system.close();
  return entries;
}

function isListed(value: Uint8Array): boolean {
  for (let at = 0; at < value.length; at += LISTING_BYTES) if (!isDelistedAt(value, at)) return true;
  return false;
}

test(`runs of the pipeline killed ${KILLS_PER_KIND} times end where an undisturbed run ends`, async () => {
  const publisher = await startPublisher();
  const rows = Array.from({ length: SOURCES }, (_, source) => rowOf(source, publisher.url(`list-${source}`)));
  const publish = (edition: number) => {
    for (let source = 0; source < SOURCES; source += 1)
      publisher.publish(`list-${source}`, editionOf(source, edition));
  };
  const given = { mode: 'runs', folder: '', allow: publisher.allow, catalogue: rows } as const;
  const [disturbed, clean] = [await prepare('runs', given), await prepare('runs-clean', given)];
  publish(0);
  const wholeMs = await cleanRun(disturbed.file);
  const last = Math.floor(KILLS_PER_KIND / 3);
  const killed = await killRepeatedly(disturbed.file, wholeMs, async (kill) => publish(Math.floor(kill / 3)));
  expect(killed).toBe(KILLS_PER_KIND);
  publish(last);
  await cleanRun(disturbed.file);
  await cleanRun(clean.file);
  expect(await corpusContents(disturbed.work.databaseUrl)).toEqual(
    await corpusContents(clean.work.databaseUrl),
  );
  expect(await replicaFollows(disturbed.work)).toBe(await replicaFollows(clean.work));
  await expectNoLooseEnds(disturbed.work.databaseUrl);
  await publisher.close();
}, 600_000);

test(`a first load killed ${KILLS_PER_KIND} times goes on where it was and ends where an undisturbed load ends`, async () => {
  const folder = join(root, 'data-set');
  mkdirSync(join(folder, 'feeds'), { recursive: true });
  const rows = Array.from({ length: SOURCES }, (_, source) => rowOf(source, 'https://lists.example.com/x'));
  const manifest = rows.map(({ id }, source) => {
    const text = editionOf(source, 0);
    writeFileSync(join(folder, `feeds/${id}.txt`), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    return { path: `feeds/${id}.txt`, date: '2026-10-30', sha256, bytes: text.length, entries: LINES };
  });
  writeFileSync(join(folder, 'MANIFEST.json'), JSON.stringify(manifest));
  const given = { mode: 'manifest', folder, allow: '', catalogue: rows } as const;
  const clean = await prepare('load-clean', given);
  const wholeMs = await cleanRun(clean.file);
  let killed = 0;
  let loads = 0;
  // A load that got through before its kill is a finished one: the next kills fall on a new database.
  while (killed < KILLS_PER_KIND) {
    const disturbed = await prepare(`load-${loads}`, given);
    loads += 1;
    for (let i = 0; i < 8 && killed < KILLS_PER_KIND; i += 1) {
      const child = start(disturbed.file);
      await Promise.race([sleep(150 + Math.random() * wholeMs * 0.9), ended(child)]);
      if (child.exitCode !== null) break;
      child.kill('SIGKILL');
      await ended(child);
      killed += 1;
    }
    await cleanRun(disturbed.file);
    const contents = await corpusContents(disturbed.work.databaseUrl);
    expect(contents).toEqual(await corpusContents(clean.work.databaseUrl));
    await expectNoLooseEnds(disturbed.work.databaseUrl);
  }
}, 600_000);

/** No run is left open by a later clean one, nothing waits in the load table, every listing has its indicator. */
async function expectNoLooseEnds(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`
    select (select count(*)::int from feed_run where status = 'running') as running,
           (select count(*)::int from corpus_load) as waiting,
           (select count(*)::int from listing l where not exists (select 1 from indicator i where i.key = l.key))
             as orphans`);
  await client.end();
  expect(rows).toEqual([{ running: 0, waiting: 0, orphans: 0 }]);
}
