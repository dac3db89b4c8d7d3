import { type ChainVerdict, judgeChain } from '#domain/cases/index.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Db } from '#platform/postgres.ts';
import type { CasesDeps } from './cases-deps.ts';
import type { Verified } from './contract.ts';
import { caseOf } from './keep-cases.ts';
import { selectHeadsOfCase } from './seal-store.ts';
import { type CaseRow, type EvidenceRow, selectEvidence } from './store.ts';

export const verifyCase = (
  { postgres }: CasesDeps,
  { accountId }: Principal,
  id: string,
): Promise<Verified> =>
  postgres.withAccount(accountId, async (tx) => {
    const row = await caseOf(tx, accountId, id);
    return presentVerdict(row, await judge(tx, row, await selectEvidence(tx, accountId, [id])));
  });

export const judge = async (
  tx: Db,
  row: Pick<CaseRow, 'id' | 'accountId' | 'evidenceCount' | 'head'>,
  evidence: readonly EvidenceRow[],
): Promise<ChainVerdict> =>
  judgeChain(
    row.id,
    { length: row.evidenceCount, hash: row.head },
    evidence,
    await selectHeadsOfCase(tx, row.accountId, row.id),
  );

export const presentVerdict = (row: CaseRow, verdict: ChainVerdict): Verified => ({
  ok: verdict.ok,
  length: verdict.length,
  brokenAt: verdict.brokenAt,
  reason: verdict.reason,
  head: row.head,
  sealed: verdict.sealed,
});
