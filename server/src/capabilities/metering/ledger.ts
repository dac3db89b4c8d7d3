import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { counter, gauge } from '#platform/metrics.ts';
import type { Postgres } from '#platform/postgres.ts';
import { type AccountUsage, METERS, type MeterName } from './account-usage.ts';
import { addUsage, type LedgerRow, raiseUsage, selectUsage } from './store.ts';

/** Flushes every second, or as soon as one account has 100 units that the ledger lacks (reliability Q2). */
const FLUSH_EVERY_MS = 1_000;
const FLUSH_AT_UNITS = 100;
/** A single busy account uses 100 units every few milliseconds; this bounds the rate of flushes. */
const FLUSH_GAP_MS = 100;
const BATCH_MAX = 1_000;
const READ_TIMEOUT_MS = 300;
const LAST_FLUSH_TIMEOUT_MS = 3_000;

const flushes = counter({
  name: 'meter_ledger_flushes_total',
  help: 'Batches of usage written to PostgreSQL.',
});
const flushFailures = counter({
  name: 'meter_ledger_flush_failures_total',
  help: 'Batches of usage that could not be written and wait for the next try.',
});
const unflushedAccounts = gauge({
  name: 'meter_ledger_dirty_accounts',
  help: 'Accounts whose latest usage is not yet in PostgreSQL.',
});

export type LedgerUsage = Readonly<Record<MeterName, { granted: number; refunded: number; used: number }>>;

export type LedgerDeps = {
  readonly postgres: Pick<Postgres, 'db'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly beforeFlush: () => void;
};

/** Usage in PostgreSQL, from which a lost Redis is restored. Written in the background, never during a request. */
export class Ledger {
  readonly #deps: LedgerDeps;
  readonly #dirty = new Set<AccountUsage>();
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | null = null;
  #isFailing = false;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#deps.beforeFlush();
      void this.flush();
    }, FLUSH_EVERY_MS).unref();
  }

  get status(): { readonly dirtyAccounts: number; readonly isFailing: boolean } {
    return { dirtyAccounts: this.#dirty.size, isFailing: this.#isFailing };
  }

  isDirty(usage: AccountUsage): boolean {
    return this.#dirty.has(usage);
  }

  note(usage: AccountUsage, meter: MeterName): void {
    this.#dirty.add(usage);
    if (usage[meter].unflushed < FLUSH_AT_UNITS || this.#isFailing) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.flush();
    }, FLUSH_GAP_MS).unref();
  }

  /** The stored usage; zeros for an unknown month. Fails when PostgreSQL does not answer in time. */
  async read(accountId: string, period: string, timeoutMs = READ_TIMEOUT_MS): Promise<LedgerUsage> {
    const rows = await withinMs(selectUsage(this.#deps.postgres.db, accountId, period), timeoutMs);
    const of = (meter: MeterName) => {
      const row = rows.find((candidate) => candidate.meter === meter);
      const [granted, refunded] = [row?.granted ?? 0, row?.refunded ?? 0];
      return { granted, refunded, used: Math.max(0, granted - refunded) };
    };
    return { checks: of('checks'), scans: of('scans') };
  }

  /** Writes all changes. Never throws: unwritten usage is kept for the next flush. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async close(owing: readonly AccountUsage[]): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    const owed = owing.flatMap((usage) => METERS.flatMap((meter) => owedRow(usage, meter)));
    try {
      await withinMs(this.#flushing ?? Promise.resolve(), LAST_FLUSH_TIMEOUT_MS);
      await withinMs(this.#flushAll(), LAST_FLUSH_TIMEOUT_MS);
      if (owed.length > 0) await withinMs(addUsage(this.#deps.postgres.db, owed), LAST_FLUSH_TIMEOUT_MS);
    } catch (error) {
      this.#deps.log.error(
        { accounts: this.#dirty.size, reason: error instanceof Error ? error.message : 'unknown' },
        'the last usage could not be written',
      );
    }
  }

  async #flushAll(): Promise<void> {
    const batch = [...this.#dirty];
    for (let from = 0; from < batch.length; from += BATCH_MAX)
      if (!(await this.#flushSome(batch.slice(from, from + BATCH_MAX)))) return;
  }

  async #flushSome(usages: readonly AccountUsage[]): Promise<boolean> {
    const rows = usages.flatMap((usage) => METERS.flatMap((meter) => changedRow(usage, meter)));
    for (const usage of usages) this.#dirty.delete(usage);
    try {
      const held = rows.length === 0 ? [] : await raiseUsage(this.#deps.postgres.db, rows);
      confirm(usages, held);
      flushes.inc();
      if (this.#isFailing) this.#deps.log.info({}, 'usage is written to the ledger again');
      this.#isFailing = false;
    } catch (error) {
      for (const usage of usages) this.#dirty.add(usage);
      flushFailures.inc();
      if (!this.#isFailing)
        this.#deps.log.warn(
          { reason: error instanceof Error ? error.message : 'unknown' },
          'usage could not be written to the ledger; it is kept and tried again',
        );
      this.#isFailing = true;
    }
    unflushedAccounts.set(this.#dirty.size);
    return !this.#isFailing;
  }
}

/**
 * The ledger may hold more than this process has seen. It becomes a floor, so that a lower answer of Redis
 * shows a loss.
 */
function confirm(usages: readonly AccountUsage[], held: readonly LedgerRow[]): void {
  const byKey = new Map(held.map((row) => [`${row.accountId} ${row.period} ${row.meter}`, row]));
  for (const usage of usages)
    for (const meter of METERS) {
      const row = byKey.get(`${usage.accountId} ${usage.period.name} ${meter}`);
      if (row === undefined) continue;
      usage[meter].raise(row);
      usage[meter].flushed = row.granted + row.refunded;
    }
}

function changedRow(usage: AccountUsage, meter: MeterName): LedgerRow[] {
  const { granted, refunded, unflushed } = usage[meter];
  if (unflushed === 0) return [];
  return [{ accountId: usage.accountId, meter, period: usage.period.name, granted, refunded }];
}

function owedRow(usage: AccountUsage, meter: MeterName): LedgerRow[] {
  const owed = usage.unsettled(meter);
  if (owed === 0) return [];
  return [
    {
      accountId: usage.accountId,
      meter,
      period: usage.period.name,
      granted: Math.max(0, owed),
      refunded: Math.max(0, -owed),
    },
  ];
}

async function withinMs<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`PostgreSQL did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
