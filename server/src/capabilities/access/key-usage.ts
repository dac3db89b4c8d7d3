import type { Postgres } from '#platform/postgres.ts';
import type { KeyRecord } from './key-records.ts';
import { touchKeys } from './store.ts';

const MINUTE_MS = 60_000;
const KEYS_MAX = 100_000;

export type KeyUsage = {
  readonly note: (record: KeyRecord, nowMs: number) => void;
  readonly flush: () => Promise<number>;
};

/** `lastUsedAt` has a precision of a minute (reliability 3.K) and is never written during a request. */
export function createKeyUsage(system: Pick<Postgres, 'db'>): KeyUsage {
  let used = new Map<string, number>();
  return {
    note: (record, nowMs) => {
      const minuteMs = nowMs - (nowMs % MINUTE_MS);
      const keyId = record.caller.keyId;
      if (used.get(keyId) !== minuteMs && (used.size < KEYS_MAX || used.has(keyId)))
        used.set(keyId, minuteMs);
    },
    flush: async () => {
      if (used.size === 0) return 0;
      const taken = used;
      used = new Map();
      try {
        return await touchKeys(system.db, [...taken.keys()], [...taken.values()]);
      } catch (error) {
        // The uses that could not be written are kept for the next flush, unless a newer use was recorded meanwhile.
        for (const [keyId, minuteMs] of taken) if (!used.has(keyId)) used.set(keyId, minuteMs);
        throw error;
      }
    },
  };
}
