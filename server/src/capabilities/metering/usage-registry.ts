import { isWithin, type Period, periodOf } from '#domain/metering/period.ts';
import { AccountUsage } from './account-usage.ts';

/** About 60 MB. Whoever falls out is met again as a stranger: Redis and the ledger know them. */
const ACCOUNTS_MAX = 100_000;

/** The accounts this process has met in the current month, and those it still owes something. */
export class UsageRegistry {
  readonly #prefix: string;
  readonly #byAccount = new Map<string, AccountUsage>();
  readonly #owing = new Set<AccountUsage>();
  #period: Period = periodOf(0);

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(accountId: string, nowMs: number): AccountUsage {
    if (!isWithin(this.#period, nowMs)) this.#period = periodOf(nowMs);
    const known = this.#byAccount.get(accountId);
    if (known !== undefined && known.period === this.#period) return known;
    const usage = new AccountUsage(this.#prefix, accountId, this.#period);
    // A new month is a new entry; the old one lives on where it is still needed, in the ledger's or the owing set.
    this.#byAccount.delete(accountId);
    this.#byAccount.set(accountId, usage);
    if (this.#byAccount.size > ACCOUNTS_MAX) this.#forgetOldest();
    return usage;
  }

  owe(usage: AccountUsage, meter: 'checks' | 'scans', units: number): void {
    usage[meter].owed += units;
    this.#owing.add(usage);
  }

  /** Those with something left to settle. */
  owing(): AccountUsage[] {
    for (const usage of this.#owing) if (!usage.isOwing) this.#owing.delete(usage);
    return [...this.#owing];
  }

  #forgetOldest(): void {
    for (const [accountId, usage] of this.#byAccount) {
      if (usage.isOwing) continue;
      this.#byAccount.delete(accountId);
      return;
    }
  }
}
