import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../server/src/platform/config.ts';
import { createLog, type Log } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { DAY_MS } from '../server/src/platform/time-units.ts';
import { buildDashboard } from '../start/build-dashboard.ts';
import { nextFreePort } from '../start/ports.ts';
import type { Steps } from '../start/steps.ts';
import { DemoError, type DemoOptions } from './cli-options.ts';
import type { Engine } from './engines/engine.ts';
import {
  databaseExists,
  databaseUrl,
  dropDatabase,
  openPostgres,
  relaxDatabase,
} from './engines/postgres.ts';
import { openRedis, removeKeys } from './engines/redis.ts';
import { type Home, type Kept, type KeyPair, newSecret, SAMPLE } from './home.ts';
import { seedSample } from './seed.ts';
import { saveChecks } from './seeding/save-checks.ts';
import { seedPublished, seedRecords } from './seeding/seed-all.ts';
import { seedPasswords } from './seeding/seed-passwords.ts';
import { withSeeding } from './seeding/seeding.ts';
import { type Environment, type Part, startPart, untilAnswered, untilReady } from './service.ts';

const FIRST_PORT = 8080;

export type Demo = {
  readonly url: string;
  readonly hasDashboard: boolean;
  readonly keyPair: KeyPair;
  readonly broken: Promise<string>;
};

type Undo = () => unknown;

export type Cleanup = { readonly add: (undo: Undo) => void; readonly run: () => Promise<void> };

export function createCleanup(): Cleanup {
  const undos: Undo[] = [];
  return {
    add: (undo) => void undos.push(undo),
    run: async () => {
      for (let undo = undos.pop(); undo !== undefined; undo = undos.pop())
        // A step that fails must not stop the others.
        await Promise.resolve(undo()).catch((error: unknown) =>
          process.stderr.write(`While stopping: ${error instanceof Error ? error.message : String(error)}\n`),
        );
    },
  };
}

export type Stage = {
  readonly options: DemoOptions;
  readonly home: Home;
  readonly steps: Steps;
  readonly cleanup: Cleanup;
  readonly signal: AbortSignal;
};

export async function runDemo(stage: Stage): Promise<Demo> {
  const { options, home, steps, signal } = stage;
  const building = buildDashboard(options.build);
  const port = await choosePort(options.port);
  const { postgres, redis } = await openEngines(stage);
  signal.throwIfAborted();
  const kept = await openKept(stage, postgres);
  const secrets = kept ?? { secretKey: newSecret(), keyPepper: newSecret() };
  const env = environmentOf(stage, { postgres, redis, port, secrets });
  if (kept === null) await loadSample(stage, postgres, env);
  else steps.say('Kept data found; --fresh loads it again');
  signal.throwIfAborted();
  steps.doing('Building the dashboard');
  const dashboard = await building;
  if (dashboard.note !== null) steps.say(dashboard.note);
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(home.folder, 'api.log');
  const api = startPart('api', env, logFile);
  stage.cleanup.add(api.stop);
  home.note({ url, startedPids: pidsOf(postgres, redis, api) });
  const keyPair = await fill(stage, { env, kept, whenReady: () => apiReady(stage, api, url, logFile) });
  const worker = startPart('worker', env, join(home.folder, 'worker.log'));
  stage.cleanup.add(worker.stop);
  home.note({ url, startedPids: pidsOf(postgres, redis, api, worker) });
  steps.doing('Waiting for the key');
  await untilAnswered(api, url, keyPair.header, logFile, signal);
  if (kept === null) await saveChecks(url, keyPair.header);
  home.keep({
    ...secrets,
    sample: SAMPLE,
    postgresUrl: postgres.isOwn ? null : postgres.url,
    loadedAtMs: kept?.loadedAtMs ?? Date.now(),
    keyPair,
  });
  steps.say('API and worker ready');
  const broken = Promise.race([endOf(api, 'API'), endOf(worker, 'worker')]);
  return { url, hasDashboard: dashboard.isBuilt, keyPair, broken };
}

async function apiReady({ steps, signal }: Stage, api: Part, url: string, logFile: string): Promise<void> {
  steps.doing('Starting the API');
  await untilReady(api, url, logFile, signal);
}

type Filling = {
  readonly env: Environment;
  readonly kept: Kept | null;
  readonly whenReady: () => Promise<void>;
};

/**
 * Loads everything besides the lists while the API starts, and publishes it once the API has a replica. The worker is not
 * running yet, so that nothing is done twice.
 */
async function fill({ steps, signal }: Stage, { env, kept, whenReady }: Filling): Promise<KeyPair> {
  if (kept !== null) {
    await whenReady();
    return kept.keyPair;
  }
  const options = { config: loadConfig(env), log: quietLog(), signal, onProgress: steps.doing };
  return withSeeding(options, async (seeding) => {
    const { keyPair, by } = await seedRecords(seeding);
    steps.doing('Loading breached passwords');
    await seedPasswords(seeding);
    steps.say('Vulnerabilities, claims, passwords and the work of an organization loaded');
    await whenReady();
    await seedPublished(seeding, by);
    steps.say('Blocklists, TAXII collections and the address database published');
    return keyPair;
  });
}

async function choosePort(asked: number | null): Promise<number> {
  const port = await nextFreePort(asked ?? FIRST_PORT);
  if (port === null || (asked !== null && port !== asked))
    throw new DemoError(
      `Port ${asked ?? FIRST_PORT} is taken. Leave --port out and the next free one is used.`,
    );
  return port;
}

const pidsOf = (...started: readonly { readonly pid: number | null }[]): number[] =>
  started.flatMap(({ pid }) => (pid === null ? [] : [pid]));

async function openEngines({ home, steps, cleanup }: Stage): Promise<{ postgres: Engine; redis: Engine }> {
  const postgres = await openPostgres(process.env.DATABASE_URL, home.folder);
  cleanup.add(postgres.stop);
  home.note({ url: null, startedPids: pidsOf(postgres) });
  const redis = await openRedis(process.env.REDIS_URL, home.folder);
  cleanup.add(redis.stop);
  home.note({ url: null, startedPids: pidsOf(postgres, redis) });
  const said = ({ isOwn, url }: Engine) => (isOwn ? 'started' : `found on ${new URL(url).host}`);
  steps.say(`PostgreSQL ${said(postgres)}, Redis ${said(redis)}`);
  return { postgres, redis };
}

/** The kept data, if it belongs to the server in use and its database still exists. */
async function openKept({ options, home, steps }: Stage, postgres: Engine): Promise<Kept | null> {
  const { kept } = home;
  if (kept === null || options.fresh) return null;
  const isSameServer = kept.postgresUrl === (postgres.isOwn ? null : postgres.url);
  if (!isSameServer || !(await databaseExists(postgres.url, home.database))) return null;
  const days = Math.floor((Date.now() - kept.loadedAtMs) / DAY_MS);
  if (days > 0) steps.say(`The kept data is ${days} day${days === 1 ? '' : 's'} old`);
  return kept;
}

type Parts = {
  readonly postgres: Engine;
  readonly redis: Engine;
  readonly port: number;
  readonly secrets: Pick<Kept, 'secretKey' | 'keyPepper'>;
};

/** The public limits protect against strangers; here one person tries everything (decisions O3). */
const RAISED_LIMITS = {
  PUBLIC_PER_MINUTE: '100000',
  ANON_PER_HOUR: '100000',
  ANON_PER_MONTH: '1000000',
  AUTH_FAILURES_PER_MINUTE: '1000',
} as const;

function environmentOf({ options, home, cleanup }: Stage, parts: Parts): Environment {
  const { postgres, redis, port, secrets } = parts;
  if (!options.keep && !redis.isOwn) cleanup.add(() => removeKeys(redis.url, home.redisPrefix));
  if (!options.keep && !postgres.isOwn) cleanup.add(() => dropDatabase(postgres.url, home.database));
  const url = `http://127.0.0.1:${port}`;
  return {
    ASSAY_ENV: 'development',
    DEMO: 'true',
    // The one login owns the database and serves it, which only a machine used by one person may allow.
    ALLOW_POWERFUL_LOGIN: 'true',
    DATABASE_URL: databaseUrl(postgres.url, home.database),
    REDIS_URL: redis.url,
    REDIS_PREFIX: home.redisPrefix,
    DATA_DIR: home.dataDir,
    HTTP_PORT: String(port),
    METRICS_PORT: '0',
    PUBLIC_API_URL: url,
    PUBLIC_WEB_URL: url,
    SECRET_KEY: secrets.secretKey,
    KEY_PEPPER: secrets.keyPepper,
    // The sample's publisher ends with the seeding, so nothing can be fetched again.
    FEEDS_ENABLED: 'false',
    LIVE_PROVIDERS: options.live ? 'dns,rdap,ct,internetdb,tenant' : 'none',
    ...RAISED_LIMITS,
  };
}

async function loadSample({ home, steps, signal }: Stage, postgres: Engine, env: Environment): Promise<void> {
  steps.doing('Creating the database');
  await dropDatabase(postgres.url, home.database);
  if (existsSync(home.dataDir)) rmSync(home.dataDir, { recursive: true });
  mkdirSync(home.dataDir, { recursive: true, mode: 0o700 });
  const config = loadConfig(env);
  await migrate(config.DATABASE_URL);
  await relaxDatabase(postgres.url, home.database);
  steps.say('Database created');
  const report = await seedSample({
    config,
    log: quietLog(),
    signal,
    onProgress: ({ runs, runsTotal }) => steps.doing(`Loading the sample lists: ${runs} of ${runsTotal}`),
    onStep: steps.doing,
  });
  const listings = report.listings.toLocaleString('en-US');
  steps.say(`${report.sources} sample lists of ${report.days} days loaded: ${listings} entries`);
}

const quietLog = (): Log => createLog('error', { write: (line) => void process.stderr.write(line) });

const endOf = ({ child }: Part, name: string): Promise<string> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(`The ${name} ended (${signal ?? `code ${code}`}).`));
  });
