import { counter, gauge } from '#platform/metrics.ts';
import type { RunOutcome } from '../contract.ts';

/** One label value per source: about 300. */
const runs = counter({
  name: 'feed_runs_total',
  help: 'Runs of a source by their end.',
  labels: ['source', 'status'],
});
const duration = gauge({
  name: 'feed_run_duration_seconds',
  help: 'How long the last run of a source took in this process.',
  labels: ['source'],
});

export function countRun(source: string, { status }: RunOutcome, seconds: number): void {
  runs.inc({ source, status });
  duration.set({ source }, seconds);
}
