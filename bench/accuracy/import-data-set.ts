import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { corpusDataset } from '../../server/src/capabilities/corpus/index.ts';
import { computeLineage } from '../../server/src/capabilities/source-trust/index.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { migrate } from '../../server/src/platform/migrate.ts';
import { asSystem, type Postgres } from '../../server/src/platform/postgres.ts';
import { openReplicator } from '../../server/src/platform/replica/replicator.ts';
import { keepSignals } from './kept-signals.ts';

const MAIN = join(import.meta.dirname, '../../server/src/app/main.ts');
const URLS_A_FETCH = 20_000;
/** The replica holds only digests of URLs, so their text is stored beside it. */
export const urlsFile = (dataDir: string): string => join(dataDir, 'urls.txt');
const [log, clock] = [createLog('silent'), systemClock()];

/**
 * Imports the data set like an operator, with its own dates, runs the lineage job once and builds the replica in
 * `dataDir`. The database is dropped at the end, after what else is to be done with it: measuring needs only the replica and
 * the URLs.
 */
export async function importDataSet(
  serverUrl: string,
  data: string,
  dataDir: string,
  also: (system: Postgres) => Promise<void> = async () => undefined,
): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = `/assay_bench_accuracy_${process.pid}`;
  try {
    await migrate(url.href);
    await runImport(url.href, data, dataDir);
    const system = asSystem({ DATABASE_URL: url.href, POSTGRES_POOL_MAX: 4 });
    try {
      await computeLineage({ system, clock, log });
      await keepReplica(system, dataDir);
      await keepUrls(url.href, urlsFile(dataDir));
      await keepSignals(system, dataDir);
      await also(system);
    } finally {
      await system.close();
    }
  } finally {
    await dropDatabase(url);
  }
}

async function runImport(databaseUrl: string, data: string, dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'admin', 'feeds', 'import-manifest', data, '--json'], {
    env: { PATH: process.env.PATH, ASSAY_ENV: 'test', DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const piece of child.stdout) text += String(piece);
  const { sources } = JSON.parse(text) as { sources: readonly { id: string; status: string }[] };
  const missing = sources.filter(({ status }) => status !== 'imported').map(({ id }) => id);
  if (missing.length > 0) throw new Error(`Not imported: ${missing.join(', ')}.`);
}

async function keepReplica(postgres: Postgres, dataDir: string): Promise<void> {
  const replicator = await openReplicator({ postgres, dataset: corpusDataset, dataDir, log, clock });
  await replicator.close();
}

/** Every listed URL, one per line: a canonical URL has no line break. */
export async function keepUrls(databaseUrl: string, path: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await pipeline(Readable.from(urlLines(client)), createWriteStream(path));
  } finally {
    await client.end();
  }
}

async function* urlLines(client: pg.Client): AsyncGenerator<string> {
  await client.query('begin');
  await client.query(`
    declare listed_url no scroll cursor for
     select value from indicator i
      where key >= '\\x06' and key < '\\x07' and exists (select 1 from listing l where l.key = i.key)
      order by key`);
  for (;;) {
    const { rows } = await client.query<{ value: string }>(`fetch ${URLS_A_FETCH} from listed_url`);
    if (rows.length === 0) break;
    yield `${rows.map(({ value }) => value).join('\n')}\n`;
  }
  await client.query('commit');
}

async function dropDatabase(url: URL): Promise<void> {
  const client = new pg.Client({ connectionString: new URL('/postgres', url).href });
  await client.connect();
  await client.query(`drop database if exists "${url.pathname.slice(1)}" with (force)`);
  await client.end();
}
