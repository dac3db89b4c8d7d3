import { duration } from '#domain/text/duration.ts';
import { ServiceError, unavailable } from '#platform/errors.ts';
import type { BodySlot } from '#platform/http/intake.ts';
import type { Log } from '#platform/log.ts';
import { type ThreadBudget, ThreadLimitReached } from '#platform/thread-budget.ts';
import type { Form, Forms, FromThread, ToThread } from './scan-steps.ts';
import type { ScanThread, ScanThreadLimits } from './scan-thread.ts';

/** What the handler of the route gets as its body: a valid message or text that waits in its thread. */
export type Opened<F extends Form> = {
  readonly context: Forms[F]['context'];
  readonly facts: () => Promise<Forms[F]['facts']>;
};

export type SlotDeps = {
  readonly take: () => Promise<ScanThread>;
  readonly giveBack: (thread: ScanThread) => void;
  readonly limits: ScanThreadLimits;
  readonly log: Log;
  readonly onFree: () => void;
};

export const RETRY_AFTER_S = 2;
export const NOT_CHARGED = "You weren't charged.";
/** A machine on which a scan reaches the backstop of the clock is not free in two seconds. */
const OVERLOADED_RETRY_AFTER_S = 10;
/** How long a thread may go on with a message whose caller has left; the slot is in use until then. */
const ABANDONED_MS = 500;

/** A place in the threads for one message whose body is here. It is free again as soon as the facts of the message are known. */
export class ScanSlot<F extends Form> implements BodySlot<Opened<F>> {
  private readonly form: F;
  private readonly deps: SlotDeps;
  /** Both steps of one message share its budget. */
  private budget: ThreadBudget;
  private thread: ScanThread | null = null;
  private isReleased = false;
  private isWorking = false;

  constructor(form: F, deps: SlotDeps) {
    this.form = form;
    this.deps = deps;
    this.budget = deps.limits.budget;
  }

  read(bytes: Uint8Array): Promise<Opened<F>> {
    return this.guarded(async () => {
      const thread = await this.deps.take();
      this.thread = thread;
      if (this.isReleased) throw new Error('The caller left while a scan thread was started.');
      thread.scans += 1;
      const own = ownBytes(bytes);
      const answer = await this.ask({ type: 'open', form: this.form, bytes: own }, [own.buffer]);
      if (answer.type === 'refused')
        throw new ServiceError(
          answer.code,
          answer.message,
          answer.details === null ? {} : { details: answer.details },
        );
      if (answer.type !== 'opened') throw new Error(`A scan thread answered ${answer.type}.`);
      return { context: answer.context, facts: () => this.facts() };
    });
  }

  private async facts(): Promise<Forms[F]['facts']> {
    try {
      return await this.guarded(async () => factsIn<F>(await this.ask({ type: 'read' }, [])));
    } finally {
      // What follows is work of the event loop and waits for name servers: it needs no thread.
      this.release();
    }
  }

  private async ask(message: ToThread, transfer: ArrayBuffer[]): Promise<FromThread> {
    if (this.thread === null) throw new Error('The message was given up.');
    const { answer, left } = await this.thread.ask(message, transfer, this.budget);
    this.budget = left;
    return answer;
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    this.isWorking = true;
    try {
      return await work();
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.deps.log.warn({ err: error }, 'a scan was stopped');
      throw stopped(error, this.deps.limits);
    } finally {
      this.isWorking = false;
      if (this.isReleased) this.free();
    }
  }

  release = (): void => {
    if (this.isReleased) return;
    this.isReleased = true;
    if (!this.isWorking) {
      this.free();
      return;
    }
    // The caller has left. Most steps end within milliseconds, and starting another thread costs more than that: callers who
    // leave on purpose must not make every scan of others wait for a new thread.
    const late = setTimeout(() => {
      if (this.isWorking) this.thread?.end();
    }, ABANDONED_MS);
    late.unref();
  };

  private free(): void {
    this.deps.onFree();
    const { thread } = this;
    this.thread = null;
    if (thread === null) return;
    thread.forget();
    this.deps.giveBack(thread);
  }
}

/**
 * The refusal for a scan that did not finish. A message that takes more than its CPU time or memory does so at every try;
 * everything else may go well the next time.
 */
function stopped(cause: unknown, { budget, heapMb }: ScanThreadLimits): ServiceError {
  if (!(cause instanceof ThreadLimitReached))
    return unavailable(`The scan failed. ${NOT_CHARGED} Try again in 2 seconds.`, RETRY_AFTER_S, cause);
  if (cause.limit === 'wall')
    return unavailable(
      `The server is too busy to finish this scan. ${NOT_CHARGED} Try again in 10 seconds.`,
      OVERLOADED_RETRY_AFTER_S,
      cause,
    );
  return new ServiceError(
    'Payload Too Large',
    `The scan was stopped because it takes more than ${duration(budget.cpuMs)} of CPU time or ${heapMb} MiB of memory. Trying again gives the same result. ${NOT_CHARGED}`,
    { cause },
  );
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
