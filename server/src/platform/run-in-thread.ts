import { Worker } from 'node:worker_threads';

export type ThreadLimits = {
  readonly heapMb?: number;
  /** After this time the thread is terminated. */
  readonly deadlineMs?: number;
};

/** The thread exceeded its deadline or its memory. */
export class ThreadLimitReached extends Error {}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Runs a module in a thread and returns its first message; `task` names the work in the error of a failure. */
export async function runInThread<T>(
  module: URL,
  workerData: unknown,
  task: string,
  { heapMb, deadlineMs }: ThreadLimits = {},
): Promise<T> {
  const thread = new Worker(module, {
    workerData,
    ...(heapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  thread.once('message', resolve);
  thread.once('error', (error) =>
    reject(isOutOfMemory(error) ? new ThreadLimitReached(`${task} took too much memory.`) : error),
  );
  thread.once('exit', (code) => reject(new Error(`${task} ended with code ${code}.`)));
  const end = () => {
    reject(new ThreadLimitReached(`${task} took longer than ${deadlineMs} ms.`));
    void thread.terminate();
  };
  const timer = deadlineMs === undefined ? undefined : setTimeout(end, deadlineMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
