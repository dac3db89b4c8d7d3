import { setImmediate as nextTurn } from 'node:timers/promises';
import { createVerdictMemo, type VerdictMemo } from '#capabilities/judging/index.ts';
import { hourOf, MODEL_VERSION } from '#domain/scoring/index.ts';
import { SHIPPED_BOOK } from '#domain/weights/index.ts';
import type { Db } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import { type ClassedKey, type Classifier, createClassifier } from './class-of-key.ts';
import type { StandingDeps } from './follow-standings.ts';
import { type ClassStanding, judgeClass } from './judge-class.ts';
import {
  classesWithMember,
  type JudgedClass,
  lastJudged,
  removeClasses,
  type StoredClass,
  saveJudged,
  someMembers,
  touchLists,
  updateClasses,
} from './store.ts';

type Transaction = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

const CLASSES_A_TURN = 500;
/** How many members of a class are tried, because in the replica a member may have moved to another class already. */
const MEMBERS_TRIED = 20;

export type JudgeReport = {
  /** False: nothing that a judgement depends on has changed since the last one. */
  readonly wasDue: boolean;
  readonly classes: number;
  readonly changed: number;
  readonly removed: number;
  /** Classes of which no member could be read; they keep their last judgement until the log is followed. */
  readonly skipped: number;
};

const NOT_DUE: JudgeReport = { wasDue: false, classes: 0, changed: 0, removed: 0, skipped: 0 };

/** Judgements for new dates of lists wait this long, because dates change with every fetch. */
const DATES_WAIT_MS = 10 * 60_000;
const CLASSES_A_WRITE = 5_000;

type Judgements = {
  readonly changed: readonly (JudgedClass & { readonly id: number })[];
  readonly empty: readonly number[];
  readonly mask: number;
  readonly skipped: number;
};

/**
 * Judges every class by one of its members: once an hour, at once when the registry changes, and ten minutes after the
 * last time when only the date of a list did. The caller holds the claim of the follower, so that no other run moves members
 * meanwhile; reading, judging and writing are separate, because a transaction that waits for a judge is ended.
 */
export async function judgeClasses(transaction: Transaction, deps: StandingDeps): Promise<JudgeReport> {
  deps.refresh?.();
  const nowMs = deps.clock.now();
  const as = stampOf(deps, nowMs);
  if (!isDue(await transaction(lastJudged), as, nowMs)) return NOT_DUE;
  const stored = await transaction(classesWithMember);
  const { changed, empty, mask, skipped } = await judgeAll(transaction, deps, stored, nowMs);
  await transaction(async (tx) => {
    for (let at = 0; at < changed.length; at += CLASSES_A_WRITE)
      await updateClasses(tx, changed.slice(at, at + CLASSES_A_WRITE));
    if (empty.length > 0) await removeClasses(tx, empty);
    if (mask !== 0) await touchLists(tx, mask);
    await saveJudged(tx, `${as.hour} ${as.registry} ${as.dates}`, nowMs);
  });
  return { wasDue: true, classes: stored.length, changed: changed.length, removed: empty.length, skipped };
}

async function judgeAll(
  transaction: Transaction,
  deps: StandingDeps,
  stored: readonly StoredClass[],
  nowMs: number,
): Promise<Judgements> {
  const by = { classify: createClassifier(deps), memo: createVerdictMemo(), nowMs };
  const [changed, empty]: [(JudgedClass & { readonly id: number })[], number[]] = [[], []];
  let [mask, skipped] = [0, 0];
  for (const [index, each] of stored.entries()) {
    if (each.member === null) empty.push(each.id);
    else {
      const judged = await judgeOne(transaction, each, by);
      if (judged === null) skipped += 1;
      else if (differs(each, judged)) {
        changed.push({ ...judged, id: each.id, judgedH: hourOf(nowMs / 1_000) });
        mask |= changedLists(each, judged);
      }
    }
    if (index % CLASSES_A_TURN === CLASSES_A_TURN - 1) await nextTurn();
  }
  return { changed, empty, mask, skipped };
}

type Stamp = { readonly hour: number; readonly registry: string; readonly dates: string };

function isDue(
  last: { readonly as: string | null; readonly atMs: number | null },
  { hour, registry, dates }: Stamp,
  nowMs: number,
): boolean {
  const [lastHour, lastRegistry, lastDates] = (last.as ?? '').split(' ');
  if (lastHour !== String(hour) || lastRegistry !== registry) return true;
  return lastDates !== dates && Math.abs(nowMs - (last.atMs ?? 0)) >= DATES_WAIT_MS;
}

/** Everything a judgement depends on that is not a fact of the class. */
function stampOf({ corpus, weights }: StandingDeps, nowMs: number): Stamp {
  const { version, sources } = corpus.registry();
  const open = sources.map(({ number, redistributable, exported }) => [
    number,
    redistributable,
    ...(exported === false ? ['not exported'] : []),
  ]);
  const dates = sources.map(({ number, dataAtS, lastFetchAtS }) => [
    number,
    hourOf(dataAtS),
    hourOf(lastFetchAtS),
  ]);
  const digest = (value: unknown) => sha256Of(JSON.stringify(value)).slice(0, 8);
  return {
    hour: hourOf(nowMs / 1_000),
    registry: `${version}-${digest(open)}-${MODEL_VERSION}${(weights?.book() ?? SHIPPED_BOOK).digest}`,
    dates: digest(dates),
  };
}

async function judgeOne(
  transaction: Transaction,
  { id, digest, member }: StoredClass,
  {
    classify,
    memo,
    nowMs,
  }: { readonly classify: Classifier; readonly memo: VerdictMemo; readonly nowMs: number },
): Promise<ClassStanding | null> {
  const wanted = digest.toString('hex');
  const ofClass = (key: Buffer): ClassedKey | null => {
    const found = classify(key, nowMs);
    return found?.digest === wanted ? found : null;
  };
  let found = member === null ? null : ofClass(member);
  if (found === null)
    for (const key of await transaction((tx) => someMembers(tx, id, MEMBERS_TRIED))) {
      found = ofClass(key);
      if (found !== null) break;
    }
  if (found === null) return null;
  const { input } = found;
  return judgeClass(input, memo.corpusFacts(input.registry, input.subject.kind, nowMs));
}

const differs = (stored: StoredClass, { word, all, shared }: ClassStanding): boolean =>
  stored.listed === null ||
  stored.level !== all.level ||
  stored.word !== word ||
  stored.score !== all.score ||
  stored.sharedLevel !== shared.level ||
  stored.sharedScore !== shared.score ||
  changedLists(stored, { all, shared }) !== 0;

/** Bits of the shared lists that change. A new level counts too, because readers may ask for 60 or 85 points. */
function changedLists(stored: StoredClass, { all, shared }: Pick<ClassStanding, 'all' | 'shared'>): number {
  const moved =
    (stored.lists ^ all.lists) |
    (stored.sharedLists ^ shared.lists) |
    (stored.withheld ^ all.withheld) |
    (stored.sharedWithheld ^ shared.withheld);
  const isOtherLevel = stored.level !== all.level || stored.sharedLevel !== shared.level;
  return isOtherLevel ? moved | all.lists | shared.lists : moved;
}
