import type { Period } from '#domain/metering/period.ts';
import type { Window } from '#domain/metering/window.ts';

export const METERS = ['checks', 'scans'] as const;
export type MeterName = (typeof METERS)[number];

/** One meter of one account in one month, as last seen by this process. Both counters only rise. */
export type Counters = { granted: number; refunded: number };

export class MeterUsage implements Counters {
  granted = 0;
  refunded = 0;
  /** Units that this process granted (below zero: refunded) while Redis was down; not yet in `granted`. */
  owed = 0;
  /** The part of `granted` and `refunded` that the ledger is known to hold. */
  flushed = 0;

  get used(): number {
    return Math.max(0, this.granted - this.refunded);
  }

  get unflushed(): number {
    return this.granted + this.refunded - this.flushed;
  }

  raise(seen: Counters): void {
    if (seen.granted > this.granted) this.granted = seen.granted;
    if (seen.refunded > this.refunded) this.refunded = seen.refunded;
  }
}

/** Units that one process owes Redis, numbered so that they are added once however often they are sent. */
type Settlement = { readonly number: number; readonly checks: number; readonly scans: number };

export class AccountUsage {
  readonly accountId: string;
  readonly period: Period;
  readonly key: string;
  /** What the account has paid for; it outlives the month. */
  readonly receiptsKey: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly checks = new MeterUsage();
  readonly scans = new MeterUsage();
  /** Burst keys by caller; they share the hash tag of the account. */
  readonly burstKeys = new Map<string, string>();
  readonly localWindows = new Map<string, Window>();
  /** Id of the month's hash in Redis, by which a loss is noticed; '' before the first contact and after a loss. */
  incarnation = '';
  isKnown = false;
  settlement: Settlement | null = null;
  settling: Promise<void> | null = null;

  constructor(prefix: string, accountId: string, period: Period) {
    this.accountId = accountId;
    this.period = period;
    this.key = `${prefix}:{${accountId}}:u:${period.name}`;
    this.receiptsKey = `${prefix}:{${accountId}}:r`;
    this.periodStart = String(period.startMs);
    this.periodEnd = String(period.endMs);
  }

  get isSettled(): boolean {
    return this.incarnation !== '' && !this.isOwing;
  }

  get isOwing(): boolean {
    return this.settlement !== null || this.checks.owed !== 0 || this.scans.owed !== 0;
  }

  /** Turns the owed units into a numbered settlement, or returns the unconfirmed one. */
  openSettlement(nextNumber: () => number): Settlement | null {
    if (this.settlement !== null) return this.settlement;
    const [checks, scans] = [this.checks.owed, this.scans.owed];
    if (checks === 0 && scans === 0) return null;
    this.settlement = { number: nextNumber(), checks, scans };
    this.checks.owed = 0;
    this.scans.owed = 0;
    return this.settlement;
  }

  unsettled(meter: MeterName): number {
    return this[meter].owed + (this.settlement?.[meter] ?? 0);
  }
}
