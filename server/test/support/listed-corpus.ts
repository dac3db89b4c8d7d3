import {
  corpusDataset,
  type ListedRow,
  type MergeContent,
  type MergeReport,
  mergeSnapshot,
  openCorpus,
  type SourceSettings,
  type WalkableCorpus,
} from '#capabilities/corpus/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase } from './database.ts';
import { type BuiltReplica, buildReplica } from './replica.ts';

export const DAY_MS = 86_400_000;

export function indicatorOf(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(`'${text}' is no indicator: ${parsed.reason}`);
  return parsed.indicator;
}

export type ListedCorpus = {
  readonly databaseUrl: string;
  readonly system: Postgres;
  readonly clock: Clock;
  readonly built: BuiltReplica;
  readonly corpus: WalkableCorpus;
  readonly pass: (ms: number) => void;
  /** Merges at the current time and waits until the replica has the listings. */
  readonly list: (
    id: string,
    values: readonly (string | ListedRow)[],
    settings?: SourceSettings,
    options?: Partial<MergeContent>,
  ) => Promise<MergeReport>;
  /** `source match value` of every listing, with `delisted` before the match. */
  readonly found: (text: string) => readonly string[];
  /**
   * Entries of a database view that the replica lacks or has differently, and entries that only the replica
   * has.
   */
  readonly differences: (collection: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

/** A separate corpus: PostgreSQL, a replica that follows it, and a clock that the test moves. */
export async function openListedCorpus(startMs: number): Promise<ListedCorpus> {
  let nowMs = startMs;
  const clock: Clock = { now: () => nowMs, monotonic: () => nowMs };
  const database = await createTestDatabase();
  const system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  const built = await buildReplica(system, corpusDataset);
  const corpus = openCorpus(built.replica);
  return {
    databaseUrl: database.url,
    system,
    clock,
    built,
    corpus,
    pass: (ms) => {
      nowMs += ms;
    },
    list: async (id, values, settings = {}, options = {}) => {
      const rows = values.map((value) =>
        typeof value === 'string' ? { indicator: indicatorOf(value) } : value,
      );
      const given = { dataAtMs: nowMs, settings, allowEmpty: true, ...options };
      const report = await mergeSnapshot({ system, clock }, id, [rows], given);
      await built.sync();
      return report;
    },
    found: (text) =>
      corpus
        .lookup(indicatorOf(text))
        .listings.map(
          ({ source, matchType, matched, isDelisted }) =>
            `${source.id} ${isDelisted === true ? 'delisted ' : ''}${matchType} ${matched}`,
        ),
    differences: (collection) => differencesOf(system, built, collection),
    close: async () => {
      await built.close();
      await system.close();
      await database.drop();
    },
  };
}

async function differencesOf(
  system: Postgres,
  { replica }: BuiltReplica,
  collection: string,
): Promise<readonly string[]> {
  const { view: name } = corpusDataset.collections.find(({ name }) => name === collection) ?? { view: '' };
  const { rows } = await sql<{ key: Buffer; value: Buffer }>`
    select key, value from ${sql.table(name)} order by key`.execute(system.db);
  const view = replica.view();
  const there = view.keysBetween(collection, Buffer.of(0), Buffer.of(255), 1_000_000);
  const wanted = new Map(rows.map(({ key, value }) => [key.toString('hex'), value.toString('hex')]));
  const had = new Map(
    there.map((key) => [
      Buffer.from(key).toString('hex'),
      Buffer.from(view.get(collection, key) ?? []).toString('hex'),
    ]),
  );
  return [...new Set([...wanted.keys(), ...had.keys()])]
    .filter((key) => wanted.get(key) !== had.get(key))
    .map((key) => `${key}: ${wanted.get(key) ?? 'nothing'}, not ${had.get(key) ?? 'nothing'}`);
}
