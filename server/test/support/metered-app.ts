import type { FastifyInstance } from 'fastify';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { createTestDatabase } from './database.ts';
import { listen, POLICY, recordedGates, testApp } from './http-app.ts';
import { createTestMeter, testCaller } from './meter.ts';
import { REDIS_URL, removeKeys, testPrefix } from './redis.ts';

export const policyOf = (meter: Policy['meter'], more: Partial<Policy> = {}): Policy => ({
  ...POLICY,
  meter,
  ...more,
});

/** Routes behind the real meter gates; the test decides who calls and what time it is. */
export type MeteredApp = {
  readonly app: FastifyInstance;
  readonly port: number;
  principal: Principal;
  nowMs: number;
  /** How many callers there were; tests use it to have addresses of their own. */
  callers: number;
  /** A caller that has spent nothing, at the time at which every test begins. */
  readonly nextCaller: () => void;
  readonly close: () => Promise<void>;
};

export async function startMeteredApp(routes: Parameters<typeof testApp>[0]): Promise<MeteredApp> {
  const database = await createTestDatabase();
  const prefix = testPrefix();
  const at = { principal: testCaller('FREE') as Principal, nowMs: Date.now(), callers: 0 };
  const clock: Clock = { now: () => at.nowMs, monotonic: systemClock().monotonic };
  const meters = await createTestMeter({
    redisUrl: REDIS_URL,
    databaseUrl: database.url,
    prefix,
    clock,
    ownsClock: true,
  });
  const { refuseEarly, refuseSpent, admit, refund } = meters.gates;
  const recorded = recordedGates({ identify: () => at.principal });
  const app = testApp(routes, {
    gates: { ...recorded.gates, refuseEarly, refuseSpent, admit, refund },
    clock,
  });
  return Object.assign(at, {
    app,
    port: await listen(app),
    nextCaller: () => {
      at.callers += 1;
      at.nowMs = Date.UTC(2026, 10, 15, 12, 0, 1);
      at.principal = testCaller('FREE', { accountId: `org_${at.callers}`, id: `key_${at.callers}` });
    },
    close: async () => {
      await app.close();
      await meters.close();
      await removeKeys(prefix);
      await database.drop();
    },
  });
}
