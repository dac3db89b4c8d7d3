import { createServer } from 'node:net';
import { systemClock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import { endProcess } from '#platform/end-process.ts';
import { createLog, type Log } from '#platform/log.ts';
import { mergeMetrics, registry } from '#platform/metrics.ts';
import { REPLICATOR_ALREADY_RUNS } from '#platform/replica/exclusive.ts';
import { ADDRESS_TAKEN, type FromChild, followParent, onStopSignal, sayToParent } from './child-messages.ts';
import { refusePowerfulLogin } from './refuse-powerful-login.ts';
import { refuseUnmigrated } from './refuse-unmigrated.ts';
import { reportStart } from './report-start.ts';
import { serveMetrics } from './serve-metrics.ts';
import { type SupervisedChild, superviseChild } from './supervise-child.ts';

const METRICS_WAIT_MS = 1_000;
const STOP_GRACE_MS = 25_000;

/** `npm run api`: HTTP_PROCESSES listeners on one port and, unless one runs already, the node's replicator. */
export async function run(): Promise<void> {
  const config = loadConfig();
  const log = createLog(config.LOG_LEVEL).child({ process: 'api' });
  reportStart(config, log);
  await refuseUnmigrated(config, log);
  await refusePowerfulLogin(config, log);
  const port = config.HTTP_PORT === 0 ? await freePort(config.HTTP_HOST) : config.HTTP_PORT;
  const pages = collectPages();
  let stopping = false;
  const replicator = superviseChild({
    command: 'replicator',
    name: 'replicator',
    log,
    onMessage: pages.receive,
    isFinal: (code) => code === REPLICATOR_ALREADY_RUNS,
  });
  const listeners = startListeners(config, port, log, pages.receive, () => void stop(1));
  const operators = startOperators(config, log, pages.receive);
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
  receive: (message: unknown) => void,
  giveUp: () => void,
): SupervisedChild[] {
  let listening = 0;
  const onMessage = (message: unknown) => {
    receive(message);
    if ((message as FromChild).type !== 'listening') return;
    listening += 1;
    if (listening !== config.HTTP_PROCESSES) return;
    const { url } = message as { url: string };
    log.info({ url, processes: listening }, 'listening');
    sayToParent({ type: 'listening', url });
  };
  return Array.from({ length: config.HTTP_PROCESSES }, (_, index) =>
    superviseChild({
      command: 'listener',
      name: `listener-${index}`,
      args: [String(port)],
      log,
      onMessage,
      isFinal: (code) => {
        if (code === ADDRESS_TAKEN) giveUp();
        return code === ADDRESS_TAKEN;
      },
    }),
  );
}

/** The operators' listener is a process of its own, so that nothing of it touches callers; a taken port does not stop the API. */
function startOperators(config: Config, log: Log, onMessage: (message: unknown) => void): SupervisedChild[] {
  if (config.ADMIN_PORT === undefined) return [];
  const isFinal = (code: number | null) => code === ADDRESS_TAKEN;
  return [superviseChild({ command: 'operators', name: 'operators', log, onMessage, isFinal })];
}

/** Collects the metrics of all children; a child that does not answer in time is left out. */
function collectPages() {
  let lastId = 0;
  const waiting = new Map<number, object[]>();
  return {
    receive: (message: unknown) => {
      const said = message as FromChild;
      if (said.type === 'metrics') waiting.get(said.id)?.push(said.page);
    },
    ask: async (children: readonly SupervisedChild[]): Promise<string> => {
      lastId += 1;
      const id = lastId;
      const pages: object[] = [];
      waiting.set(id, pages);
      for (const child of children) child.send({ type: 'metrics', id });
      const clock = systemClock();
      const endMs = clock.monotonic() + METRICS_WAIT_MS;
      while (pages.length < children.length && clock.monotonic() < endMs)
        await new Promise((resolve) => setTimeout(resolve, 10));
      waiting.delete(id);
      return mergeMetrics([await registry.getMetricsAsJSON(), ...pages]);
    },
  };
}

/** All listeners must share one port, so the parent chooses it. */
async function freePort(host: string): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, host, resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error(`No free port on ${host}.`);
  return address.port;
}
