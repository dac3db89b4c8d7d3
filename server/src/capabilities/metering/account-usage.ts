import type { Period } from '#domain/metering/period.ts';
import type { Window } from '#domain/metering/window.ts';

export const METERS = ['checks', 'scans'] as const;
export type MeterName = (typeof METERS)[number];

/** One meter of one account in one month, as this process last saw it. Both counters only ever rise. */
export type Counters = { granted: number; refunded: number };

export class MeterUsage implements Counters {
  granted = 0;
  refunded = 0;
  /** Granted (or, below zero, given back) here while the shared counters were away; not yet in `granted`. */
  owed = 0;
  /** What the ledger is known to hold of `granted` and `refunded`. */
  flushed = 0;

  get used(): number {
    return Math.max(0, this.granted - this.refunded);
  }

  get unflushed(): number {
    return this.granted + this.refunded - this.flushed;
  }

  /** Takes over what somebody else has seen; never goes back. */
  raise(seen: Counters): void {
    if (seen.granted > this.granted) this.granted = seen.granted;
    if (seen.refunded > this.refunded) this.refunded = seen.refunded;
  }
}

/** What one process owes the shared counters, numbered so that it is added once however often it is sent. */
type Settlement = { readonly number: number; readonly checks: number; readonly scans: number };

/** An account in one month: its key, what is known of it, and what is still to be told. */
export class AccountUsage {
  readonly accountId: string;
  readonly period: Period;
  /** The month's hash in Redis. */
  readonly key: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly checks = new MeterUsage();
  readonly scans = new MeterUsage();
  /** Burst keys by who calls; they share the account's hash tag. */
  readonly burstKeys = new Map<string, string>();
  /** Burst windows of this process, used while Redis is away. */
  readonly localWindows = new Map<string, Window>();
  /** Which life of the month's hash we know; '' before the first contact and after a loss. */
  incarnation = '';
  /** True once the usage is known from anywhere: Redis or the ledger. */
  isKnown = false;
  settlement: Settlement | null = null;
  settling: Promise<void> | null = null;

  constructor(prefix: string, accountId: string, period: Period) {
    this.accountId = accountId;
    this.period = period;
    this.key = `${prefix}:{${accountId}}:u:${period.name}`;
    this.periodStart = String(period.startMs);
    this.periodEnd = String(period.endMs);
  }

  /** True when the next charge may go straight to Redis. */
  get isSettled(): boolean {
    return this.incarnation !== '' && !this.isOwing;
  }

  get isOwing(): boolean {
    return this.settlement !== null || this.checks.owed !== 0 || this.scans.owed !== 0;
  }

  /** Closes what is owed into a numbered settlement, or returns the one that is still unconfirmed. */
  openSettlement(nextNumber: () => number): Settlement | null {
    if (this.settlement !== null) return this.settlement;
    const [checks, scans] = [this.checks.owed, this.scans.owed];
    if (checks === 0 && scans === 0) return null;
    this.settlement = { number: nextNumber(), checks, scans };
    this.checks.owed = 0;
    this.scans.owed = 0;
    return this.settlement;
  }

  /** Units of a meter that were handed out here and are in no shared counter yet. */
  unsettled(meter: MeterName): number {
    return this[meter].owed + (this.settlement?.[meter] ?? 0);
  }
}
