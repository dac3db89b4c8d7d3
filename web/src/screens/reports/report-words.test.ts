import { describe, expect, test } from 'vitest';
import { factsOf, fileName, pageOf, targetOf, typeWord, verdictOfReport } from './report-words.ts';

describe('the word of a saved report', () => {
  test.each([
    [{ verdict: 'critical', riskLevel: 'critical', word: 'Malicious' }, 'Malicious', 'malicious'],
    [{ verdict: 'critical', riskLevel: 'critical', word: 'Critical risk' }, 'Critical risk', 'critical-risk'],
    [{ verdict: 'high', riskLevel: 'high', word: 'Malicious' }, 'Malicious', 'malicious'],
    [{ verdict: 'high', riskLevel: 'high', word: null }, 'High risk', 'high-risk'],
    [{ verdict: 'low', riskLevel: 'low', word: 'Reported' }, 'Reported', 'reported'],
    [{ verdict: 'inconclusive', riskLevel: 'inconclusive', word: 'Not listed' }, 'Not listed', 'unknown'],
    [{ verdict: 'inconclusive', riskLevel: 'inconclusive', word: null }, 'Unknown', 'unknown'],
    [{ verdict: 'safe', riskLevel: 'safe', word: 'Popular site' }, 'Popular site', 'good'],
    // A report of an earlier version, which gave the level safe without a voucher: it is shown as unknown.
    [{ verdict: 'unknown', riskLevel: 'safe', word: null }, 'Unknown', 'unknown'],
    // Without a score, only a scanner's verdict `malicious` is shown as an accusation.
    [{ verdict: 'malicious', riskLevel: null, word: null }, 'Malicious', 'malicious'],
    [{ verdict: 'unknown', riskLevel: null, word: null }, 'Unknown', 'unknown'],
  ] as const)('%j is %s', (report, word, tone) => {
    expect(verdictOfReport(report)).toMatchObject({ word, tone });
  });
});

test('a result of any shape is read without a guess', () => {
  expect(
    factsOf({
      evidence: { reasons: ['Listed by A.', 7, ''], observedAt: '2026-11-15T00:00:00Z' },
      sources: [{ name: 'A' }, { name: 3 }, 'x', null],
    }),
  ).toEqual({ reasons: ['Listed by A.'], sources: ['A'], observedAt: '2026-11-15T00:00:00Z' });
  const nothing = { reasons: [], sources: [], observedAt: null };
  expect(factsOf({})).toEqual(nothing);
  expect(factsOf({ evidence: 'x', sources: { name: 'A' } })).toEqual(nothing);
});

test('an e-mail address has no page of its own', () => {
  expect(targetOf({ entityType: 'email', entityValue: 'a@example.com' })).toBeNull();
  expect(targetOf({ entityType: 'ip', entityValue: '192.0.2.1' })).toEqual({
    type: 'ip',
    value: '192.0.2.1',
  });
  expect([typeWord('hash'), typeWord('newer')]).toEqual(['file hash', 'newer']);
});

test('the page number is a whole number from 1 on', () => {
  expect([{}, { page: '3' }, { page: '0' }, { page: 'x' }, { page: '1.5' }].map(pageOf)).toEqual([
    1, 3, 1, 1, 1,
  ]);
});

test('a file is named by its day', () => {
  expect(fileName('reports', 'csv', Date.parse('2026-11-15T23:00:00Z'))).toBe('reports-2026-11-15.csv');
});
