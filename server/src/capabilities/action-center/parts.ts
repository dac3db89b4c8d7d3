import type { AlertFacts, CaseFacts, FindingFacts } from '#domain/action-center/index.ts';
import type { Db } from '#platform/postgres.ts';

/**
 * What the action center reads of other capabilities. Each function runs in a transaction that sees the rows of one account,
 * or, for the brief, those of all.
 */

export type AlertCounts = {
  readonly critical: number;
  readonly high: number;
  readonly stale: number;
  readonly acknowledged: number;
};
export type AlertsPart = {
  readonly count: (tx: Db, accountId: string, staleBeforeMs: number) => Promise<AlertCounts>;
  /** Alerts that are not resolved: most severe first, then oldest. */
  readonly foremost: (tx: Db, accountId: string, limit: number) => Promise<readonly AlertFacts[]>;
  readonly week: (tx: Db, accountId: string, period: Period) => Promise<{ opened: number; resolved: number }>;
};

export type FindingsPart = {
  readonly count: (
    tx: Db,
    accountId: string,
  ) => Promise<{ readonly activeExploit: number; readonly kev: number }>;
  readonly foremost: (tx: Db, accountId: string, limit: number) => Promise<readonly FindingFacts[]>;
  readonly countNew: (tx: Db, accountId: string, fromMs: number, toMs: number) => Promise<number>;
  /** How many gaps there are in what was checked for findings; 0 where nothing is watched. */
  readonly countGaps: (tx: Db, accountId: string, nowMs: number) => Promise<number>;
};

export type CasesPart = {
  readonly count: (tx: Db, accountId: string) => Promise<number>;
  readonly foremost: (tx: Db, accountId: string, limit: number) => Promise<readonly CaseFacts[]>;
  readonly resolutions: (
    tx: Db,
    accountId: string,
    sinceMs: number,
  ) => Promise<{ readonly p50: number | null; readonly p90: number | null; readonly sampleSize: number }>;
  readonly countOverdue: (tx: Db, accountId: string, beforeMs: number) => Promise<number>;
};

export type Parts = {
  readonly alerts: AlertsPart;
  readonly findings: FindingsPart;
  readonly cases: CasesPart;
};

/** The week that a brief covers. */
export type Period = { readonly fromMs: number; readonly toMs: number };
