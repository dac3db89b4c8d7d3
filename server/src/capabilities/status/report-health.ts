import type { Clock } from '#platform/clock.ts';
import type { ReplicaContact } from '#platform/replica/contact.ts';
import type { Health, Readiness, ServiceState } from './contract.ts';
import { createProbe, type Probe } from './probe.ts';

/** Checks of the engines. Each returns true when the engine works; an exception or no reply counts as false. */
export type StatusDeps = {
  readonly clock: Clock;
  readonly database: () => Promise<'writable' | 'readOnly' | false>;
  readonly redis: () => Promise<boolean>;
  readonly replica: () => Promise<boolean>;
  readonly contact: ReplicaContact;
  readonly readiness: { readonly draining: boolean };
  /** The state of the loaded data; null or an exception: it cannot be read. Absent: the process has none. */
  readonly data?: () => Promise<Health['data']>;
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
    health: () => reportHealth({ database, redis, replica }, deps.contact, deps.data),
    ready: async () => judgeReadiness((await replica()).ok, deps.readiness.draining, contactOf(deps.contact)),
  };
}

type Contact = { readonly ageMs: number | null; readonly isStale: boolean };

const contactOf = (contact: ReplicaContact): Contact => {
  const ageMs = contact.ageMs();
  return { ageMs: ageMs === null ? null : Math.round(ageMs), isStale: contact.isStale() };
};

async function reportHealth(
  probes: Readonly<Record<'redis' | 'replica', Probe>> & {
    readonly database: Probe<'writable' | 'readOnly' | false>;
  },
  contact: ReplicaContact,
  readData: StatusDeps['data'] = async () => null,
): Promise<Health> {
  const [database, redis, replica] = await Promise.all([probes.database(), probes.redis(), probes.replica()]);
  // Without PostgreSQL the data cannot be described, and the answer must not wait for it.
  let isUnread = false;
  const data = database.ok
    ? await readData().catch(() => {
        isUnread = true;
        return null;
      })
    : null;
  const { ageMs, isStale } = contactOf(contact);
  const state = judgeHealth({
    database: database.ok,
    isReadOnly: database.found === 'readOnly',
    redis: redis.ok,
    replica: replica.ok && !isStale,
    // What cannot be read is not known to be there.
    isLate: isUnread || (data?.late.length ?? 0) > 0,
  });
  return {
    ...state,
    timestamp: new Date(Math.min(database.askedAtMs, redis.askedAtMs)).toISOString(),
    replicaContactAgeMs: ageMs,
    data,
  };
}

type Working = {
  readonly database: boolean;
  /** The database answers reads and refuses writes, as a standby does. */
  readonly isReadOnly?: boolean;
  readonly redis: boolean;
  readonly replica: boolean;
  /** Blocklists, collections or the address database are late or missing, or their state cannot be read. */
  readonly isLate?: boolean;
};

/**
 * Without the database the service is down; with one that refuses writes (decisions O72), without Redis, a replica or its newest
 * files it is degraded (decisions 3.14).
 */
export function judgeHealth(working: Working): Pick<Health, 'status' | 'services'> {
  const isWhole = working.redis && working.replica && working.isLate !== true && working.isReadOnly !== true;
  const status: ServiceState = working.database ? (isWhole ? 'operational' : 'degraded') : 'down';
  const database = working.isReadOnly === true ? 'degraded' : 'operational';
  return {
    status,
    services: {
      api: working.replica ? 'operational' : 'degraded',
      database: working.database ? database : 'down',
      redis: working.redis ? 'operational' : 'down',
    },
  };
}

/**
 * Ready means that callers may be sent here. PostgreSQL and Redis are not queried: checks work without them
 * (reliability A1), and removing every node from rotation because all miss one engine would make the outage worse. For the
 * same reason a stale replica is told and does not make the node unready: keys are then confirmed with PostgreSQL.
 */
export function judgeReadiness(
  hasReplica: boolean,
  draining: boolean,
  contact: { readonly ageMs: number | null; readonly isStale: boolean },
): Readiness {
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
  return {
    ready: checks.every((check) => check.ok),
    checks: [...checks, { name: 'contact', ok: !contact.isStale, message: contactMessage(contact) }],
    replicaContactAgeMs: contact.ageMs,
  };
}

function contactMessage({ ageMs, isStale }: { readonly ageMs: number | null; readonly isStale: boolean }) {
  if (ageMs === null) return 'There is no replica yet.';
  const age = `PostgreSQL was last followed ${Math.round(ageMs / 100) / 10} s ago`;
  return isStale
    ? `${age}. The replicator is stopped or cannot reach PostgreSQL; keys are confirmed with PostgreSQL while this node reaches it.`
    : `${age}.`;
}
