import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scoreCategoryOf } from '../categories.ts';
import { levelOf } from '../levels.ts';
import type { Attenuation, FpRisk, ListedType, ScoreCategory } from '../model.ts';
import type { Opinion } from '../opinion.ts';
import { NO_LIMITS, scoreOpinions } from './score-opinions.ts';
import { WORKED_EXAMPLES } from './worked-examples.fixture.ts';

/** The design's vectors lie beside the checkout, not in the repository; without them the tests are skipped. */
const VECTORS = '../shared/design/scoring-vectors.json';

type VectorListing = {
  readonly id: string;
  readonly type: ListedType;
  readonly category: string;
  readonly fpRisk: FpRisk;
  readonly ageDays: number;
  readonly lineage: string;
  readonly threatClass: string;
  readonly reliability: number;
  readonly matchFactor: number;
};
type Vector = {
  readonly name: string;
  readonly listings: readonly VectorListing[];
  readonly attenuation?: Attenuation;
  readonly expected: {
    readonly score: number;
    readonly level: string;
    readonly contributions: Readonly<Record<string, number>>;
  };
};

const score = (opinions: readonly Opinion[], attenuation: Attenuation | undefined) =>
  scoreOpinions(
    opinions,
    attenuation === undefined ? NO_LIMITS : { ...NO_LIMITS, attenuate: (_, tier) => attenuation[tier] },
  );

const sumOf = (points: ReadonlyMap<string, number>) =>
  [...points.values()].reduce((sum, one) => sum + one, 0);

describe('the worked examples', () => {
  test.each(WORKED_EXAMPLES)('$name: $score, $level', (example) => {
    const answer = score(example.opinions, example.attenuation);
    expect([answer.score, levelOf(answer.score)]).toEqual([example.score, example.level]);
    expect(sumOf(answer.points)).toBe(example.score);
    if (example.attenuation === undefined) expect(Object.fromEntries(answer.points)).toEqual(example.points);
  });
});

const opinionOf = (listing: VectorListing): Opinion => ({
  sourceId: listing.id,
  type: listing.type,
  category: scoreCategoryOf(listing.category),
  fpRisk: listing.fpRisk,
  reliability: listing.reliability,
  lineage: listing.lineage,
  isAggregate: false,
  isGradeA: false,
  ageDays: listing.ageDays,
  isUndated: false,
  isEchoing: false,
  isDelisted: false,
  matchFactor: listing.matchFactor,
});

/** The vectors have the half-lives of model version 1; version 2 measured these anew (scoring 2). */
const REMEASURED: Readonly<Record<string, readonly ScoreCategory[]>> = {
  ip: ['c2', 'botnet', 'exploit', 'bruteforce', 'scanner', 'spam', 'abuse'],
  domain: ['phishing'],
};
const isRemeasured = ({ type, category, ageDays }: VectorListing): boolean =>
  ageDays > 0 && REMEASURED[type]?.includes(scoreCategoryOf(category)) === true;

describe.skipIf(!existsSync(VECTORS))(`the vectors of the design (${VECTORS}; skipped where absent)`, () => {
  const vectors: readonly Vector[] = existsSync(VECTORS)
    ? (JSON.parse(readFileSync(VECTORS, 'utf8')) as { vectors: Vector[] }).vectors
    : [];

  test('all 209 are there', () => {
    expect(vectors).toHaveLength(209);
  });

  const standing = vectors.filter(({ listings }) => !listings.some(isRemeasured));

  test('half of them have no aged listing of a kind that was measured anew', () => {
    expect(standing.length).toBeGreaterThan(90);
  });

  test.each(standing)('$name', ({ listings, attenuation, expected }) => {
    const threats = listings.filter(({ threatClass }) => threatClass === 'threat');
    const answer = score(threats.map(opinionOf), attenuation);
    expect([answer.score, levelOf(answer.score)]).toEqual([expected.score, expected.level]);
    expect(sumOf(answer.points)).toBe(expected.score);
    if (attenuation === undefined) expect(Object.fromEntries(answer.points)).toEqual(expected.contributions);
  });
});
