import { randomBytes } from 'node:crypto';
import type { Log } from '#platform/log.ts';
import type { Redis } from '#platform/redis.ts';

/** The streams of a killed process stop counting against their account after this long (O40). */
export const LEASE_MS = 30_000;

/**
 * KEYS: the streams of an account, scored by the end of their leases. ARGV: the limit (empty: renew without one), the
 * length of a lease, ids of streams. Returns 1 if the ids hold a lease now, else 0.
 */
const HOLD = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if ARGV[1] ~= '' and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
for i = 3, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

export type Lease = { readonly accountId: string; readonly id: string };

/** Counts the open streams of each account across all processes, as leases in Redis. */
export class StreamLeases {
  readonly #redis: Pick<Redis, 'command'>;
  readonly #prefix: string;
  readonly #log: Log;
  readonly #held = new Map<string, Set<string>>();

  constructor(deps: { readonly redis: Pick<Redis, 'command'>; readonly prefix: string; readonly log: Log }) {
    this.#redis = deps.redis;
    this.#prefix = deps.prefix;
    this.#log = deps.log;
  }

  /**
   * Null when the account holds its limit already. While Redis is unreachable this process grants the limit by itself;
   * the meters, which every request passes, refuse after a minute (O7).
   */
  async take(accountId: string, limit: number): Promise<Lease | null> {
    const id = randomBytes(9).toString('base64url');
    const isGranted = await this.#hold(accountId, String(limit), [id]).catch(
      () => (this.#held.get(accountId)?.size ?? 0) < limit,
    );
    if (!isGranted) return null;
    const held = this.#held.get(accountId) ?? new Set();
    this.#held.set(accountId, held);
    held.add(id);
    return { accountId, id };
  }

  release({ accountId, id }: Lease): void {
    const held = this.#held.get(accountId);
    held?.delete(id);
    if (held?.size === 0) this.#held.delete(accountId);
    const key = this.#key(accountId);
    // If Redis is unreachable, the lease simply expires.
    this.#redis.command(key, ['ZREM', key, id]).catch(() => undefined);
  }

  /** Renews every lease of this process, which also restores the leases that a restarted Redis has lost. */
  async renewAll(): Promise<void> {
    for (const [accountId, ids] of this.#held)
      await this.#hold(accountId, '', [...ids]).catch((error: unknown) =>
        this.#log.debug({ err: error }, 'stream.leases.waiting'),
      );
  }

  async #hold(accountId: string, limit: string, ids: readonly string[]): Promise<boolean> {
    const key = this.#key(accountId);
    const argv = ['EVAL', HOLD, '1', key, limit, String(LEASE_MS), ...ids];
    return (await this.#redis.command(key, argv)) === 1;
  }

  readonly #key = (accountId: string): string => `${this.#prefix}:{${accountId}}:streams`;
}
