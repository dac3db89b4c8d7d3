import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { asSystem, BATCH_LIMITS, type Postgres } from '../postgres.ts';
import { DAY_MS, HOUR_MS } from '../time-units.ts';
import { assertDataset, type Dataset } from './dataset.ts';
import { lockFolder } from './exclusive.ts';
import { Follower } from './follower.ts';
import { listenForChanges } from './listen.ts';
import { type DatasetStatus, type StatusFile, writeStatus } from './status.ts';

/** The poll that finds a change within half a second when no notification arrives. */
const LOOK_EVERY_MS = 500;
const LOOK_RETRY_MS = 1_000;
const REBUILD_RETRY_MIN_MS = 1_000;
const REBUILD_RETRY_MAX_MS = 60_000;
const STATUS_EVERY_MS = 250;
const SWEEP_EVERY_MS = 10_000;
/** Nightly maintenance at 03:00 UTC. */
const NIGHTLY_AT_MS = 3 * HOUR_MS;
/** Polls and small deltas fail early: a network partition must not hold them for the length of a batch. */
const QUICK_LIMITS = {
  acquireTimeoutMs: 3_000,
  statementTimeoutMs: 8_000,
  lockTimeoutMs: 5_000,
  queryTimeoutMs: 10_000,
} as const;
const CONNECTIONS = 4;

export type RunReplicatorOptions = {
  readonly config: Config;
  readonly datasets: readonly Dataset[];
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

export async function runReplicator(options: RunReplicatorOptions): Promise<void> {
  const { config, datasets, log, clock, signal } = options;
  for (const dataset of datasets) assertDataset(dataset);
  const lock = lockFolder(config.DATA_DIR);
  const pooled = { ...config, POSTGRES_POOL_MAX: CONNECTIONS };
  const [quick, bulk] = [asSystem(pooled, QUICK_LIMITS), asSystem(pooled, BATCH_LIMITS)];
  const followers = datasets.map(
    (dataset) =>
      new Follower({ dataset, dataDir: config.DATA_DIR, log, clock, quick, bulk, replicatorId: lock.id }),
  );
  const status = keepStatus(config.DATA_DIR, lock.id, clock, followers);
  const loops = followers.map((follower) => new FollowLoop(follower, log, clock, signal));
  const names = datasets.map((dataset) => dataset.name);
  const listener = listenForChanges(config, log, (dataset) => loops[names.indexOf(dataset)]?.wake());
  log.info({ dataDir: config.DATA_DIR, datasets: names }, 'replicator started');
  try {
    await Promise.all(loops.map((loop) => loop.run()));
  } finally {
    status.stop();
    await listener.close();
    await Promise.all(followers.map((follower) => follower.close()));
    await Promise.allSettled([quick.close(), bulk.close()]);
    lock.release();
  }
}

export type ReplicateOnceOptions = {
  readonly postgres: Postgres;
  readonly dataset: Dataset;
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: Clock;
};

/** Builds or catches up once, then releases the folder. */
export async function replicateOnce(options: ReplicateOnceOptions): Promise<DatasetStatus> {
  const replicator = await openReplicator(options);
  try {
    return replicator.status();
  } finally {
    await replicator.close();
  }
}

export type OpenReplicator = {
  readonly sync: () => Promise<void>;
  readonly compact: () => Promise<void>;
  readonly verify: () => Promise<boolean>;
  readonly sweep: () => Promise<void>;
  readonly status: () => DatasetStatus;
  readonly close: () => Promise<void>;
};

/** One dataset under manual control: the same parts as the process, without its loop. */
export async function openReplicator(options: ReplicateOnceOptions): Promise<OpenReplicator> {
  const { postgres, dataset, dataDir, log, clock } = options;
  assertDataset(dataset);
  const lock = lockFolder(dataDir);
  const follower = new Follower({
    dataset,
    dataDir,
    log,
    clock,
    quick: postgres,
    bulk: postgres,
    replicatorId: lock.id,
  });
  const tellStatus = () => writeStatus(dataDir, statusOf(lock.id, clock, [follower]));
  const sync = async () => {
    if (await follower.catchUp()) return tellStatus();
    await follower.rebuild(follower.rebuildReason ?? 'missing');
    if (!(await follower.catchUp()))
      throw new Error(`The replica of '${dataset.name}' cannot follow its log.`);
    tellStatus();
  };
  const close = async () => {
    await follower.close();
    lock.release();
  };
  try {
    await follower.start();
    if (follower.rebuildReason !== null) await follower.rebuild(follower.rebuildReason);
    await sync();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    sync,
    close,
    compact: () => follower.compact().then(tellStatus),
    verify: () => follower.verify(),
    sweep: () => follower.sweep(),
    status: () => follower.status(),
  };
}

/** Follows one dataset until it is stopped. Polling never waits for rebuilds and compactions. */
class FollowLoop {
  readonly #follower: Follower;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #beside: Promise<void> | null = null;
  #retryMs = REBUILD_RETRY_MIN_MS;
  #notBeforeMs = 0;
  #sweepAtMs = 0;
  #isAway = false;
  #isWoken = false;
  #wakeUp: () => void = () => undefined;

  constructor(follower: Follower, log: Log, clock: Clock, signal: AbortSignal) {
    this.#follower = follower;
    this.#log = log;
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wakeUp());
  }

  wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }

  async run(): Promise<void> {
    await this.#follower.start();
    let nightly = nextNight(this.#clock.now());
    while (!this.#signal.aborted) {
      const waitMs = await this.#look();
      if (this.#clock.now() >= nightly) {
        nightly = nextNight(this.#clock.now());
        this.#startBeside(() => this.#follower.compact());
      }
      this.#startNeeded();
      await this.#pause(waitMs);
    }
    // Follower.close ends background work and discards unfinished generations.
    await this.#follower.close();
    await this.#beside;
  }

  async #look(): Promise<number> {
    try {
      await this.#follower.catchUp();
      if (this.#clock.monotonic() >= this.#sweepAtMs) {
        this.#sweepAtMs = this.#clock.monotonic() + SWEEP_EVERY_MS;
        await this.#follower.sweep();
      }
      if (this.#isAway) this.#log.info({}, 'replica follows PostgreSQL again');
      this.#isAway = false;
      return LOOK_EVERY_MS;
    } catch (error) {
      if (!this.#isAway) this.#log.warn({ err: error }, 'replica cannot follow PostgreSQL; it keeps serving');
      this.#isAway = true;
      return LOOK_RETRY_MS;
    }
  }

  #startNeeded(): void {
    const reason = this.#follower.rebuildReason;
    if (reason !== null) this.#startBeside(() => this.#follower.rebuild(reason));
    else if (this.#follower.needsCompaction) this.#startBeside(() => this.#follower.compact());
  }

  #startBeside(work: () => Promise<void>): void {
    if (this.#beside !== null || this.#clock.monotonic() < this.#notBeforeMs) return;
    this.#beside = work()
      .then(() => {
        this.#retryMs = REBUILD_RETRY_MIN_MS;
      })
      .catch((error: unknown) => {
        if (!this.#signal.aborted)
          this.#log.error({ err: error, retryMs: this.#retryMs }, 'a new replica generation failed');
        this.#notBeforeMs = this.#clock.monotonic() + this.#retryMs;
        this.#retryMs = Math.min(REBUILD_RETRY_MAX_MS, this.#retryMs * 2);
      })
      .finally(() => {
        this.#beside = null;
        this.wake();
      });
  }

  async #pause(waitMs: number): Promise<void> {
    if (!this.#isWoken && !this.#signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.#wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#isWoken = false;
  }
}

const nextNight = (nowMs: number): number =>
  (Math.floor((nowMs - NIGHTLY_AT_MS) / DAY_MS) + 1) * DAY_MS + NIGHTLY_AT_MS;

const statusOf = (replicatorId: string, clock: Clock, followers: readonly Follower[]): StatusFile => ({
  pid: process.pid,
  replicatorId,
  writtenAt: new Date(clock.now()).toISOString(),
  datasets: followers.map((follower) => follower.status()),
});

/** Writes the status file after a change, at most four times a second. */
function keepStatus(dataDir: string, replicatorId: string, clock: Clock, followers: readonly Follower[]) {
  let last = '';
  const write = () => {
    const status = statusOf(replicatorId, clock, followers);
    const text = JSON.stringify(status.datasets);
    if (text !== last) writeStatus(dataDir, status);
    last = text;
  };
  write();
  const timer = setInterval(write, STATUS_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      write();
    },
  };
}
