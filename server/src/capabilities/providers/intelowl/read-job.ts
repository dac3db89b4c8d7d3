import { fieldOf, itemsOf } from '#domain/text/foreign-json.ts';
import { inertJson, type JsonLimits } from '#domain/text/inert-json.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { IntelOwlReport } from '../contract-opinions.ts';

const ANALYZERS_MAX = 100;
/** Per analyzer: enough to read in an answer; whole sandbox reports are in IntelOwl itself. */
const REPORT: JsonLimits = { depthMax: 6, itemsMax: 50, textMax: 500, valuesMax: 300 };

/** Of all reports together; analyzers beyond it are named without a report. A larger answer could not be cached. */
const REPORTS_CHARS_MAX = 100_000;

/** Job states of IntelOwl. Any other state counts as running. */
const ENDED_WELL = new Set(['reported_without_fails', 'reported_with_fails']);
const ENDED_BADLY = new Set(['failed', 'killed']);

/** Reads a job. An analyzer without an evaluation counts only in the total: no finding is not "clean". */
export function readJob(json: unknown, jobId: number): IntelOwlReport {
  const told = fieldOf(json, 'status');
  const word = typeof told === 'string' ? told.toLowerCase() : '';
  const reports = itemsOf(fieldOf(json, 'analyzer_reports'), ANALYZERS_MAX);
  const evaluations = reports.map(evaluationOf);
  const count = (...words: string[]) => evaluations.filter((each) => words.includes(each)).length;
  return {
    status: ENDED_WELL.has(word) ? 'completed' : ENDED_BADLY.has(word) ? 'failed' : 'accepted',
    jobId,
    analyzers: analyzersOf(reports),
    summary: {
      malicious: count('malicious'),
      suspicious: count('suspicious'),
      clean: count('trusted', 'clean'),
      total: reports.length,
    },
  };
}

function analyzersOf(reports: readonly unknown[]): IntelOwlReport['analyzers'] {
  let left = REPORTS_CHARS_MAX;
  return reports.flatMap((each) => {
    const name = inertText(fieldOf(each, 'name'), 100);
    if (name === null) return [];
    const status = inertText(fieldOf(each, 'status'), 40) ?? 'UNKNOWN';
    const report = inertJson(fieldOf(each, 'report'), REPORT);
    left -= JSON.stringify(report).length;
    return [{ name, status, report: left < 0 ? null : report }];
  });
}

/** From the data model of the analyzer, which newer instances have. */
function evaluationOf(report: unknown): string {
  const told = fieldOf(fieldOf(report, 'data_model'), 'evaluation');
  return typeof told === 'string' ? told.toLowerCase() : '';
}

export const jobIdOf = (json: unknown): number | null => {
  const id = fieldOf(json, 'job_id');
  return Number.isSafeInteger(id) && Number(id) >= 0 ? Number(id) : null;
};
