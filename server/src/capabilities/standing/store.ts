import { LIST_NAMES, type ListName } from '#domain/shared-lists/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { ClassStanding } from './judge-class.ts';

export type Member = { readonly key: Buffer; readonly classId: number };
export type NewMember = Member & { readonly site: bigint | null };
/** Keys from `from` up to and including `through`. */
export type Span = { readonly from: Buffer; readonly through: Buffer };

export async function membersAmong(tx: Db, keys: readonly Uint8Array[]): Promise<readonly Member[]> {
  const { rows } = await sql<Member>`
    select key, class_id as "classId" from standing where key = any(${keys}::bytea[])`.execute(tx);
  return rows;
}

/** Members after `after` and up to `through` (null: to `end`). */
export async function membersBetween(
  tx: Db,
  { after, through, end }: { readonly after: Buffer; readonly through: Buffer | null; readonly end: Buffer },
): Promise<readonly Member[]> {
  const { rows } = await sql<Member>`
    select key, class_id as "classId" from standing
     where key > ${after} and key < ${end} and (${through}::bytea is null or key <= ${through}::bytea)`.execute(
    tx,
  );
  return rows;
}

export async function keysInSpans(tx: Db, spans: readonly Span[]): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ key: Buffer }>`
    select distinct s.key
      from unnest(${spans.map(({ from }) => from)}::bytea[], ${spans.map(({ through }) => through)}::bytea[])
           as span(first, last)
      join standing s on s.key >= span.first and s.key <= span.last`.execute(tx);
  return rows.map(({ key }) => key);
}

export async function keysOfSites(tx: Db, sites: readonly bigint[]): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ key: Buffer }>`
    select key from standing where site = any(${sites.map(String)}::bigint[])`.execute(tx);
  return rows.map(({ key }) => key);
}

export async function putMembers(tx: Db, members: readonly NewMember[]): Promise<void> {
  await sql`
    insert into standing (key, class_id, site)
    select * from unnest(${members.map(({ key }) => key)}::bytea[], ${members.map(({ classId }) => classId)}::int[],
                         ${members.map(({ site }) => (site === null ? null : String(site)))}::bigint[])
    on conflict (key) do update set class_id = excluded.class_id, site = excluded.site`.execute(tx);
}

export const removeMembers = (tx: Db, keys: readonly Buffer[]): Promise<unknown> =>
  sql`delete from standing where key = any(${keys}::bytea[])`.execute(tx);

export async function classIds(tx: Db, digests: readonly Buffer[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: number; digest: Buffer }>`
    select id, digest from standing_class where digest = any(${digests}::bytea[])`.execute(tx);
  return new Map(rows.map(({ id, digest }) => [digest.toString('hex'), id]));
}

export type JudgedClass = ClassStanding & { readonly judgedH: number };
export type NewClass = JudgedClass & { readonly digest: Buffer; readonly kind: number };

const columnsOf = (classes: readonly JudgedClass[]) => sql`
  ${classes.map(({ judgedH }) => judgedH)}::int[], ${classes.map(({ all }) => all.level)}::text[],
  ${classes.map(({ word }) => word)}::text[], ${classes.map(({ all }) => all.score)}::smallint[],
  ${classes.map(({ shared }) => shared.level)}::text[], ${classes.map(({ shared }) => shared.score)}::smallint[],
  ${classes.map(({ all }) => all.lists)}::smallint[], ${classes.map(({ shared }) => shared.lists)}::smallint[],
  ${classes.map(({ all }) => all.withheld)}::smallint[], ${classes.map(({ shared }) => shared.withheld)}::smallint[],
  ${classes.map(({ all }) => all.summary)}::text[], ${classes.map(({ shared }) => shared.summary)}::text[],
  ${classes.map(({ withheldReason }) => withheldReason)}::text[],
  ${classes.map(({ listed }) => listed.sources.join(','))}::text[],
  ${classes.map(({ listed }) => Buffer.from(listed.digest, 'hex'))}::bytea[]`;
const COLUMNS = sql`judged_h, level, word, score, shared_level, shared_score, lists, shared_lists, withheld,
  shared_withheld, summary, shared_summary, withheld_reason, listed_sources, listed`;

export async function insertClasses(
  tx: Db,
  classes: readonly NewClass[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: number; digest: Buffer }>`
    insert into standing_class (digest, kind, ${COLUMNS})
    select * from unnest(${classes.map(({ digest }) => digest)}::bytea[], ${classes.map(({ kind }) => kind)}::smallint[],
                         ${columnsOf(classes)})
    returning id, digest`.execute(tx);
  return new Map(rows.map(({ id, digest }) => [digest.toString('hex'), id]));
}

export const updateClasses = (
  tx: Db,
  classes: readonly (JudgedClass & { readonly id: number })[],
): Promise<unknown> =>
  sql`
    update standing_class c
       set judged_h = g.judged_h, level = g.level, word = g.word, score = g.score, shared_level = g.shared_level,
           shared_score = g.shared_score, lists = g.lists, shared_lists = g.shared_lists, withheld = g.withheld,
           shared_withheld = g.shared_withheld, summary = g.summary, shared_summary = g.shared_summary,
           withheld_reason = g.withheld_reason,
           listed_sources = g.listed_sources, listed = g.listed
      from unnest(${classes.map(({ id }) => id)}::int[], ${columnsOf(classes)}) as g(id, ${COLUMNS})
     where c.id = g.id`.execute(tx);

export type StoredClass = {
  readonly id: number;
  readonly digest: Buffer;
  readonly level: string | null;
  readonly word: string | null;
  readonly score: number | null;
  readonly sharedLevel: string | null;
  readonly sharedScore: number | null;
  readonly lists: number;
  readonly sharedLists: number;
  readonly withheld: number;
  readonly sharedWithheld: number;
  /** Digest of the current listings; null: the class was written by a version that did not store it. */
  readonly listed: Buffer | null;
  /** Any of its members; null when it has none left. */
  readonly member: Buffer | null;
};

/** Without statistics of a table that was just filled the planner would scan it once for every class. */
export async function classesWithMember(tx: Db): Promise<readonly StoredClass[]> {
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx);
  const { rows } = await sql<StoredClass>`
    select c.id, c.digest, c.level, c.word, c.score, c.shared_level as "sharedLevel", c.shared_score as "sharedScore",
           c.lists, c.shared_lists as "sharedLists", c.withheld, c.shared_withheld as "sharedWithheld", c.listed,
           (select s.key from standing s where s.class_id = c.id limit 1) as member
      from standing_class c order by c.id`.execute(tx);
  return rows;
}

export type ClassScore = Pick<StoredClass, 'id' | 'digest' | 'member'> & { readonly score: number };

/** Classes with at least `least` points for an audience, each with one of its members. */
export async function classScores(
  db: Db,
  { isPublic, least }: { readonly isPublic: boolean; readonly least: number },
): Promise<readonly ClassScore[]> {
  const score = isPublic ? sql`shared_score` : sql`score`;
  const { rows } = await sql<ClassScore>`
    select c.id, c.digest, c.${score} as score, (select s.key from standing s where s.class_id = c.id limit 1) as member
      from standing_class c where c.${score} >= ${least} order by c.id`.execute(db);
  return rows;
}

/** A text that changes with every change of a member or of a judgement. */
export async function standingStamp(db: Db): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    select concat_ws(' ', f.seq, f.collection, encode(f.key, 'hex'), s.judged_as, s.walked_at) as stamp
      from standing_state s, corpus_follower f where f.name = 'standing'`.execute(db);
  return rows[0]?.stamp ?? '';
}

export async function someMembers(tx: Db, classId: number, limit: number): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ key: Buffer }>`
    select key from standing where class_id = ${classId} limit ${limit}`.execute(tx);
  return rows.map(({ key }) => key);
}

export const removeClasses = (tx: Db, ids: readonly number[]): Promise<unknown> =>
  sql`delete from standing_class where id = any(${ids}::int[])`.execute(tx);

/** The state of the members of a class, for reports of changes. */
export type StoodAs = {
  readonly level: string;
  readonly score: number;
  readonly sharedScore: number;
  /** Numbers of the sources that accuse them. */
  readonly sources: readonly number[];
  readonly listed: string;
};

/** The states of these classes. Leaves out classes written by a version that did not store their listings. */
export async function stoodAs(tx: Db, ids: readonly number[]): Promise<ReadonlyMap<number, StoodAs>> {
  const { rows } = await sql<StoodAs & { readonly id: number }>`
    select id, level, score, shared_score as "sharedScore", encode(listed, 'hex') as listed,
           string_to_array(listed_sources, ',')::int[] as sources
      from standing_class where id = any(${ids}::int[]) and level is not null and listed is not null`.execute(
    tx,
  );
  return new Map(rows.map(({ id, ...stood }) => [id, stood]));
}

/** Bits of the shared lists that hold members of these classes, or from which a guard keeps them. */
export async function listsOfClasses(tx: Db, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ mask: number | null }>`
    select bit_or(lists | shared_lists | withheld | shared_withheld)::int as mask
      from standing_class where id = any(${ids}::int[])`.execute(tx);
  return rows[0]?.mask ?? 0;
}

export const touchLists = (tx: Db, mask: number): Promise<unknown> =>
  sql`update standing_list set version = version + 1, changed_at = clock_timestamp()
       where list = any(${LIST_NAMES.flatMap((_, bit) => ((mask >> bit) & 1 ? [bit] : []))}::smallint[])`.execute(
    tx,
  );

export async function lastJudged(
  tx: Db,
): Promise<{ readonly as: string | null; readonly atMs: number | null }> {
  const { rows } = await sql<{ as: string | null; atMs: number | null }>`
    select judged_as as "as", ${msOf('judged_at')} as "atMs" from standing_state`.execute(tx);
  return rows[0] ?? { as: null, atMs: null };
}

export const saveJudged = (tx: Db, as: string, atMs: number): Promise<unknown> =>
  sql`update standing_state set judged_as = ${as}, judged_at = ${timestampOf(atMs)}`.execute(tx);

export const saveWalkReport = (
  tx: Db,
  given: {
    readonly atMs: number;
    readonly keys: number;
    readonly corrections: number;
    readonly tookMs: number;
  },
): Promise<unknown> =>
  sql`update standing_state set walked_at = ${timestampOf(given.atMs)}, walked_keys = ${given.keys},
             walked_corrections = ${given.corrections}, walk_ms = ${given.tookMs}`.execute(tx);

export type StandingRow = {
  readonly key: Buffer;
  readonly level: string;
  readonly word: string;
  readonly score: number;
};

export async function standingsAfter(
  db: Db,
  { after, through, end }: { readonly after: Buffer; readonly through: Buffer | null; readonly end: Buffer },
): Promise<readonly StandingRow[]> {
  const { rows } = await sql<StandingRow>`
    select s.key, c.level, c.word, c.score from standing s join standing_class c on c.id = s.class_id
     where s.key > ${after} and s.key < ${end} and (${through}::bytea is null or s.key <= ${through}::bytea)`.execute(
    db,
  );
  return rows;
}

export type StandingStatus = {
  readonly members: number;
  readonly classes: number;
  readonly isFilled: boolean;
  readonly seq: number;
  readonly newestSeq: number;
  readonly judgedAt: Date | null;
  readonly walkedAt: Date | null;
  readonly walkedKeys: number | null;
  readonly walkedCorrections: number | null;
  readonly walkMs: number | null;
};

export async function readStatus(db: Db): Promise<StandingStatus> {
  const { rows } = await sql<StandingStatus>`
    select (select count(*) from standing)::float8 as members,
           (select count(*) from standing_class)::float8 as classes,
           f.filled_at is not null as "isFilled", f.seq::float8 as seq,
           replica_newest_seq('corpus')::float8 as "newestSeq",
           s.judged_at as "judgedAt", s.walked_at as "walkedAt", s.walked_keys::float8 as "walkedKeys",
           s.walked_corrections::float8 as "walkedCorrections", s.walk_ms::float8 as "walkMs"
      from standing_state s, corpus_follower f where f.name = 'standing'`.execute(db);
  return rows[0] as StandingStatus;
}

export type LevelCount = {
  readonly kind: number;
  readonly level: string;
  readonly word: string;
  readonly count: number;
};

export async function countByLevel(db: Db): Promise<readonly LevelCount[]> {
  const { rows } = await sql<LevelCount>`
    select c.kind, c.level, c.word, sum(m.members)::float8 as count
      from (select class_id, count(*) as members from standing group by class_id) m
      join standing_class c on c.id = m.class_id
     group by c.kind, c.level, c.word`.execute(db);
  return rows;
}

export async function listVersions(db: Db): Promise<Readonly<Record<ListName, string>>> {
  const { rows } = await sql<{ list: number; version: string }>`
    select list, version::text as version from standing_list`.execute(db);
  const byBit = new Map(rows.map(({ list, version }) => [list, version]));
  return Object.fromEntries(LIST_NAMES.map((name, bit) => [name, byBit.get(bit) ?? '0'])) as Record<
    ListName,
    string
  >;
}

/** Gives the planner statistics of the standings after a large write; autovacuum may be off. */
export const analyzeStandings = (db: Db): Promise<unknown> =>
  sql`select analyze_group('standings')`.execute(db);
