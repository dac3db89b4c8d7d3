import { statSync } from 'node:fs';
import { beginRead, type Environment, openEnvironment, openTable, type Table } from '#platform/lmdb.ts';
import type { Log } from '#platform/log.ts';
import { bucketKey, countIn, PREFIX_DIGITS, SUFFIX_DIGITS } from './bucket.ts';
import {
  dataFile,
  HASH_DIGITS,
  HASH_TYPES,
  type HashType,
  pointerStamp,
  readPointer,
} from './corpus-files.ts';
import { BUCKETS, type CorpusHead, readHead } from './corpus-head.ts';

/** The field `pwnedPassword` (contract 2.1). */
export type PwnedPassword = {
  readonly hashType: HashType;
  readonly count: number;
  /** ISO 8601. */
  readonly corpusUpdatedAt: string;
};

/** Hashes that can be looked up: 40 digits are SHA-1, 32 may be NTLM; nothing else is a password hash (trap 8). */
export type AskedHash = { readonly algorithm: 'sha1' | 'md5'; readonly value: string };

export type PasswordsStatus = Readonly<Record<HashType, CorpusStatus | null>>;
export type CorpusStatus = {
  readonly generation: string;
  readonly entries: number;
  readonly bytes: number;
  readonly corpusUpdatedAt: string;
};

export type Passwords = {
  /** Null: not in the corpus, or no corpus is loaded. Stores and logs nothing of the queried hash (C18, trap 57). */
  readonly find: (hash: AskedHash) => PwnedPassword | null;
  readonly status: () => PasswordsStatus;
  readonly close: () => Promise<void>;
};

export type PasswordsOptions = {
  readonly dataDir: string;
  readonly log: Log;
  readonly refreshMs?: number;
};

const REFRESH_MS = 1_000;
const TYPE_OF = { sha1: 'sha1', md5: 'ntlm' } as const satisfies Record<AskedHash['algorithm'], HashType>;
const HEX = /^[0-9a-f]+$/i;

/** Opens the loaded corpora, follows later ones, and answers null until then. */
export function openPasswords({ dataDir, log, refreshMs = REFRESH_MS }: PasswordsOptions): Passwords {
  const followed = {
    sha1: new FollowedCorpus(dataDir, 'sha1', log),
    ntlm: new FollowedCorpus(dataDir, 'ntlm', log),
  };
  const timer = setInterval(() => {
    for (const type of HASH_TYPES) followed[type].refresh();
  }, refreshMs);
  timer.unref();
  return {
    find: ({ algorithm, value }) => followed[TYPE_OF[algorithm]].find(value),
    status: () => ({ sha1: followed.sha1.status(), ntlm: followed.ntlm.status() }),
    close: async () => {
      clearInterval(timer);
      await Promise.all(HASH_TYPES.map((type) => followed[type].close()));
    },
  };
}

class FollowedCorpus {
  readonly #dataDir: string;
  readonly #type: HashType;
  readonly #log: Log;
  #stamp = '';
  #open: OpenCorpus | null = null;
  #isDamageTold = false;

  constructor(dataDir: string, type: HashType, log: Log) {
    [this.#dataDir, this.#type, this.#log] = [dataDir, type, log];
    this.refresh();
  }

  find(value: string): PwnedPassword | null {
    const open = this.#open;
    if (open === null || value.length !== HASH_DIGITS[this.#type] || !HEX.test(value)) return null;
    try {
      const count = open.countOf(value);
      if (count === null) return null;
      return { hashType: this.#type, count, corpusUpdatedAt: open.head.corpusUpdatedAt };
    } catch (error) {
      // A check has other fields, so it continues without this one. Logged once, without a digit of the queried hash.
      if (!this.#isDamageTold)
        this.#log.error({ type: this.#type, err: error }, 'password corpus is damaged; load it again');
      this.#isDamageTold = true;
      return null;
    }
  }

  status(): CorpusStatus | null {
    const open = this.#open;
    if (open === null) return null;
    const { entries, corpusUpdatedAt } = open.head;
    return { generation: open.generation, entries, bytes: open.bytes, corpusUpdatedAt };
  }

  /** If the new corpus cannot be opened, the one in use stays. */
  refresh(): void {
    const stamp = pointerStamp(this.#dataDir, this.#type);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    const pointer = readPointer(this.#dataDir, this.#type);
    if (pointer === null || pointer.generation === this.#open?.generation) return;
    try {
      const before = this.#open;
      const opened = openCorpus(this.#dataDir, this.#type, pointer.generation, pointer.bytes);
      this.#open = opened;
      this.#isDamageTold = false;
      void before?.close();
      this.#log.info(
        { type: this.#type, generation: opened.generation, entries: opened.head.entries },
        'password corpus opened',
      );
    } catch (error) {
      this.#log.error({ type: this.#type, err: error }, 'password corpus cannot be opened');
    }
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.close();
  }
}

function openCorpus(dataDir: string, type: HashType, generation: string, bytes: number): OpenCorpus {
  const file = dataFile(dataDir, type, generation);
  const size = statSync(file).size;
  if (size !== bytes)
    throw new Error(`The password corpus ${generation} has ${size} bytes instead of ${bytes}.`);
  const environment = openEnvironment(file, 'read');
  try {
    const head = readHead(environment);
    const buckets = openTable(environment, BUCKETS);
    if (head?.type !== type || buckets === undefined)
      throw new Error(`The password corpus ${generation} is not complete.`);
    return new OpenCorpus(environment, buckets, head, generation, bytes);
  } catch (error) {
    void environment.close();
    throw error;
  }
}

class OpenCorpus {
  readonly head: CorpusHead;
  readonly generation: string;
  readonly bytes: number;
  readonly #environment: Environment;
  readonly #buckets: Table;
  /** The file never changes, so one snapshot serves for as long as it is open. */
  readonly #snapshot: { readonly transaction: ReturnType<typeof beginRead> };
  readonly #key = bucketKey(0);

  constructor(environment: Environment, buckets: Table, head: CorpusHead, generation: string, bytes: number) {
    [this.#environment, this.#buckets] = [environment, buckets];
    [this.head, this.generation, this.bytes] = [head, generation, bytes];
    this.#snapshot = { transaction: beginRead(environment) };
  }

  countOf(value: string): number | null {
    const prefix = Number.parseInt(value.slice(0, PREFIX_DIGITS), 16);
    const bucket = this.#buckets.getBinary(bucketKey(prefix, this.#key), this.#snapshot);
    if (bucket === undefined) return null;
    return countIn(bucket, Number.parseInt(value.slice(PREFIX_DIGITS, PREFIX_DIGITS + SUFFIX_DIGITS), 16));
  }

  async close(): Promise<void> {
    this.#snapshot.transaction.done();
    await this.#environment.close();
  }
}
