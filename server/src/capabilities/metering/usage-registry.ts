import { isWithin, type Period, periodOf } from '#domain/metering/period.ts';
import { AccountUsage } from './account-usage.ts';

/** About 60 MB. A dropped account is loaded again from Redis and the ledger. */
const ACCOUNTS_MAX = 100_000;

/** The accounts that this process has seen in the current month, and those it still owes units for. */
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
    // A new month gets a new entry. The ledger or the owing set keeps the old one as long as they need it.
    this.#byAccount.delete(accountId);
    this.#byAccount.set(accountId, usage);
    if (this.#byAccount.size > ACCOUNTS_MAX) this.#forgetOldest();
    return usage;
  }

  owe(usage: AccountUsage, meter: 'checks' | 'scans', units: number): void {
    usage[meter].owed += units;
    this.#owing.add(usage);
  }

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
