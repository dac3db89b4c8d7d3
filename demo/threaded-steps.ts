import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Steps } from '../start/steps.ts';

export type StepMessage =
  | { readonly kind: 'say' | 'doing'; readonly line: string }
  | { readonly kind: 'end' };

export type ThreadedSteps = Steps & {
  /** Resolves once every line is written; later lines are lost. */
  readonly end: () => Promise<void>;
};

/** Steps whose lines are written by a thread: scoring and reading lists keep the main thread busy for seconds. */
export function startThreadedSteps(isTTY: boolean): ThreadedSteps {
  const startedAtMs = Date.now();
  const thread = new Worker(new URL('./steps-thread.ts', import.meta.url), {
    workerData: { isTTY, startedAtMs },
  });
  thread.unref();
  const ended = once(thread, 'exit');
  const post = (message: StepMessage): void => thread.postMessage(message);
  return {
    seconds: () => ((Date.now() - startedAtMs) / 1_000).toFixed(1),
    say: (line) => post({ kind: 'say', line }),
    doing: (line) => post({ kind: 'doing', line }),
    end: async () => {
      thread.ref();
      post({ kind: 'end' });
      await ended;
    },
  };
}
