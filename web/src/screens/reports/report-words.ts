import { type ReportSummary, type Verdict, verdictOf } from '@assay/sdk';
import type { Target } from '../../box/permalink.ts';

type Judged = Pick<ReportSummary, 'verdict' | 'riskLevel' | 'word'>;

/** The word that the check showed when it was saved. Unknown is never good: `safe` needs the evidence that says so. */
export function verdictOfReport({ verdict, riskLevel, word }: Judged): Verdict {
  const isMalicious = verdict === 'malicious';
  return verdictOf({
    reputation: {
      // A list of reports has the word and not the field.
      malicious: isMalicious ? true : undefined,
      verdict: {
        riskScore: riskLevel === null ? null : { level: riskLevel, word: word ?? undefined },
        evidence: isMalicious ? null : { verdict },
      },
    },
  });
}

const TYPES: Readonly<Record<string, string>> = {
  ip: 'IP address',
  domain: 'domain',
  url: 'URL',
  hash: 'file hash',
  email: 'e-mail address',
};
export const typeWord = (type: string): string => TYPES[type] ?? type;

/** The page of the report's indicator; null for an e-mail address, which has no such page. */
export function targetOf({
  entityType,
  entityValue,
}: Pick<ReportSummary, 'entityType' | 'entityValue'>): Target | null {
  return entityType === 'email' ? null : { type: entityType, value: entityValue };
}

/** The shown parts of a saved result. Any version or program may have made it, so each part's shape is checked. */
export type ReportFacts = {
  readonly reasons: readonly string[];
  readonly sources: readonly string[];
  readonly observedAt: string | null;
};

const LINES_MAX = 50;

export function factsOf(result: Readonly<Record<string, unknown>>): ReportFacts {
  const evidence = recordOf(result.evidence);
  return {
    reasons: listOf(evidence.reasons).filter(isText).slice(0, LINES_MAX),
    sources: listOf(result.sources)
      .map((source) => recordOf(source).name)
      .filter(isText)
      .slice(0, LINES_MAX),
    observedAt: isText(evidence.observedAt) ? evidence.observedAt : null,
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

export const PAGE_SIZE = 25;

export function pageOf(search: Readonly<Record<string, string>>): number {
  const page = Number(search.page);
  return Number.isInteger(page) && page > 0 ? page : 1;
}

/** The day is UTC, as in the names of the service's own files. */
export const fileName = (stem: string, format: string, nowMs: number): string =>
  `${stem}-${new Date(nowMs).toISOString().slice(0, 10)}.${format}`;
