import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type StreamReport = {
  readonly events: number;
  /** Reads of a socket: events that were written together arrive in one. */
  readonly pieces: number;
  readonly opened: number;
  readonly refused: number;
  readonly closed: number;
  /** Number of events by their latency in milliseconds, which is the index. */
  readonly histogram: readonly (number | null)[];
};

export type StreamReaders = {
  /** What arrived since the last report. */
  readonly report: () => Promise<StreamReport>;
  readonly stop: () => Promise<void>;
};

/** Opens many streams from a process of their own; resolves when all have their first byte. */
export async function startStreamReaders(given: {
  readonly url: string;
  readonly path: string;
  readonly credential: string;
  readonly readers: number;
}): Promise<StreamReaders> {
  const child: ChildProcess = fork(
    join(import.meta.dirname, 'stream-readers-child.ts'),
    [given.url, given.path, given.credential, String(given.readers)],
    { execArgv: [] },
  );
  await once(child, 'message');
  return {
    report: async () => {
      child.send('report');
      const [report] = (await once(child, 'message')) as [StreamReport];
      return report;
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** The latency that this share of the events stayed within. */
export function percentileOf(histogram: StreamReport['histogram'], share: number): number {
  const total = histogram.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  let seen = 0;
  for (const [ms, count] of histogram.entries()) {
    seen += count ?? 0;
    if (seen >= total * share) return ms;
  }
  return Number.POSITIVE_INFINITY;
}
