import type { Log } from '#platform/log.ts';
import { PREFIX_DIGITS } from './bucket.ts';
import { HASH_DIGITS, HASH_TYPES, type HashType, pointerStamp, readPointer } from './corpus-files.ts';
import { covers, isWhole, prefixText } from './corpus-head.ts';
import { type OpenCorpus, openCorpus } from './open-corpus.ts';

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
  /** The first and the last prefix that the corpus covers. */
  readonly first: string;
  readonly last: string;
  readonly isPartial: boolean;
  readonly digest: string;
};

/** Why a question has no answer; never to be confused with "not found". */
export class NoAnswer extends Error {
  readonly reason: 'not-loaded' | 'not-covered' | 'damaged';

  constructor(reason: NoAnswer['reason']) {
    super(`The password corpus has no answer: ${reason}.`);
    this.name = 'NoAnswer';
    this.reason = reason;
  }
}

export type RangeAnswer = { readonly etag: string; readonly bytes: () => Buffer };

export type Passwords = {
  /** Null: not in the corpus, or no corpus is loaded. Stores and logs nothing of the queried hash (C18, trap 57). */
  readonly find: (hash: AskedHash) => PwnedPassword | null;
  /** False where `lookUp` and `range` would throw, so that such a call costs nothing. */
  readonly isAnswered: (type: HashType, prefix: string) => boolean;
  /** The count, 0 when it is not in the corpus. Throws NoAnswer where the corpus does not know. */
  readonly lookUp: (type: HashType, value: string) => PwnedPassword;
  readonly range: (type: HashType, prefix: string, isPadded: boolean) => RangeAnswer;
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
    isAnswered: (type, prefix) => typeof followed[type].corpusFor(prefix) !== 'string',
    lookUp: (type, value) => followed[type].lookUp(value),
    range: (type, prefix, isPadded) => followed[type].range(prefix, isPadded),
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
  #failedStamp = '';
  #open: OpenCorpus | null = null;
  #isDamageTold = false;

  constructor(dataDir: string, type: HashType, log: Log) {
    [this.#dataDir, this.#type, this.#log] = [dataDir, type, log];
    this.refresh();
  }

  /** The open corpus if it covers the prefix of `value`, else the reason why there is no answer. */
  corpusFor(value: string): OpenCorpus | NoAnswer['reason'] {
    const open = this.#open;
    if (open === null) return 'not-loaded';
    return covers(open.head, prefixOf(value)) ? open : 'not-covered';
  }

  find(value: string): PwnedPassword | null {
    if (value.length !== HASH_DIGITS[this.#type] || !HEX.test(value)) return null;
    try {
      const found = this.lookUp(value);
      return found.count === 0 ? null : found;
    } catch (error) {
      // A check has other fields, so it continues without this one.
      if (error instanceof NoAnswer) return null;
      throw error;
    }
  }

  lookUp(value: string): PwnedPassword {
    const open = this.#needed(value);
    const count = this.#undamaged(() => open.countOf(value)) ?? 0;
    return { hashType: this.#type, count, corpusUpdatedAt: open.head.corpusUpdatedAt };
  }

  range(prefix: string, isPadded: boolean): RangeAnswer {
    const open = this.#needed(prefix);
    return {
      etag: open.etag(isPadded),
      bytes: () => this.#undamaged(() => open.range(prefixOf(prefix), isPadded)),
    };
  }

  #needed(value: string): OpenCorpus {
    const open = this.corpusFor(value);
    if (typeof open === 'string') throw new NoAnswer(open);
    return open;
  }

  /** Damage is logged once, without a digit of the queried hash. */
  #undamaged<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!this.#isDamageTold)
        this.#log.error({ type: this.#type, err: error }, 'password corpus is damaged; load it again');
      this.#isDamageTold = true;
      throw new NoAnswer('damaged');
    }
  }

  status(): CorpusStatus | null {
    const open = this.#open;
    if (open === null) return null;
    const { entries, corpusUpdatedAt, digest, first, last } = open.head;
    return {
      generation: open.generation,
      entries,
      bytes: open.bytes,
      corpusUpdatedAt,
      first: prefixText(first),
      last: prefixText(last),
      isPartial: !isWhole(open.head),
      digest,
    };
  }

  /** If the new corpus cannot be opened, the one in use stays, and the new one is tried again: it may be on its way. */
  refresh(): void {
    const stamp = pointerStamp(this.#dataDir, this.#type);
    if (stamp === this.#stamp) return;
    const pointer = readPointer(this.#dataDir, this.#type);
    if (pointer === null || pointer.generation === this.#open?.generation) {
      this.#stamp = stamp;
      return;
    }
    try {
      const before = this.#open;
      const opened = openCorpus(this.#dataDir, this.#type, pointer);
      [this.#open, this.#stamp, this.#isDamageTold] = [opened, stamp, false];
      void before?.close();
      this.#log.info(
        { type: this.#type, generation: opened.generation, entries: opened.head.entries },
        'password corpus opened',
      );
    } catch (error) {
      if (this.#failedStamp !== stamp)
        this.#log.error({ type: this.#type, err: error }, 'password corpus cannot be opened');
      this.#failedStamp = stamp;
    }
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.close();
  }
}

const prefixOf = (value: string): number => Number.parseInt(value.slice(0, PREFIX_DIGITS), 16);
