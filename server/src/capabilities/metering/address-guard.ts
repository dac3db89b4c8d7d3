import { burstShare } from '#domain/metering/local-share.ts';
import { periodOf } from '#domain/metering/period.ts';
import { EMPTY_WINDOW, spendWindow, WINDOW_SLOTS, type Window } from '#domain/metering/window.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Redis } from '#platform/redis.ts';
import { METER_FUNCTIONS, OUTCOME } from './meter-library.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Addresses remembered while Redis is away: about 10 MB. */
const LOCAL_MAX = 20_000;

/** Limits of callers without credentials, per client address (decisions 1.4, meter A). At least one of them. */
export type AddressLimits = {
  readonly perMinute?: number;
  readonly perHour?: number;
  /** Per UTC day. */
  readonly perDay?: number;
  /** Per calendar month. */
  readonly perMonth?: number;
};

export type GuardAnswer = {
  readonly granted: boolean;
  /** Of the limit that refused, or of the one with least left. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
  readonly retryAfterMs: number;
  readonly isLocal: boolean;
};

export type AddressGuardDeps = {
  readonly redis: Redis;
  readonly config: Pick<Config, 'REDIS_PREFIX' | 'CLOCK_OFFSET_MS'>;
  readonly clock: Clock;
  readonly shares: () => number;
};

/** Spends one call of `address` in `bucket`. Never fails: without Redis it counts here, and stays open. */
export class AddressGuard {
  readonly #deps: AddressGuardDeps;
  readonly #local = new Map<string, Window>();

  constructor(deps: AddressGuardDeps) {
    this.#deps = deps;
  }

  async spend(address: string, bucket: string, limits: AddressLimits): Promise<GuardAnswer> {
    const base = `${this.#deps.config.REDIS_PREFIX}:{${address}}:a:${bucket}`;
    const nowMs = this.#deps.clock.now();
    const { keys, args, windows } = guardArguments(base, nowMs, limits);
    const now = this.#deps.config.CLOCK_OFFSET_MS === 0 ? '0' : String(nowMs);
    const argv = [
      'FCALL',
      METER_FUNCTIONS.guard,
      String(keys.length),
      ...keys,
      now,
      String(windows),
      ...args,
    ];
    try {
      const reply = (await this.#deps.redis.command(base, argv)) as number[];
      const [outcome, limit = 0, remaining = 0, resetMs = 0, retryAfterMs = 0] = reply;
      return {
        granted: outcome === OUTCOME.granted,
        limit,
        remaining,
        resetMs,
        retryAfterMs,
        isLocal: false,
      };
    } catch {
      return this.#spendLocally(base, nowMs, limits);
    }
  }

  /** The shortest limit alone, this process's share of it: an abuse guard is no ledger. */
  #spendLocally(base: string, nowMs: number, limits: AddressLimits): GuardAnswer {
    const [limit, windowMs] = shortestOf(limits);
    const window = this.#local.get(base) ?? EMPTY_WINDOW;
    const answer = spendWindow(window, nowMs, windowMs, burstShare(limit, this.#deps.shares()));
    this.#local.delete(base);
    this.#local.set(base, answer.window);
    if (this.#local.size > LOCAL_MAX) this.#forgetOldest();
    const { granted, remaining, resetMs, retryAfterMs } = answer;
    return { granted, limit, remaining, resetMs, retryAfterMs, isLocal: true };
  }

  #forgetOldest(): void {
    for (const oldest of this.#local.keys()) {
      this.#local.delete(oldest);
      return;
    }
  }
}

function guardArguments(
  base: string,
  nowMs: number,
  limits: AddressLimits,
): { keys: string[]; args: string[]; windows: number } {
  const keys: string[] = [];
  const args: string[] = [];
  const window = (name: string, windowMs: number, limit: number | undefined) => {
    if (limit === undefined) return;
    keys.push(`${base}:${name}`);
    args.push(String(windowMs / WINDOW_SLOTS), String(limit));
  };
  window('m', MINUTE_MS, limits.perMinute);
  window('h', HOUR_MS, limits.perHour);
  const windows = keys.length;
  if (limits.perDay !== undefined) {
    const day = Math.floor(nowMs / DAY_MS);
    keys.push(`${base}:d:${day}`);
    args.push(String(limits.perDay), String((day + 1) * DAY_MS));
  }
  if (limits.perMonth !== undefined) {
    const month = periodOf(nowMs);
    keys.push(`${base}:${month.name}`);
    args.push(String(limits.perMonth), String(month.endMs));
  }
  return { keys, args, windows };
}

function shortestOf(limits: AddressLimits): [limit: number, windowMs: number] {
  if (limits.perMinute !== undefined) return [limits.perMinute, MINUTE_MS];
  if (limits.perHour !== undefined) return [limits.perHour, HOUR_MS];
  if (limits.perDay !== undefined) return [limits.perDay, DAY_MS];
  return [limits.perMonth ?? 0, DAY_MS];
}
