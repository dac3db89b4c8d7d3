import type { Clock } from '#platform/clock.ts';
import { type MetricsPage, mergeMetrics } from '#platform/metrics.ts';
import type { FromChild } from './child-messages.ts';
import type { SupervisedChild } from './supervise-child.ts';

const WAIT_MS = 1_000;
/** Prometheus forgets a series after five minutes too; an older page would tell of a process that is gone. */
const KEPT_MS = 300_000;

export type AskedProcess = Pick<SupervisedChild, 'name' | 'send' | 'isOver'>;

type Kept = { readonly page: MetricsPage; readonly id: number; readonly atMs: number };

export type ProcessPages = {
  /** Takes the messages of the process with this name. */
  readonly receiverOf: (process: string) => (message: unknown) => void;
  /** The metrics of all processes as Prometheus text. */
  readonly ask: (processes: readonly AskedProcess[]) => Promise<string>;
};

/**
 * Collects the metrics of the processes of a node. A process that does not answer in time is shown with its last page:
 * without it its counters would vanish and come back, which Prometheus reads as a restart.
 */
export function createProcessPages(options: {
  readonly clock: Clock;
  /** The metrics of this process, and its name. */
  readonly own: { readonly process: string; readonly read: () => Promise<MetricsPage> };
  readonly waitMs?: number;
}): ProcessPages {
  const { clock, own, waitMs = WAIT_MS } = options;
  const kept = new Map<string, Kept>();
  const waiting = new Set<() => void>();
  let lastId = 0;

  const answersTo = async (id: number, asked: readonly AskedProcess[]): Promise<void> => {
    const isComplete = () => asked.every(({ name }) => (kept.get(name)?.id ?? 0) >= id);
    await new Promise<void>((resolve) => {
      const look = () => {
        if (isComplete()) end();
      };
      const timer = setTimeout(() => end(), waitMs);
      const end = () => {
        clearTimeout(timer);
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  };

  return {
    receiverOf: (process) => (message) => {
      const said = message as FromChild;
      if (said.type !== 'metrics') return;
      kept.set(process, { page: said.page, id: said.id, atMs: clock.monotonic() });
      for (const look of waiting) look();
    },
    ask: async (processes) => {
      lastId += 1;
      const id = lastId;
      const running = processes.filter((each) => !each.isOver());
      // A process that is starting again is not waited for.
      await answersTo(
        id,
        running.filter(({ send }) => send({ type: 'metrics', id })),
      );
      const nowMs = clock.monotonic();
      const pages = running.flatMap(({ name }) => {
        const last = kept.get(name);
        return last === undefined || nowMs - last.atMs > KEPT_MS ? [] : [{ process: name, page: last.page }];
      });
      const ages = running.map(({ name }) => ageOf(kept.get(name), id, nowMs, name));
      return mergeMetrics([
        { process: own.process, page: [...(await own.read()), ...ageMetrics(ages)] },
        ...pages,
      ]);
    },
  };
}

type Age = { readonly process: string; readonly isMissing: boolean; readonly seconds: number | null };

const ageOf = (last: Kept | undefined, id: number, nowMs: number, process: string): Age => ({
  process,
  isMissing: last === undefined || last.id < id,
  seconds: last === undefined ? null : Math.max(0, nowMs - last.atMs) / 1_000,
});

/** Gauges that say which processes did not answer, and how old their page is. */
function ageMetrics(ages: readonly Age[]): MetricsPage {
  const gaugeOf = (name: string, help: string, read: (age: Age) => number | null) => ({
    name: `assay_${name}`,
    help,
    type: 'gauge',
    aggregator: 'sum',
    values: ages.flatMap((age) => {
      const value = read(age);
      return value === null ? [] : [{ value, labels: { process: age.process } }];
    }),
  });
  return [
    gaugeOf(
      'metrics_page_missing',
      '1: the process did not answer this time, and its series are those of its last page.',
      ({ isMissing }) => (isMissing ? 1 : 0),
    ),
    gaugeOf('metrics_page_age_seconds', 'How old the page of the process is.', ({ seconds }) => seconds),
  ];
}
