import { z } from 'zod';
import { pruneAccess } from '#capabilities/access/index.ts';
import { referenceWorkerPart } from '#capabilities/enrichment/index.ts';
import {
  CATALOGUE,
  type FeedsWorkerDeps,
  feedsWorkerPart,
  lineageWorkerPart,
  reliabilityWorkerPart,
  startFeeds,
} from '#capabilities/feeds/index.ts';
import { providersWorkerPart } from '#capabilities/providers/index.ts';
import { searchWorkerPart } from '#capabilities/search/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { createRelay, trimOutbox } from '#platform/events.ts';
import { type Cron, createWorker, type Job, type JobContext, job } from '#platform/jobs.ts';
import type { Log } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import type { Redis } from '#platform/redis.ts';
import { trimChangeLog } from '#platform/replica/change-log.ts';

/** What a capability contributes to the worker. */
export type WorkerPart = {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
};

export type BuildWorkerOptions = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly redis: Redis;
  readonly parts: readonly WorkerPart[];
  readonly concurrency?: number;
  /** This worker was taken for dead and its jobs are somebody else's: the process should end. */
  readonly onLeaseLost: () => void;
};

export type BuiltWorker = {
  /** Takes no new work, lets running jobs end, flushes the relay, closes what it opened. */
  readonly stop: () => Promise<void>;
};

const CONCURRENCY = 4;
/** The listening connection, one for the relay and one for pruning. */
const RELAY_CONNECTIONS = 3;
const RELAY_LIMITS = {
  acquireTimeoutMs: 5_000,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 5_000,
  queryTimeoutMs: 12_000,
} as const;

/** The worker process: every capability's jobs, the relay of events, and the housekeeping that belongs to nobody. */
export function buildWorker(options: BuildWorkerOptions): BuiltWorker {
  const { config, log, clock } = options;
  const system = asSystem({ ...config, POSTGRES_POOL_MAX: RELAY_CONNECTIONS }, RELAY_LIMITS);
  const parts = [
    ...options.parts,
    providersWorkerPart({ clock }),
    searchWorkerPart(),
    housekeeping(system, clock),
  ];
  const relay = createRelay({ postgres: system, redis: options.redis, prefix: config.REDIS_PREFIX, log });
  const worker = createWorker({
    config,
    log,
    clock,
    jobs: parts.flatMap((part) => part.jobs),
    crons: parts.flatMap((part) => part.crons),
    concurrency: options.concurrency ?? CONCURRENCY,
    onLeaseLost: options.onLeaseLost,
  });
  return {
    stop: async () => {
      await worker.stop();
      await relay.stop();
      await system.close();
    },
  };
}

export type BuiltFeeds = {
  readonly parts: readonly WorkerPart[];
  /** Call it when the worker takes jobs: registers the catalogue and asks for the first sources, if it may fetch. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Fetching of sources: the catalogue, the way out, and connections with the patience of a merge. Who copies whom is
 * measured also where nothing is fetched: lists imported by hand copy each other as well.
 */
export function buildFeeds({
  config,
  log,
  clock,
}: Pick<BuildWorkerOptions, 'config' | 'log' | 'clock'>): BuiltFeeds {
  const system = asSystem(config);
  const outbound = createOutbound({ log, clock });
  const deps: FeedsWorkerDeps = {
    system,
    clock,
    log,
    outbound,
    dataDir: config.DATA_DIR,
    keys: (env) => publisherKeyOf(config, env),
    catalogue: CATALOGUE,
    atOnceMax: config.FEEDS_CONCURRENCY,
  };
  const fetches = config.FEEDS_ENABLED;
  return {
    parts: [
      lineageWorkerPart(deps),
      reliabilityWorkerPart(deps),
      ...(fetches
        ? [feedsWorkerPart(deps), referenceWorkerPart({ ...deps, urls: referenceUrlsOf(config) })]
        : []),
    ],
    // The schedule goes on without it: what is registered already is fetched all the same.
    start: async () => {
      if (!fetches) return;
      await startFeeds(deps).catch((error: unknown) => log.error({ err: error }, 'feeds.start.failed'));
    },
    stop: async () => {
      await outbound.close();
      await system.close();
    },
  };
}

const referenceUrlsOf = (config: Config) => ({
  geo: config.REFERENCE_GEO_URL,
  asn: config.REFERENCE_ASN_URL,
  attack: config.REFERENCE_ATTACK_URL,
});

/** Keys are declared variables like any other; the catalogue knows them by name. */
export function publisherKeyOf(config: Config, env: string): string | undefined {
  const value: unknown = Object.hasOwn(config, env) ? config[env as keyof Config] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const TRIM_TIMEOUT_MS = 600_000;
const TRIM_BATCHES_MAX = 200;

/** Each runs once per time, whichever worker gets it; a run missed while no worker was up is made up for. */
function housekeeping(system: Postgres, clock: Clock): WorkerPart {
  const trims: readonly (readonly [
    name: string,
    pattern: string,
    run: (context: JobContext) => Promise<number>,
  ])[] = [
    ['housekeeping.trim-outbox', '7 * * * *', trimOutboxInBatches],
    [
      'housekeeping.trim-change-log',
      '23 2 * * *',
      (context) => context.transaction((tx) => trimChangeLog(tx, clock.now())),
    ],
    ['housekeeping.prune-access', '37 * * * *', () => pruneAccess(system, clock)],
  ];
  return {
    jobs: trims.map(([name, , run]) =>
      job({
        name,
        schema: z.object({}),
        timeoutMs: TRIM_TIMEOUT_MS,
        run: async (context) => {
          const rows = await run(context);
          context.log.info({ rows }, 'housekeeping.trimmed');
        },
      }),
    ),
    crons: trims.map(([name, pattern]) => ({ job: name, pattern, catchUpMs: 3_600_000, maxAttempts: 3 })),
  };
}

/** Small transactions: a day's events at once would hold back everybody's vacuum. */
async function trimOutboxInBatches(context: JobContext): Promise<number> {
  let rows = 0;
  for (let batch = 0; batch < TRIM_BATCHES_MAX; batch += 1) {
    const trimmed = await context.transaction((tx) => trimOutbox(tx));
    rows += trimmed;
    if (trimmed === 0) break;
  }
  return rows;
}
