import type { FastifyInstance } from 'fastify';
import type { Log } from '#platform/log.ts';
import type { Readiness } from './readiness.ts';

/** Requests in flight may take this long; then their connections are cut. */
const IN_FLIGHT_MAX_MS = 20_000;
const IDLE_SWEEP_MS = 100;

export type ShutdownOptions = {
  readonly app: FastifyInstance;
  readonly readiness: Readiness;
  readonly log: Log;
  /** SHUTDOWN_DRAIN_MS: at least one interval of the load balancer's probe. */
  readonly drainMs: number;
  readonly inFlightMaxMs?: number;
  /** Run in order once no request is left: pools, replica, log. */
  readonly closeHooks?: readonly (() => Promise<void> | void)[];
};

/**
 * Stops a listener without losing a request (reliability R1): /readyz answers 503, the load balancer gets time to
 * notice, then the port closes, streams are told when to reconnect, and requests in flight finish. Safe to call
 * twice.
 */
export function createShutdown(options: ShutdownOptions): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= shutDown(options);
    return running;
  };
}

async function shutDown(options: ShutdownOptions): Promise<void> {
  const { app, readiness, log, drainMs, inFlightMaxMs = IN_FLIGHT_MAX_MS, closeHooks = [] } = options;
  readiness.beginDrain();
  log.info({ drainMs }, 'draining');
  if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
  // A connection whose answer was already sent as keep-alive becomes idle later.
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => {
    log.warn({ inFlightMaxMs }, 'requests still in flight were cut off');
    app.server.closeAllConnections();
  }, inFlightMaxMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
  for (const close of closeHooks)
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, 'a close hook failed');
    }
  log.info({}, 'stopped');
  log.flush();
}
