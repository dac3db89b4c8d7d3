import { accessDataset } from '#capabilities/access/index.ts';
import { corpusDataset } from '#capabilities/corpus/index.ts';
import { cveDataset } from '#capabilities/cve/index.ts';
import { organizationsDataset } from '#capabilities/org-indicators/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { endProcess } from '#platform/end-process.ts';
import { createLog } from '#platform/log.ts';
import { collectProcessMetrics, mergeMetrics, metricsPage } from '#platform/metrics.ts';
import { REPLICATOR_ALREADY_RUNS, ReplicatorRunsElsewhere } from '#platform/replica/exclusive.ts';
import { runReplicator } from '#platform/replica/replicator.ts';
import { followParent, onStopSignal } from './child-messages.ts';
import { reportStart } from './report-start.ts';
import { serveMetrics } from './serve-metrics.ts';

/** Keeps this node's replica up to date with PostgreSQL until it is stopped; a worker names a folder of its own. */
export async function run([folder]: readonly string[]): Promise<void> {
  const given = loadConfig();
  const config = folder === undefined ? given : { ...given, DATA_DIR: folder };
  const log = createLog(config.LOG_LEVEL).child({ process: 'replicator' });
  const alone = process.send === undefined;
  // The replicator of an API or a worker is a part of a process that reported its start.
  if (alone) reportStart(config, log);
  const stop = new AbortController();
  const leave = () => stop.abort();
  onStopSignal(leave);
  followParent(leave);
  collectProcessMetrics();
  const metrics = alone
    ? await serveMetrics({
        host: config.METRICS_HOST,
        port: config.METRICS_PORT === 0 ? 0 : config.METRICS_PORT + 2,
        log,
        page: async () => mergeMetrics([{ process: 'replicator', page: await metricsPage() }]),
      })
    : null;
  try {
    await runReplicator({
      config,
      datasets: [accessDataset, corpusDataset, organizationsDataset, cveDataset],
      log,
      clock: systemClock(config.CLOCK_OFFSET_MS),
      signal: stop.signal,
    });
  } catch (error) {
    if (!(error instanceof ReplicatorRunsElsewhere)) throw error;
    log.info({ dataDir: config.DATA_DIR }, error.message);
    log.flush();
    endProcess(REPLICATOR_ALREADY_RUNS);
  }
  await metrics?.close();
  log.flush();
  endProcess(0);
}
