import { createServer } from 'node:net';
import { systemClock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import { endProcess } from '#platform/end-process.ts';
import { createLog, type Log } from '#platform/log.ts';
import { metricsPage } from '#platform/metrics.ts';
import { REPLICATOR_ALREADY_RUNS } from '#platform/replica/exclusive.ts';
import { ADDRESS_TAKEN, type FromChild, followParent, onStopSignal, sayToParent } from './child-messages.ts';
import { createProcessPages } from './process-pages.ts';
import { refusePowerfulLogin } from './refuse-powerful-login.ts';
import { refuseUnmigrated } from './refuse-unmigrated.ts';
import { reportStart } from './report-start.ts';
import { serveMetrics } from './serve-metrics.ts';
import { type SupervisedChild, superviseChild } from './supervise-child.ts';

const STOP_GRACE_MS = 25_000;

/** `npm run api`: HTTP_PROCESSES listeners on one port and, unless one runs already, the node's replicator. */
export async function run(): Promise<void> {
  const config = loadConfig();
  const log = createLog(config.LOG_LEVEL).child({ process: 'api' });
  reportStart(config, log);
  await refuseUnmigrated(config, log);
  await refusePowerfulLogin(config, log);
  const port = await chosenPort(config, log);
  const pages = createProcessPages({ clock: systemClock(), own: { process: 'api', read: metricsPage } });
  let stopping = false;
  const replicator = superviseChild({
    command: 'replicator',
    name: 'replicator',
    log,
    onMessage: pages.receiverOf('replicator'),
    isFinal: (code) => code === REPLICATOR_ALREADY_RUNS,
  });
  const listeners = startListeners(config, port, log, pages.receiverOf, () => void stop(1));
  const operators = startOperators(config, log, pages.receiverOf('operators'));
  const children = [...listeners, ...operators, replicator];
  const metrics = await serveMetrics({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    log,
    page: () => pages.ask(children),
  });
  onStopSignal(() => void stop(0));
  followParent(() => void stop(0));

  async function stop(exitCode: number): Promise<void> {
    if (stopping) return;
    stopping = true;
    log.info({}, 'stopping');
    await Promise.all(
      [...listeners, ...operators].map((child) => child.stop(STOP_GRACE_MS + config.SHUTDOWN_DRAIN_MS)),
    );
    await replicator.stop(STOP_GRACE_MS);
    await metrics.close();
    log.flush();
    endProcess(exitCode);
  }
}

function startListeners(
  config: Config,
  port: number,
  log: Log,
  receiverOf: (process: string) => (message: unknown) => void,
  giveUp: () => void,
): SupervisedChild[] {
  let listening = 0;
  const onMessage = (message: unknown) => {
    if ((message as FromChild).type !== 'listening') return;
    listening += 1;
    if (listening !== config.HTTP_PROCESSES) return;
    const { url } = message as { url: string };
    log.info({ url, processes: listening }, 'listening');
    sayToParent({ type: 'listening', url });
  };
  return Array.from({ length: config.HTTP_PROCESSES }, (_, index) => {
    const name = `listener-${index}`;
    const receive = receiverOf(name);
    return superviseChild({
      command: 'listener',
      name,
      args: [String(port)],
      log,
      onMessage: (message) => {
        receive(message);
        onMessage(message);
      },
      isFinal: (code) => {
        if (code === ADDRESS_TAKEN) giveUp();
        return code === ADDRESS_TAKEN;
      },
    });
  });
}

/** The operators' listener is a process of its own, so that nothing of it touches callers; a taken port does not stop the API. */
function startOperators(config: Config, log: Log, onMessage: (message: unknown) => void): SupervisedChild[] {
  if (config.ADMIN_PORT === undefined) return [];
  const isFinal = (code: number | null) => code === ADDRESS_TAKEN;
  return [superviseChild({ command: 'operators', name: 'operators', log, onMessage, isFinal })];
}

/**
 * All listeners must share one port, so the parent chooses it. Listeners that share a port would share it with those of another
 * service too, so that a second start is refused here.
 */
async function chosenPort(
  { HTTP_HOST: host, HTTP_PORT: port, HTTP_PROCESSES }: Config,
  log: Log,
): Promise<number> {
  if (port !== 0 && HTTP_PROCESSES === 1) return port;
  try {
    return await freePort(host, port);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EADDRINUSE') throw error;
    log.error({ host, port }, 'This address is taken. Stop the other service or set HTTP_PORT.');
    log.flush();
    return endProcess(1);
  }
}

/** The port, or any free one for 0. Throws where somebody listens on it. */
async function freePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, host, resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error(`No free port on ${host}.`);
  return address.port;
}
