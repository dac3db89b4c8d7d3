import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { FACTS, type LetterContent } from './contract.ts';
import { digestOf, readAddress } from './read-address.ts';
import { sealLetter } from './sealed-letter.ts';
import { insertLetter } from './store.ts';

/** The job that sends one letter. */
export const SEND_JOB = 'letters.send';

export type Letter = LetterContent & {
  readonly to: string;
  /** The account that the letter is about. In a transaction of `withAccount` it can only be that account. */
  readonly accountId?: string;
  /** The user who caused the email; "no more emails of this kind" counts against them. */
  readonly senderId?: string;
  /** A second letter with the same key of the same account is not written while the first is kept (30 days after its end). */
  readonly key?: string;
};

/** What a capability needs to write to people. Services of every process have it as `letters`. */
export type Letters = {
  /** False without SMTP_URL; a route that cannot work without a letter should then answer 503 and say so. */
  readonly canSendLetters: boolean;
  /**
   * Writes a letter in the caller's transaction; the worker sends it once that commits. Without SMTP_URL it does nothing, so
   * that a change which a letter only reports still works.
   */
  readonly enqueueLetter: (tx: Db, letter: Letter) => Promise<void>;
};

export type LettersConfig = Pick<Config, 'SMTP_URL' | 'SECRET_KEY' | 'PUBLIC_WEB_URL' | 'PUBLIC_API_URL'>;

export function openLetters({
  config,
  clock,
}: {
  readonly config: LettersConfig;
  readonly clock: Clock;
}): Letters {
  const canSendLetters = config.SMTP_URL !== undefined;
  const secrets = createSecrets(config.SECRET_KEY);
  const origins = new Set([config.PUBLIC_WEB_URL, config.PUBLIC_API_URL].map((url) => new URL(url).origin));
  return {
    canSendLetters,
    enqueueLetter: async (tx, letter) => {
      const to = readAddress(letter.to);
      if (to === null) throw new Error('A letter needs an address such as name@example.com.');
      const facts = FACTS[letter.kind].parse(letter.facts);
      // A link of another host would hand its token to that host.
      if ('link' in facts && !origins.has(new URL(facts.link).origin))
        throw new Error('A link in a letter must be below PUBLIC_WEB_URL or PUBLIC_API_URL.');
      if (!canSendLetters) return;
      const nowMs = clock.now();
      const id = newId('ltr', nowMs);
      const isNew = await insertLetter(tx, {
        id,
        accountId: letter.accountId ?? null,
        senderId: letter.senderId ?? null,
        kind: letter.kind,
        addressDigest: digestOf(to),
        sealed: sealLetter(secrets, id, { to, facts }),
        key: letter.key ?? null,
        nowMs,
      });
      if (isNew) await enqueue(tx, SEND_JOB, { id }, { key: id });
    },
  };
}
