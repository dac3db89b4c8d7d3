import pg from 'pg';
import {
  type CorpusWriteDeps,
  corpusDataset,
  type ListedRow,
  mergeSnapshot,
  openCorpus,
  type SourceSettings,
  sweepFading,
  type WalkableCorpus,
} from '#capabilities/corpus/index.ts';
import { type Asn, type Indicator, parseAsn, parseIndicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT } from './database.ts';
import { buildReplica } from './replica.ts';

export type SimulatedCorpus = {
  readonly deps: CorpusWriteDeps;
  readonly postgres: Postgres;
  readonly corpus: WalkableCorpus;
  readonly clock: Clock & { readonly set: (ms: number) => void };
  /** Makes the values the content of a source, at the current time of the clock. */
  readonly list: (
    sourceId: string,
    values: readonly (string | ListedRow)[],
    settings?: SourceSettings,
  ) => Promise<void>;
  /** Removes faded listings, dates the new change log entries by the clock, and updates the replica. */
  readonly follow: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A corpus with a simulated clock: PostgreSQL, a real replica, and days that pass in milliseconds. */
export async function simulateCorpus(startMs: number): Promise<SimulatedCorpus> {
  const database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  const [system, postgres] = [asSystem(config), connectPostgres(config, 'assay_app', PATIENT)];
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const built = await buildReplica(system, corpusDataset);
  let nowMs = startMs;
  let datedSeq = 0;
  const clock = {
    now: () => nowMs,
    monotonic: () => performance.now(),
    set: (ms: number) => {
      nowMs = ms;
    },
  };
  return {
    deps: { system, clock },
    postgres,
    corpus: openCorpus(built.replica),
    clock,
    list: async (sourceId, values, settings = {}) => {
      const rows = values.map((value) => (typeof value === 'string' ? { indicator: parsed(value) } : value));
      const options = { dataAtMs: nowMs, settings, allowEmpty: true };
      await mergeSnapshot({ system, clock }, sourceId, [rows], options);
    },
    follow: async () => {
      await sweepFading({ clock, transaction: system.transaction });
      // The change log is dated by PostgreSQL's own clock, which a test cannot set.
      const { rows } = await owner.query<{ seq: string }>(
        `update replica_edition set at = to_timestamp($1::float8) where dataset = 'corpus' and seq > $2 returning seq`,
        [nowMs / 1_000, datedSeq],
      );
      datedSeq = Math.max(datedSeq, ...rows.map(({ seq }) => Number(seq)));
      await built.sync();
    },
    close: async () => {
      await built.close();
      await owner.end();
      await Promise.all([postgres.close(), system.close()]);
      await database.drop();
    },
  };
}

export function parsed(text: string): Indicator | Asn {
  const result = /^AS\d+$/.test(text) ? parseAsn(text) : parseIndicator(text);
  if (!result.ok) throw new Error(`'${text}' is no indicator: ${result.reason}`);
  return result.indicator;
}
