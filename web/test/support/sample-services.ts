import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { seedSample } from '../../../demo/seed.ts';
import { loadConfig } from '../../../server/src/platform/config.ts';
import { createLog } from '../../../server/src/platform/log.ts';
import { migrate } from '../../../server/src/platform/migrate.ts';
import { cloneDatabase, databaseUrl, dropDatabase } from '../../../server/test/support/database.ts';
import type { PeerMode } from '../../../server/test/support/peers/peer-mode.ts';
import { startSamplePeers } from './sample-peers.ts';
import { type RunningService, startWebService } from './web-service.ts';

export type SampleServices = {
  readonly answering: RunningService;
  /**
   * Its providers all fail. It is a separate service, because the breaker stops asking a failed provider for a
   * while, also when the next scene needs its answer.
   */
  readonly failing: RunningService;
  readonly stop: () => Promise<void>;
};

/** Two services with the invented month of demo/ in their databases, and their providers on loopback. */
export async function startSampleServices(webDir: string): Promise<SampleServices> {
  const name = `assay_sample_${randomBytes(6).toString('hex')}`;
  const copy = `${name}_copy`;
  const ends: (() => Promise<unknown>)[] = [() => dropDatabase(copy), () => dropDatabase(name)];
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    await seed(databaseUrl(name));
    await copyDatabase(name, copy);
    const start = async (database: string, mode: PeerMode): Promise<RunningService> => {
      const peers = await startSamplePeers();
      ends.push(peers.close);
      for (const peer of peers.modal) peer.mode = mode;
      const env = { ...peers.env, DEMO: 'true' };
      const service = await startWebService({ databaseUrl: databaseUrl(database), env, webDir });
      ends.push(service.stop);
      return service;
    };
    return { answering: await start(name, 'answer'), failing: await start(copy, 'error'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function seed(url: string): Promise<void> {
  await migrate(url);
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-sample-'));
  try {
    const config = loadConfig({ ASSAY_ENV: 'test', DATABASE_URL: url, DATA_DIR: dataDir });
    await seedSample({ config, log: createLog('error') });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    await cloneDatabase(client, from, to);
  } finally {
    await client.end();
  }
}
