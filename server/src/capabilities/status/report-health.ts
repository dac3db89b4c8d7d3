import type { Clock } from '#platform/clock.ts';
import type { Health, Readiness, ServiceState } from './contract.ts';
import { createProbe, type Probe } from './probe.ts';

/** What the process knows about its engines. Each answers true when it works; a throw or silence is a no. */
export type StatusDeps = {
  readonly clock: Clock;
  readonly database: () => Promise<boolean>;
  readonly redis: () => Promise<boolean>;
  /** True once the local replica was verified and may answer. */
  readonly replica: () => Promise<boolean>;
  readonly readiness: { readonly draining: boolean };
};

export type Status = {
  readonly health: () => Promise<Health>;
  readonly ready: () => Promise<Readiness>;
};

export function createStatus(deps: StatusDeps): Status {
  const database = createProbe(deps.clock, deps.database);
  const redis = createProbe(deps.clock, deps.redis);
  const replica = createProbe(deps.clock, deps.replica);
  return {
    health: () => reportHealth({ database, redis, replica }),
    ready: async () => judgeReadiness((await replica()).ok, deps.readiness.draining),
  };
}

async function reportHealth(
  probes: Readonly<Record<'database' | 'redis' | 'replica', Probe>>,
): Promise<Health> {
  const [database, redis, replica] = await Promise.all([probes.database(), probes.redis(), probes.replica()]);
  const state = judgeHealth({ database: database.ok, redis: redis.ok, replica: replica.ok });
  return { ...state, timestamp: new Date(Math.min(database.askedAtMs, redis.askedAtMs)).toISOString() };
}

type Working = { readonly database: boolean; readonly redis: boolean; readonly replica: boolean };

/** Decisions 3.14: without the database the service is down; without Redis, or a replica, it limps. */
export function judgeHealth(working: Working): Pick<Health, 'status' | 'services'> {
  const status: ServiceState = !working.database
    ? 'down'
    : working.redis && working.replica
      ? 'operational'
      : 'degraded';
  return {
    status,
    services: {
      api: working.replica ? 'operational' : 'degraded',
      database: working.database ? 'operational' : 'down',
      redis: working.redis ? 'operational' : 'down',
    },
  };
}

/**
 * Ready means: send callers here. Neither PostgreSQL nor Redis is asked: checks go on without them (reliability A1),
 * and taking every node out of rotation for an engine that all of them miss would only make it worse.
 */
export function judgeReadiness(hasReplica: boolean, draining: boolean): Readiness {
  const checks = [
    {
      name: 'replica',
      ok: hasReplica,
      message: hasReplica ? 'Verified and answering.' : 'Still loading, or not verified yet.',
    },
    {
      name: 'listener',
      ok: !draining,
      message: draining ? 'Shutting down.' : 'Accepting requests.',
    },
  ];
  return { ready: checks.every((check) => check.ok), checks };
}
