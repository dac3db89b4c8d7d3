import { describe, expect, test } from 'vitest';
import { FINDING_STATUSES } from '../cve-watch/index.ts';
import { ALERT_STATUSES, severityOfPriority, severityOfReputation, severityOfType } from './alert-kinds.ts';
import { findingStatusFor, statusOfFinding } from './finding-moves.ts';
import { bucketOf, hoursAt, percentilesOf } from './open-times.ts';

describe('how severe an alert is', () => {
  test.each([
    [{ level: 'critical', isMalicious: false, isBetter: false }, 'critical'],
    [{ level: 'high', isMalicious: false, isBetter: false }, 'high'],
    [{ level: 'high', isMalicious: true, isBetter: false }, 'critical'],
    [{ level: 'medium', isMalicious: false, isBetter: false }, 'medium'],
    [{ level: 'low', isMalicious: false, isBetter: false }, 'low'],
    [{ level: 'inconclusive', isMalicious: false, isBetter: false }, 'info'],
    [{ level: 'high', isMalicious: true, isBetter: true }, 'info'],
  ] as const)('a reputation %j is %s', (now, severity) => {
    expect(severityOfReputation(now)).toBe(severity);
  });

  test('claims and look-alikes are high, certificates and registrations medium, the rest low', () => {
    expect(
      (
        [
          'ransomware.claim',
          'lookalike.found',
          'certificate.changed',
          'whois.changed',
          'location.changed',
          'infrastructure.changed',
        ] as const
      ).map(severityOfType),
    ).toEqual(['high', 'high', 'medium', 'medium', 'low', 'low']);
    expect((['P1', 'P2', 'P3'] as const).map(severityOfPriority)).toEqual(['critical', 'high', 'medium']);
  });
});

describe('an alert and its finding move together', () => {
  test('after a decision about the alert, the finding stands as the alert does', () => {
    for (const alert of ALERT_STATUSES)
      for (const finding of FINDING_STATUSES) {
        const moved = findingStatusFor(alert, finding);
        expect(statusOfFinding(moved ?? finding), `${alert} ${finding}`).toBe(alert);
      }
  });

  test('resolving an alert does not call a snoozed finding patched', () => {
    expect(findingStatusFor('RESOLVED', 'SNOOZED')).toBeNull();
    expect(findingStatusFor('RESOLVED', 'OPEN')).toBe('PATCHED');
  });
});

describe('times that alerts stayed open', () => {
  test('a bucket is within one percent of the times in it', () => {
    for (const seconds of [60, 3_599, 86_400, 30 * 86_400, 90 * 86_400])
      expect(Math.abs((hoursAt(bucketOf(seconds)) * 3_600) / seconds - 1)).toBeLessThan(0.03);
  });

  test('percentiles are those of the counted times, and null without any', () => {
    const counted = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((hours) => ({
      bucket: bucketOf(hours * 3_600),
      count: 1,
    }));
    const [p50, p90, p95] = percentilesOf(counted, [50, 90, 95]);
    expect(p50).toBeCloseTo(5, 0);
    expect(p90).toBeCloseTo(9, 0);
    expect(p95).toBeCloseTo(10, 0);
    expect(percentilesOf([], [50, 90])).toEqual([null, null]);
  });
});
