import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { lastLinesOf, startPart } from './part.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-part-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A part that serves at once. The first two starts crash after that, and leave a process of their own behind. */
const PROGRAM = `
  const { appendFileSync, readFileSync } = require('node:fs');
  const { spawn } = require('node:child_process');
  const starts = process.argv[1].replace('part.cjs', 'starts');
  const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' });
  appendFileSync(starts, left.pid + ' ');
  const count = readFileSync(starts, 'utf8').trim().split(' ').length;
  console.log('start ' + count);
  process.send({ type: 'serving' });
  process.on('SIGINT', () => {}); // The terminal's Ctrl-C, where it reaches a part.
  process.on('SIGTERM', () => process.exit(0));
  if (process.argv[2] === 'broken') process.exit(3);
  if (count < 3) setTimeout(() => process.exit(7), 50); else setInterval(() => {}, 1000);
`;
const main = join(folder, 'part.cjs');
writeFileSync(main, PROGRAM);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a part that crashes starts again with a growing delay, which is said, and a stop leaves nothing behind', async () => {
  const said: string[] = [];
  const common = { name: 'worker', command: 'work', main, env: { ...process.env }, logs: folder } as const;
  const part = startPart({ ...common, readyType: 'serving', say: (line) => said.push(line) });
  expect(await part.ready).toEqual({ type: 'serving' });
  await expect.poll(() => said.filter((line) => line === 'The worker is back.').length).toBe(2);
  expect(said.filter((line) => line.includes('starts again'))).toEqual([
    `The worker ended (exit code 7) and starts again in 0.2 seconds. Its log: ${part.logFile}`,
    `The worker ended (exit code 7) and starts again in 0.4 seconds. Its log: ${part.logFile}`,
  ]);
  const children = readFileSync(join(folder, 'starts'), 'utf8').trim().split(' ').map(Number);
  await expect.poll(() => children.map(isAlive)).toEqual([false, false, true]);
  await part.stop(10_000);
  await expect.poll(() => children.some(isAlive)).toBe(false);
  await sleep(500);
  expect(said).toHaveLength(4);
  expect(lastLinesOf(part)).toBe('start 1\nstart 2\nstart 3');
});

test('a part that ends before it serves is not started again, because its log has the reason', async () => {
  const said: string[] = [];
  const common = { name: 'API', command: 'broken', main, env: { ...process.env }, logs: folder } as const;
  const part = startPart({ ...common, readyType: 'never', say: (line) => said.push(line) });
  expect(await part.ready).toBeNull();
  await part.stop(1_000);
  expect(said).toEqual([]);
});
