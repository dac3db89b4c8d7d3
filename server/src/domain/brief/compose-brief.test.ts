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
