import { z } from 'zod';
import { pruneAccess } from '#capabilities/access/index.ts';
import { accountsWorkerPart } from '#capabilities/accounts/index.ts';
import { actionCenterWorkerPart } from '#capabilities/action-center/index.ts';
import { type AlertMail, alertsWorkerPart } from '#capabilities/alerts/index.ts';
import { analyticsWorkerPart, type StatisticsDeps } from '#capabilities/analytics/index.ts';
import { billingWorkerPart } from '#capabilities/billing/index.ts';
import {
  type BlocklistsWorkerDeps,
  BUILD_LISTS,
  blocklistsWorkerPart,
} from '#capabilities/blocklists/index.ts';
import { casesWorkerPart } from '#capabilities/cases/index.ts';
import { CATALOGUE } from '#capabilities/catalogue/index.ts';
import { corpusWorkerPart } from '#capabilities/corpus/index.ts';
import { cveWorkerPart } from '#capabilities/cve/index.ts';
import { type CveWatchWorkerDeps, cveWatchWorkerPart } from '#capabilities/cve-watch/index.ts';
import { datasetsWorkerPart, startDatasets } from '#capabilities/datasets/index.ts';
import { referenceWorkerPart } from '#capabilities/enrichment/index.ts';
import { factorsWorkerPart } from '#capabilities/factors/index.ts';
import { type FeedsWorkerDeps, feedsWorkerPart, startFeeds } from '#capabilities/feeds/index.ts';
import { formsWorkerPart } from '#capabilities/forms/index.ts';
import { type LettersWorkerDeps, lettersWorkerPart, openLetters } from '#capabilities/letters/index.ts';
import { BUILD_MMDB, type MmdbWorkerDeps, mmdbWorkerPart } from '#capabilities/mmdb/index.ts';
import { type MonitoringWorkerDeps, monitoringWorkerPart } from '#capabilities/monitoring/index.ts';
import { orgIndicatorsWorkerPart } from '#capabilities/org-indicators/index.ts';
import { organizationsWorkerPart } from '#capabilities/organizations/index.ts';
import { providersWorkerPart } from '#capabilities/providers/index.ts';
import { enqueueBuild } from '#capabilities/publications/index.ts';
import { ransomwareWorkerPart } from '#capabilities/ransomware/index.ts';
import { searchWorkerPart } from '#capabilities/search/index.ts';
import { signalsWorkerPart, type TrainDeps } from '#capabilities/signals/index.ts';
import { lineageWorkerPart, reliabilityWorkerPart } from '#capabilities/source-trust/index.ts';
import { ssoWorkerPart } from '#capabilities/sso/index.ts';
import { standingWorkerPart } from '#capabilities/standing/index.ts';
import { type StatusWorkerDeps, statusWorkerPart } from '#capabilities/status/index.ts';
import { storageWorkerPart } from '#capabilities/storage/index.ts';
import { KEEP_COLLECTIONS, taxiiWorkerPart } from '#capabilities/taxii/index.ts';
import { usageWorkerPart } from '#capabilities/usage/index.ts';
import { type WatchersOf, webhooksWorkerPart } from '#capabilities/webhooks/index.ts';
import { type LearnDeps, weightsWorkerPart } from '#capabilities/weights/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { createDns } from '#platform/dns.ts';
import { createRelay, type ReaderSpec, readDurably, trimOutbox } from '#platform/events.ts';
import { type Cron, createWorker, type Job, type JobContext, job } from '#platform/jobs.ts';
import type { Log } from '#platform/log.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { asSystem, type Db, type Postgres } from '#platform/postgres.ts';
import type { Redis } from '#platform/redis.ts';
import { trimChangeLog } from '#platform/replica/change-log.ts';
import { createSecrets } from '#platform/secrets.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { briefDeps } from './action-center-deps.ts';
import { ALL_DATASETS } from './all-datasets.ts';
import { egressOf } from './egress.ts';
import { publisherKeyOf } from './publisher-key.ts';

/** Data sets with an address to fetch from; the others are only loaded by hand. */
const FETCHED_DATASETS = ALL_DATASETS.filter(({ urls }) => urls.length > 0);

export type WorkerPart = {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
  /** Durable readers of events; one worker at a time runs each. */
  readonly readers?: readonly ReaderSpec[];
  /** Work that goes on all the time, in every worker. */
  readonly loops?: readonly ((own: { readonly postgres: Postgres; readonly log: Log }) => BuiltWorker)[];
};

/** Dependencies from which the worker parts are built. */
export type WorkerServices = {
  readonly config: Config;
  readonly clock: Clock;
  readonly statistics: Omit<StatisticsDeps, 'transaction'>;
  readonly feeds: FeedsWorkerDeps;
  readonly openNetworks: TrainDeps['openNetworks'];
  readonly weights: Pick<LearnDeps, 'artifacts' | 'referenceFile' | 'openSuspicion' | 'countMoves'>;
  readonly judge: MmdbWorkerDeps['judge'];
  readonly blocklists: BlocklistsWorkerDeps;
  readonly mailer: LettersWorkerDeps['mailer'];
  /** Lookups that tell which software the hosts of watched domains run. */
  readonly lookups: CveWatchWorkerDeps['lookups'] & MonitoringWorkerDeps['providers'];
  /** Outbound requests of webhooks only, because callers choose their addresses. */
  readonly webhookOutbound: Outbound;
  /** Finds the accounts that watch a value. */
  readonly watchersOf: WatchersOf;
  readonly canary: StatusWorkerDeps['canary'];
};

/**
 * The background work of every capability, one line each. The lineage of lists is measured even where nothing is
 * fetched, because lists imported by hand copy each other too.
 */
export function allWorkerParts(services: WorkerServices): readonly WorkerPart[] {
  const { config, clock, feeds } = services;
  const mail: AlertMail = { letters: openLetters(services), publicWebUrl: config.PUBLIC_WEB_URL };
  return [
    accountsWorkerPart({ clock, letters: openLetters(services), publicWebUrl: config.PUBLIC_WEB_URL }),
    factorsWorkerPart({ clock }),
    analyticsWorkerPart(services.statistics),
    corpusWorkerPart({ clock }),
    lettersWorkerPart(services),
    formsWorkerPart(services),
    organizationsWorkerPart({ clock, deletedKeptMs: config.DELETED_KEPT_DAYS * DAY_MS }),
    orgIndicatorsWorkerPart({ clock }),
    cveWatchWorkerPart(services),
    webhooksWorkerPart({
      clock,
      letters: openLetters(services),
      secrets: createSecrets(config.SECRET_KEY),
      outbound: services.webhookOutbound,
      watchersOf: services.watchersOf,
    }),
    casesWorkerPart({ clock }),
    actionCenterWorkerPart(briefDeps(clock)),
    alertsWorkerPart({ clock, mail }),
    monitoringWorkerPart({ clock, mail, judge: services.judge, providers: services.lookups }),
    providersWorkerPart({ clock }),
    searchWorkerPart(),
    ssoWorkerPart({ clock, dns: createDns({ servers: config.DNS_SERVERS, clock }) }),
    usageWorkerPart({ clock, letters: openLetters(services) }),
    standingWorkerPart({ judge: services.judge, onImportScored: enqueueBuilds }),
    statusWorkerPart(services),
    storageWorkerPart(),
    billingWorkerPart({ clock }),
    taxiiWorkerPart({ judge: services.judge, clock, audience: config.DISTRIBUTION }),
    mmdbWorkerPart({ judge: services.judge, clock, audience: config.DISTRIBUTION }),
    lineageWorkerPart(feeds),
    reliabilityWorkerPart(feeds),
    signalsWorkerPart({ ...feeds, openNetworks: services.openNetworks }),
    weightsWorkerPart({ ...feeds, ...services.weights }),
    blocklistsWorkerPart(services.blocklists),
    cveWorkerPart(feeds),
    ransomwareWorkerPart(),
    ...(config.FEEDS_ENABLED
      ? [
          feedsWorkerPart(feeds),
          datasetsWorkerPart({ ...feeds, definitions: FETCHED_DATASETS }),
          referenceWorkerPart({ ...feeds, urls: referenceUrlsOf(config) }),
        ]
      : []),
  ];
}

/** A scored import is published now and not at the next time of the schedule. */
async function enqueueBuilds(tx: Db): Promise<void> {
  for (const name of [BUILD_LISTS, KEEP_COLLECTIONS, BUILD_MMDB]) await enqueueBuild(tx, name);
}

export type BuildWorkerOptions = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly redis: Redis;
  readonly parts: readonly WorkerPart[];
  readonly concurrency?: number;
  /** Called when this worker was declared dead and its jobs belong to other workers: the process should end. */
  readonly onLeaseLost: () => void;
};

export type BuiltWorker = {
  readonly stop: () => Promise<void>;
};

const CONCURRENCY = 4;
/** Connections of the event relay: one that listens, one that moves events and one that prunes. */
const RELAY_CONNECTIONS = 3;
const RELAY_LIMITS = {
  acquireTimeoutMs: 5_000,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 5_000,
  queryTimeoutMs: 12_000,
} as const;

/** Longer than the limits of the relay, because one batch of a reader may be many statements. */
const READER_LIMITS = {
  acquireTimeoutMs: 30_000,
  statementTimeoutMs: 120_000,
  lockTimeoutMs: 60_000,
  queryTimeoutMs: 130_000,
} as const;

export function buildWorker(options: BuildWorkerOptions): BuiltWorker {
  const { config, log, clock } = options;
  const standing = startStanding(options);
  const system = asSystem({ ...config, POSTGRES_POOL_MAX: RELAY_CONNECTIONS }, RELAY_LIMITS);
  const parts = [...options.parts, housekeeping(system, clock)];
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
      await standing.stop();
      await relay.stop();
      await system.close();
    },
  };
}

/** Starts event readers and loops on their own connections: one per reader, one that listens, and two per loop. */
function startStanding({ config, log, parts }: BuildWorkerOptions): BuiltWorker {
  const readers = parts.flatMap((part) => part.readers ?? []);
  const loops = parts.flatMap((part) => part.loops ?? []);
  const connections = readers.length + 1 + 2 * loops.length;
  const postgres = asSystem({ ...config, POSTGRES_POOL_MAX: connections }, READER_LIMITS);
  const running = [
    ...readers.map((spec) => readDurably({ postgres, log }, spec)),
    ...loops.map((start) => start({ postgres, log })),
  ];
  return {
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()));
      await postgres.close();
    },
  };
}

export type BuiltFeeds = {
  readonly deps: FeedsWorkerDeps;
  /** Call it once the worker takes jobs: registers the catalogue and enqueues the first sources, if fetching is on. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Fetching of sources: the catalogue, outbound access, and connections with the timeouts of a merge. Copying between
 * sources is also measured where nothing is fetched, because imported lists copy each other too.
 */
export function buildFeeds({
  config,
  log,
  clock,
}: Pick<BuildWorkerOptions, 'config' | 'log' | 'clock'>): BuiltFeeds {
  const system = asSystem(config);
  const outbound = createOutbound({ log, clock, ...egressOf(config) });
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
  return {
    deps,
    // The schedule works without it: registered sources are still fetched.
    start: async () => {
      if (!config.FEEDS_ENABLED) return;
      await startFeeds(deps).catch((error: unknown) => log.error({ err: error }, 'feeds.start.failed'));
      await startDatasets({ ...deps, definitions: FETCHED_DATASETS }).catch((error: unknown) =>
        log.error({ err: error }, 'datasets.start.failed'),
      );
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

const TRIM_TIMEOUT_MS = 600_000;
const TRIM_BATCHES_MAX = 200;

/** Each job runs once for each scheduled time, on any worker; a run missed while no worker was up is made up for. */
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
    crons: trims.map(([name, pattern]) => ({ job: name, pattern, catchUpMs: HOUR_MS, maxAttempts: 3 })),
  };
}

/** Small transactions, because deleting a day's events at once would delay vacuum for all tables. */
async function trimOutboxInBatches(context: JobContext): Promise<number> {
  let rows = 0;
  for (let batch = 0; batch < TRIM_BATCHES_MAX; batch += 1) {
    const trimmed = await context.transaction((tx) => trimOutbox(tx));
    rows += trimmed;
    if (trimmed === 0) break;
  }
  return rows;
}
