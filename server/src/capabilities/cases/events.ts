import { z } from 'zod';
import { CASE_PRIORITIES, CASE_STATUSES } from '#domain/cases/index.ts';
import { emit, eventType } from '#platform/events.ts';
import type { Db } from '#platform/postgres.ts';
import type { CaseRow } from './store.ts';

const about = z.object({
  id: z.string().max(64),
  title: z.string().max(200),
  status: z.enum(CASE_STATUSES),
  priority: z.enum(CASE_PRIORITIES),
  entityType: z.string().max(20).nullable(),
  entityValue: z.string().max(2_048).nullable(),
  evidenceCount: z.int(),
});

/** Events that webhooks of the same account deliver. */
export const CaseCreated = eventType({ name: 'case.created', schema: about });
export const CaseUpdated = eventType({ name: 'case.updated', schema: about });

export const tell = (tx: Db, type: typeof CaseCreated, row: CaseRow, nowMs: number): Promise<void> =>
  emit(tx, {
    type,
    accountId: row.accountId,
    payload: {
      id: row.id,
      title: row.title,
      status: row.status,
      priority: row.priority,
      entityType: row.entityType,
      entityValue: row.entityValue,
      evidenceCount: row.evidenceCount,
    },
    occurredAt: new Date(nowMs),
  });
