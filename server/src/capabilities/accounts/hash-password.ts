import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { unavailable } from '#platform/errors.ts';

/** Parameters of new hashes (docs/decisions/0018). They may change, because each stored hash names its own. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** The maximum of hashes computed at once: each takes a thread and 19 MiB. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 20;
const BUSY_RETRY_AFTER_S = 2;
/** The stored form of a hash. Its limits on digits bound the work that a damaged row can demand. */
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{43})$/;

const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

export type Hasher = {
  /** The text to store: the parameters, a random salt and the hash. */
  readonly hash: (password: string, signal: AbortSignal) => Promise<string>;
  /** Null stands for an account without a password: the same work is done, and the answer is false. */
  readonly matches: (password: string, phc: string | null, signal: AbortSignal) => Promise<boolean>;
  /** True when the hash was made with parameters other than those of today. */
  readonly isOutdated: (phc: string) => boolean;
};

/**
 * The hasher of a process: it hashes two passwords at once, twenty wait, and more are refused with 503. A password
 * waits no longer than its request: the signal takes it out of the queue, but a hash that has begun is finished.
 */
export function createHasher(): Hasher {
  const inTurn = createTurns();
  const derive = createThreads();
  const decoy = format(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));
  const tagOf = (password: string, cost: Cost, nonce: Buffer, signal: AbortSignal): Promise<Buffer> =>
    inTurn(signal, () => derive({ message: password, nonce, tagLength: TAG_BYTES, ...cost }));
  return {
    hash: async (password, signal) => {
      const salt = randomBytes(SALT_BYTES);
      return format(salt, await tagOf(password, COST, salt, signal));
    },
    matches: async (password, phc, signal) => {
      const { cost, salt, tag } = parse(phc ?? decoy);
      const isEqual = timingSafeEqual(await tagOf(password, cost, salt, signal), tag);
      return isEqual && phc !== null;
    },
    isOutdated: (phc) => !phc.startsWith(PREFIX),
  };
}

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>;

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
const format = (salt: Buffer, tag: Buffer): string => `${PREFIX}${base64(salt)}$${base64(tag)}`;

function parse(phc: string): { readonly cost: Cost; readonly salt: Buffer; readonly tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(phc) ?? [];
  if (memory === undefined) throw new Error('A stored password hash cannot be read.');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function createTurns(): <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let running = 0;
  const handOver = (): void => {
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else next();
  };
  return async (signal, work) => {
    signal.throwIfAborted();
    if (running >= AT_ONCE_MAX) {
      if (waiting.size >= WAITING_MAX)
        throw unavailable('Too many people are signing in right now. Try again shortly.', BUSY_RETRY_AFTER_S);
      await turnIn(waiting, signal);
    } else running += 1;
    try {
      return await work();
    } finally {
      handOver();
    }
  };
}

/** Waits until a finished hash hands its turn over directly, so that no later caller takes it. */
function turnIn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(take);
      signal.removeEventListener('abort', giveUp);
    };
    const take = (): void => {
      leave();
      resolve();
    };
    const giveUp = (): void => {
      leave();
      reject(signal.reason);
    };
    waiting.add(take);
    signal.addEventListener('abort', giveUp);
  });
}

/** A thread takes one hash at a time, is started when it is first needed, and does not keep the process alive. */
function createThreads(): (parameters: Argon2Parameters) => Promise<Buffer> {
  const idle: Worker[] = [];
  return async (parameters) => {
    const thread = idle.pop() ?? new Worker(new URL('./hash-thread.ts', import.meta.url));
    thread.ref();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const end = (code: number) =>
      reject(new Error(`The thread that hashes passwords ended with code ${code}.`));
    thread.once('message', resolve).once('error', reject).once('exit', end);
    thread.postMessage(parameters);
    const tag = Buffer.from(await promise);
    thread.off('error', reject).off('exit', end).unref();
    idle.push(thread);
    return tag;
  };
}
