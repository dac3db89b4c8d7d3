import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { counter } from '../metrics.ts';
import { type Db, lendConnection, type Postgres, sql } from '../postgres.ts';

/** Jobs of a dead worker are taken over within 30 s (reliability W3): 15 s of lease, 5 s to the sweep, the poll. */
export const LEASE_TIMING = { heartbeatMs: 5_000, leaseMs: 15_000 } as const;
export type LeaseTiming = { readonly heartbeatMs: number; readonly leaseMs: number };

/** Short timeouts for the lease connection, because a delayed heartbeat counts as missing. */
export const LEASE_LIMITS = {
  acquireTimeoutMs: 2_000,
  statementTimeoutMs: 3_000,
  lockTimeoutMs: 2_000,
  queryTimeoutMs: 4_000,
} as const;
const RETRY_MS = 500;
/** After an outage every worker is late, so others get one heartbeat to return before any is swept. */
const ON_TIME_BEFORE_SWEEP = 2;

const swept = counter({
  name: 'worker_leases_swept_total',
  help: 'Dead workers whose jobs were taken over.',
});

/** Thrown into a job whose worker was declared dead, because another worker owns the job now (foundation rule 12). */
export class LeaseLostError extends Error {
  constructor(workerId: string) {
    super(`Worker ${workerId} lost its lease; nothing of this transaction was kept.`);
    this.name = 'LeaseLostError';
  }
}

export type Lease = {
  readonly workerId: string;
  /** Grows with every worker ever started; external systems may compare it. */
  readonly epoch: string;
  readonly lost: AbortSignal;
  /** The first statement of every transaction of a job; while that is open, no other worker can take the lease. */
  readonly fence: (tx: Db, statementTimeoutMs: number) => Promise<void>;
  readonly release: () => Promise<void>;
};

export type LeaseOptions = {
  readonly postgres: Postgres;
  readonly workerId: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly timing: LeaseTiming;
  readonly onLost: () => void;
};

export async function holdLease(options: LeaseOptions, signal: AbortSignal): Promise<Lease> {
  const { postgres, workerId, log } = options;
  const epoch = await takeLease(options, signal);
  const lost = new AbortController();
  const stopped = new AbortController();
  const beating = keepAlive(options, epoch, stopped.signal).then((held) => {
    if (held) return;
    log.error({ workerId, epoch }, 'worker.lease.lost');
    lost.abort(new LeaseLostError(workerId));
    options.onLost();
  });
  return {
    workerId,
    epoch,
    lost: lost.signal,
    fence: (tx, statementTimeoutMs) => fence(tx, workerId, epoch, statementTimeoutMs),
    release: async () => {
      stopped.abort();
      await beating;
      await endLease(postgres, workerId);
    },
  };
}

async function takeLease({ postgres, workerId, log }: LeaseOptions, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return await insertLease(postgres.db, workerId);
    } catch (error) {
      log.warn({ workerId, err: error }, 'worker.lease.waiting');
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

async function keepAlive(options: LeaseOptions, epoch: string, stopped: AbortSignal): Promise<boolean> {
  const { postgres, workerId, log, clock, timing } = options;
  let beatAt = clock.monotonic();
  let onTime = 0;
  for (;;) {
    await sleep(timing.heartbeatMs, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) return true;
    try {
      if (!(await beat(postgres.db, workerId, epoch))) return false;
      onTime = clock.monotonic() - beatAt < timing.leaseMs ? onTime + 1 : 0;
      beatAt = clock.monotonic();
      if (onTime >= ON_TIME_BEFORE_SWEEP) await sweep(options);
    } catch (error) {
      log.warn({ workerId, err: error }, 'worker.heartbeat.failed');
      await dropConnection(postgres);
    }
  }
}

/** An abandoned call leaves its connection waiting for the answer, and the next heartbeat would queue behind it. */
async function dropConnection(postgres: Postgres): Promise<void> {
  try {
    await lendConnection(postgres, async () => undefined, { isClosed: true });
  } catch {
    // No connection could be had, so there is none to drop.
  }
}

/** Closes the connections of expired workers, then takes their leases and unlocks their jobs in one transaction. */
async function sweep({ postgres, workerId, log, timing }: LeaseOptions): Promise<void> {
  const expired = await endExpiredConnections(postgres.db, timing.leaseMs);
  if (expired.length === 0) return;
  const taken = await postgres.transaction(async (tx) => {
    const ids = await deleteExpired(tx, expired, timing.leaseMs);
    if (ids.length > 0) await forceUnlock(tx, ids);
    return ids;
  });
  for (const dead of taken) {
    swept.inc();
    log.warn({ workerId, dead }, 'worker.lease.swept');
  }
}

async function endLease(postgres: Postgres, workerId: string): Promise<void> {
  await postgres.transaction(async (tx) => {
    await sql`delete from worker_lease where worker_id = ${workerId}`.execute(tx);
    await forceUnlock(tx, [workerId]);
  });
}

async function insertLease(db: Db, workerId: string): Promise<string> {
  const { rows } = await sql<{ epoch: string }>`
    insert into worker_lease (worker_id, process) values (${workerId}, ${`node ${process.pid}`})
    on conflict (worker_id) do update set seen_at = now() returning epoch`.execute(db);
  return rows[0]?.epoch ?? '';
}

async function beat(db: Db, workerId: string, epoch: string): Promise<boolean> {
  const { rows } = await sql`
    update worker_lease set seen_at = now()
     where worker_id = ${workerId} and epoch = ${epoch} returning 1`.execute(db);
  return rows.length === 1;
}

/**
 * `for key share` blocks a sweeper's delete but not this worker's own heartbeat, which `for share` would block for
 * the whole minute of a merge. The application name lets a sweeper end the connection.
 */
async function fence(tx: Db, workerId: string, epoch: string, statementTimeoutMs: number): Promise<void> {
  const { rows } = await sql`
    select set_config('application_name', worker_id, true),
           set_config('statement_timeout', ${String(Math.max(1, Math.ceil(statementTimeoutMs)))}, true)
      from worker_lease where worker_id = ${workerId} and epoch = ${epoch} for key share`.execute(tx);
  if (rows.length !== 1) throw new LeaseLostError(workerId);
}

async function endExpiredConnections(db: Db, leaseMs: number): Promise<readonly string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select end_expired_workers(make_interval(secs => ${leaseMs / 1000})) as ids`.execute(db);
  return rows[0]?.ids ?? [];
}

async function deleteExpired(tx: Db, ids: readonly string[], leaseMs: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from worker_lease
     where worker_id = any(${ids}) and seen_at < now() - make_interval(secs => ${leaseMs / 1000})
    returning worker_id as id`.execute(tx);
  return rows.map((row) => row.id);
}

const forceUnlock = (tx: Db, ids: readonly string[]): Promise<unknown> =>
  sql`select graphile_worker.force_unlock_workers(${ids})`.execute(tx);
