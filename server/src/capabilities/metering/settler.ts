import { randomBytes } from 'node:crypto';
import type { Log } from '#platform/log.ts';
import type { Redis } from '#platform/redis.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { AccountUsage } from './account-usage.ts';
import type { Ledger } from './ledger.ts';
import { METER_FUNCTIONS } from './meter-library.ts';

/** The hash of a month is kept for a week longer, for late refunds and settlements. */
const KEPT_AFTER_MS = 7 * DAY_MS;
const MONTH_MAX_MS = 31 * DAY_MS;
const TTL_MS = String(MONTH_MAX_MS + KEPT_AFTER_MS);
const SETTLED_AT_ONCE = 100;

export type SettlerDeps = {
  readonly redis: Redis;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly processId: string;
};

type SettleReply = readonly [
  incarnation: string,
  checks: number,
  checksBack: number,
  scans: number,
  scansBack: number,
];

/**
 * Synchronizes this process with the hash of a month in Redis: loads it, restores it after a loss from the
 * highest usage known anywhere, and adds the units granted here meanwhile exactly once.
 */
export class Settler {
  readonly #deps: SettlerDeps;
  #settlements = 0;

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  /** Shared by all requests that wait for the same account. Fails when Redis is down. */
  settle(usage: AccountUsage): Promise<void> {
    usage.settling ??= this.#settle(usage).finally(() => {
      usage.settling = null;
    });
    return usage.settling;
  }

  /** Tries each account once; failed ones stay owed. */
  async settleAll(usages: readonly AccountUsage[]): Promise<void> {
    for (let from = 0; from < usages.length; from += SETTLED_AT_ONCE) {
      const some = usages.slice(from, from + SETTLED_AT_ONCE);
      const results = await Promise.allSettled(some.map((usage) => this.settle(usage)));
      if (results.every((result) => result.status === 'rejected')) return;
    }
  }

  /** If PostgreSQL is down too, the usage seen by this process is used, and a later flush corrects it. */
  async learnFromLedger(usage: AccountUsage): Promise<void> {
    try {
      const held = await this.#deps.ledger.read(usage.accountId, usage.period.name);
      usage.checks.raise(held.checks);
      usage.scans.raise(held.scans);
      usage.checks.flushed = held.checks.granted + held.checks.refunded;
      usage.scans.flushed = held.scans.granted + held.scans.refunded;
    } catch (error) {
      this.#deps.log.warn(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'usage ledger not readable; using the usage known to this process',
      );
    }
    usage.isKnown = true;
  }

  async #settle(usage: AccountUsage): Promise<void> {
    this.#settlements += 1;
    const settlement = usage.openSettlement(() => this.#settlements);
    let reply = await this.#call(usage, '');
    if (reply[0] === '') {
      await this.learnFromLedger(usage);
      reply = await this.#call(usage, randomBytes(6).toString('hex'));
    }
    const [incarnation, checks, checksBack, scans, scansBack] = reply;
    if (usage.settlement === settlement) usage.settlement = null;
    usage.incarnation = incarnation;
    usage.isKnown = true;
    usage.checks.raise({ granted: checks, refunded: checksBack });
    usage.scans.raise({ granted: scans, refunded: scansBack });
    usage.localWindows.clear();
    for (const meter of ['checks', 'scans'] as const)
      if (usage[meter].unflushed > 0) this.#deps.ledger.note(usage, meter);
  }

  async #call(usage: AccountUsage, beginWith: string): Promise<SettleReply> {
    const { checks, scans, settlement } = usage;
    const reply = await this.#deps.redis.callFunction(
      METER_FUNCTIONS.settle,
      [usage.key],
      [
        beginWith,
        String(checks.granted),
        String(checks.refunded),
        String(scans.granted),
        String(scans.refunded),
        this.#deps.processId,
        String(settlement?.number ?? 0),
        String(settlement?.checks ?? 0),
        String(settlement?.scans ?? 0),
        TTL_MS,
      ],
    );
    return reply as SettleReply;
  }
}
