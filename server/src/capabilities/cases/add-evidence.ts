import { recordAudit } from '#capabilities/access/index.ts';
import { append, roomOfPlan } from './append-evidence.ts';
import type { Acting, CasesDeps } from './cases-deps.ts';
import type { AddEvidence } from './contract.ts';
import { CaseUpdated, tell } from './events.ts';
import { caseOf, type Shown, show } from './keep-cases.ts';
import { lockCase, updateCase } from './store.ts';

export async function addEvidence(
  { postgres, clock, limitsOf }: CasesDeps,
  { principal, actor }: Acting,
  id: string,
  body: AddEvidence,
): Promise<Shown> {
  const { accountId, userId } = principal;
  const room = roomOfPlan(limitsOf(principal).evidenceBytes);
  const piece = { ...body, description: body.description ?? null };
  return postgres.withAccount(accountId, async (tx) => {
    const before = await caseOf(tx, accountId, id, lockCase);
    const nowMs = Math.max(clock.now(), before.updatedAtMs);
    const moved = { ...before, version: before.version + 1, changedBy: userId, updatedAtMs: nowMs };
    const after = await append(tx, moved, piece, nowMs, room);
    await updateCase(tx, after);
    await recordAudit(tx, {
      accountId,
      actor,
      action: 'case.evidence.add',
      target: id,
      before: { length: before.evidenceCount, hash: before.head },
      after: { length: after.evidenceCount, hash: after.head },
      nowMs,
    });
    await tell(tx, CaseUpdated, after, nowMs);
    return show(tx, after);
  });
}
