import { expect, test } from 'vitest';
import { type CaseParts, caseOf, GRADE_A, guardedBy, listed } from './case.fixture.ts';
import { judgeCase } from './judge-case.ts';
import { MODEL } from './model.ts';

const judged = (parts: CaseParts) => judgeCase(caseOf(parts));
const typesOf = (parts: CaseParts) =>
  judged(parts).crossCorrelation.signals.map(({ type, effect }) => [type, effect]);

test('origins that agree, and a scanner that agrees with lists, are signals that confirm', () => {
  const lists = [listed('one', { ...GRADE_A, lineage: 'a' }), listed('two', { lineage: 'b' })];
  expect(typesOf({ listings: lists })).toEqual([['independent_origins', 'confirms']]);
  const scanner = listed('engine', { ...GRADE_A, lineage: 'c', signal: 'scanner' });
  expect(typesOf({ listings: [...lists, scanner] })).toEqual([
    ['independent_origins', 'confirms'],
    ['scanner_and_lists', 'confirms'],
  ]);
  expect(typesOf({ listings: lists.slice(0, 1) })).toEqual([]);
  expect(typesOf({})).toEqual([]);
});

test('what speaks against an accusation is a signal that contradicts, with the points that it took', () => {
  const service = listed('service-list', { name: 'Cloudflare', threatClass: 'allowlist' });
  const { crossCorrelation, riskScore, evidence } = judged({
    listings: [listed('DROP', { ...GRADE_A, category: 'malware' }), service],
    context: { guards: guardedBy('service') },
  });
  expect(crossCorrelation.signals).toEqual(
    evidence.contradictorySignals.map((signal) => ({ ...signal, effect: 'contradicts' })),
  );
  expect(crossCorrelation.signals).toHaveLength(1);
  const ofContext = riskScore.factors.filter(({ weight }) => weight === 0);
  expect(crossCorrelation.riskModifier).toBe(
    ofContext.reduce((sum, { contribution }) => sum + contribution, 0),
  );
  expect(crossCorrelation.riskModifier).toBeLessThan(0);
  expect(crossCorrelation.confidenceModifier).toBe(-MODEL.confidence.conflict);
  expect(crossCorrelation.summary).toMatch(/against what the listings say/);
});
