import type { Worker } from 'node:worker_threads';

/**
 * What a thread may take for one answer. CPU time counts the thread's own work; the wall clock also runs while other work
 * has the cores, so it is a backstop alone and far above the CPU time.
 */
export type ThreadBudget = { readonly cpuMs: number; readonly wallMs: number };
export type ThreadLimit = 'cpu' | 'memory' | 'wall';

/** The thread exceeded a limit. `wall` says nothing about its work: the machine is busy, or the thread waits for something. */
export class ThreadLimitReached extends Error {
  readonly limit: ThreadLimit;

  constructor(limit: ThreadLimit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ThreadLimitReached';
    this.limit = limit;
  }
}

/** Between two looks at the CPU time of a thread that is nearly out of it. */
const LOOK_AGAIN_MS = 20;

/**
 * Resolves with the answer of a thread, or rejects when the thread has taken its budget; the caller then ends the thread.
 * `cpuBeforeMs` is the CPU time that the thread had taken before this work. A thread cannot use CPU time faster than the
 * wall clock runs, so the time that is left is waited before each look.
 */
export async function answerWithin<T>(
  thread: Pick<Worker, 'cpuUsage'>,
  answer: Promise<T>,
  { cpuMs, wallMs }: ThreadBudget,
  task: string,
  cpuBeforeMs = 0,
): Promise<T> {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const reached = (which: ThreadLimit, what: string) =>
    reject(new ThreadLimitReached(which, `${task} took ${what}.`));
  let isOver = false;
  let next: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    // A thread that does not run yet has taken nothing, and one that has ended rejects its answer itself.
    const usedMs = (await cpuMsOf(thread).catch(() => cpuBeforeMs)) - cpuBeforeMs;
    if (isOver) return;
    if (usedMs >= cpuMs) reached('cpu', `more than ${cpuMs} ms of CPU time`);
    else lookIn(Math.max(LOOK_AGAIN_MS, cpuMs - usedMs));
  };
  const lookIn = (ms: number): void => {
    next = setTimeout(() => void look(), ms);
  };
  lookIn(cpuMs);
  const wall = setTimeout(() => reached('wall', `more than ${wallMs} ms by the clock`), wallMs);
  try {
    return await Promise.race([answer, limit]);
  } finally {
    isOver = true;
    clearTimeout(next);
    clearTimeout(wall);
  }
}

async function cpuMsOf(thread: Pick<Worker, 'cpuUsage'>): Promise<number> {
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1_000;
}

/** The limit that ended a thread with this error; the error itself for all others. */
export function limitOf(error: unknown, task: string): unknown {
  const isOutOfMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory
    ? new ThreadLimitReached('memory', `${task} took too much memory.`, { cause: error })
    : error;
}
