import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ALIASES,
  type Change,
  type FollowDeps,
  type FollowReport,
  followLog,
  isFollowerFilled,
  LISTINGS,
  type LogReader,
  RELATED,
  takeFolds,
  type Written,
} from '#capabilities/corpus/index.ts';
import { createVerdictMemo } from '#capabilities/judging/index.ts';
import { hourOf } from '#domain/scoring/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import { affectedBy } from './affected-keys.ts';
import { type ClassedKey, type Classifier, createClassifier, type StandingSources } from './class-of-key.ts';
import { differsFrom, type FactRules, factRulesOf } from './fact-rules.ts';
import { judgeClass } from './judge-class.ts';
import {
  classIds,
  insertClasses,
  keysInSpans,
  keysOfSites,
  listsOfClasses,
  type Member,
  membersAmong,
  membersBetween,
  type NewMember,
  putMembers,
  removeMembers,
  touchLists,
} from './store.ts';
import { type ChangedClass, createTellMoves, type NewsTeller, type TellMoves } from './tell-moves.ts';
import { END_KEY, FIRST_KEY, walkPage } from './walk-page.ts';

export const STANDING = 'standing';
const KEYS_A_TURN = 1_000;

export type StandingDeps = StandingSources & {
  readonly clock: Clock;
  /** Moves on to the newest state of the replica, because a reader may hold one state for some seconds only. */
  readonly refresh?: () => void;
  /** Opens the newest signals, because indicators that are scored with older ones are all scored again. */
  readonly openNewestSignals?: () => Promise<void>;
  /** Called with the indicators that moved, in the same transaction. Absent: moves are not reported. */
  readonly news?: NewsTeller;
};

export function followStandings(deps: StandingDeps, follow: FollowDeps): Promise<FollowReport> {
  return followLog(readerOf(deps), follow);
}

function readerOf(deps: StandingDeps): LogReader<FactRules> {
  const { corpus } = deps;
  const classify = createClassifier(deps);
  const tell = createTellMoves(deps);
  return {
    name: STANDING,
    collections: [ALIASES, LISTINGS, RELATED],
    firstKey: FIRST_KEY,
    endKey: END_KEY,
    rulesNow: async () => {
      await deps.openNewestSignals?.();
      return factRulesOf(deps, deps.clock.now());
    },
    isOfOtherRules: (stored, now) => differsFrom(stored as Partial<FactRules>, now),
    // Classes are judged with the newest state afterwards, so the log is followed up to it.
    throughSeq: () => {
      deps.refresh?.();
      return corpus.seq();
    },
    walk: (tx, after, _, limit) => walk(tx, { deps, classify, tell }, after, limit),
    follow: (tx, changes) => followChanges(tx, { deps, classify, tell }, changes),
  };
}

type Run = {
  readonly deps: StandingDeps;
  readonly classify: Classifier;
  readonly tell: TellMoves | null;
};

/** Reads a page of all accused keys. The first walk fills the table, so it reports no moves. */
async function walk(tx: Db, run: Run, after: Buffer, limit: number) {
  const { deps, classify } = run;
  deps.refresh?.();
  const { keys, through, end, next } = walkPage(deps.corpus, after, limit);
  const classed = await classifyAll(deps, classify, keys);
  const known = await membersBetween(tx, { after, through, end });
  const { changed, ...written } = await write(tx, deps, classed, known);
  if (run.tell !== null && changed.length > 0 && (await isFollowerFilled(tx, STANDING)))
    await run.tell(tx, changed, []);
  return { ...written, last: next, read: classed.placed.length };
}

async function followChanges(tx: Db, run: Run, changes: readonly Change[]) {
  const { deps, classify } = run;
  deps.refresh?.();
  const affected = affectedBy(changes.map(({ key }) => key));
  const siblings = affected.keys.flatMap((key) => deps.corpus.siblingsOf(key));
  const dependent = [
    ...(affected.spans.length === 0 ? [] : await keysInSpans(tx, affected.spans)),
    ...(affected.sites.length === 0 ? [] : await keysOfSites(tx, affected.sites)),
  ];
  const keys = new Map(
    [...affected.keys, ...siblings, ...dependent].map((key) => [Buffer.from(key).toString('latin1'), key]),
  );
  const wanted = [...keys.values()];
  const classed = await classifyAll(deps, classify, wanted);
  const { changed, ...written } = await write(tx, deps, classed, await membersAmong(tx, wanted));
  if (run.tell !== null) await run.tell(tx, changed, await takeFolds(tx, changes[0]?.seq ?? 0));
  return written;
}

type Placed = Omit<ClassedKey, 'input'>;
type Classed = {
  readonly placed: readonly Placed[];
  /** The first member of each class, for a class that is not known yet. */
  readonly firsts: ReadonlyMap<string, ClassedKey>;
};

async function classifyAll(
  { clock }: StandingDeps,
  classify: Classifier,
  keys: readonly Uint8Array[],
): Promise<Classed> {
  const nowMs = clock.now();
  const placed: Placed[] = [];
  const firsts = new Map<string, ClassedKey>();
  for (const [index, key] of keys.entries()) {
    const found = classify(key, nowMs);
    if (found !== null) {
      const { digest, site } = found;
      placed.push({ key, digest, site });
      if (!firsts.has(digest)) firsts.set(digest, found);
    }
    // The event loop gets a turn, in which the worker renews its lease.
    if (index % KEYS_A_TURN === KEYS_A_TURN - 1) await nextTurn();
  }
  return { placed, firsts };
}

/** Writes the difference between the read and the stored classes, and marks the shared lists that it changes. */
async function write(
  tx: Db,
  deps: StandingDeps,
  { placed, firsts }: Classed,
  known: readonly Member[],
): Promise<Written & { readonly changed: readonly ChangedClass[] }> {
  const ids = await idsOf(tx, deps, firsts);
  const before = new Map(known.map(({ key, classId }) => [key.toString('latin1'), classId]));
  const put: NewMember[] = [];
  const changed: ChangedClass[] = [];
  const touched = new Set<number>();
  for (const { key, digest, site } of placed) {
    const classId = ids.get(digest) as number;
    const name = Buffer.from(key).toString('latin1');
    const stored = before.get(name);
    before.delete(name);
    if (stored === classId) continue;
    const member = { key: Buffer.from(key), classId, site };
    put.push(member);
    changed.push({ key: member.key, from: stored ?? null, to: classId });
    touched.add(classId);
    if (stored !== undefined) touched.add(stored);
  }
  for (const [name, classId] of before) {
    touched.add(classId);
    changed.push({ key: Buffer.from(name, 'latin1'), from: classId, to: null });
  }
  const gone = [...before.keys()].map((name) => Buffer.from(name, 'latin1'));
  if (put.length > 0) await putMembers(tx, put);
  if (gone.length > 0) await removeMembers(tx, gone);
  if (touched.size > 0) await touchLists(tx, await listsOfClasses(tx, [...touched]));
  return { put: put.length, removed: gone.length, changed };
}

/** Classes that are new are judged with the facts of their first member. */
async function idsOf(
  tx: Db,
  { clock }: StandingDeps,
  firsts: ReadonlyMap<string, ClassedKey>,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map(
    await classIds(
      tx,
      [...firsts.keys()].map((digest) => Buffer.from(digest, 'hex')),
    ),
  );
  const memo = createVerdictMemo();
  const missing = [...firsts.values()].filter(({ digest }) => !ids.has(digest));
  const judgedH = hourOf(clock.now() / 1_000);
  const made = missing.map(({ digest, key, input }) => ({
    ...judgeClass(input, memo.corpusFacts(input.registry, input.subject.kind, input.nowMs)),
    digest: Buffer.from(digest, 'hex'),
    kind: key[0] as number,
    judgedH,
  }));
  if (made.length > 0) for (const [digest, id] of await insertClasses(tx, made)) ids.set(digest, id);
  return ids;
}
