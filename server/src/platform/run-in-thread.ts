import { Worker } from 'node:worker_threads';
import { answerWithin, limitOf, type ThreadBudget } from './thread-budget.ts';

export type ThreadLimits = { readonly heapMb?: number; readonly budget?: ThreadBudget };

/**
 * Runs a module in a thread and returns its first message; `task` names the work in the error of a failure. Past one of
 * the limits the thread is ended, and a `ThreadLimitReached` says which one it was.
 */
export async function runInThread<T>(
  module: URL,
  workerData: unknown,
  task: string,
  { heapMb, budget }: ThreadLimits = {},
): Promise<T> {
  const thread = new Worker(module, {
    workerData,
    ...(heapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  thread.once('message', resolve);
  thread.once('error', (error) => reject(limitOf(error, task)));
  thread.once('exit', (code) => reject(new Error(`${task} ended with code ${code}.`)));
  try {
    return await (budget === undefined ? promise : answerWithin(thread, promise, budget, task));
  } catch (error) {
    // The error of a thread that has ended by itself, or of one that is ended here.
    void thread.terminate();
    throw error;
  }
}
