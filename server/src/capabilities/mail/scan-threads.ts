import { Worker } from 'node:worker_threads';
import { ServiceError, unavailable } from '#platform/errors.ts';
import type { Seat } from '#platform/http/seat.ts';
import type { Log } from '#platform/log.ts';
import type { Form, Forms, FromThread, ToThread } from './scan-steps.ts';

/** What the handler of the route gets as its body: a valid message or text that waits in its thread. */
export type Opened<F extends Form> = {
  readonly context: Forms[F]['context'];
  readonly facts: () => Promise<Forms[F]['facts']>;
};

export type ScanLimits = {
  readonly slots: number;
  /** Limit for the thread's own work on one message (O18). */
  readonly deadlineMs: number;
  /** Limit for starting a thread, which has to compile its modules. */
  readonly startMs: number;
  readonly scansPerThread: number;
  readonly heapMb: number;
};

const RETRY_AFTER_S = 2;
const STOPPED = 'The scan of this message took too much time or memory and was stopped.';
const YOUNG_MB = 32;
const STACK_MB = 4;

/** One thread with at most one message in it. Every answer has a deadline; past it the thread is ended. */
class ScanThread {
  scans = 0;
  isOver = false;
  private readonly worker: Worker;
  private readonly startMs: number;
  private waiting: PromiseWithResolvers<FromThread> | null;
  private readonly ready: Promise<unknown>;

  constructor({ heapMb, startMs }: ScanLimits) {
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
      this.settle((answer) => answer.reject(error instanceof Error ? error : new Error(String(error))));
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

  async start(): Promise<void> {
    await within(this.ready, this.startMs, () => this.end());
  }

  async ask(message: ToThread, transfer: ArrayBuffer[], deadlineMs: number): Promise<FromThread> {
    if (this.isOver) throw new Error('A scan thread is over.');
    const waiting = Promise.withResolvers<FromThread>();
    this.waiting = waiting;
    this.worker.postMessage(message, transfer);
    return await within(waiting.promise, deadlineMs, () => this.end());
  }

  forget(): void {
    if (!this.isOver) this.worker.postMessage({ type: 'forget' } satisfies ToThread);
  }

  end(): void {
    this.isOver = true;
    void this.worker.terminate();
  }
}

async function within<T>(promise: Promise<T>, ms: number, onLate: () => void): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onLate();
    late.reject(new Error(`A scan thread did not answer within ${ms} ms.`));
  }, ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export type ScanThreads = {
  /** Takes a slot before the body is read; a refusal when all are taken (contract 4.9). */
  readonly enter: <F extends Form>(accountId: string, form: F) => Seat<Opened<F>> | ServiceError;
  readonly busy: () => number;
  readonly close: () => void;
};

/**
 * Slots and their threads. One account holds at most half of the slots, rounded up, so that a caller who sends slowly leaves
 * room for others; half of two slots a core still keeps every core busy.
 */
export function openScanThreads(limits: ScanLimits, log: Log): ScanThreads {
  const idle: ScanThread[] = [];
  const all = new Set<ScanThread>();
  const byAccount = new Map<string, number>();
  let taken = 0;

  const take = async (): Promise<ScanThread> => {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (!thread.isOver) return thread;
      all.delete(thread);
    }
    const thread = new ScanThread(limits);
    all.add(thread);
    try {
      await thread.start();
    } catch (error) {
      all.delete(thread);
      throw error;
    }
    return thread;
  };
  const giveBack = (thread: ScanThread): void => {
    if (thread.scans >= limits.scansPerThread) thread.end();
    if (thread.isOver) all.delete(thread);
    else idle.push(thread);
  };
  const leaveAccount = (accountId: string): void => {
    taken -= 1;
    const left = (byAccount.get(accountId) ?? 1) - 1;
    if (left === 0) byAccount.delete(accountId);
    else byAccount.set(accountId, left);
  };

  return {
    enter: (accountId, form) => {
      const own = byAccount.get(accountId) ?? 0;
      if (taken >= limits.slots || own >= Math.ceil(limits.slots / 2))
        return unavailable('Every scanner is busy. Try again shortly.', RETRY_AFTER_S);
      taken += 1;
      byAccount.set(accountId, own + 1);
      return seatOf(form, { take, giveBack, limits, log, onLeave: () => leaveAccount(accountId) });
    },
    busy: () => taken,
    close: () => {
      for (const thread of all) thread.end();
      all.clear();
    },
  };
}

type SeatDeps = {
  readonly take: () => Promise<ScanThread>;
  readonly giveBack: (thread: ScanThread) => void;
  readonly limits: ScanLimits;
  readonly log: Log;
  readonly onLeave: () => void;
};

function seatOf<F extends Form>(
  form: F,
  { take, giveBack, limits, log, onLeave }: SeatDeps,
): Seat<Opened<F>> {
  let thread: ScanThread | null = null;
  let isLeft = false;
  let isWorking = false;
  /** Both steps of one message share its deadline. */
  let leftMs = limits.deadlineMs;
  const ask = async (
    on: ScanThread | null,
    message: ToThread,
    transfer: ArrayBuffer[],
  ): Promise<FromThread> => {
    if (on === null) throw new Error('The message was given up.');
    const startMs = performance.now();
    const answer = await on.ask(message, transfer, leftMs);
    leftMs = Math.max(1, leftMs - (performance.now() - startMs));
    return answer;
  };
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    isWorking = true;
    try {
      return await work();
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      log.warn({ err: error }, 'a scan was stopped');
      throw unavailable(STOPPED, RETRY_AFTER_S, error);
    } finally {
      isWorking = false;
      if (isLeft) release();
    }
  };
  /** A thread that still works on a message of a caller who left is ended, so that its slot is free at once. */
  const release = (): void => {
    const held = thread;
    thread = null;
    if (held === null) return;
    held.forget();
    giveBack(held);
  };
  return {
    read: (bytes) =>
      guarded(async () => {
        thread = await take();
        thread.scans += 1;
        const own = ownBytes(bytes);
        const answer = await ask(thread, { type: 'open', form, bytes: own }, [own.buffer]);
        if (answer.type === 'refused')
          throw new ServiceError(
            answer.code,
            answer.message,
            answer.details === null ? {} : { details: answer.details },
          );
        if (answer.type !== 'opened') throw new Error(`A scan thread answered ${answer.type}.`);
        return {
          context: answer.context,
          facts: () => guarded(async () => factsIn<F>(await ask(thread, { type: 'read' }, []))),
        };
      }),
    leave: () => {
      if (isLeft) return;
      isLeft = true;
      onLeave();
      if (isWorking) thread?.end();
      else release();
    },
  };
}

function factsIn<F extends Form>(answer: FromThread): Forms[F]['facts'] {
  if (answer.type !== 'facts') throw new Error(`A scan thread answered ${answer.type}.`);
  return answer.facts;
}

/** Small buffers share their memory with others, so they are copied before they are handed over. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  return isWhole && bytes.buffer instanceof ArrayBuffer
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes);
}
