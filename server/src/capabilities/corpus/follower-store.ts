import { type Db, sql } from '#platform/postgres.ts';
import { ALIASES, CORPUS, LISTINGS, RELATED } from './dataset.ts';

/** SQL of the readers of the change log: their positions, and the changes after them. */

/** A position in the change log: everything up to and including it was processed. */
export type Position = { readonly seq: number; readonly collection: string; readonly key: Buffer };

export type FollowerState = Position & {
  readonly rules: unknown;
  readonly walkKey: Buffer | null;
  readonly isFilled: boolean;
};

/** Sorts after the name of every collection, so a position with it covers all changes of its sequence number. */
export const ALL_COLLECTIONS = 'zz';

/** Takes or renews the claim; null when another run holds it. The row stays locked until the commit. */
export async function claimFollower(
  tx: Db,
  name: string,
  run: string,
  forMs: number,
): Promise<FollowerState | null> {
  const { rows } = await sql<Omit<FollowerState, 'seq'> & { seq: string }>`
    update corpus_follower
       set claimed_by = ${run}, claimed_until = clock_timestamp() + make_interval(secs => ${forMs / 1_000})
     where name = ${name} and (claimed_by is null or claimed_by = ${run} or claimed_until < clock_timestamp())
    returning rules, seq, collection, key, walk_key as "walkKey", filled_at is not null as "isFilled"`.execute(
    tx,
  );
  return rows[0] === undefined ? null : { ...rows[0], seq: Number(rows[0].seq) };
}

export const releaseFollower = (tx: Db, name: string, run: string): Promise<unknown> =>
  sql`update corpus_follower set claimed_by = null, claimed_until = null
       where name = ${name} and claimed_by = ${run}`.execute(tx);

export async function isFollowerFilled(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ isFilled: boolean }>`
    select filled_at is not null as "isFilled" from corpus_follower where name = ${name}`.execute(db);
  return rows[0]?.isFilled ?? false;
}

const ENTRIES = [ALIASES, LISTINGS, RELATED];
/** Above this share of all entries, the changes that wait for a reader are an import and not the work of a minute. */
const WAITING_SHARE_MAX = 0.05;

/**
 * Reports whether a reader knows the corpus as it is now, apart from the changes of the last minutes. A large import that
 * it has not read yet would make lists of what it holds look complete. False for a corpus without entries.
 */
export async function isFollowerCurrent(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ isCurrent: boolean }>`
    select exists (
      select 1 from corpus_follower f,
             (select sum(entries) as entries, floor(sum(entries) * ${WAITING_SHARE_MAX}::float8)::bigint as most
                from source) allowed
       where allowed.entries > 0 and f.name = ${name} and f.filled_at is not null
         and (f.seq, f.collection) >= (
           coalesce((select through_seq from replica_trimmed where dataset = ${CORPUS}), 0), ${ALL_COLLECTIONS})
         and allowed.most >= (
           select count(*) from (
             select 1 from replica_change c
              where c.dataset = ${CORPUS} and c.collection = any(${ENTRIES}::text[])
                and (c.seq, c.collection, c.key) > (f.seq, f.collection, f.key)
              limit allowed.most + 1) waiting)) as "isCurrent"`.execute(db);
  return rows[0]?.isCurrent ?? false;
}

/** How far a reader of the change log is, beside the size of the corpus. */
export type FollowerProgress = {
  /** Entries of all sources; an indicator of several sources counts for each. */
  readonly entries: number;
  /** Keys read since the reader began to catch up; 0 while it is up to date. */
  readonly done: number;
};

export async function readFollowerProgress(db: Db, name: string): Promise<FollowerProgress> {
  const { rows } = await sql<FollowerProgress>`
    select coalesce((select sum(entries) from source), 0)::float8 as entries,
           coalesce((select done from corpus_follower where name = ${name}), 0)::float8 as done`.execute(db);
  return rows[0] ?? { entries: 0, done: 0 };
}

/** Gives the planner statistics of the indicators and listings after a large write; autovacuum may be off. */
export const analyzeCorpus = (db: Db): Promise<unknown> => sql`select analyze_group('corpus')`.execute(db);

export type LogPosition = { readonly newestSeq: number; readonly trimmedThrough: number };

export async function readLogPosition(tx: Db, dataset: string): Promise<LogPosition> {
  const { rows } = await sql<{ newestSeq: string; trimmedThrough: string }>`
    select replica_newest_seq(${dataset}) as "newestSeq",
           coalesce((select through_seq from replica_trimmed where dataset = ${dataset}), 0) as "trimmedThrough"`.execute(
    tx,
  );
  return { newestSeq: Number(rows[0]?.newestSeq ?? 0), trimmedThrough: Number(rows[0]?.trimmedThrough ?? 0) };
}

/**
 * Starts a walk over everything at `firstKey`; afterwards the log is followed from `seq`. After a gap in the log rows are
 * missing until the walk ends.
 */
export const beginWalk = (
  tx: Db,
  name: string,
  given: {
    readonly rules: unknown;
    readonly seq: number;
    readonly firstKey: Buffer;
    readonly isGap: boolean;
  },
): Promise<unknown> =>
  sql`update corpus_follower set rules = ${JSON.stringify(given.rules)}::jsonb, seq = ${given.seq},
             collection = ${ALL_COLLECTIONS}, key = '\\x', walk_key = ${given.firstKey},
             filled_at = case when ${given.isGap}::boolean then null else filled_at end, done = 0
       where name = ${name}`.execute(tx);

export const saveWalk = (tx: Db, name: string, walkKey: Buffer, read: number): Promise<unknown> =>
  sql`update corpus_follower set walk_key = ${walkKey}, done = done + ${read} where name = ${name}`.execute(
    tx,
  );

export const endWalk = (tx: Db, name: string): Promise<unknown> =>
  sql`update corpus_follower set walk_key = null, filled_at = coalesce(filled_at, clock_timestamp()), done = 0
       where name = ${name}`.execute(tx);

export const savePosition = (
  tx: Db,
  name: string,
  given: Position & { readonly rules: unknown; readonly read: number; readonly isLast: boolean },
): Promise<unknown> =>
  sql`update corpus_follower set rules = ${JSON.stringify(given.rules)}::jsonb, seq = ${given.seq},
             collection = ${given.collection}, key = ${given.key},
             done = case when ${given.isLast}::boolean then 0 else done + ${given.read} end
       where name = ${name}`.execute(tx);

export type Change = Position;

/** Changed keys of these collections from `first` to `end`, after a position and up to a sequence number, in log order. */
export async function changesAfter(
  tx: Db,
  given: {
    readonly dataset: string;
    readonly collections: readonly string[];
    readonly position: Position;
    readonly throughSeq: number;
    readonly first: Buffer;
    readonly end: Buffer;
    readonly limit: number;
  },
): Promise<readonly Change[]> {
  const { position } = given;
  const { rows } = await sql<{ seq: string; collection: string; key: Buffer }>`
    select seq, collection, key from replica_change
     where dataset = ${given.dataset} and seq <= ${given.throughSeq}::bigint
       and (seq, collection, key) > (${position.seq}::bigint, ${position.collection}, ${position.key}::bytea)
       and collection = any(${given.collections}::text[]) and key >= ${given.first} and key < ${given.end}
     order by dataset, seq, collection, key limit ${given.limit}`.execute(tx);
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}
