import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isReplicatorRunning, lockFolder, ReplicatorRunsElsewhere } from './exclusive.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assay-exclusive-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Holds the lock of the folder for a moment, as a listener does that looks whether a replicator runs. */
const HOLD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const file = new DatabaseSync(workerData);
  file.exec('begin exclusive');
  parentPort.postMessage('held');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  file.close();`;

test('a replicator that starts while a listener looks at the lock waits for it', async () => {
  lockFolder(dataDir).release();
  const looking = new Worker(HOLD, { eval: true, workerData: join(dataDir, 'replica', 'replicator.lock') });
  await new Promise((resolve) => looking.once('message', resolve));
  const lock = lockFolder(dataDir);
  expect(isReplicatorRunning(dataDir)).toBe(true);
  lock.release();
  await looking.terminate();
});

test('a second replicator of one folder is refused', () => {
  const lock = lockFolder(dataDir);
  expect(() => lockFolder(dataDir)).toThrow(ReplicatorRunsElsewhere);
  lock.release();
  expect(isReplicatorRunning(dataDir)).toBe(false);
});
