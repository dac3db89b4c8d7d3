import { hash } from 'node:crypto';
import { burstShare } from '#domain/metering/local-share.ts';
import { periodOf } from '#domain/metering/period.ts';
import { EMPTY_WINDOW, spendWindow, WINDOW_SLOTS, type Window } from '#domain/metering/window.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Redis } from '#platform/redis.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { METER_FUNCTIONS, OUTCOME } from './meter-library.ts';

const MINUTE_MS = 60_000;
/** Addresses kept while Redis is unreachable: about 10 MB. */
const LOCAL_MAX = 20_000;
/** Redis strings of records, for each window and prefix width; meter.lua says how many records each holds. */
const SHARDS = 2_048;
/** Length of a record's id in base64: 48 bits. meter.lua has the same length. */
const RECORD_ID_CHARS = 8;
/** A /48 may spend what this many of its /64s may: enough for the customers of a host that share one. */
const NETWORK_FACTOR = 16;

/** Limits of callers without credentials, per client address (decisions 1.4, meter A). At least one is set. */
export type AddressLimits = {
  readonly perMinute?: number;
  readonly perHour?: number;
  readonly perMonth?: number;
};

export type GuardAnswer = {
  readonly granted: boolean;
  /** The limit that refused, or when granted the one with the least left. */
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

/**
 * Spends one call of an address in a bucket. Never fails: without Redis it counts locally. An IPv6 caller counts by its /64
 * and by its /48, because one network has 65,536 of the former. Redis holds at most SHARDS times 32 records of each window
 * and width, 68 bytes each; beyond that the record that has spent least is forgotten.
 */
export class AddressGuard {
  readonly #deps: AddressGuardDeps;
  readonly #local = new Map<string, Window>();

  constructor(deps: AddressGuardDeps) {
    this.#deps = deps;
  }

  /** `group` is the unit of a limit: an IPv4 address or an IPv6 /64 (`addressGroup`). */
  async spend(group: string, bucket: string, limits: AddressLimits): Promise<GuardAnswer> {
    const nowMs = this.#deps.clock.now();
    const network = networkOf(group);
    const tag = `${this.#deps.config.REDIS_PREFIX}:{a${shardOf(network ?? group)}}`;
    const counters = countersOf(tag, nowMs, [
      { group, bucket, limits, suffix: '' },
      ...(network === null ? [] : [{ group: network, bucket, limits: widened(limits), suffix: ':48' }]),
    ]);
    const now = this.#deps.config.CLOCK_OFFSET_MS === 0 ? '0' : String(nowMs);
    const windows = counters.filter(({ isWindow }) => isWindow);
    const ordered = [...windows, ...counters.filter(({ isWindow }) => !isWindow)];
    const argv = [
      'FCALL',
      METER_FUNCTIONS.guard,
      String(ordered.length),
      ...ordered.map(({ key }) => key),
      now,
      String(windows.length),
      ...ordered.flatMap(({ args }) => args),
    ];
    try {
      const reply = (await this.#deps.redis.command(tag, argv)) as number[];
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
      const narrow = this.#openLocally(`${bucket} ${group}`, nowMs, limits);
      if (network === null || !narrow.answer.granted) return this.#keep([narrow]);
      return this.#keep([this.#openLocally(`${bucket} ${network}`, nowMs, widened(limits)), narrow]);
    }
  }

  /**
   * Empties the windows of a group that have reached their limit, for all processes. Returns how many calls the fullest window
   * held. Fails without Redis: what a process counts while Redis is unreachable ends with that time.
   */
  async release(group: string, bucket: string, limits: AddressLimits): Promise<number> {
    const nowMs = this.#deps.clock.now();
    const tag = `${this.#deps.config.REDIS_PREFIX}:{a${shardOf(networkOf(group) ?? group)}}`;
    const windows = countersOf(tag, nowMs, [{ group, bucket, limits, suffix: '' }]).filter(
      ({ isWindow }) => isWindow,
    );
    const argv = [
      'FCALL',
      METER_FUNCTIONS.release,
      String(windows.length),
      ...windows.map(({ key }) => key),
      this.#deps.config.CLOCK_OFFSET_MS === 0 ? '0' : String(nowMs),
      ...windows.flatMap(({ args }) => args),
    ];
    return Math.max(0, ...((await this.#deps.redis.command(tag, argv)) as number[]));
  }

  /** Applies only the shortest limit, divided by the number of processes: an abuse guard needs no exact count. */
  #openLocally(id: string, nowMs: number, limits: AddressLimits): LocalSpend {
    const [limit, windowMs] = shortestOf(limits);
    const window = this.#local.get(id) ?? EMPTY_WINDOW;
    return {
      id,
      limit,
      answer: spendWindow(window, nowMs, windowMs, burstShare(limit, this.#deps.shares())),
    };
  }

  /** Keeps the spends only when all were granted; otherwise nothing is spent and the first refusal is the answer. */
  #keep(spends: readonly [LocalSpend, ...LocalSpend[]]): GuardAnswer {
    const refused = spends.find(({ answer }) => !answer.granted);
    if (refused === undefined)
      for (const { id, answer } of spends) {
        this.#local.delete(id);
        this.#local.set(id, answer.window);
        if (this.#local.size > LOCAL_MAX) this.#forgetOldest();
      }
    const { answer, limit } = refused ?? spends[0];
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

type LocalSpend = {
  readonly id: string;
  readonly limit: number;
  readonly answer: ReturnType<typeof spendWindow>;
};

type Counter = { readonly key: string; readonly isWindow: boolean; readonly args: readonly string[] };

/** Every key has the tag of the network, because one call must reach them all on one server of a cluster. */
function countersOf(
  tag: string,
  nowMs: number,
  parts: readonly {
    readonly group: string;
    readonly bucket: string;
    readonly limits: AddressLimits;
    readonly suffix: string;
  }[],
): readonly Counter[] {
  const counters: Counter[] = [];
  for (const { group, bucket, limits, suffix } of parts) {
    const id = hash('sha256', `${bucket} ${group}`, 'base64url').slice(0, RECORD_ID_CHARS);
    const add = (name: string, isWindow: boolean, ...args: number[]) =>
      counters.push({ key: `${tag}:${name}${suffix}`, isWindow, args: [id, ...args.map(String)] });
    if (limits.perMinute !== undefined) add('m', true, MINUTE_MS / WINDOW_SLOTS, limits.perMinute);
    if (limits.perHour !== undefined) add('h', true, HOUR_MS / WINDOW_SLOTS, limits.perHour);
    if (limits.perMonth !== undefined) {
      const month = periodOf(nowMs);
      add(month.name, false, limits.perMonth, month.endMs);
    }
  }
  return counters;
}

const shardOf = (network: string): number =>
  Number.parseInt(hash('sha256', network, 'hex').slice(0, 8), 16) % SHARDS;

/** The /48 of a `2001:db8:1:2::/64`; null for IPv4. */
function networkOf(group: string): string | null {
  if (!group.endsWith('::/64')) return null;
  return `${group.split(':').slice(0, 3).join(':')}::/48`;
}

const widened = ({ perMinute, perHour, perMonth }: AddressLimits): AddressLimits => ({
  ...(perMinute !== undefined && { perMinute: perMinute * NETWORK_FACTOR }),
  ...(perHour !== undefined && { perHour: perHour * NETWORK_FACTOR }),
  ...(perMonth !== undefined && { perMonth: perMonth * NETWORK_FACTOR }),
});

function shortestOf(limits: AddressLimits): [limit: number, windowMs: number] {
  if (limits.perMinute !== undefined) return [limits.perMinute, MINUTE_MS];
  if (limits.perHour !== undefined) return [limits.perHour, HOUR_MS];
  return [limits.perMonth ?? 0, DAY_MS];
}
