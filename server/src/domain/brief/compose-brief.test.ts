import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeBrief } from './compose-brief.ts';

const count = fc.integer({ min: 0, max: 1_000 });
const facts = fc.record({
  week: fc.record({
    alertsOpened: count,
    alertsResolved: count,
    newFindings: count,
    kevFindings: count,
    watchedChanges: count,
  }),
  now: fc.record({
    openCriticalAlerts: count,
    openHighAlerts: count,
    staleOpenAlerts: count,
    acknowledgedAlerts: count,
    activeExploitFindings: count,
    kevFindings: count,
    openCases: count,
  }),
  overdueCases: count,
  findingGaps: count,
  actions: fc.constant([]),
});

test('the parts add up to the score, which stays within 0 and 100, and equal facts give equal briefs', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const brief = composeBrief(given);
      expect(brief.scoreParts.reduce((sum, { points }) => sum + points, 0)).toBe(brief.score);
      expect(brief.score).toBeGreaterThanOrEqual(0);
      expect(brief.score).toBeLessThanOrEqual(100);
      expect(composeBrief(structuredClone(given))).toEqual(brief);
    }),
  );
});

test('a quiet week is not called quiet before the gaps of CVE watch are named', () => {
  const zero = { alertsOpened: 0, alertsResolved: 0, newFindings: 0, kevFindings: 0, watchedChanges: 0 };
  const now = {
    openCriticalAlerts: 0,
    openHighAlerts: 0,
    staleOpenAlerts: 0,
    acknowledgedAlerts: 0,
    activeExploitFindings: 0,
    kevFindings: 0,
    openCases: 0,
  };
  const headline = (findingGaps: number) =>
    composeBrief({ week: zero, now, overdueCases: 0, findingGaps, actions: [] }).headline;
  expect(headline(0)).toBe('Nothing changed in what you watch.');
  expect(headline(3)).toBe('CVE watch did not check everything (3 gaps). Nothing changed in what you watch.');
});
