import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedSample } from '../../../demo/seed.ts';
import { loadConfig } from '../../../server/src/platform/config.ts';
import { createLog } from '../../../server/src/platform/log.ts';
import { migrate } from '../../../server/src/platform/migrate.ts';
import { databaseUrl, dropDatabase } from '../../../server/test/support/database.ts';
import type { LivePeers } from '../../../server/test/support/live-peers.ts';
import { startSamplePeers } from './sample-peers.ts';
import { type Stack, startStack } from './stack.ts';

export type SampleStack = Stack & { readonly peers: LivePeers };

/** The service with the invented month of demo/ in it, and everybody it asks on loopback: no data of anybody else's. */
export async function startSampleStack(webDir?: string): Promise<SampleStack> {
  const name = `assay_sample_${randomBytes(6).toString('hex')}`;
  const url = databaseUrl(name);
  await migrate(url);
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-sample-'));
  try {
    const config = loadConfig({ ASSAY_ENV: 'test', DATABASE_URL: url, DATA_DIR: dataDir });
    await seedSample({ config, log: createLog('error') });
  } catch (error) {
    await dropDatabase(name);
    throw error;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  const peers = await startSamplePeers();
  const stack = await startStack({
    databaseUrl: url,
    env: { ...peers.env, DEMO: 'true' },
    ...(webDir !== undefined && { webDir }),
  });
  const stop = async () => {
    await stack.stop();
    await peers.close();
    await dropDatabase(name);
  };
  return { ...stack, peers, stop };
}
