import { type OtherData, PUBLICATION } from '#capabilities/datasets/index.ts';
import { LATE_AFTER_MS, type PublicationReport } from '#capabilities/publications/index.ts';

/** A publication as a data set of the freshness report. */
export const publicationData = (report: PublicationReport): OtherData => ({
  id: report.name,
  label: report.label,
  category: PUBLICATION,
  isFailing: report.status === 'failing',
  dataAtMs: report.currentAtMs,
  staleAfterMs: LATE_AFTER_MS,
  records: report.entries,
  message: report.message,
  nodesDiffer: false,
  action: actionFor(report),
});

function actionFor({ status, label, message }: PublicationReport): string | null {
  if (status === 'current') return null;
  return `${label}: ${message ?? 'see the log of the worker.'}`;
}
