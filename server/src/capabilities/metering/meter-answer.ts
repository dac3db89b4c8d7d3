import type { Charge } from '#platform/http/gates.ts';
import type { AccountUsage, MeterName } from './account-usage.ts';
import type { ReceiptAsk } from './receipts.ts';

export type MeterAsk = {
  readonly accountId: string;
  /** The owner of the burst: a key, the sessions of a user, or the scans of the account. */
  readonly burstId: string;
  readonly burstLimit: number;
  readonly meter: MeterName | null;
  /** Null: read without spending. 0: spend only the burst. */
  readonly units: number | null;
  readonly monthLimit: number;
  readonly receipts?: ReceiptAsk;
};

/** The answer of the meter; when granted, also the charge that can be refunded. */
export class MeterAnswer implements Charge {
  readonly ask: MeterAsk;
  readonly usage: AccountUsage;
  readonly outcome: 'granted' | 'burst' | 'month';
  readonly remaining: number;
  readonly resetMs: number;
  readonly retryAfterMs: number;
  /** Units of the month, including this call when it was granted. */
  readonly used: number;
  readonly isLocal: boolean;
  /** True when a receipt paid for the call. */
  readonly isPaid: boolean;

  constructor(
    ask: MeterAsk,
    usage: AccountUsage,
    outcome: MeterAnswer['outcome'],
    remaining: number,
    resetMs: number,
    retryAfterMs: number,
    used: number,
    isLocal: boolean,
    isPaid = false,
  ) {
    this.ask = ask;
    this.usage = usage;
    this.outcome = outcome;
    this.remaining = remaining;
    this.resetMs = resetMs;
    this.retryAfterMs = retryAfterMs;
    this.used = used;
    this.isLocal = isLocal;
    this.isPaid = isPaid;
  }

  /** The limit that a refusal with outcome `burst` names. */
  get limit(): number {
    return this.ask.burstLimit;
  }
  /** The same refusal at a later time. */
  later(retryAfterMs: number): MeterAnswer {
    const { ask, usage, outcome, remaining, resetMs, used, isLocal } = this;
    return new MeterAnswer(ask, usage, outcome, remaining, resetMs, retryAfterMs, used, isLocal);
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
    return this.ask.meter === null || this.isPaid ? 0 : (this.ask.units ?? 0);
  }
}
