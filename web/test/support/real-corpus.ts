import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '../../../server/test/support/database.ts';
import { eventually } from '../../../server/test/support/eventually.ts';
import { MAIN } from '../../../server/test/support/main-file.ts';
import { admin } from '../../../server/test/support/service.ts';
import { type Stack, startStack } from './stack.ts';

/** The folder of real lists. It is no part of the project and may be absent. */
const DATA = join(import.meta.dirname, '../../../../shared/data');
export const hasRealData = (): boolean => existsSync(join(DATA, 'MANIFEST.json'));

const LOADED_WITHIN_MS = 300_000;
/** The worker counts once a minute, and counting millions of rows takes long on a shared machine. */
const COUNTED_WITHIN_MS = 420_000;

export type RealStack = Stack & {
  /** Returns `count` listed indicators of each type, always the same for the same data. */
  readonly sample: (count: number) => Promise<Readonly<Record<RealType, readonly string[]>>>;
};

/** The values of the first byte of an indicator's key, which stands for its type. */
const KEYS = { ip: [1], domain: [5], url: [6], hash: [7, 8, 9] } as const;
export type RealType = keyof typeof KEYS;

/**
 * Sets up the service as an operator would: imports lists and reference data, starts the API and a worker that fetches
 * nothing.
 */
export async function startRealStack(): Promise<RealStack> {
  const database = await createTestDatabase();
  const ends: (() => Promise<unknown>)[] = [database.drop];
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const stack = await startOn(database.url, ends);
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    ends.push(() => owner.end());
    return { ...stack, stop, sample: (count) => sampleOf(owner, count) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOn(databaseUrl: string, ends: (() => Promise<unknown>)[]): Promise<Stack> {
  const env = { ASSAY_ENV: 'test', DATABASE_URL: databaseUrl };
  await admin(env, ['feeds', 'import-manifest', DATA, '--rebase']);
  await admin(env, ['reference', 'import-manifest', DATA]);
  const stack = await startStack({ databaseUrl, waitReady: false });
  ends.push(stack.stop);
  await eventually('the service has loaded the listings', LOADED_WITHIN_MS, async () => {
    const answer = await fetch(`${stack.service.url}/readyz`).catch(() => null);
    return answer?.ok === true;
  });
  const worker = spawn(process.execPath, [MAIN, 'worker'], {
    env: { PATH: process.env.PATH, ...stack.service.env, FEEDS_ENABLED: 'false' },
    stdio: 'ignore',
  });
  const gone = new Promise((resolve) => worker.once('exit', resolve));
  ends.push(() => {
    worker.kill('SIGTERM');
    return gone;
  });
  await eventually('the worker has counted the listings', COUNTED_WITHIN_MS, async () => {
    const answer = await fetch(`${stack.service.url}/analytics`);
    const { geoThreatMap = [] } = (await answer.json()) as { geoThreatMap?: unknown[] };
    return geoThreatMap.length > 0;
  });
  return stack;
}

async function sampleOf(
  owner: pg.Client,
  count: number,
): Promise<Readonly<Record<RealType, readonly string[]>>> {
  const sampled: Record<RealType, readonly string[]> = { ip: [], domain: [], url: [], hash: [] };
  for (const type of Object.keys(KEYS) as RealType[]) {
    const { rows } = await owner.query<{ value: string }>(
      `select value from indicator i
        where get_byte(key, 0) = any($1) and exists (select 1 from listing l where l.key = i.key)
        order by md5(key) limit $2`,
      [KEYS[type], count],
    );
    sampled[type] = rows.map(({ value }) => value);
  }
  return sampled;
}
