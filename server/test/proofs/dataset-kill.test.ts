import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { digestDatasets } from '#test/dataset-digest.ts';
import type { DatasetWork } from '#test/dataset-process.ts';
import { sleep } from '#test/eventually.ts';
import { type NvdRecord, nvdPeer } from '#test/peers/nvd-peer.ts';
import { keepResult } from '#test/proof-results.ts';
import { goodFile, type Publisher, startPublisher } from '#test/publisher.ts';
import { SEED, seededRandom } from '#test/seeded-random.ts';
import * as files from '#test/vulnerability-files.ts';

const SCRIPT = join(import.meta.dirname, '../support/dataset-process.ts');
const KILLS_PER_MODE = 10;
/** The second kill falls into the work that the first one interrupted. */
const KILLS_PER_EDITION = 2;
const [RECORDS, POSTS] = [1_600, 1_800];
const [POLL_MS, DELAY_MAX_MS] = [10, 300];
/** Exit code of a worker that lost its lease. */
const LEASE_LOST = 3;
const ATTEMPTS_MAX = 5;
const FIRST_MS = Date.UTC(2026, 4, 8);
/** Longer than every interval, so that each data set is due again. */
const EDITION_MS = 8 * 86_400_000;

const root = mkdtempSync(join(tmpdir(), 'assay-dataset-kill-'));
const databases: TestDatabase[] = [];
let publisher: Publisher;
const clients: pg.Client[] = [];
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(async () => {
  await publisher?.close();
  for (const client of clients) await client.end();
  for (const database of databases) await database.drop();
  rmSync(root, { recursive: true, force: true });
});

const timeOf = (edition: number): number => FIRST_MS + edition * EDITION_MS;
const dayOf = (edition: number): string => new Date(timeOf(edition)).toISOString().slice(0, 10);

/** Two in ten records change from edition to edition; entries and posts come and go. */
const contentOf = (edition: number): Readonly<Record<string, string | Buffer>> => ({
  'cve-list': files.cveListZip(
    Array.from({ length: RECORDS + edition }, (_, nth) =>
      files.cveRecord(
        nth,
        nth % 5 === edition % 5 ? `${dayOf(edition)}T01:00:00.000Z` : '2026-05-01T01:00:00.000Z',
      ),
    ),
  ),
  kev: files.kevFile({ released: dayOf(edition), entries: files.kevEntries(1_200 - 10 * edition) }),
  epss: files.gzipped(files.epssFile(dayOf(edition), files.epssScores(4_000, edition))),
  'osv-pypi': files.osvZip(400 + edition),
  'ransomwatch-posts': JSON.stringify(files.posts(POSTS + 300 * edition)),
  'ransomwatch-groups': JSON.stringify(files.groups(150 + edition)),
});
const nvdRecords = (edition: number): readonly NvdRecord[] =>
  Array.from({ length: 900 }, (_, nth) =>
    files.nvdRecord(nth, new Date(timeOf(edition) - 3_600_000).toISOString().slice(0, -1)),
  );

function publish(edition: number): void {
  for (const [id, content] of Object.entries(contentOf(edition)))
    publisher.misbehave(id, goodFile(Buffer.from(content)));
  let nowMs = timeOf(edition);
  const now = () => {
    nowMs += 10_000;
    return nowMs;
  };
  publisher.misbehave('nvd', nvdPeer({ now, pageRecords: 400, records: () => nvdRecords(edition) }));
}

type Prepared = { readonly name: string; readonly url: string; readonly dataDir: string };
async function prepare(name: string): Promise<Prepared> {
  const database = await createTestDatabase();
  databases.push(database);
  const dataDir = join(root, name);
  mkdirSync(dataDir, { recursive: true });
  return { name, url: database.url, dataDir };
}

function workFile({ name, url, dataDir }: Prepared, mode: DatasetWork['mode'], edition: number): string {
  const ids = [...Object.keys(contentOf(0)), ...(mode === 'worker' ? ['nvd'] : [])];
  const work: DatasetWork = {
    databaseUrl: url,
    dataDir,
    mode,
    nowMs: timeOf(edition),
    allow: mode === 'worker' ? publisher.allow : '',
    datasets: ids.map((id) => ({ id, url: publisher.url(id), path: join(root, `edition-${edition}`, id) })),
  };
  const path = join(root, `${name}-${edition}.json`);
  writeFileSync(path, JSON.stringify(work));
  return path;
}

/** Resolves when the process has loaded its modules. */
async function start(file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [SCRIPT, file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await Promise.race([once(child, 'message'), ended(child)]);
  return child;
}
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null
      ? resolve(child.exitCode)
      : child.once('exit', (code) => resolve(code)),
  );

/** A busy machine may cost a worker its lease (exit 3); a supervisor would start it again. */
async function finish(file: string, said: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const child = await start(file);
    const code = await ended(child);
    if (code === LEASE_LOST && attempt < ATTEMPTS_MAX) continue;
    expect(code, said).toBe(0);
    return;
  }
}

type Phase = 'running' | 'staging' | 'merging' | 'posting';
type Interrupted = Readonly<Record<Phase, boolean>>;
const NOTHING: Interrupted = { running: false, staging: false, merging: false, posting: false };

/** The phases that the tables show: a run of the worker, staged records, records to make, a part of the posts. */
async function phasesOf(client: pg.Client): Promise<Interrupted> {
  const { rows } = await client.query<Interrupted>(`
    select exists (select from cve_stage) as staging, exists (select from cve_pending) as merging,
           exists (select from ransomware_load) as posting,
           exists (select from feed_run where status = 'running') as running`);
  return rows[0] ?? NOTHING;
}

/** Kills processes in one phase after the other, a random moment after the phase is seen. */
class Killer {
  readonly points: string[] = [];
  readonly counts: Record<Phase, number> = { running: 0, staging: 0, merging: 0, posting: 0 };
  readonly #random: () => number;
  readonly #client: pg.Client;
  readonly #targets: readonly Phase[];

  constructor(client: pg.Client, mode: DatasetWork['mode']) {
    this.#client = client;
    this.#random = seededRandom(`dataset-kill ${mode}`);
    // Only runs of the worker are recorded before they end.
    this.#targets =
      mode === 'worker' ? ['running', 'staging', 'merging', 'posting'] : ['staging', 'merging', 'posting'];
  }

  get said(): string {
    return `seed ${SEED}, killed ${this.points.join(', ')}`;
  }

  async kill(file: string, edition: number): Promise<void> {
    const target = this.#targets[this.points.length % this.#targets.length] ?? 'staging';
    const child = await start(file);
    while (child.exitCode === null && !(await phasesOf(this.#client))[target]) await sleep(POLL_MS);
    const delayMs = this.#random() * DELAY_MAX_MS;
    await Promise.race([sleep(delayMs), ended(child)]);
    child.kill('SIGKILL');
    await ended(child);
    if (child.signalCode !== 'SIGKILL') return;
    for (const [phase, isIn] of Object.entries(await phasesOf(this.#client)))
      if (isIn) this.counts[phase as Phase] += 1;
    this.points.push(`edition ${edition}, ${Math.round(delayMs)} ms into ${target}`);
  }
}

test.each(['load', 'worker'] as const)(
  `%s: killed ${KILLS_PER_MODE} times, it ends in the state of a run that was not`,
  async (mode) => {
    const [disturbed, clean] = [await prepare(`${mode}-killed`), await prepare(`${mode}-clean`)];
    const client = new pg.Client({ connectionString: disturbed.url });
    clients.push(client);
    await client.connect();
    const killer = new Killer(client, mode);
    for (let edition = 0; killer.points.length < KILLS_PER_MODE; edition += 1) {
      const folder = join(root, `edition-${edition}`);
      mkdirSync(folder, { recursive: true });
      for (const [id, content] of Object.entries(contentOf(edition)))
        writeFileSync(join(folder, id), content);
      publish(edition);
      await finish(workFile(clean, mode, edition), 'the clean run');
      publish(edition);
      const file = workFile(disturbed, mode, edition);
      for (let nth = 0; nth < KILLS_PER_EDITION; nth += 1) await killer.kill(file, edition);
      await finish(file, killer.said);
      expect(await digestDatasets(disturbed.url), killer.said).toEqual(await digestDatasets(clean.url));
      expect(await phasesOf(client), killer.said).toEqual(NOTHING);
    }
    keepResult(`dataset-kill-${mode}`, { kills: killer.points.length, ...killer.counts, differences: 0 });
  },
);
