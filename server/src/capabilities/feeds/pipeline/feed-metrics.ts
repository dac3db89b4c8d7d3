import { gauge } from '#platform/metrics.ts';
import type { SourceFigures } from './schedule-store.ts';

/** One label value per source: about 300. */
const lastSuccess = gauge({
  name: 'feed_last_success_timestamp_seconds',
  help: 'When a source was last downloaded well, or found unchanged.',
  labels: ['source'],
});
const entries = gauge({ name: 'feed_entries', help: 'What a source lists now.', labels: ['source'] });
const dataAge = gauge({
  name: 'feed_data_age_seconds',
  help: 'Age of the data of a source, by its own date.',
  labels: ['source'],
});
const rejected = gauge({
  name: 'feed_rejected_entries',
  help: 'Entries of the last good download that could not be listed.',
  labels: ['source'],
});
const failures = gauge({
  name: 'feed_failures',
  help: 'Runs without a good end since the last good one.',
  labels: ['source'],
});

/** Read from PostgreSQL every minute, so that the figures are right after a restart and cover runs of other workers. */
export function showFigures(figures: readonly SourceFigures[], nowMs: number): void {
  for (const each of [lastSuccess, entries, dataAge, rejected, failures]) each.reset();
  for (const { id: source, ...figure } of figures) {
    entries.set({ source }, figure.entries);
    failures.set({ source }, figure.failures);
    if (figure.lastSuccessS !== null) lastSuccess.set({ source }, figure.lastSuccessS);
    if (figure.dataAtS !== null) dataAge.set({ source }, Math.max(0, nowMs / 1_000 - figure.dataAtS));
    if (figure.rejected !== null) rejected.set({ source }, figure.rejected);
  }
}
