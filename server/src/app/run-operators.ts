import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { endProcess } from '#platform/end-process.ts';
import { createShutdown } from '#platform/http/shutdown.ts';
import { createLog } from '#platform/log.ts';
import { collectProcessMetrics } from '#platform/metrics.ts';
import { buildOperators, openOperators } from './build-operators.ts';
import { ADDRESS_TAKEN, followParent, onStopSignal } from './child-messages.ts';

/** The operators' listener of a node; `api` starts it where ADMIN_PORT is set (O34). */
export async function run(): Promise<void> {
  const config = loadConfig();
  const log = createLog(config.LOG_LEVEL).child({ process: 'operators' });
  const services = openOperators(config, log, systemClock(config.CLOCK_OFFSET_MS));
  const app = buildOperators(services);
  collectProcessMetrics();
  const shutdown = createShutdown({
    app,
    readiness: services.readiness,
    log,
    drainMs: 0,
    closeHooks: [services.close],
  });
  const leave = () => void shutdown().finally(() => endProcess(0));
  onStopSignal(leave);
  followParent(leave);
  const where = { host: config.ADMIN_HOST, port: config.ADMIN_PORT ?? 0 };
  try {
    const url = await app.listen(where);
    log.info({ url }, "operators' listener");
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EADDRINUSE') throw error;
    log.error(where, "The address of the operators' listener is taken. Set ADMIN_PORT to a free port.");
    log.flush();
    endProcess(ADDRESS_TAKEN);
  }
}
