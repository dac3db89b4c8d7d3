import type { Db } from '#platform/postgres.ts';
import type { ActionCase, CaseEvidence } from './contract.ts';
import { type CaseRow, type EvidenceRow, selectEvidence } from './store.ts';

export const presentEvidence = (row: EvidenceRow): CaseEvidence => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  description: row.description,
  payload: readPayload(row.payload),
  createdAt: row.createdAt,
  hash: row.hash,
});

/** A payload that was damaged in the database is shown as empty; `verify` names it. */
function readPayload(text: string): CaseEvidence['payload'] {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as CaseEvidence['payload']) : {};
  } catch {
    return {};
  }
}

export const presentCase = (row: CaseRow, evidence: readonly EvidenceRow[]): ActionCase => ({
  id: row.id,
  userId: row.userId,
  organizationId: row.accountId.startsWith('org_') ? row.accountId : null,
  title: row.title,
  description: row.description,
  status: row.status,
  priority: row.priority,
  entityType: row.entityType,
  entityValue: row.entityValue,
  linkedAlertId: row.linkedAlertId,
  linkedCveFindingId: row.linkedCveFindingId,
  linkedReportId: row.linkedReportId,
  evidence: evidence.map(presentEvidence),
  createdAt: new Date(row.createdAtMs).toISOString(),
  updatedAt: new Date(row.updatedAtMs).toISOString(),
});

export async function presentCases(
  tx: Db,
  accountId: string,
  rows: readonly CaseRow[],
): Promise<ActionCase[]> {
  const byCase = Map.groupBy(
    await selectEvidence(
      tx,
      accountId,
      rows.map(({ id }) => id),
    ),
    ({ caseId }) => caseId,
  );
  return rows.map((row) => presentCase(row, byCase.get(row.id) ?? []));
}
