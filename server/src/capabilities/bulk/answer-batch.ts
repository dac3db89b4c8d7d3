import { type BatchDeps, checkBatch, type RowMaker } from './check-batch.ts';
import type { BulkReply, BulkRequest, BulkRow } from './contract.ts';
import { presentContactRow } from './present-contact-row.ts';
import { presentCsv } from './present-csv.ts';
import { presentRow, refusedRow } from './present-row.ts';
import { skippedSentences } from './read-batch.ts';
import type { RowTemplates } from './row-template.ts';

export type AnswerDeps = Omit<BatchDeps, 'nowMs'> & { readonly templates: RowTemplates };

/** All rows of a batch are judged at one moment, even when the hour turns meanwhile. */
const atOnce = ({ clock, assess, contacts }: AnswerDeps): BatchDeps => {
  const nowMs = clock.now();
  return { clock, contacts, nowMs, assess: (indicator) => assess(indicator, nowMs) };
};

/** CSV has no column for evidence (G21). */
export async function answerCsv(deps: AnswerDeps, request: BulkRequest): Promise<string> {
  const moment = atOnce(deps);
  const observedAt = new Date(moment.nowMs).toISOString();
  const rows = await checkBatch<BulkRow>(moment, request.batch().entries, {
    judged: (entity, { kind }, assessment) =>
      presentRow({ entity, type: kind, observedAt, withEvidence: false }, assessment),
    contact: (entity, type, summary) => presentContactRow({ entity, type, withEvidence: false }, summary),
    refused: refusedRow,
  });
  return presentCsv(rows);
}

/** The answer of contract 2.7 as JSON text; the rows are text already. */
export async function answerJson(deps: AnswerDeps, request: BulkRequest): Promise<string> {
  const startedMs = deps.clock.monotonic();
  const moment = atOnce(deps);
  const at = JSON.stringify(new Date(moment.nowMs).toISOString());
  const withEvidence = request.enrichment !== 'basic';
  const batch = request.batch();
  const make: RowMaker<string> = {
    judged: (entity, { kind }, assessment) =>
      deps.templates.write(assessment, { entity, type: kind, withEvidence }, at),
    contact: (entity, type, summary) =>
      JSON.stringify(presentContactRow({ entity, type, withEvidence }, summary)),
    refused: (entity, type, reason) => JSON.stringify(refusedRow(entity, type, reason)),
  };
  const rows = await checkBatch(moment, batch.entries, make);
  const errors = skippedSentences(batch);
  const envelope: BulkReply = {
    success: true,
    total: request.submitted,
    processed: batch.judged,
    results: [],
    ...(errors.length > 0 && { errors }),
    processingTimeMs: Math.round(deps.clock.monotonic() - startedMs),
  };
  const [head, tail] = JSON.stringify(envelope).split('"results":[]');
  return `${head}"results":[${rows.join(',')}]${tail}`;
}
