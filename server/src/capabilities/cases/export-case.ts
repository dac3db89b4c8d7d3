import {
  firstHash,
  headText,
  merklePaths,
  type SealedHead,
  sealText,
  storedText,
} from '#domain/cases/index.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Db } from '#platform/postgres.ts';
import type { CasesDeps } from './cases-deps.ts';
import type { ExportedCase, ExportedSeal } from './contract-export.ts';
import { caseOf } from './keep-cases.ts';
import { presentCase, presentEvidence } from './present.ts';
import { presentMarkdown } from './present-markdown.ts';
import { findPath, selectHeadsOfDay, selectSeals } from './seal-store.ts';
import { type EvidenceRow, selectEvidence } from './store.ts';
import { judge, presentVerdict } from './verify-case.ts';

export type ExportFile = { readonly name: string; readonly type: string; readonly body: string };

export async function exportCase(
  { postgres, clock }: CasesDeps,
  { accountId }: Principal,
  id: string,
  format: 'json' | 'md',
): Promise<ExportFile> {
  const exported = await postgres.withAccount(accountId, (tx) => gather(tx, accountId, id, clock.now()));
  return format === 'json'
    ? {
        name: `${id}.json`,
        type: 'application/json; charset=utf-8',
        body: JSON.stringify(exported, null, 2),
      }
    : { name: `${id}.md`, type: 'text/markdown; charset=utf-8', body: presentMarkdown(exported) };
}

async function gather(tx: Db, accountId: string, id: string, nowMs: number): Promise<ExportedCase> {
  const row = await caseOf(tx, accountId, id);
  const pieces = await selectEvidence(tx, accountId, [id]);
  const verdict = await judge(tx, row, pieces);
  const { evidence: _, ...shown } = presentCase(row, []);
  return {
    format: 'assay-case/1',
    exportedAt: new Date(nowMs).toISOString(),
    case: shown,
    chain: { first: firstHash(id), head: row.head, length: row.evidenceCount },
    evidence: pieces.map(exportPiece),
    verification: presentVerdict(row, verdict),
    seal: verdict.sealed === null ? null : await gatherSeal(tx, accountId, id, verdict.sealed),
  };
}

const exportPiece = (row: EvidenceRow) => ({
  position: row.position,
  ...presentEvidence(row),
  text: storedText(row),
});

async function gatherSeal(
  tx: Db,
  accountId: string,
  caseId: string,
  { day }: SealedHead,
): Promise<ExportedSeal | null> {
  const seal = (await selectSeals(tx, accountId)).find((each) => each.day === day);
  const heads = await selectHeadsOfDay(tx, accountId, day);
  const at = heads.findIndex((head) => head.caseId === caseId);
  const head = heads[at];
  if (seal === undefined || head === undefined) return null;
  const found = await findPath(tx, accountId, day);
  return {
    day,
    headText: headText(head),
    headPath: [...(merklePaths(heads.map(headText))[at] ?? [])],
    sealText: sealText(seal),
    path: found === undefined ? null : [...found.path],
    root: found?.root ?? null,
  };
}
