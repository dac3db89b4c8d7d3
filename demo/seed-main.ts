import { readTotalThreats } from '../server/src/capabilities/analytics/index.ts';
import { listSources } from '../server/src/capabilities/corpus/index.ts';
import { type Config, ConfigError, loadConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { asSystem } from '../server/src/platform/postgres.ts';
import { DemoError } from './cli-options.ts';
import { SOURCES } from './sample/sources.ts';
import { seedSample } from './seed.ts';
import { seedRecords } from './seeding/seed-all.ts';
import { withSeeding } from './seeding/seeding.ts';

/**
 * Service `demo-seed` of compose: loads the sample once into the migrated database of DATABASE_URL and creates a key
 * pair.
 */
try {
  await main(loadConfig());
} catch (error) {
  const isExpected = error instanceof DemoError || error instanceof ConfigError;
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
}

async function main(config: Config): Promise<void> {
  const state = await stateOf(config);
  if (state === 'other')
    throw new DemoError('This database holds lists of its own. The sample is only loaded into an empty one.');
  if (state === 'partial')
    throw new DemoError(
      'The sample was stopped half-way. Remove the database (docker compose … down --volumes) and start again.',
    );
  if (state === 'loaded') return say('The sample is loaded already; nothing was changed.');
  const log = createLog('error');
  const { keyPair } = await withSeeding({ config, log }, seedRecords);
  const { apiKey, apiSecret, header } = keyPair;
  const report = await seedSample({ config, log });
  say(
    `${report.sources} sample lists loaded: ${report.listings.toLocaleString('en-US')} entries, all invented.`,
  );
  say(`Open ${config.PUBLIC_WEB_URL}/app/sign-in?with=key as soon as the API runs, and sign in:`);
  say(`  API key     ${apiKey}\n  API secret  ${apiSecret}\n  X-API-KEY: ${header}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Statistics are written last, so they show whether the sample is complete. */
async function stateOf(config: Config): Promise<'empty' | 'partial' | 'loaded' | 'other'> {
  const system = asSystem({ ...config, POSTGRES_POOL_MAX: 1 });
  try {
    const sample = new Set(SOURCES.map(({ id }) => id));
    const filled = (await listSources(system.db)).filter(({ lastFetchAtS }) => lastFetchAtS > 0);
    if (filled.some(({ id }) => !sample.has(id))) return 'other';
    if (filled.length === 0) return 'empty';
    return (await readTotalThreats(system.db)) === null ? 'partial' : 'loaded';
  } finally {
    await system.close();
  }
}
