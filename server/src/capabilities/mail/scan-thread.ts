import { Worker } from 'node:worker_threads';
import { answerWithin, limitOf, type ThreadBudget } from '#platform/thread-budget.ts';
import type { FromThread, ToThread } from './scan-steps.ts';

export type ScanThreadLimits = {
  /** What a thread may take for one message, over both steps (O18). */
  readonly budget: ThreadBudget;
  /** Limit by the clock for starting a thread, which has to compile its modules. */
  readonly startMs: number;
  readonly scansPerThread: number;
  readonly heapMb: number;
};

const TASK = 'A scan';
const YOUNG_MB = 32;
const STACK_MB = 4;

/** One thread with at most one message in it. Every answer has a budget; past it the thread is ended. */
export class ScanThread {
  scans = 0;
  isOver = false;
  private readonly worker: Worker;
  private readonly startMs: number;
  private waiting: PromiseWithResolvers<FromThread> | null;
  private readonly ready: Promise<FromThread>;
  /** The CPU time that the thread had taken at its last answer. */
  private cpuMs = 0;

  constructor({ heapMb, startMs }: ScanThreadLimits) {
    this.startMs = startMs;
    this.worker = new Worker(new URL('./scan-child.ts', import.meta.url), {
      resourceLimits: {
        maxOldGenerationSizeMb: heapMb,
        maxYoungGenerationSizeMb: YOUNG_MB,
        stackSizeMb: STACK_MB,
      },
    });
    this.waiting = Promise.withResolvers();
    this.ready = this.waiting.promise;
    // `start` reports a failed start; the rejection must not end the process when no scan waits for it.
    this.ready.catch(() => undefined);
    this.worker.on('message', (message: FromThread) => this.settle((answer) => answer.resolve(message)));
    const fail = (error: unknown): void => {
      this.isOver = true;
      this.settle((answer) => answer.reject(limitOf(error, TASK)));
    };
    this.worker.on('error', fail);
    this.worker.on('exit', (code) => fail(new Error(`A scan thread ended with code ${code}.`)));
    this.worker.unref();
  }

  private settle(how: (answer: PromiseWithResolvers<FromThread>) => void): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting !== null) how(waiting);
  }

  /** Starting costs the same for every message, so its CPU time is not held against one. */
  async start(): Promise<void> {
    await this.within(this.ready, { cpuMs: this.startMs, wallMs: this.startMs });
  }

  /** Returns the answer and what is left of the budget. */
  async ask(
    message: ToThread,
    transfer: ArrayBuffer[],
    budget: ThreadBudget,
  ): Promise<{ readonly answer: FromThread; readonly left: ThreadBudget }> {
    if (this.isOver) throw new Error('A scan thread is over.');
    const waiting = Promise.withResolvers<FromThread>();
    this.waiting = waiting;
    const [cpuBeforeMs, startMs] = [this.cpuMs, performance.now()];
    this.worker.postMessage(message, transfer);
    const answer = await this.within(waiting.promise, budget);
    return {
      answer,
      left: {
        cpuMs: Math.max(1, budget.cpuMs - (this.cpuMs - cpuBeforeMs)),
        wallMs: Math.max(1, budget.wallMs - (performance.now() - startMs)),
      },
    };
  }

  private async within(answer: Promise<FromThread>, budget: ThreadBudget): Promise<FromThread> {
    try {
      const said = await answerWithin(this.worker, answer, budget, TASK, this.cpuMs);
      this.cpuMs = said.cpuMs;
      return said;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  forget(): void {
    if (!this.isOver) this.worker.postMessage({ type: 'forget' } satisfies ToThread);
  }

  end(): void {
    this.isOver = true;
    void this.worker.terminate();
  }
}
