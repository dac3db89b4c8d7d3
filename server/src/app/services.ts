import { type Access, accessDataset, callerOf, createAccess } from '#capabilities/access/index.ts';
import type { AnalyticsDeps } from '#capabilities/analytics/index.ts';
import type { BulkDeps } from '#capabilities/bulk/index.ts';
import {
  type AsOfDeps,
  type CheckDeps,
  checkAsOf,
  createAssessor,
  createMissCache,
} from '#capabilities/check/index.ts';
import { corpusDataset, openCorpus } from '#capabilities/corpus/index.ts';
import { openEnrichment } from '#capabilities/enrichment/index.ts';
import type { FeedsDeps } from '#capabilities/feeds/index.ts';
import { AddressGuard, createMeterGates, type Meter, startMeter } from '#capabilities/metering/index.ts';
import { createCountListed, type NetworkDeps } from '#capabilities/network/index.ts';
import { openPasswords } from '#capabilities/passwords/index.ts';
import type { StatusDeps } from '#capabilities/status/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Gates } from '#platform/http/gates.ts';
import { createReadiness, type Readiness } from '#platform/http/readiness.ts';
import type { Log } from '#platform/log.ts';
import { asSystem, connectPostgres, pingPostgres, REQUEST_LIMITS } from '#platform/postgres.ts';
import { connectRedis } from '#platform/redis.ts';
import type { Dataset } from '#platform/replica/dataset.ts';
import { openReplica } from '#platform/replica/reader.ts';
import { openLate } from './late-replica.ts';
import { watchRole } from './watch-role.ts';

const USAGE_FLUSH_MS = 60_000;

/** What a listener is made of. Routes take the parts they name, and nothing else. */
export type Services = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly readiness: Readiness;
  readonly gates: Gates;
  readonly access: Access;
  readonly check: CheckDeps;
  readonly bulk: BulkDeps;
  readonly network: NetworkDeps;
  readonly replay: AsOfDeps;
  readonly feeds: FeedsDeps;
  readonly analytics: AnalyticsDeps;
  readonly meter: Meter;
  readonly status: StatusDeps;
  /** Ends what was begun, last to first. */
  readonly close: () => Promise<void>;
};

/** The composition root: the one place where anything concrete is created, in dependency order. */
export async function createServices(config: Config, log: Log, clock: Clock): Promise<Services> {
  const postgres = connectPostgres(config, 'assay_app');
  const system = asSystem(config, REQUEST_LIMITS);
  const stopWatching = await watchRole(postgres, log);
  const redis = await connectRedis({ config, log, clock });
  const open = (dataset: Dataset) =>
    openLate(dataset.name, log, () => openReplica({ dataDir: config.DATA_DIR, dataset, log, clock }));
  const [keys, listings] = [open(accessDataset), open(corpusDataset)];
  const access = createAccess({ config, clock, postgres, system, replica: keys });
  const meter = await startMeter({ redis, system, config, clock, log });
  const guard = new AddressGuard({ redis, config, clock, shares: () => meter.shares });
  const readiness = createReadiness();
  const artifacts = createArtifacts({ postgres, dataDir: config.DATA_DIR, log, clock });
  const enrichment = await openEnrichment({ postgres, artifacts, dataDir: config.DATA_DIR, log });
  const passwords = openPasswords({ dataDir: config.DATA_DIR, log });
  const judging = { corpus: openCorpus(listings), misses: createMissCache(clock), clock, enrichment };
  const assess = createAssessor(judging);
  const replay = { postgres, clock, enrichment };
  const usage = setInterval(() => {
    access
      .flushUsage()
      .catch((error: unknown) => log.warn({ err: error }, 'last use of keys not written yet'));
  }, USAGE_FLUSH_MS);

  return {
    config,
    log,
    clock,
    readiness,
    access,
    meter,
    gates: {
      identify: access.identify,
      idempotent: access.idempotent,
      ...createMeterGates({ meter, guard, config, clock }),
    },
    check: {
      ...judging,
      assess,
      passwords,
      asOf: (indicator, atMs) => checkAsOf(replay, indicator, atMs),
    },
    replay,
    network: {
      corpus: judging.corpus,
      assess,
      enrichment,
      countListed: createCountListed({ clock, postgres }),
    },
    bulk: { clock, assess, callerOf },
    feeds: { clock, postgres: access.postgres },
    analytics: { clock, postgres },
    status: {
      clock,
      readiness,
      database: () => pingPostgres(postgres),
      redis: async () => redis.status().isUp,
      replica: async () => keys.isOpen && listings.isOpen,
    },
    close: async () => {
      clearInterval(usage);
      stopWatching();
      await Promise.all([meter.close(), enrichment.close(), passwords.close()]);
      await access.flushUsage().catch(() => 0);
      await Promise.all([keys.close(), listings.close()]);
      redis.close();
      await Promise.all([postgres.close(), system.close()]);
    },
  };
}
