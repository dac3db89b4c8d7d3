import { describe, expect, test } from 'vitest';
import { member } from './member.fixture.ts';
import { toRow, valuesText } from './member-rows.ts';

describe('a row', () => {
  test('has the word of the service and the tone of its level', () => {
    expect(toRow(member()).verdict).toMatchObject({ word: 'Malicious', tone: 'malicious' });
    expect(toRow(member({ word: 'Critical risk' })).verdict).toMatchObject({
      word: 'Critical risk',
      tone: 'critical-risk',
    });
    expect(
      toRow(member({ level: 'inconclusive', word: 'Old report', score: 4, action: 'monitor' })),
    ).toMatchObject({ verdict: { word: 'Old report', tone: 'neutral' }, score: null });
    expect(
      toRow(member({ level: 'safe', word: 'Known good', score: 0, action: 'allow' })).verdict,
    ).toMatchObject({
      word: 'Known good',
      tone: 'good',
    });
  });

  test('of a kind that no check judges has no verdict', () => {
    const row = toRow(member({ type: 'cidr', value: '45.83.64.0/24', level: null, word: null, score: null }));
    expect([row.verdict, row.score]).toEqual([null, null]);
  });

  test.each([
    ['ip', '185.220.101.34', { kind: 'indicator', target: { type: 'ip', value: '185.220.101.34' } }],
    ['cidr', '45.83.64.0/24', { kind: 'path', path: '/network/45.83.64.0/24' }],
    ['asn', 'AS64500', { kind: 'path', path: '/asn/64500' }],
    ['email', 'a@evil.com', { kind: 'contact', contact: { type: 'email', value: 'a@evil.com' } }],
    ['crypto', '1Boat', { kind: 'contact', contact: { type: 'crypto', value: '1Boat' } }],
  ] as const)('of type %s leads to the page that answers it', (type, value, leads) => {
    expect(toRow(member({ type, value })).leads).toEqual(leads);
  });

  test.each([
    ['own', 'reported', '2026-11-02T08:00:00.000Z'],
    ['sighted', 'listed since', '2026-11-02T08:00:00.000Z'],
    ['undated', 'no date', null],
  ] as const)('dated %s says: %s (O55)', (dating, word, at) => {
    expect(toRow(member({ dating })).when).toEqual({ word, at });
  });

  test('names at most three categories', () => {
    expect(toRow(member()).categories).toEqual(['c2', 'botnet', 'malware']);
  });
});

test('copied values stand one on each line, as they are', () => {
  const rows = [member(), member({ type: 'url', value: 'http://evil.example/a' })].map(toRow);
  expect(valuesText(rows)).toBe('185.220.101.34\nhttp://evil.example/a\n');
});
