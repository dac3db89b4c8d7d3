import { type Clock, systemClock } from '../../server/src/platform/clock.ts';
import type { Config } from '../../server/src/platform/config.ts';
import type { Log } from '../../server/src/platform/log.ts';
import {
  asSystem,
  BATCH_LIMITS,
  connectPostgres,
  type Postgres,
} from '../../server/src/platform/postgres.ts';

/** What every part of the seeding works with. */
export type Seeding = {
  readonly config: Config;
  readonly log: Log;
  /** The time of the start, on which all dates of the sample are based. */
  readonly todayMs: number;
  /** Connections across accounts, as administration commands and jobs have them. */
  readonly system: Postgres;
  /** Connections of callers, who see one account. */
  readonly postgres: Postgres;
  readonly signal: AbortSignal;
  /** Called with what is being done now, such as "Building the blocklists". */
  readonly onProgress: (doing: string) => void;
};

export type SeedingOptions = Pick<Seeding, 'config' | 'log'> &
  Partial<Pick<Seeding, 'signal' | 'onProgress'>>;

const CONNECTIONS = 4;

/** Opens connections with the limits of a job, runs `work` and closes them. */
export async function withSeeding<T>(
  { config, log, signal, onProgress }: SeedingOptions,
  work: (seeding: Seeding) => Promise<T>,
): Promise<T> {
  const sized = { ...config, POSTGRES_POOL_MAX: CONNECTIONS };
  const system = asSystem(sized);
  const postgres = connectPostgres(sized, 'assay_app', BATCH_LIMITS);
  try {
    return await work({
      config,
      log,
      system,
      postgres,
      todayMs: Date.now(),
      signal: signal ?? new AbortController().signal,
      onProgress: onProgress ?? (() => undefined),
    });
  } finally {
    await Promise.all([system.close(), postgres.close()]);
  }
}

/** A clock that starts at `startMs` and moves with the time that passes. */
export function clockAt(startMs: number): Clock {
  const { monotonic } = systemClock();
  const startedAt = monotonic();
  return { now: () => startMs + Math.floor(monotonic() - startedAt), monotonic };
}
