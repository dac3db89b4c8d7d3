import {
  isEqualInForce,
  type Learned,
  type LearnedTable,
  type ListMoves,
  largeClassChanges,
  largeMoves,
  SHIPPED_BOOK,
  SHIPPED_TABLE,
  textOfTable,
  type WeightBook,
  weightBookOf,
  withClassesOf,
} from '#domain/weights/index.ts';
import { type Artifacts, putArtifact, removeArtifact } from '#platform/artifacts.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { readVersion } from './read-version.ts';
import {
  deleteHeld,
  deleteReplacedBefore,
  deleteRunsBefore,
  insertVersion,
  isArtifactUsed,
  listVersions,
  lockWeights,
  nameShipped,
  saveRun,
  type WeightVersion,
} from './store.ts';
import { artifactOf, digestOf } from './table-file.ts';

/** Counts how the entries of the shared lists and collections would move from one book to another. */
export type CountMoves = (from: WeightBook, to: WeightBook) => Promise<readonly ListMoves[]>;

/** `held`: at least a part of what was learned waits for `weights release`. */
export type Outcome = 'learned' | 'unchanged' | 'held';

export type PutDeps = {
  readonly system: Postgres;
  readonly artifacts: Pick<Artifacts, 'openArtifact'>;
  readonly countMoves?: CountMoves;
};

export type Put = {
  readonly day: string;
  readonly nowMs: number;
  /** True: the first run of an installation or after a new shipped table, which never waits. */
  readonly isFirst: boolean;
  /** The table of this day under a name. */
  readonly learnAs: (version: string) => Learned;
};

export type PutReport = {
  readonly outcome: Outcome;
  readonly learned: Learned;
  readonly reasons: readonly string[];
};

type Transaction = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
/** What comes into force and what waits; null: nothing. */
type Plan = {
  readonly next: LearnedTable | null;
  readonly held: LearnedTable | null;
  readonly reasons: readonly string[];
};

/** A replay reaches back 90 days (scoring ruling 12); one more day covers clocks of nodes that differ. */
const KEPT_MS = 91 * DAY_MS;
/** The next run needs the last one of an earlier day; the others are for a look at what happened. */
const RUNS_KEPT_MS = 8 * DAY_MS;
const RUNS_A_DAY_MAX = 9_999;

/** Stores what was learned, and puts into force what may come into force without an operator. */
export async function putIntoForce(deps: PutDeps, transaction: Transaction, put: Put): Promise<PutReport> {
  const rows = await listVersions(deps.system.db);
  const current = rows.find(({ isHeld }) => !isHeld) ?? null;
  const book = await readVersion(deps.artifacts, current);
  const { learned, name } = nameTable(put, rows);
  const plan = await planOf(deps, book, learned.table, put.isFirst);
  // A version without the changes that wait has a name of its own.
  const next = plan.next && plan.held ? { ...plan.next, version: name(1) } : plan.next;
  const { day, nowMs } = put;
  await transaction(async (tx) => {
    await lockWeights(tx);
    if (current?.artifact === null) await nameRowsOfShipped(tx);
    const unused = new Set(await deleteHeld(tx));
    if (next !== null) await store(tx, next, { day, atMs: nowMs, isHeld: false, details: {} });
    if (plan.held !== null)
      await store(tx, plan.held, { day, atMs: nowMs, isHeld: true, details: { reasons: plan.reasons } });
    for (const artifact of await deleteReplacedBefore(tx, nowMs - KEPT_MS)) unused.add(artifact);
    for (const artifact of unused)
      if (!(await isArtifactUsed(tx, artifact))) await removeArtifact(tx, artifact);
    await saveRun(tx, {
      day,
      atMs: nowMs,
      learned: textOfTable(learned.table),
      alarms: alarmsOf(learned.table),
    });
    await deleteRunsBefore(tx, new Date(nowMs - RUNS_KEPT_MS).toISOString().slice(0, 10));
  });
  const outcome = plan.held !== null ? 'held' : next === null ? 'unchanged' : 'learned';
  return { outcome, learned, reasons: plan.reasons };
}

/** The first free name of the day; the same table keeps its name, so that a repeated run changes nothing. */
function nameTable({ day, learnAs }: Put, rows: readonly WeightVersion[]) {
  const digests = new Map(rows.map(({ version, digest }) => [version, digest]));
  for (let run = 1; run <= RUNS_A_DAY_MAX; run += 1) {
    const learned = learnAs(`${day}.${run}`);
    const known = digests.get(learned.table.version);
    if (known !== undefined && known !== digestOf(learned.table)) continue;
    return { learned, name: (more: number) => `${day}.${run + more}` };
  }
  throw new Error(`There are ${RUNS_A_DAY_MAX} versions of ${day} already.`);
}

async function planOf(
  { countMoves }: PutDeps,
  book: WeightBook,
  learned: LearnedTable,
  isFirst: boolean,
): Promise<Plan> {
  const unlessEqual = (table: LearnedTable) => (isEqualInForce(book.table, table) ? null : table);
  if (isFirst) return { next: unlessEqual(learned), held: null, reasons: [] };
  const classes = largeClassChanges(book.table, learned);
  const next = unlessEqual(withClassesOf(book.table, learned, new Set(classes.map(({ source }) => source))));
  const moves =
    next === null || countMoves === undefined
      ? []
      : largeMoves(await countMoves(book, weightBookOf(next, digestOf(next))));
  const reasons = [
    ...moves.map(
      ({ list, entries, entering, leaving }) =>
        `${list}: ${entering} entries would be added and ${leaving} removed, of ${entries}.`,
    ),
    ...classes.map(
      ({ source, from, to, entriesAtBlock }) =>
        `${source}: its class would change from ${from} to ${to}; up to ${entriesAtBlock} entries are at block.`,
    ),
  ];
  if (moves.length > 0) return { next: null, held: learned, reasons };
  return { next, held: classes.length > 0 ? learned : null, reasons };
}

async function store(
  tx: Db,
  table: LearnedTable,
  row: Pick<WeightVersion, 'day' | 'atMs' | 'isHeld' | 'details'>,
): Promise<void> {
  const digest = digestOf(table);
  const artifact = artifactOf(digest);
  await putArtifact(tx, artifact, [Buffer.from(textOfTable(table))]);
  await insertVersion(tx, { ...row, version: table.version, digest, artifact });
}

async function nameRowsOfShipped(tx: Db): Promise<void> {
  const { version, digest } = SHIPPED_BOOK;
  await putArtifact(tx, artifactOf(digest), [Buffer.from(textOfTable(SHIPPED_TABLE))]);
  await nameShipped(tx, { version, digest, artifact: artifactOf(digest) });
}

const alarmsOf = ({ lists }: LearnedTable): readonly string[] =>
  lists.flatMap(({ source, alarm }) => (alarm === undefined ? [] : [source]));
