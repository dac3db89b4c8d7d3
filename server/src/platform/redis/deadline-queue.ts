import { asRedisFailure, RedisAway } from './redis-away.ts';

export type Command = {
  readonly argv: string[];
  readonly onLate: ((reply: unknown) => void) | undefined;
};

export type DeadlineQueueOptions = {
  readonly timeoutMs: number;
  readonly onExpired: () => void;
  readonly onFailed: (count: number) => void;
  /** Retries after an error reply, or returns null. */
  readonly recover: (error: Error, command: Command) => Promise<unknown> | null;
};

/** A deadline is counted in five timer ticks, each a fifth of it, so that a pause of this process counts once. */
const TURNS = 5;
/** A connection that still answers other commands is busy and gets this many times the deadline. */
const BUSY_FACTOR = 5;

/**
 * Deadlines for commands that are answered in order. One timer serves all of them, because a timer or an AbortSignal
 * for each command costs as much as the command. Time is counted in turns of our own event loop, a fifth of the
 * deadline each: a process that gets no CPU time must not count its own pause as a failure of Redis.
 */
export class DeadlineQueue {
  readonly #options: DeadlineQueueOptions;
  readonly #turnMs: number;
  #waiting: Waiting[] = [];
  #isTurning = false;
  #turn = 0;
  #repliedIn = Number.NEGATIVE_INFINITY;

  constructor(options: DeadlineQueueOptions) {
    this.#options = options;
    this.#turnMs = Math.max(1, options.timeoutMs / TURNS);
  }

  add(command: Command, reply: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const waiting = new Waiting(this.#turn, resolve, reject);
      this.#waiting.push(waiting);
      if (!this.#isTurning) this.#beginTurn();
      reply.then(
        (value) => {
          this.#repliedIn = this.#turn;
          if (waiting.isSettled) command.onLate?.(value);
          else waiting.settle(value);
        },
        (error: unknown) => this.#failed(waiting, command, asRedisFailure(error)),
      );
    });
  }

  failAll(error: RedisAway): void {
    const abandoned = this.#waiting.filter((waiting) => !waiting.isSettled);
    this.#waiting = [];
    for (const waiting of abandoned) waiting.fail(error);
    if (abandoned.length > 0) this.#options.onFailed(abandoned.length);
  }

  #failed(waiting: Waiting, command: Command, error: Error): void {
    if (waiting.isSettled) return;
    const again = error instanceof RedisAway ? null : this.#options.recover(error, command);
    if (again !== null) {
      waiting.isSettled = true;
      again.then(waiting.resolve, waiting.reject);
      return;
    }
    waiting.fail(error);
    this.#options.onFailed(1);
  }

  #beginTurn(): void {
    this.#isTurning = true;
    setTimeout(this.#look, this.#turnMs);
  }

  // Timers run before sockets are read, so the reply may already be in the buffer; checked again after reading.
  #look = (): void => {
    setImmediate(this.#endTurn);
  };

  #endTurn = (): void => {
    this.#turn += 1;
    this.#isTurning = false;
    const expired = this.#expire();
    if (this.#waiting.length > 0) this.#beginTurn();
    if (expired === 0) return;
    this.#options.onFailed(expired);
    this.#options.onExpired();
  };

  #expire(): number {
    const isSilent = this.#turn - this.#repliedIn >= TURNS;
    const allowedTurns = isSilent ? TURNS : TURNS * BUSY_FACTOR;
    let first = 0;
    let expired = 0;
    for (; first < this.#waiting.length; first += 1) {
      const waiting = this.#waiting[first];
      if (waiting === undefined || waiting.isSettled) continue;
      if (this.#turn - waiting.sinceTurn < allowedTurns) break;
      waiting.fail(new RedisAway(`Redis did not answer within ${this.#options.timeoutMs} ms.`));
      expired += 1;
    }
    this.#waiting.splice(0, first);
    return expired;
  }
}

class Waiting {
  readonly sinceTurn: number;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
  isSettled = false;

  constructor(sinceTurn: number, resolve: (reply: unknown) => void, reject: (error: unknown) => void) {
    this.sinceTurn = sinceTurn;
    this.resolve = resolve;
    this.reject = reject;
  }

  settle(reply: unknown): void {
    this.isSettled = true;
    this.resolve(reply);
  }

  fail(error: Error): void {
    this.isSettled = true;
    this.reject(error);
  }
}
