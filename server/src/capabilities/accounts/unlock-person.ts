import { type Actor, addressNetwork, recordAudit } from '#capabilities/access/index.ts';
import { codesOfPerson } from '#capabilities/factors/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Postgres } from '#platform/postgres.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import {
  byKnownDevices,
  byMailbox,
  byNetwork,
  emailsByMailbox,
  type LimitConfig,
  reservedReset,
  type TryLimit,
} from './sign-in-limits.ts';
import { selectTriedAddresses } from './store.ts';

/** A limit of sign-in, and how much of it was used in the last hour. */
export type UsedLimit = {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  readonly wasUsedUp: boolean;
};

export type UnlockDeps = {
  readonly system: Postgres;
  readonly clock: Clock;
  readonly config: LimitConfig & Pick<Config, 'FACTOR_CODES_PER_HOUR'>;
  /** Empties the limits that are used up, and returns how many calls each held. */
  readonly guard: {
    readonly release: (group: string, bucket: string, limits: TryLimit['limits']) => Promise<number>;
  };
};

/** Networks of a person's sign-ins within an hour: more than the limit of all networks together allows at its default. */
const ADDRESSES_MAX = 1_000;

/**
 * For operators: removes the sign-in limits of a person that are used up, and leaves the others as they are. The networks are
 * those of the audit trail, because the limits themselves name nobody. Audited when there was something to remove.
 */
export async function unlockPerson(
  { system, clock, config, guard }: UnlockDeps,
  actor: Actor,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<readonly UsedLimit[]> {
  const nowMs = clock.now();
  return system.transaction(async (tx) => {
    const addresses = await selectTriedAddresses(tx, userId, nowMs - HOUR_MS, ADDRESSES_MAX);
    const named: (readonly [string, Pick<TryLimit, 'group' | 'bucket' | 'limits'>])[] = [
      ['new devices, all networks', byMailbox(config, email)],
      ['known devices', byKnownDevices(email)],
      ['emails', emailsByMailbox(config, email)],
      ['reset email for a known device', reservedReset(email)],
      ['codes of the authenticator app', codesOfPerson(config, userId)],
      ...[...new Map(addresses.map((address) => [addressNetwork(address), address]))].map(
        ([network, address]) =>
          [`new devices, network ${network}`, byNetwork(config, email, address)] as const,
      ),
    ];
    const found: UsedLimit[] = [];
    for (const [name, { group, bucket, limits }] of named) {
      const limit = limits.perHour ?? 0;
      const used = await guard.release(group, bucket, limits);
      found.push({ name, used, limit, wasUsedUp: used >= limit });
    }
    const names = found.flatMap(({ name, wasUsedUp }) => (wasUsedUp ? [name] : []));
    if (names.length > 0)
      await recordAudit(tx, {
        accountId: userId,
        actor,
        action: 'user.unlock',
        target: userId,
        before: { limits: names },
        after: null,
        detail: { limits: names.slice(0, 10).join('; ') },
        nowMs,
      });
    return found;
  });
}
