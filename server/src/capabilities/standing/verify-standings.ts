import { setImmediate as nextTurn } from 'node:timers/promises';
import { indicatorOfKey } from '#capabilities/corpus/index.ts';
import { type Assessor, createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { Db } from '#platform/postgres.ts';
import { isPublicSuffix } from './class-of-key.ts';
import type { StandingDeps } from './follow-standings.ts';
import { standingsAfter } from './store.ts';
import { FIRST_KEY, walkPage } from './walk-page.ts';

const ROWS_A_PAGE = 10_000;
const WRONG_SHOWN_MAX = 20;

export type Verification = {
  readonly compared: number;
  /** Members whose stored level, word or score differs from that of a check now. */
  readonly wrong: number;
  /** Indicators that are accused now and have no standing. */
  readonly missing: number;
  /** Indicators that have a standing although no source accuses them. */
  readonly extra: number;
  readonly examples: readonly string[];
};

/** Compares every standing with a whole assessment. It reads only, and takes about 40 microseconds an indicator. */
export async function verifyStandings(
  deps: StandingDeps,
  db: Db,
  onProgress?: (compared: number) => void,
): Promise<Verification> {
  const assess = createAssessor({ ...deps, misses: createMissCache(deps.clock) });
  const nowMs = deps.clock.now();
  const sum = { compared: 0, wrong: 0, missing: 0, extra: 0 };
  const examples: string[] = [];
  let after: Buffer = FIRST_KEY;
  for (;;) {
    deps.refresh?.();
    const { keys, through, end, next } = walkPage(deps.corpus, after, ROWS_A_PAGE);
    const stored = new Map(
      (await standingsAfter(db, { after, through, end })).map((row) => [row.key.toString('latin1'), row]),
    );
    for (const key of keys) {
      const told = levelOf(assess, key, nowMs);
      if (told === null) continue;
      const row = stored.get(Buffer.from(key).toString('latin1'));
      stored.delete(Buffer.from(key).toString('latin1'));
      sum.compared += 1;
      if (row === undefined) sum.missing += 1;
      else if (row.level === told.level && row.score === told.score && row.word === told.word) continue;
      else sum.wrong += 1;
      if (examples.length < WRONG_SHOWN_MAX)
        examples.push(
          `${told.value}: ${told.word} ${told.score}, stored ${row === undefined ? 'nothing' : `${row.word} ${row.score}`}`,
        );
    }
    sum.extra += stored.size;
    onProgress?.(sum.compared);
    await nextTurn();
    if (next === null) return { ...sum, examples };
    after = next;
  }
}

function levelOf(assess: Assessor, key: Uint8Array, nowMs: number) {
  const parsed = indicatorOfKey(key);
  if (parsed?.ok !== true || isPublicSuffix(parsed.indicator as Indicator)) return null;
  const { subject, verdict } = assess(parsed.indicator as Indicator, nowMs);
  const { level, score, word } = verdict.riskScore;
  return { value: subject.value, level, score, word };
}
