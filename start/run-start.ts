import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mergeSettings, type SettingsPlaces, type Values } from '../server/launch/settings-files.ts';
import { type Config, ConfigError, loadConfig } from '../server/src/platform/config.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { loginProblems, loginsOf, makeLogins } from '../server/src/platform/service-logins.ts';
import type { Program } from './build-bundle.ts';
import type { Dashboard } from './build-dashboard.ts';
import {
  type Connections,
  DEFAULT_REDIS,
  findOwner,
  redisOf,
  serviceConnections,
  valuesToKeep,
} from './connections.ts';
import { claimDataFolder } from './data-folder.ts';
import { findPostgres } from './engines/find-postgres.ts';
import { findRedis } from './engines/find-redis.ts';
import { startHelp } from './engines/install-help.ts';
import { findPostgresPrograms, findRedisProgram } from './engines/programs.ts';
import { createFirstKey, type FirstKey, hasKey } from './first-key.ts';
import { writeGeneratedFile } from './generated-file.ts';
import { lastLinesOf, type Part, type PartSpec, startPart } from './part.ts';
import { anyFreePort, nextFreePort, portProblem } from './ports.ts';
import { StartError } from './start-error.ts';
import type { Steps } from './steps.ts';

const READY_WITHIN_MS = 300_000;
const POLL_MS = 200;
const ASK_TIMEOUT_MS = 10_000;
const WORKER_GRACE_MS = 60_000;
const API_GRACE_MS = 90_000;

export type Stage = {
  readonly places: SettingsPlaces;
  readonly steps: Steps;
  /** Aborted when a person asks to stop, and again for those who cannot wait. */
  readonly signal: AbortSignal;
  readonly hurry: AbortSignal;
  /** Builds what is missing or older than its sources. */
  readonly build: () => Promise<readonly [Dashboard, Program]>;
  /** Adds a step of the end; the last one added runs first. */
  readonly atEnd: (step: () => unknown) => void;
};

export type Started = {
  readonly url: string;
  readonly hasDashboard: boolean;
  /** Null where the database has a key that can be used. */
  readonly key: FirstKey | null;
  /** Whether the keys that the database already had were created with other secrets. */
  readonly hasForeignKeys: boolean;
  readonly config: Config;
  readonly generatedFile: string;
  readonly logs: string;
};

export async function runStart(stage: Stage): Promise<Started> {
  const { places, steps, signal } = stage;
  const dataDir = dirname(places.generatedFile);
  const claim = claimDataFolder(dataDir);
  stage.atEnd(claim.release);
  const { owner, service, kept } = await findEngines(stage);
  const { env, config, url } = await environmentOf({ ...places, generated: kept }, service);
  const built = stage.build();
  await setUpDatabase(owner, service, stage);
  const hadKey = await hasKey(owner);
  steps.doing('Building the dashboard and the bundle of the server');
  const [dashboard, program] = await built;
  for (const { note } of [program, dashboard]) if (note !== null) steps.say(note);
  signal.throwIfAborted();
  steps.doing('Starting the API and the worker');
  const logs = join(dataDir, 'logs');
  const parts = startParts(stage, { main: program.main, env, logs });
  // Keys of another pepper cannot be verified, so they count as none.
  const isOwnPepper = kept.KEY_PEPPER === undefined || places.generated.KEY_PEPPER !== undefined;
  const key = hadKey && isOwnPepper ? null : await createFirstKey(program.main, env);
  await untilServing(parts, { url, header: key?.header, signal });
  claim.note(url);
  return {
    url,
    hasDashboard: dashboard.isBuilt,
    key,
    hasForeignKeys: hadKey && !isOwnPepper,
    config,
    generatedFile: shortPath(places.generatedFile),
    logs: shortPath(logs),
  };
}

const shortPath = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
};

type Engines = {
  readonly owner: string;
  readonly service: Connections;
  /** What `assay.env` holds now. */
  readonly kept: Values;
};

async function findEngines({ places, steps }: Stage): Promise<Engines> {
  steps.doing('Looking for PostgreSQL and Redis');
  const redisUrl = redisOf(places);
  const [postgres, hasRedis] = await Promise.all([findPostgres(findOwner(places)), findRedis(redisUrl)]);
  if (postgres.owner === null || !hasRedis) throw new StartError(helpFor(postgres.owner !== null, hasRedis));
  const { owner } = postgres;
  const service = serviceConnections(owner, places);
  const kept = valuesToKeep(places, service);
  writeGeneratedFile(places.generatedFile, kept);
  const { host } = new URL(owner);
  if ('command' in postgres)
    throw new StartError(
      `PostgreSQL on ${host} asks for a password. Create a login for Assay with this command, then run npm start again:\n\n  ${postgres.command}\n\nOr name a login of yours that may create databases and roles: DATABASE_URL=postgres://USER:PASSWORD@${host}/assay npm start`,
    );
  steps.say(`PostgreSQL found on ${host}, Redis on ${URL.parse(redisUrl ?? DEFAULT_REDIS)?.host}`);
  return { owner, service, kept };
}

function helpFor(hasPostgres: boolean, hasRedis: boolean): string {
  const missing = [
    ...(hasPostgres ? [] : [{ name: 'PostgreSQL', isInstalled: findPostgresPrograms() !== null } as const]),
    ...(hasRedis ? [] : [{ name: 'Redis', isInstalled: findRedisProgram() !== null } as const]),
  ];
  return startHelp(missing, { platform: process.platform, isRoot: process.getuid?.() === 0 });
}

type ServiceEnvironment = {
  readonly env: Record<string, string>;
  readonly config: Config;
  readonly url: string;
};

/** The settings of the parts: those of the operator, the generated ones, and never the login of the owner. */
async function environmentOf(places: SettingsPlaces, service: Connections): Promise<ServiceEnvironment> {
  const merged = mergeSettings([
    { DATABASE_URL: service.DATABASE_URL, SYSTEM_DATABASE_URL: service.SYSTEM_DATABASE_URL },
    { ...places.environment, MIGRATE_DATABASE_URL_FILE: '' },
    { ...places.written, MIGRATE_DATABASE_URL_FILE: '' },
    places.generated,
  ]);
  const asked = configOf(merged);
  const port = asked.HTTP_PORT === 0 ? await anyFreePort() : asked.HTTP_PORT;
  await refuseTakenPort(asked.HTTP_HOST, port);
  const host = ['0.0.0.0', '::'].includes(asked.HTTP_HOST) ? '127.0.0.1' : asked.HTTP_HOST;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const env = mergeSettings([
    { HTTP_PORT: String(port) },
    merged,
    { PUBLIC_API_URL: url, PUBLIC_WEB_URL: url },
  ]);
  return { env, config: configOf(env), url };
}

function configOf(env: Values): Config {
  try {
    return loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) throw new StartError(error.message);
    throw error;
  }
}

async function refuseTakenPort(host: string, port: number): Promise<void> {
  const problem = await portProblem(port, host);
  if (problem === null) return;
  const other = (await nextFreePort(port + 1)) ?? port + 1;
  throw new StartError(
    problem === 'EADDRINUSE'
      ? `Port ${port} on ${host} is taken by another program. Use another one: HTTP_PORT=${other} npm start`
      : `The API cannot listen on ${host} port ${port} (${problem}). Use another port or address: HTTP_PORT=${other} HTTP_HOST=127.0.0.1 npm start`,
  );
}

/** Creates the database, its tables and the logins of the service. */
async function setUpDatabase(owner: string, service: Connections, { steps }: Stage): Promise<void> {
  const name = decodeURIComponent(new URL(owner).pathname.slice(1));
  steps.doing(`Setting up the database ${name}`);
  try {
    const logins = loginsOf(service);
    const [problem] = await loginProblems(owner, service, logins);
    if (problem !== undefined) throw new Error(problem.replace(/\.$/, ''));
    const { createdDatabase, applied } = await migrate(owner);
    await makeLogins(owner, logins);
    steps.say(
      createdDatabase
        ? `Database ${name} created`
        : `Database ${name} found${applied.length === 0 ? ', up to date' : `, ${applied.length} migrations applied`}`,
    );
  } catch (error) {
    const { message, cause } = error as Error;
    const because = cause instanceof Error ? ` Because: ${cause.message}.` : '';
    throw new StartError(
      `The database ${name} could not be set up: ${message}.${because} npm start uses the PostgreSQL login '${new URL(owner).username}'; name another one in MIGRATE_DATABASE_URL, or another database in DATABASE_URL.`,
    );
  }
}

function startParts(
  { steps, hurry, atEnd }: Stage,
  common: Pick<PartSpec, 'main' | 'env' | 'logs'>,
): readonly Part[] {
  const { say } = steps;
  const api = startPart({ ...common, say, name: 'API', command: 'api', readyType: 'listening' });
  atEnd(() => api.stop(API_GRACE_MS));
  const worker = startPart({ ...common, say, name: 'worker', command: 'worker', readyType: 'working' });
  // The worker judges with the replica that the API's replicator writes, so it stops first.
  atEnd(() => worker.stop(WORKER_GRACE_MS));
  hurry.addEventListener('abort', () => void Promise.all([worker.stop(0), api.stop(0)]));
  return [api, worker];
}

type Target = { readonly url: string; readonly header: string | undefined; readonly signal: AbortSignal };

/** Serving: both parts said so, the node is ready, and it knows the new key, which reaches it through replication. */
async function untilServing(parts: readonly Part[], { url, header, signal }: Target): Promise<void> {
  const endMs = performance.now() + READY_WITHIN_MS;
  for (const part of parts)
    if ((await Promise.race([part.ready, aborted(signal)])) === null && !signal.aborted)
      throw new StartError(
        `The ${part.name} did not start. The end of ${part.logFile}:\n${lastLinesOf(part)}`,
      );
  const isServing = async () =>
    (await statusOf(`${url}/readyz`)) === 200 &&
    (header === undefined || (await statusOf(`${url}/user/me`, { 'x-api-key': header })) !== 401);
  while (!(await isServing())) {
    signal.throwIfAborted();
    if (performance.now() > endMs)
      throw new StartError(
        `The API is not ready after 5 minutes. ${url}/health says why; its log: ${parts[0]?.logFile}`,
      );
    await sleep(POLL_MS);
  }
}

export function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}
