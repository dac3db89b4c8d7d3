import { expect, test } from 'vitest';
import type { Judged } from './judge-target.ts';
import { type Change, reputationAlert } from './word-alerts.ts';

const WATCHED = {
  id: 'mon_1',
  accountId: 'usr_1',
  notify: true,
  entityType: 'domain',
  value: 'bad.example.com',
} as const;
const AFTER: Judged = {
  level: 'critical',
  isMalicious: false,
  word: 'Critical risk',
  listed: 'b',
  score: 93,
  confidence: 80,
  sources: [1, 2],
  labels: [],
  categories: ['phishing'],
  accusations: [{ number: 2, name: 'Phishing domains', matchType: 'exact', matched: 'bad.example.com' }],
  seq: 7,
};
const changeFrom = (before: Partial<Change['before']>, after: Partial<Judged> = {}): Change => ({
  change: { type: 'reputation.changed', severity: 'high', isBetter: false },
  before: { level: 'medium', isMalicious: false, score: 40, sources: [1], ...before },
  after: { ...AFTER, ...after },
  ownReason: null,
});
const told = (before: Partial<Change['before']>, after: Partial<Judged> = {}) => {
  const { title, description } = reputationAlert(WATCHED, changeFrom(before, after), () => 'a list');
  return [title, description];
};

test('an alert has the words of the verdict, and critical without a scanner is not called malicious (O59)', () => {
  expect(told({})).toEqual([
    'bad.example.com: Critical risk',
    'The verdict on bad.example.com changed from Suspicious to Critical risk, with a score of 93. Phishing domains lists it.',
  ]);
  expect(told({}, { isMalicious: true, level: 'high', word: 'Malicious' })[0]).toBe(
    'bad.example.com: Malicious',
  );
});

test.each([
  [{ level: 'high', isMalicious: true }, 'Malicious'],
  [{ level: 'critical' }, 'Critical risk'],
  [{ level: 'low' }, 'Reported'],
  [{ level: 'low', sources: [] }, 'the level low'],
  [{ level: 'inconclusive', sources: [] }, 'the level inconclusive'],
] as const)('the former verdict %j is called %s', (before, word) => {
  expect(told(before)[1]).toContain(`changed from ${word} to Critical risk,`);
});
