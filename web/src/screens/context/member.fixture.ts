import type { Member, MemberCounts } from '@assay/sdk';

export const member = (changes: Partial<Member> = {}): Member => ({
  value: '185.220.101.34',
  type: 'ip',
  score: 91,
  level: 'critical',
  word: 'Malicious',
  action: 'block',
  categories: ['c2', 'botnet', 'malware', 'scanner'],
  families: ['Remcos'],
  sources: 3,
  firstSeen: '2026-11-02T08:00:00.000Z',
  dating: 'own',
  ...changes,
});

export const counts = (changes: Partial<MemberCounts> = {}): MemberCounts => ({
  listed: 12,
  examined: 12,
  isPartial: false,
  withheld: 0,
  byLevel: { critical: 3, high: 0, medium: 4, low: 1, inconclusive: 4, safe: 0 },
  byWord: [
    { level: 'critical', word: 'Malicious', count: 2 },
    { level: 'critical', word: 'Critical risk', count: 1 },
    { level: 'medium', word: 'Suspicious', count: 4 },
    { level: 'low', word: 'Reported', count: 1 },
    { level: 'inconclusive', word: 'Old report', count: 4 },
  ],
  byCategory: { c2: 7, phishing: 3 },
  byFamily: { Remcos: 5 },
  byType: { ip: 12 },
  dates: { earliest: '2026-10-01T00:00:00.000Z', latest: '2026-11-14T09:00:00.000Z', undated: 2 },
  ...changes,
});
