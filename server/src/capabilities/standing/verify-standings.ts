import { setImmediate as nextTurn } from 'node:timers/promises';
import { indicatorOfKey, KIND } from '#capabilities/corpus/index.ts';
import { type Assessor, createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { StandingDeps } from './follow-standings.ts';
import { standingsAfter } from './store.ts';

const ROWS_A_PAGE = 10_000;
const WRONG_SHOWN_MAX = 20;
const URLS = Buffer.of(KIND.url);
const DIGESTS = Buffer.of(KIND.md5);
const END_KEY = Buffer.of(KIND.email);

export type Verification = {
  readonly compared: number;
  /** Members whose stored level, word or score is not what a check says now. */
  readonly wrong: number;
  /** Accused now, and without a standing. */
  readonly missing: number;
  /** With a standing, and accused by nobody. */
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
  let after = Buffer.of(KIND.ipv4);
  for (;;) {
    deps.refresh?.();
    const end = (after[0] as number) < KIND.url ? URLS : END_KEY;
    const from = Buffer.concat([after, Buffer.of(0)]);
    const { accused, rest } = deps.corpus.accusedBetween({ from, last: end }, ROWS_A_PAGE);
    const through = rest === null ? null : Buffer.from(rest.from.subarray(0, -1));
    const stored = new Map(
      (await standingsAfter(db, { after, through, end })).map((row) => [row.key.toString('latin1'), row]),
    );
    for (const { key } of accused) {
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
    if (through === null && end === END_KEY) return { ...sum, examples };
    after = through ?? DIGESTS;
  }
}

function levelOf(assess: Assessor, key: Uint8Array, nowMs: number) {
  const parsed = indicatorOfKey(key);
  if (parsed?.ok !== true) return null;
  const { subject, verdict } = assess(parsed.indicator as Indicator, nowMs);
  const { level, score, word } = verdict.riskScore;
  return { value: subject.value, level, score, word };
}
