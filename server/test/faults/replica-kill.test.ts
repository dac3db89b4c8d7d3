import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { isReplicatorRunning, REPLICATOR_ALREADY_RUNS } from '#platform/replica/exclusive.ts';
import { packChanges } from '#platform/replica/packed-changes.ts';
import { openReplica, type Replica } from '#platform/replica/reader.ts';
import { replicateOnce } from '#platform/replica/replicator.ts';
import { verifyGeneration } from '#platform/replica/verify.ts';
import { WriterProcess } from '#platform/replica/writer-process.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import {
  changeToy,
  cleanContents,
  contentsOf,
  createToyTables,
  currentFolder,
  fillToy,
  toyDataset,
  toyKey,
} from '#test/replica-toy.ts';
import { SEED, seededRandom } from '#test/seeded-random.ts';

const [log, clock] = [createLog('silent'), systemClock()];
const SCRIPT = join(import.meta.dirname, '../support/replica-process.ts');
const KILLS = bySize(4, 20);
const COMMIT_KILLS = bySize(3, 13);
const COMMIT_CHANGES = bySize(2_000, 8_000);
const ITEMS = bySize(5_000, 20_000);
const WINDOW_MS = 800;
const FLAGS = 20;
let database: TestDatabase;
let postgres: Postgres;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  postgres = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 6 });
  dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-kill-'));
  await fillToy(postgres, 1, ITEMS);
});

/** A replicator that outlives a failed test would keep those of the next tests out. */
afterEach(async () => {
  for (const child of replicators.splice(0)) {
    child.kill('SIGKILL');
    await ended(child);
  }
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const replicators: ChildProcess[] = [];

function startReplicator(mode: 'run' | 'churn'): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit'];
  const child = spawn(process.execPath, [SCRIPT, mode, database.url, dataDir], { stdio });
  replicators.push(child);
  return child;
}

/**
 * A process that holds the folder has loaded its modules; an earlier kill would interrupt no work. It then leaves a file
 * of its own. Asking for the lock instead would take it for a moment, in which a starting replicator finds it taken.
 */
async function startHolding(mode: 'run' | 'churn'): Promise<ChildProcess> {
  const before = new Set(aliveFiles());
  const child = startReplicator(mode);
  await eventually('the replicator holds the folder', 60_000, () => {
    if (child.exitCode !== null) throw new Error(`The replicator ended with ${child.exitCode}.`);
    return aliveFiles().some((name) => !before.has(name));
  });
  return child;
}
function aliveFiles(): string[] {
  try {
    return readdirSync(join(dataDir, 'replica', 'alive'));
  } catch {
    return [];
  }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null
      ? resolve(child.exitCode)
      : child.once('exit', (code) => resolve(code)),
  );

/** Asserts that a view is of one moment: values derived from the flags agree with the flags. */
function assertOneMoment(replica: Replica, killed: string): void {
  const view = replica.view();
  const derived = Buffer.from(view.derived('flag-list')).toString('latin1');
  const entries = Array.from({ length: FLAGS }, (_, id) => {
    const value = view.get('flags', toyKey(id));
    return value === undefined ? [] : [Buffer.concat([toyKey(id), value]).toString('latin1')];
  }).flat();
  expect(derived, killed).toBe(entries.join(','));
}

describe('a replicator', () => {
  it(`killed at ${KILLS} random points ends in the state of a clean run, and listeners never see a partial change`, async () => {
    let listener: Replica | null = null;
    const random = seededRandom('replica-kill points');
    let killed = `seed ${SEED}, killed after`;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const mode = kill % 2 === 0 ? 'run' : 'churn';
      const child = await startHolding(mode);
      const afterMs = random() * WINDOW_MS;
      killed += ` ${Math.round(afterMs)} ms of ${mode},`;
      const untilMs = clock.monotonic() + afterMs;
      do {
        const value = `kill ${kill} at ${Math.round(untilMs)} ${random()}`;
        const many = Array.from({ length: 300 }, () => [Math.ceil(random() * ITEMS), value] as const);
        await changeToy(postgres, 'items', many);
        await changeToy(postgres, 'flags', [[Math.floor(random() * FLAGS), value]]);
        listener?.refresh();
        if (listener !== null) assertOneMoment(listener, killed);
        await sleep(30);
      } while (clock.monotonic() < untilMs);
      child.kill('SIGKILL');
      await ended(child);
      listener ??= await openReplica({ dataDir, dataset: toyDataset(), log, clock, waitMs: 0 }).catch(
        () => null,
      );
    }
    await replicateOnce({ postgres, dataset: toyDataset(), dataDir, log, clock });
    expect(contentsOf(currentFolder(dataDir)), killed).toEqual(await cleanContents(postgres));
    listener ??= await openReplica({ dataDir, dataset: toyDataset(), log, clock });
    listener.refresh();
    assertOneMoment(listener, killed);
    await listener.close();
  }, 600_000);

  it('exits when another one holds the folder, and kill -9 of the holder frees it at once', async () => {
    const first = await startHolding('run');
    expect(await ended(startReplicator('run'))).toBe(REPLICATOR_ALREADY_RUNS);
    expect(isReplicatorRunning(dataDir)).toBe(true);
    first.kill('SIGKILL');
    await ended(first);
    expect(isReplicatorRunning(dataDir)).toBe(false);
  });

  it('stops cleanly on request', async () => {
    const child = startReplicator('run');
    const listener = await openReplica({ dataDir, dataset: toyDataset(), log, clock, waitMs: 60_000 });
    const seq = await changeToy(postgres, 'items', [[1, 'the last word']]);
    await eventually('the change is visible', 50_000, () => listener.view().seq >= seq);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    expect(Buffer.from(listener.view().get('items', toyKey(1)) ?? []).toString()).toBe('the last word');
    await listener.close();
  });

  it('killed in the middle of a commit leaves the state before or after it, never one between', async () => {
    const folder = currentFolder(dataDir);
    const outcomes = new Set<string>();
    const random = seededRandom('replica-kill commits');
    let windowMs = 0;
    // A kill that comes too late makes the next one earlier, so that one falls before the end of its commit.
    const roundsMax = () => COMMIT_KILLS + (outcomes.has('before') ? 0 : 20);
    // The first round is not killed; it measures how long a commit takes.
    for (let round = 0; round <= roundsMax(); round += 1) {
      const writer = new WriterProcess();
      const { head } = await writer.call('adopt', folder);
      const value = Buffer.from(`commit ${round}`);
      const changes = Array.from({ length: COMMIT_CHANGES }, (_, index) => ({
        key: toyKey(index * 2 + 1),
        value,
      }));
      await writer.call('stage', 'items', packChanges(changes));
      const fromMs = clock.monotonic();
      const position = {
        seq: head.seq + 1,
        seqAtUs: '1',
        contactAtMs: 1,
        contactTookMs: 0,
        baseSeq: head.seq,
      };
      const commit = writer.call('commit', position).catch(() => null);
      const afterMs = random() * windowMs;
      if (round > 0) {
        if (afterMs >= 1) await sleep(afterMs);
        writer.kill();
      }
      await commit;
      if (round === 0) windowMs = clock.monotonic() - fromMs;
      await writer.close();
      const verdict = await verifyGeneration(folder);
      const found = Object.values(contentsOf(folder)).filter((hex) => hex === value.toString('hex')).length;
      const seq = verdict.ok ? verdict.head.seq - head.seq : verdict.reason;
      expect([seq, found], `seed ${SEED}, commit ${round} killed after ${afterMs} ms`).toEqual(
        found === 0 ? [0, 0] : [1, changes.length],
      );
      outcomes.add(found === 0 ? 'before' : 'after');
      if (round > 0 && found > 0) windowMs /= 4;
    }
    expect(outcomes).toContain('before');
  });
});
