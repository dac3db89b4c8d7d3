import type { Clock } from '#platform/clock.ts';
import { counter } from '#platform/metrics.ts';
import type { Postgres } from '#platform/postgres.ts';
import { within } from '#platform/within.ts';
import { isApiKey } from './key-format.ts';
import { decodeKeyRecord, type KeyRecord } from './key-records.ts';
import { selectKeyEntries } from './store.ts';

/** A record from PostgreSQL is used again for this long, so a busy key costs one look-up a second. */
const FRESH_MS = 1_000;
/** A request waits this long at most; then the replica decides, as it does while PostgreSQL is away. */
const WAIT_MS = 300;
/** Records kept by a process, and keys that may wait for one statement. */
const KEPT_MAX = 10_000;
const WAITING_MAX = 1_000;

const confirmations = counter({
  name: 'key_confirmations_total',
  help: 'Keys looked up in PostgreSQL because the local replica was stale, by outcome.',
  labels: ['outcome'],
});

type Found = { readonly record: KeyRecord | undefined };

export type LatestKeys = {
  /** The current record of a key, or null when PostgreSQL cannot say in time. */
  readonly find: (apiKey: string) => Promise<Found | null>;
};

/**
 * Key records from PostgreSQL, for a node whose replica is stale: a stopped replicator must not keep a revoked key alive.
 * All keys that wait share one statement, and only one statement runs at a time. While PostgreSQL is away no request waits
 * for it; one of them a second starts a look-up that finds out when it is back.
 */
export function createLatestKeys(deps: {
  readonly system: Pick<Postgres, 'db'>;
  readonly clock: Clock;
}): LatestKeys {
  const kept = new Map<string, Found & { readonly untilMs: number }>();
  let waiting = new Map<string, PromiseWithResolvers<Found | null>>();
  let isRunning = false;
  let isAway = false;
  let notBeforeMs = 0;
  const nowMs = () => deps.clock.monotonic();

  async function ask(keys: readonly string[]): Promise<Map<string, Found>> {
    const rows = await selectKeyEntries(deps.system.db, keys);
    const found = new Map<string, Found>(keys.map((key) => [key, { record: undefined }]));
    for (const { key, value } of rows) found.set(key.toString(), { record: decodeKeyRecord(value) });
    return found;
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      const found = await ask([...batch.keys()]).catch(() => null);
      isAway = found === null;
      notBeforeMs = isAway ? nowMs() + FRESH_MS : 0;
      confirmations.inc({ outcome: isAway ? 'away' : 'answered' }, batch.size);
      if (kept.size + batch.size > KEPT_MAX) kept.clear();
      for (const [key, { resolve }] of batch) {
        const answer = found?.get(key) ?? null;
        if (answer !== null) kept.set(key, { ...answer, untilMs: nowMs() + FRESH_MS });
        resolve(answer);
      }
    }
    isRunning = false;
  }

  return {
    find: async (apiKey) => {
      if (!isApiKey(apiKey)) return { record: undefined };
      const known = kept.get(apiKey);
      if (known !== undefined && nowMs() < known.untilMs) return known;
      if (isAway && nowMs() < notBeforeMs) return null;
      const own = waiting.get(apiKey) ?? Promise.withResolvers<Found | null>();
      if (waiting.size < WAITING_MAX) waiting.set(apiKey, own);
      if (!waiting.has(apiKey)) return null;
      if (!isRunning) void run();
      if (isAway) return null;
      const answer = await within<Found | null | 'late'>(own.promise, WAIT_MS, 'late');
      if (answer !== 'late') return answer;
      isAway = true;
      notBeforeMs = nowMs() + FRESH_MS;
      return null;
    },
  };
}
