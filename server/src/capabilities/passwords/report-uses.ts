import { randomBytes } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { HASH_TYPES } from './corpus-files.ts';
import type { Passwords } from './open-passwords.ts';
import { deleteUses, noteUse } from './store.ts';

export type ReportUsesDeps = {
  readonly postgres: Pick<Postgres, 'db'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly passwords: Pick<Passwords, 'status'>;
};

/** A swap of the corpus is noted within a second, so that nodes that swapped together are not reported as different. */
const LOOK_EVERY_MS = 1_000;
const NOTE_EVERY_MS = 60_000;

/** Notes which corpus this process answers from, so that any node can say whether all have the same. */
export function reportUses({ postgres, clock, log, passwords }: ReportUsesDeps): {
  readonly stop: () => Promise<void>;
} {
  const processId = randomBytes(8).toString('hex');
  let told = '';
  let nextMs = 0;
  let writing: Promise<void> = Promise.resolve();
  const note = async (): Promise<void> => {
    const seenAtMs = clock.now();
    const status = passwords.status();
    for (const hashType of HASH_TYPES) {
      const corpus = status[hashType];
      await noteUse(postgres.db, {
        processId,
        hashType,
        digest: corpus?.digest ?? null,
        entries: corpus?.entries ?? 0,
        corpusUpdatedAtMs: corpus === null ? null : Date.parse(corpus.corpusUpdatedAt),
        firstPrefix: corpus?.first ?? null,
        lastPrefix: corpus?.last ?? null,
        seenAtMs,
      });
    }
    await deleteUses(postgres.db, null, seenAtMs - DAY_MS);
  };
  const look = (): void => {
    const status = passwords.status();
    const now = HASH_TYPES.map((type) => status[type]?.digest ?? '').join(' ');
    if (now === told && clock.monotonic() < nextMs) return;
    [told, nextMs] = [now, clock.monotonic() + NOTE_EVERY_MS];
    writing = writing
      .then(note)
      .catch((error: unknown) => log.warn({ err: error }, 'password corpus in use not noted yet'));
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  look();
  return {
    stop: async () => {
      clearInterval(timer);
      await writing;
      await deleteUses(postgres.db, processId, 0).catch(() => undefined);
    },
  };
}
