/** A plan's limits and their remainder, from the headers of one answer (contract 8.1). */
export type Limits = {
  /** The burst: requests per minute. Null on routes that charge nothing. */
  readonly rate: {
    readonly limit: number;
    readonly remaining: number;
    /** When the whole burst is available again, in milliseconds since the epoch. */
    readonly resetsAtMs: number;
    readonly type: string | null;
    readonly plan: string | null;
  } | null;
  /** Checks of the calendar month (UTC), on routes that charge them. */
  readonly monthly: { readonly usage: number; readonly limit: number; readonly percentage: number } | null;
  /** Scans of the calendar month (UTC), on routes that charge them. */
  readonly scans: { readonly usage: number; readonly limit: number } | null;
};

export function limitsOf({ headers }: { readonly headers: Headers }): Limits {
  const number = (name: string): number | null => {
    const text = headers.get(name);
    const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : null;
  };
  const [limit, remaining, resetsAtMs] = ['Limit', 'Remaining', 'Reset'].map((n) =>
    number(`X-RateLimit-${n}`),
  );
  const [monthUsage, monthLimit] = [number('X-Monthly-Usage'), number('X-Monthly-Limit')];
  const [scanUsage, scanLimit] = [number('X-Scan-Usage'), number('X-Scan-Limit')];
  return {
    rate:
      limit == null || remaining == null || resetsAtMs == null
        ? null
        : {
            limit,
            remaining,
            resetsAtMs,
            type: headers.get('X-RateLimit-Type'),
            plan: headers.get('X-RateLimit-Plan'),
          },
    monthly:
      monthUsage === null || monthLimit === null
        ? null
        : {
            usage: monthUsage,
            limit: monthLimit,
            percentage: number('X-Monthly-Percentage') ?? percentOf(monthUsage, monthLimit),
          },
    scans: scanUsage === null || scanLimit === null ? null : { usage: scanUsage, limit: scanLimit },
  };
}

const percentOf = (usage: number, limit: number): number => (limit === 0 ? 100 : (usage / limit) * 100);
