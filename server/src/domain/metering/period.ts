/** A calendar month in UTC, the unit of monthly allowances (decisions 1.5, reliability Q6). */
export type Period = {
  /** YYYYMM, as used in keys and in the ledger. */
  readonly name: string;
  readonly startMs: number;
  /** The first millisecond of the next month: 00:00 UTC on the 1st. */
  readonly endMs: number;
};

export function periodOf(nowMs: number): Period {
  const now = new Date(nowMs);
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  return {
    name: `${year}${String(month + 1).padStart(2, '0')}`,
    startMs: Date.UTC(year, month, 1),
    endMs: Date.UTC(year, month + 1, 1),
  };
}

export const isWithin = (period: Period, nowMs: number): boolean =>
  nowMs >= period.startMs && nowMs < period.endMs;
