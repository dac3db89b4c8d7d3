import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { endProcess } from '#platform/end-process.ts';
import { createShutdown } from '#platform/http/shutdown.ts';
import { createLog } from '#platform/log.ts';
import { collectProcessMetrics } from '#platform/metrics.ts';
import { buildApp } from './build-app.ts';
import { ADDRESS_TAKEN, followParent, onStopSignal, sayToParent } from './child-messages.ts';
import { createServices } from './services.ts';

/** One HTTP process. Several share a port, and the kernel distributes connections. */
export async function run(args: readonly string[]): Promise<void> {
  const config = loadConfig();
  const port = Number(args[0] ?? config.HTTP_PORT);
  const log = createLog(config.LOG_LEVEL);
  const services = await createServices(config, log, systemClock(config.CLOCK_OFFSET_MS));
  const app = buildApp(services);
  collectProcessMetrics();
  const shutdown = createShutdown({
    app,
    readiness: services.readiness,
    log,
    drainMs: config.SHUTDOWN_DRAIN_MS,
    closeHooks: [services.close],
  });
  const leave = () => void shutdown().finally(() => endProcess(0));
  onStopSignal(leave);
  followParent(leave);
  // Only Linux balances a shared port, so it is requested only for several processes.
  const shared = config.HTTP_PROCESSES > 1 ? { reusePort: true } : {};
  try {
    const url = await app.listen({ host: config.HTTP_HOST, port, ...shared });
    sayToParent({ type: 'listening', url });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EADDRINUSE') throw error;
    log.error(
      { host: config.HTTP_HOST, port },
      'This address is taken. Stop the other service or set HTTP_PORT.',
    );
    log.flush();
    endProcess(ADDRESS_TAKEN);
  }
}
