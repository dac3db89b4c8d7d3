import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const [log, clock] = [createLog('silent'), systemClock()];
const SCRIPT = join(import.meta.dirname, '../support/replica-process.ts');
const KILLS = 20;
const FLAGS = 20;
let database: TestDatabase;
let postgres: Postgres;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  postgres = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 6 });
  dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-kill-'));
  await fillToy(postgres, 1, 20_000);
});

afterAll(async () => {
  await postgres?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const startReplicator = (mode: 'run' | 'churn'): ChildProcess =>
  spawn(process.execPath, [SCRIPT, mode, database.url, dataDir], { stdio: ['ignore', 'ignore', 'inherit'] });

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null
      ? resolve(child.exitCode)
      : child.once('exit', (code) => resolve(code)),
  );

/** A view is of one moment: what was derived from the flags agrees with the flags. */
function assertOneMoment(replica: Replica): void {
  const view = replica.view();
  const derived = Buffer.from(view.derived('flag-list')).toString('latin1');
  const entries = Array.from({ length: FLAGS }, (_, id) => {
    const value = view.get('flags', toyKey(id));
    return value === undefined ? [] : [Buffer.concat([toyKey(id), value]).toString('latin1')];
  }).flat();
  expect(derived).toBe(entries.join(','));
}

describe('a replicator', () => {
  it(`killed at ${KILLS} random points ends where a clean run ends, and listeners never see half a change`, async () => {
    let listener: Replica | null = null;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = startReplicator(kill % 2 === 0 ? 'run' : 'churn');
      const untilMs = clock.monotonic() + 100 + Math.random() * 1_400;
      while (clock.monotonic() < untilMs) {
        const value = `kill ${kill} at ${Math.round(untilMs)} ${Math.random()}`;
        const many = Array.from({ length: 300 }, () => [Math.ceil(Math.random() * 20_000), value] as const);
        await changeToy(postgres, 'items', many);
        await changeToy(postgres, 'flags', [[Math.floor(Math.random() * FLAGS), value]]);
        listener?.refresh();
        if (listener !== null) assertOneMoment(listener);
        await sleep(30);
      }
      child.kill('SIGKILL');
      await ended(child);
      listener ??= await openReplica({ dataDir, dataset: toyDataset(), log, clock, waitMs: 0 }).catch(
        () => null,
      );
    }
    await replicateOnce({ postgres, dataset: toyDataset(), dataDir, log, clock });
    expect(contentsOf(currentFolder(dataDir))).toEqual(await cleanContents(postgres));
    listener ??= await openReplica({ dataDir, dataset: toyDataset(), log, clock });
    listener.refresh();
    assertOneMoment(listener);
    await listener.close();
  }, 240_000);

  it('leaves when another one holds the folder, and a kill -9 frees it at once', async () => {
    const first = startReplicator('run');
    while (!isReplicatorRunning(dataDir)) await sleep(20);
    expect(await ended(startReplicator('run'))).toBe(REPLICATOR_ALREADY_RUNS);
    expect(isReplicatorRunning(dataDir)).toBe(true);
    first.kill('SIGKILL');
    await ended(first);
    expect(isReplicatorRunning(dataDir)).toBe(false);
  }, 60_000);

  it('stops cleanly when asked', async () => {
    const child = startReplicator('run');
    const listener = await openReplica({ dataDir, dataset: toyDataset(), log, clock, waitMs: 30_000 });
    const seq = await changeToy(postgres, 'items', [[1, 'the last word']]);
    while (listener.view().seq < seq) await sleep(20);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    expect(Buffer.from(listener.view().get('items', toyKey(1)) ?? []).toString()).toBe('the last word');
    await listener.close();
  }, 60_000);

  it('killed in the middle of a commit leaves the generation before or after it, never between', async () => {
    const folder = currentFolder(dataDir);
    const outcomes = new Set<string>();
    let commitMs = 0;
    for (let round = 0; round < 14; round += 1) {
      const writer = new WriterProcess();
      const { head } = await writer.call('adopt', folder);
      const value = Buffer.from(`commit ${round}`);
      const changes = Array.from({ length: 8_000 }, (_, index) => ({ key: toyKey(index * 2 + 1), value }));
      await writer.call('stage', 'items', packChanges(changes));
      const fromMs = clock.monotonic();
      const position = { seq: head.seq + 1, seqAtUs: '1', contactAtMs: 1, baseSeq: head.seq };
      const commit = writer.call('commit', position).catch(() => null);
      // The first one is left alone, to learn how long a commit takes.
      if (round > 0) {
        await sleep(Math.random() * commitMs);
        writer.kill();
      }
      await commit;
      if (round === 0) commitMs = clock.monotonic() - fromMs;
      await writer.close();
      const verdict = await verifyGeneration(folder);
      const found = Object.values(contentsOf(folder)).filter((hex) => hex === value.toString('hex')).length;
      const seq = verdict.ok ? verdict.head.seq - head.seq : verdict.reason;
      expect([seq, found]).toEqual(found === 0 ? [0, 0] : [1, changes.length]);
      outcomes.add(found === 0 ? 'before' : 'after');
    }
    expect(outcomes).toContain('before');
  }, 120_000);
});
