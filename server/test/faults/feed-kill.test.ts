import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { corpusDataset } from '#capabilities/corpus/index.ts';
import { asSystem } from '#platform/postgres.ts';
import { corpusContents } from '#test/corpus-contents.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { sleep } from '#test/eventually.ts';
import type { FeedWork } from '#test/feed-process.ts';
import { feedRow } from '#test/feed-row.ts';
import { bySize } from '#test/lane.ts';
import { startPublisher } from '#test/publisher.ts';
import { buildReplica } from '#test/replica.ts';
import { SEED, seededRandom } from '#test/seeded-random.ts';
import { LISTINGS } from '../../src/capabilities/corpus/dataset.ts';
import { isDelistedAt, nextListing } from '../../src/capabilities/corpus/listing-value.ts';

const SCRIPT = join(import.meta.dirname, '../support/feed-process.ts');
const KILLS_PER_KIND = bySize(3, 25);
/** Two kills per edition: the second one falls into the work that the first one interrupted. */
const KILLS_PER_EDITION = 2;
const KILLS_PER_LOAD = bySize(2, 8);
const SOURCES = bySize(2, 4);
const LINES = bySize(1_500, 5_000);
const root = mkdtempSync(join(tmpdir(), 'assay-feed-kill-'));
const databases: TestDatabase[] = [];

afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(root, { recursive: true, force: true });
});

/** The publisher dates each entry, so the final state depends on the final edition only. */
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

type Started = { readonly child: ChildProcess; readonly atMs: number };

/** Resolves when the process has loaded its modules, because an earlier kill would interrupt no work. */
async function start(file: string): Promise<Started> {
  const child = spawn(process.execPath, [SCRIPT, file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await Promise.race([once(child, 'message'), ended(child)]);
  return { child, atMs: performance.now() };
}
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null
      ? resolve(child.exitCode)
      : child.once('exit', (code) => resolve(code)),
  );

async function cleanRun(file: string): Promise<number> {
  const { child, atMs } = await start(file);
  expect(await ended(child)).toBe(0);
  return performance.now() - atMs;
}

/** Kills processes at random points of their work, which repeat for the same seed and the same speed. */
class Killer {
  readonly #random: () => number;
  #windowMs: number;
  readonly points: string[] = [];

  constructor(name: string, windowMs: number) {
    this.#random = seededRandom(name);
    this.#windowMs = windowMs;
  }

  get said(): string {
    return `seed ${SEED}, killed ${this.points.join(', ')}`;
  }

  /** False: the process finished before its kill, and the next kill comes earlier. */
  async kill(file: string, what: string): Promise<boolean> {
    const atMs = this.#random() * this.#windowMs;
    const started = await start(file);
    await Promise.race([sleep(atMs), ended(started.child)]);
    // A process that has just ended still takes the signal, so only the way it ended says whether it was killed.
    started.child.kill('SIGKILL');
    const code = await ended(started.child);
    const isKilled = started.child.signalCode === 'SIGKILL';
    expect(code, `${what}; ${this.said}`).toBe(isKilled ? null : 0);
    if (isKilled) this.points.push(`${Math.round(atMs)} ms into ${what}`);
    else this.#windowMs = performance.now() - started.atMs;
    return isKilled;
  }
}

/**
 * Counts the keys that are listed now. Delisted keys are left out: the disturbed database has those of
 * earlier editions, the undisturbed one does not.
 */
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
  for (let at = 0; at < value.length; at = nextListing(value, at)) if (!isDelistedAt(value, at)) return true;
  return false;
}

test(`runs of the pipeline killed ${KILLS_PER_KIND} times end in the state of an undisturbed run`, async () => {
  const publisher = await startPublisher();
  const rows = Array.from({ length: SOURCES }, (_, source) => rowOf(source, publisher.url(`list-${source}`)));
  const publish = (edition: number) => {
    for (let source = 0; source < SOURCES; source += 1)
      publisher.publish(`list-${source}`, editionOf(source, edition));
  };
  const given = { mode: 'runs', folder: '', allow: publisher.allow, catalogue: rows } as const;
  const [disturbed, clean] = [await prepare('runs', given), await prepare('runs-clean', given)];
  publish(0);
  const killer = new Killer('feed-kill runs', await cleanRun(disturbed.file));
  let edition = 1;
  let killed = 0;
  while (killed < KILLS_PER_KIND) {
    publish(edition);
    if (await killer.kill(disturbed.file, `edition ${edition}`)) {
      killed += 1;
      if (killed % KILLS_PER_EDITION === 0) edition += 1;
    } else edition += 1;
  }
  await cleanRun(disturbed.file);
  await cleanRun(clean.file);
  expect(await corpusContents(disturbed.work.databaseUrl), killer.said).toEqual(
    await corpusContents(clean.work.databaseUrl),
  );
  expect(await replicaFollows(disturbed.work), killer.said).toBe(await replicaFollows(clean.work));
  await expectNoLooseEnds(disturbed.work.databaseUrl, killer.said);
  await publisher.close();
}, 600_000);

test(`a first load killed ${KILLS_PER_KIND} times resumes and ends in the state of an undisturbed load`, async () => {
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
  const killer = new Killer('feed-kill load', await cleanRun(clean.file));
  const expected = await corpusContents(clean.work.databaseUrl);
  let killed = 0;
  for (let load = 0; killed < KILLS_PER_KIND; load += 1) {
    const disturbed = await prepare(`load-${load}`, given);
    for (let i = 0; i < KILLS_PER_LOAD && killed < KILLS_PER_KIND; i += 1) {
      // A load that finished before its kill is complete, so the next kills need a new database.
      if (!(await killer.kill(disturbed.file, `load ${load}`))) break;
      killed += 1;
    }
    await cleanRun(disturbed.file);
    expect(await corpusContents(disturbed.work.databaseUrl), killer.said).toEqual(expected);
    await expectNoLooseEnds(disturbed.work.databaseUrl, killer.said);
  }
}, 600_000);

/** A later clean run leaves no run open and no row in the load table, and every listing has its indicator. */
async function expectNoLooseEnds(url: string, killed: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`
    select (select count(*)::int from feed_run where status = 'running') as running,
           (select count(*)::int from corpus_load) as waiting,
           (select count(*)::int from listing l where not exists (select 1 from indicator i where i.key = l.key))
             as orphans`);
  await client.end();
  expect(rows, killed).toEqual([{ running: 0, waiting: 0, orphans: 0 }]);
}
