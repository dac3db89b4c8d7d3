import type { RiskLevel } from '#domain/scoring/index.ts';
import { type BatchDeps, checkBatch, type RowMaker } from './check-batch.ts';
import type { BulkReply, BulkRequest, BulkRow } from './contract.ts';
import { presentContactRow } from './present-contact-row.ts';
import { presentCsv } from './present-csv.ts';
import { presentRow, refusedRow } from './present-row.ts';
import { type BatchEntry, skippedSentences } from './read-batch.ts';
import type { RowTemplates } from './row-template.ts';

export type AnswerDeps = Omit<BatchDeps, 'nowMs'> & {
  readonly templates: RowTemplates;
  /** Called once for each row that has a verdict. */
  readonly note?: (level: RiskLevel) => void;
};

/** All rows of a batch are judged at one moment, even when the hour turns meanwhile. */
const atOnce = ({ clock, assess, contacts }: AnswerDeps): BatchDeps => {
  const nowMs = clock.now();
  return { clock, contacts, nowMs, assess: (indicator) => assess(indicator, nowMs) };
};

/** Rows are made without evidence, because CSV has no column for it (G21). */
export async function answerCsv(deps: AnswerDeps, request: BulkRequest): Promise<string> {
  const moment = atOnce(deps);
  const observedAt = new Date(moment.nowMs).toISOString();
  const make: RowMaker<BulkRow> = {
    judged: (entity, { kind }, assessment) =>
      presentRow({ entity, type: kind, observedAt, withEvidence: false }, assessment),
    contact: (entity, type, summary) => presentContactRow({ entity, type, withEvidence: false }, summary),
    refused: refusedRow,
  };
  return presentCsv(await checkNoting(deps, moment, request.batch().entries, make));
}

/** Notes the level of each row. A batch may be judged several times; its last rows are those of the answer. */
async function checkNoting<T>(
  { note }: AnswerDeps,
  moment: BatchDeps,
  entries: readonly BatchEntry[],
  make: RowMaker<T>,
): Promise<T[]> {
  if (note === undefined) return checkBatch(moment, entries, make);
  const levels: (RiskLevel | null)[] = [];
  const rows = await checkBatch(moment, entries, {
    judged: (entity, indicator, assessment) => {
      levels.push(assessment.verdict.riskScore.level);
      return make.judged(entity, indicator, assessment);
    },
    contact: (entity, type, summary) => {
      levels.push(summary.riskScore.level);
      return make.contact(entity, type, summary);
    },
    refused: (entity, type, reason) => {
      levels.push(null);
      return make.refused(entity, type, reason);
    },
  });
  for (const level of levels.slice(levels.length - rows.length)) if (level !== null) note(level);
  return rows;
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
  const rows = await checkNoting(deps, moment, batch.entries, make);
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
