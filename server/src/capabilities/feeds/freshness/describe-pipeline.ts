import type { DataOpsPipeline, LastRun } from './contract.ts';

export type FeedRun = {
  readonly id: string;
  readonly sourceId: string | null;
  readonly status: 'running' | 'succeeded' | 'unchanged' | 'quarantined' | 'failed';
  readonly reason: string | null;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  readonly phases: LastRun['phases'];
};

const WORKER = 'npm run worker';

/**
 * The phases in the words of decisions 3.14. A run of a source ends with `dedupe`; what follows reads the result of all
 * sources, at its own times.
 */
const PHASES: DataOpsPipeline['phases'] = [
  {
    id: 'fetch',
    label: 'Ask the publisher for its list',
    command: WORKER,
    produces: ['downloaded file'],
    requiredForSla: true,
  },
  {
    id: 'parse',
    label: 'Read the file in its format',
    command: WORKER,
    produces: ['entries'],
    requiredForSla: true,
  },
  {
    id: 'normalize',
    label: 'Turn entries into indicators, refuse the others',
    command: WORKER,
    produces: ['indicators', 'rejections with reasons'],
    requiredForSla: true,
  },
  {
    id: 'dedupe',
    label: 'Compare with the listed entries and write the difference',
    command: WORKER,
    produces: ['listings', 'change log'],
    requiredForSla: true,
  },
  {
    id: 'score',
    label: 'Judge what the new listings change',
    command: WORKER,
    produces: ['standings'],
    requiredForSla: true,
  },
  {
    id: 'publish-blocklists',
    label: 'Write the shared lists again',
    command: WORKER,
    produces: ['blocklists'],
    requiredForSla: true,
  },
  {
    id: 'publish-taxii',
    label: 'Bring the TAXII collections up to date',
    command: WORKER,
    produces: ['STIX objects'],
    requiredForSla: true,
  },
  {
    id: 'export-mmdb',
    label: 'Write the address database again',
    command: WORKER,
    produces: ['MaxMind DB file'],
    requiredForSla: true,
  },
];

const STATUS: Readonly<Record<FeedRun['status'], LastRun['status']>> = {
  running: 'running',
  succeeded: 'succeeded',
  unchanged: 'succeeded',
  quarantined: 'failed',
  failed: 'failed',
};

/** The phases of a run and the result of the last one (contract 2.12). */
export const describePipeline = (last: FeedRun | undefined, nowMs: number): DataOpsPipeline => ({
  generatedAt: new Date(nowMs).toISOString(),
  phases: PHASES,
  lastRun: last === undefined ? {} : presentRun(last, nowMs),
  freshnessApiPath: '/platform/data-freshness',
  backofficePath: '/admin',
});

const presentRun = (run: FeedRun, nowMs: number): LastRun => ({
  id: run.id,
  status: STATUS[run.status],
  startedAt: new Date(run.startedAtMs).toISOString(),
  finishedAt: run.finishedAtMs === null ? null : new Date(run.finishedAtMs).toISOString(),
  durationMs: Math.max(0, Math.round((run.finishedAtMs ?? nowMs) - run.startedAtMs)),
  phases: run.phases.map(({ id, status, durationMs, records }) => ({
    id,
    status,
    durationMs,
    records: records ?? null,
  })),
  sourceId: run.sourceId,
  reason: run.reason,
});
