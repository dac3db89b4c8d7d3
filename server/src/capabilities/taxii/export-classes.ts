import { setImmediate as nextTurn } from 'node:timers/promises';
import { KIND } from '#capabilities/corpus/index.ts';
import { createVerdictMemo } from '#capabilities/judging/index.ts';
import {
  type ClassScore,
  classScores,
  createClassifier,
  type StandingDeps,
} from '#capabilities/standing/index.ts';
import { hourOf, MODEL_VERSION } from '#domain/scoring/index.ts';
import type { StixKind } from '#domain/stix/index.ts';
import type { Db } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import { type ClassExport, knownClasses, putClasses, removeClasses } from './export-store.ts';
import { EXPORT_MIN_SCORE, type ExportJudge, isUntilDue, judgeExport } from './judge-export.ts';

export type Audience = ExportJudge['audience'];
export type ExportDeps = {
  readonly judge: StandingDeps;
  readonly audience: Audience;
  /** Told after each batch how many objects were published so far. */
  readonly onPublished?: (objects: number) => void;
};
type Transaction = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

const CLASSES_A_TURN = 100;
const CLASSES_A_WRITE = 5_000;

export const stixKindOfKey = (key: Uint8Array): StixKind => {
  const kind = key[0] as number;
  if (kind < KIND.domain) return 'ip';
  if (kind === KIND.domain) return 'domain';
  return kind === KIND.url ? 'url' : 'hash';
};

export function createExportJudge(audience: Audience): ExportJudge {
  const memo = createVerdictMemo();
  return {
    audience,
    corpusFacts: ({ registry, subject, nowMs }) => memo.corpusFacts(registry, subject.kind, nowMs),
  };
}

/** What decides an export besides the score of a class. When this text changes, all classes are judged again. */
export function exportRules({ judge, audience }: ExportDeps): string {
  const sources = judge.corpus
    .registry()
    .sources.map(({ number, category, redistributable, enabled, exported }) => [
      number,
      category,
      redistributable,
      enabled,
      ...(exported === false ? ['not exported'] : []),
    ]);
  return `${audience}-${MODEL_VERSION}-${sha256Of(JSON.stringify(sources)).slice(0, 16)}`;
}

/**
 * Judges the classes that are new, have another score, or were judged so long ago that their end may have moved. The
 * stored export of all others is still valid, so an object that did not change keeps its dates.
 */
export async function exportClasses(
  transaction: Transaction,
  deps: ExportDeps,
  mustJudgeAll: boolean,
): Promise<{ readonly classes: number; readonly judged: number }> {
  const { judge, audience } = deps;
  judge.refresh?.();
  const nowMs = judge.clock.now();
  const scores = await transaction((tx) =>
    classScores(tx, { isPublic: audience === 'public', least: EXPORT_MIN_SCORE }),
  );
  const known = new Map((await transaction(knownClasses)).map((each) => [each.classId, each]));
  const due = scores.filter(({ id, score }) => {
    const before = known.get(id);
    known.delete(id);
    return (
      mustJudgeAll ||
      before === undefined ||
      before.scoreSeen !== score ||
      isUntilDue(before, hourOf(nowMs / 1_000))
    );
  });
  const judged = await judgeClasses(deps, due, nowMs);
  for (let at = 0; at < judged.length; at += CLASSES_A_WRITE)
    await transaction((tx) => putClasses(tx, judged.slice(at, at + CLASSES_A_WRITE)));
  if (known.size > 0) await transaction((tx) => removeClasses(tx, [...known.keys()]));
  return { classes: scores.length, judged: judged.length };
}

/** A class whose member no longer has the digest of the standing keeps its export until the standings catch up. */
async function judgeClasses(
  { judge, audience }: ExportDeps,
  due: readonly ClassScore[],
  nowMs: number,
): Promise<readonly ClassExport[]> {
  const classify = createClassifier(judge);
  const by = createExportJudge(audience);
  const judged: ClassExport[] = [];
  for (const [index, { id, digest, score, member }] of due.entries()) {
    const found = member === null ? null : classify(member, nowMs);
    if (member !== null && found?.digest === digest.toString('hex'))
      judged.push({ ...judgeExport(stixKindOfKey(member), found.input, by), classId: id, scoreSeen: score });
    // Yields so that the worker can renew its lease.
    if (index % CLASSES_A_TURN === CLASSES_A_TURN - 1) await nextTurn();
  }
  return judged;
}
