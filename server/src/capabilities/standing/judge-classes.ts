import { setImmediate as nextTurn } from 'node:timers/promises';
import { createVerdictMemo, type VerdictMemo } from '#capabilities/judging/index.ts';
import { hourOf, MODEL_VERSION } from '#domain/scoring/index.ts';
import type { Db } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import { type ClassedKey, type Classifier, createClassifier } from './class-of-key.ts';
import type { StandingDeps } from './follow-standings.ts';
import { type ClassStanding, judgeClass } from './judge-class.ts';
import {
  classesWithMember,
  type JudgedClass,
  judgedAs,
  removeClasses,
  type StoredClass,
  saveJudged,
  someMembers,
  touchLists,
  updateClasses,
} from './store.ts';

const CLASSES_A_TURN = 500;
/** Members that are tried for a class whose first one has moved on in the replica and not yet in the record. */
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

/** Judges every class by one of its members: once an hour, and when the registry or the date of a list changes. */
export async function judgeClasses(tx: Db, deps: StandingDeps): Promise<JudgeReport> {
  deps.refresh?.();
  const nowMs = deps.clock.now();
  const as = stampOf(deps, nowMs);
  if ((await judgedAs(tx)) === as) return NOT_DUE;
  const classify = createClassifier(deps);
  const memo = createVerdictMemo();
  const stored = await classesWithMember(tx);
  const [changed, empty]: [(JudgedClass & { readonly id: number })[], number[]] = [[], []];
  let [mask, skipped] = [0, 0];
  for (const [index, each] of stored.entries()) {
    if (each.member === null) empty.push(each.id);
    else {
      const judged = await judgeOne(tx, each, { classify, memo, nowMs });
      if (judged === null) skipped += 1;
      else if (differs(each, judged)) {
        changed.push({ ...judged, id: each.id, judgedH: hourOf(nowMs / 1_000) });
        mask |= changedLists(each, judged);
      }
    }
    if (index % CLASSES_A_TURN === CLASSES_A_TURN - 1) await nextTurn();
  }
  if (changed.length > 0) await updateClasses(tx, changed);
  if (empty.length > 0) await removeClasses(tx, empty);
  if (mask !== 0) await touchLists(tx, mask);
  await saveJudged(tx, as, nowMs);
  return { wasDue: true, classes: stored.length, changed: changed.length, removed: empty.length, skipped };
}

/** Everything a judgement depends on that is not a fact of the class. */
function stampOf({ corpus }: StandingDeps, nowMs: number): string {
  const { version, sources } = corpus.registry();
  const data = sources.map((s) => [s.number, hourOf(s.dataAtS), hourOf(s.lastFetchAtS), s.redistributable]);
  return `${hourOf(nowMs / 1_000)}-${version}-${sha256Of(JSON.stringify(data)).slice(0, 8)}-${MODEL_VERSION}`;
}

async function judgeOne(
  tx: Db,
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
    for (const key of await someMembers(tx, id, MEMBERS_TRIED)) {
      found = ofClass(key);
      if (found !== null) break;
    }
  if (found === null) return null;
  const { input } = found;
  return judgeClass(input, memo.corpusFacts(input.registry, input.subject.kind, nowMs));
}

const differs = (stored: StoredClass, { word, all, shared }: ClassStanding): boolean =>
  stored.level !== all.level ||
  stored.word !== word ||
  stored.score !== all.score ||
  stored.sharedLevel !== shared.level ||
  stored.sharedScore !== shared.score ||
  changedLists(stored, { word, all, shared, withheldReason: null }) !== 0;

/** A change of level within a list counts too: readers may ask for entries of 60 or 85 points. */
function changedLists(stored: StoredClass, { all, shared }: ClassStanding): number {
  const moved =
    (stored.lists ^ all.lists) |
    (stored.sharedLists ^ shared.lists) |
    (stored.withheld ^ all.withheld) |
    (stored.sharedWithheld ^ shared.withheld);
  const isOtherLevel = stored.level !== all.level || stored.sharedLevel !== shared.level;
  return isOtherLevel ? moved | all.lists | shared.lists : moved;
}
