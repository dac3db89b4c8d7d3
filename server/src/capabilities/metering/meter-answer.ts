import type { Charge } from '#platform/http/gates.ts';
import type { AccountUsage, MeterName } from './account-usage.ts';

/** What a caller asks of the meters in one call. */
export type MeterAsk = {
  readonly accountId: string;
  /** Whose burst: a key, a user's sessions, or the account's scans. */
  readonly burstId: string;
  readonly burstLimit: number;
  /** Null: the burst alone. */
  readonly meter: MeterName | null;
  /** Null: look without spending. 0: spend the burst only. */
  readonly units: number | null;
  readonly monthLimit: number;
};

/** What was answered; when granted, also the charge that can be given back. */
export class MeterAnswer implements Charge {
  readonly ask: MeterAsk;
  readonly usage: AccountUsage;
  readonly outcome: 'granted' | 'burst' | 'month';
  readonly remaining: number;
  /** When the whole burst is free again. */
  readonly resetMs: number;
  readonly retryAfterMs: number;
  /** Units of the month, this call included when it was granted. */
  readonly used: number;
  /** True: answered from this process's own counters. */
  readonly isLocal: boolean;

  constructor(
    ask: MeterAsk,
    usage: AccountUsage,
    outcome: MeterAnswer['outcome'],
    remaining: number,
    resetMs: number,
    retryAfterMs: number,
    used: number,
    isLocal: boolean,
  ) {
    this.ask = ask;
    this.usage = usage;
    this.outcome = outcome;
    this.remaining = remaining;
    this.resetMs = resetMs;
    this.retryAfterMs = retryAfterMs;
    this.used = used;
    this.isLocal = isLocal;
  }

  get accountId(): string {
    return this.usage.accountId;
  }
  get meter(): string {
    return this.ask.meter ?? 'burst';
  }
  get period(): string {
    return this.usage.period.name;
  }
  get units(): number {
    return this.ask.meter === null ? 0 : (this.ask.units ?? 0);
  }
}
