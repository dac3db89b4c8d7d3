import { SEVERITIES } from '#domain/alerts/index.ts';
import { PRIORITY_NAMES, type Priority } from '#domain/cve-watch/index.ts';
import type { Alert } from './contract.ts';
import type { AlertRow } from './store.ts';

const isoOf = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

export const presentAlert = (row: AlertRow): Alert => ({
  id: row.id,
  type: row.type,
  severity: SEVERITIES[row.severity] ?? 'info',
  status: row.status,
  entity: { type: row.entityType, value: row.entityValue },
  title: row.title,
  description: row.description,
  reason: row.reason,
  source: row.source,
  confidence: row.confidence,
  data: { ...row.data },
  createdAt: isoOf(row.createdAtMs),
  updatedAt: isoOf(row.updatedAtMs),
  acknowledgedAt: isoOrNull(row.acknowledgedAtMs),
  resolvedAt: isoOrNull(row.resolvedAtMs),
  occurrences: row.occurrences,
  ...(row.monitorId !== null && { monitorId: row.monitorId }),
  ...(row.findingId !== null && { findingId: row.findingId }),
  ...(row.cveId !== null && { cveId: row.cveId }),
  ...(row.priority !== null && { priority: PRIORITY_NAMES[row.priority as Priority] }),
});
