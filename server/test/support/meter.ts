import { AddressGuard, createMeterGates, type Meter, startMeter } from '#capabilities/metering/index.ts';
import { type Limits, PLAN_LIMITS, type Plan } from '#domain/plans/plans.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Principal } from '#platform/http/principal.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { eventually } from './eventually.ts';
import { PATIENT } from './patient.ts';

export type TestMeter = {
  readonly redis: Redis;
  readonly system: Postgres;
  readonly meter: Meter;
  readonly gates: ReturnType<typeof createMeterGates>;
  readonly close: () => Promise<void>;
};

export type TestMeterOptions = {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly prefix: string;
  readonly clock?: Clock;
  /** True: Redis uses the time of `clock`, as with CLOCK_OFFSET_MS. */
  readonly ownsClock?: boolean;
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  readonly shares?: number;
  /** False: the test has stopped Redis before. */
  readonly isRedisUp?: boolean;
};

/** One process's meter, as the composition root makes it. */
export async function createTestMeter(options: TestMeterOptions): Promise<TestMeter> {
  const clock = options.clock ?? systemClock();
  const log = createLog('silent', { write: () => undefined });
  const config = {
    REDIS_URL: options.redisUrl,
    REDIS_TIMEOUT_MS: options.timeoutMs ?? 2_000,
    REDIS_PREFIX: options.prefix,
    METER_SHARES: options.shares,
    METER_GRACE_MS: options.graceMs ?? 60_000,
    CLOCK_OFFSET_MS: options.ownsClock === true ? 1 : 0,
    PUBLIC_PER_MINUTE: 120,
    ANON_PER_HOUR: 10,
    ANON_PER_MONTH: 50,
    FORMS_PER_HOUR: 5,
    PUBLIC_API_URL: 'https://api.example.test/',
    UPGRADE_PROMO_CODE: undefined,
  };
  const redis = await connectRedis({ config, log, clock: systemClock() });
  // `connectRedis` stops waiting for a connection after a second; the first calls would then be counted locally.
  if (options.isRedisUp !== false) await eventually('Redis is connected', 30_000, () => redis.status().isUp);
  const system = asSystem({ DATABASE_URL: options.databaseUrl, POSTGRES_POOL_MAX: 2 }, PATIENT);
  // Opens the connection now, because the meter waits only 300 ms for the ledger.
  await sql`select 1`.execute(system.db);
  const meter = await startMeter({ redis, system, config, clock, log });
  const guard = new AddressGuard({ redis, config, clock, shares: () => meter.shares });
  return {
    redis,
    system,
    meter,
    gates: createMeterGates({ meter, guard, config, clock }),
    close: async () => {
      await meter.close();
      redis.close();
      await system.close();
    },
  };
}

export const testCaller = (
  plan: Plan,
  change: Partial<Principal> & { readonly status?: string } = {},
  limits: Partial<Limits> = {},
): Principal =>
  ({
    kind: 'key',
    id: 'key_01',
    accountId: 'org_01',
    userId: 'usr_01',
    organizationId: 'org_01',
    role: null,
    plan,
    billing: null,
    status: 'active',
    limits: { ...PLAN_LIMITS[plan], ...limits },
    keyId: 'key_01',
    ...change,
  }) as Principal;
