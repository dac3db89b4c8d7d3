import { openNetworks } from '#capabilities/enrichment/index.ts';
import type { CanaryDeps } from '#capabilities/status/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import { endProcess } from '#platform/end-process.ts';
import { createLog } from '#platform/log.ts';
import { createMailer } from '#platform/mail.ts';
import { collectProcessMetrics, mergeMetrics, metricsPage } from '#platform/metrics.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { BATCH_LIMITS, connectPostgres } from '#platform/postgres.ts';
import { connectRedis } from '#platform/redis.ts';
import { allWorkerParts, buildFeeds, buildWorker } from './build-worker.ts';
import { followParent, onStopSignal, sayToParent } from './child-messages.ts';
import { openListSource } from './open-list-source.ts';
import { openLive } from './open-live.ts';
import { refusePowerfulLogin } from './refuse-powerful-login.ts';
import { refuseUnmigrated } from './refuse-unmigrated.ts';
import { reportStart } from './report-start.ts';
import { serveMetrics } from './serve-metrics.ts';
import { statisticsDeps } from './statistics.ts';
import { watchersOf } from './watchers-of.ts';
import { webhookReach } from './webhook-reach.ts';
import { weightsDeps } from './weights-deps.ts';
import { openWorkerJudge } from './worker-judge.ts';

/** The canary that checks the public service; null without CANARY_KEY. */
const canaryOf = (config: Config, clock: Clock, outbound: Outbound): CanaryDeps | null =>
  config.CANARY_KEY === undefined
    ? null
    : {
        clock,
        outbound,
        url: (config.CANARY_URL ?? config.PUBLIC_API_URL).replace(/(?<!\/)\/+$/, ''),
        credential: config.CANARY_KEY,
      };

/** The exit code of a worker that was declared dead; its supervisor should start a new one. */
const LEASE_LOST = 76;

export async function run(): Promise<void> {
  const config = loadConfig();
  const log = createLog(config.LOG_LEVEL).child({ process: 'worker' });
  reportStart(config, log);
  const clock = systemClock(config.CLOCK_OFFSET_MS);
  await refuseUnmigrated(config, log);
  await refusePowerfulLogin(config, log);
  collectProcessMetrics();
  const redis = await connectRedis({ config, log, clock });
  const feeds = buildFeeds({ config, log, clock });
  // Live lookups have the limits of requests. Lists, standings and files are read by jobs, which have an hour.
  const reader = connectPostgres({ ...config, POSTGRES_POOL_MAX: 2 }, 'assay_app');
  const batchReader = connectPostgres({ ...config, POSTGRES_POOL_MAX: 3 }, 'assay_app', BATCH_LIMITS);
  const artifacts = createArtifacts({ postgres: batchReader, dataDir: config.DATA_DIR, log, clock });
  const judge = openWorkerJudge({ config, log, clock, postgres: batchReader });
  const live = openLive({ config, log, clock, redis, postgres: reader });
  const webhookOutbound = createOutbound({
    log,
    clock,
    // Endpoints of many accounts are on the same hosts of large services, so one host needs many connections.
    connectionsPerOrigin: 64,
    ...webhookReach(config),
  });
  const source = openListSource(feeds.deps.system.db, config.DISTRIBUTION);
  const worker = buildWorker({
    config,
    log,
    clock,
    redis,
    parts: allWorkerParts({
      config,
      clock,
      statistics: statisticsDeps(clock, artifacts),
      feeds: feeds.deps,
      openNetworks: (db) => openNetworks(db, artifacts),
      weights: weightsDeps({ config, log, postgres: batchReader, artifacts }),
      judge: judge.get,
      mailer: createMailer(config),
      lookups: live.providers,
      webhookOutbound,
      watchersOf,
      canary: canaryOf(config, clock, live.services),
      blocklists: { source, clock, openArtifact: artifacts.openArtifact },
    }),
    onLeaseLost: () => {
      log.error({}, 'this worker was declared dead; ending');
      log.flush();
      endProcess(LEASE_LOST);
    },
  });
  const metrics = await serveMetrics({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT === 0 ? 0 : config.METRICS_PORT + 1,
    log,
    page: async () => mergeMetrics([{ process: 'worker', page: await metricsPage() }]),
  });
  log.info({}, 'worker started');
  sayToParent({ type: 'working' });
  let stopping = false;
  const leave = () => {
    if (stopping) return;
    stopping = true;
    log.info({}, 'stopping');
    const stopped = worker
      .stop()
      .then(() => judge.stop())
      .then(() => live.close())
      .then(() => webhookOutbound.close())
      .then(() => Promise.all([feeds.stop(), reader.close(), batchReader.close()]));
    void Promise.all([stopped, metrics.close()]).finally(() => {
      redis.close();
      log.flush();
      endProcess(0);
    });
  };
  onStopSignal(leave);
  followParent(leave);
  await feeds.start();
}
