import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { answerWithin, limitOf, type ThreadBudget } from './thread-budget.ts';

let thread: Worker;
afterEach(() => thread.terminate());

/** Runs a script in a thread, and waits for its first message within the budget. */
function run(script: string, budget: ThreadBudget, cpuBeforeMs = 0) {
  thread = new Worker(script, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  thread.once('message', resolve);
  thread.once('error', (error) => reject(limitOf(error, 'A test')));
  return answerWithin(thread, promise, budget, 'A test', cpuBeforeMs);
}
const ANSWER = "require('node:worker_threads').parentPort.postMessage('done');";
const PATIENT_MS = 120_000;

test('a thread that waits for longer than its CPU time answers, because waiting takes none', async () => {
  const script = `setTimeout(() => { ${ANSWER} }, 700)`;
  expect(await run(script, { cpuMs: 400, wallMs: PATIENT_MS })).toBe('done');
});

test('a thread that works for longer than its CPU time is over it, however long the clock would let it', async () => {
  await expect(run('for (;;) {}', { cpuMs: 100, wallMs: PATIENT_MS })).rejects.toMatchObject({
    limit: 'cpu',
    message: 'A test took more than 100 ms of CPU time.',
  });
});

test('the CPU time that a thread took before is not counted', async () => {
  const script = `const end = Date.now() + 300; while (Date.now() < end); ${ANSWER}`;
  expect(await run(script, { cpuMs: 50, wallMs: PATIENT_MS }, PATIENT_MS)).toBe('done');
});

test('a thread that neither works nor answers is ended by the clock', async () => {
  await expect(run('setTimeout(() => {}, 1e9)', { cpuMs: 50, wallMs: 200 })).rejects.toMatchObject({
    limit: 'wall',
  });
});

test('a thread that takes more than its memory is over it', async () => {
  const script = 'const all = []; for (;;) all.push(new Array(10_000).fill({}))';
  await expect(run(script, { cpuMs: PATIENT_MS, wallMs: PATIENT_MS })).rejects.toMatchObject({
    limit: 'memory',
  });
});

test('a thread that ends without an answer rejects with its own error', async () => {
  const script = "throw new Error('its own')";
  await expect(run(script, { cpuMs: PATIENT_MS, wallMs: PATIENT_MS })).rejects.toThrow('its own');
});
