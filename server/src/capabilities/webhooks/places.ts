/** An endpoint is slow if its answers take longer than this on average. */
export const PROMPT_MS = 2_000;
/** Parts of all places: for endpoints that are slow, fail or never answered, and for deliveries beside their lanes. */
const SLOW_SHARE = 0.4;
const ASIDE_SHARE = 0.1;
const ASIDE_SHARE_OF_ACCOUNT = 0.01;

/** The fields of a claim that decide which places it takes. */
type Sending = {
  readonly accountId: string;
  readonly status: 'pending' | 'parked' | 'once';
  readonly isPrompt: boolean;
};

export type Room = {
  readonly all: number;
  readonly slow: number;
  readonly aside: number;
  readonly asideOfAccount: number;
  /** Accounts that have used their places for deliveries beside their lanes. */
  readonly fullAccounts: readonly string[];
};

const isAside = ({ status }: Sending): boolean => status !== 'pending';

/**
 * Limits how many deliveries one process sends at once. An attempt may take 15 seconds, so at least half of the places
 * are kept for endpoints that answer soon, and slow receivers cannot take them (docs/decisions/0020).
 */
export class Places {
  #taken = 0;
  #slow = 0;
  readonly #aside = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  room(): Room {
    const share = (part: number) => Math.max(1, Math.floor(this.#max * part));
    const asideOfAccount = share(ASIDE_SHARE_OF_ACCOUNT);
    const aside = [...this.#aside.values()].reduce((sum, each) => sum + each, 0);
    const all = this.#max - this.#taken;
    return {
      all,
      slow: Math.max(0, Math.min(all, share(SLOW_SHARE) - this.#slow)),
      aside: Math.max(0, Math.min(all, share(ASIDE_SHARE) - aside)),
      asideOfAccount,
      fullAccounts: [...this.#aside].flatMap(([accountId, count]) =>
        count >= asideOfAccount ? [accountId] : [],
      ),
    };
  }

  take(claim: Sending): void {
    this.#change(claim, 1);
  }

  release(claim: Sending): void {
    this.#change(claim, -1);
  }

  #change(claim: Sending, by: 1 | -1): void {
    this.#taken += by;
    if (!isAside(claim)) {
      if (!claim.isPrompt) this.#slow += by;
      return;
    }
    const count = (this.#aside.get(claim.accountId) ?? 0) + by;
    if (count === 0) this.#aside.delete(claim.accountId);
    else this.#aside.set(claim.accountId, count);
  }
}
