import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Clock } from '#platform/clock.ts';
import { createHashQueue, type Turn } from './hash-queue.ts';

/** Parameters of new hashes (docs/decisions/0018). They may change, because each stored hash names its own. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** The stored form of a hash. Its limits on digits bound the work that a damaged row can demand. */
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{43})$/;

const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

export type Hasher = {
  /** The text to store: the parameters, a random salt and the hash. */
  readonly hash: (password: string, turn: Turn) => Promise<string>;
  /** Null stands for an account without a password: it takes as long, and the answer is false. */
  readonly matches: (password: string, phc: string | null, turn: Turn) => Promise<boolean>;
  /** True when the hash was made with parameters other than those of today. */
  readonly isOutdated: (phc: string) => boolean;
};

/**
 * The hasher of a process: it hashes two passwords at once, 100 of known people and 20 others wait, and more are refused with 503.
 * A password waits no longer than its request: the signal takes it out of the queue, but a hash that has begun is finished.
 */
export function createHasher(clock: Pick<Clock, 'monotonic'>): Hasher {
  const queue = createHashQueue(clock);
  const derive = createThreads();
  const decoy = parse(format(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES)));
  const tagOf = (password: string, { cost, salt }: Pick<Stored, 'cost' | 'salt'>): Promise<Buffer> =>
    derive({ message: password, nonce: salt, tagLength: TAG_BYTES, ...cost });
  return {
    hash: async (password, turn) => {
      const salt = randomBytes(SALT_BYTES);
      return format(salt, await queue.run(turn, () => tagOf(password, { cost: COST, salt })));
    },
    matches: async (password, phc, turn) => {
      if (phc === null) {
        await queue.runDecoy(turn, () => tagOf(password, decoy));
        return false;
      }
      const stored = parse(phc);
      return timingSafeEqual(await queue.run(turn, () => tagOf(password, stored)), stored.tag);
    },
    isOutdated: (phc) => !phc.startsWith(PREFIX),
  };
}

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>;

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
const format = (salt: Buffer, tag: Buffer): string => `${PREFIX}${base64(salt)}$${base64(tag)}`;

type Stored = { readonly cost: Cost; readonly salt: Buffer; readonly tag: Buffer };

function parse(phc: string): Stored {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(phc) ?? [];
  if (memory === undefined) throw new Error('A stored password hash cannot be read.');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
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
