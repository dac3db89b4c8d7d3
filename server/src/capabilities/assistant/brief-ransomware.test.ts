import { describe, expect, test } from 'vitest';
import { briefOfRansomware, type RansomwareFound } from './brief-ransomware.ts';
import { BRIEF_BYTES_MAX, Brief } from './contract.ts';

const CLAIM = {
  kind: 'victim',
  name: 'Northwind',
  group: 'akira',
  discoveredAt: '2026-05-06T08:00:00.000Z',
} as const;
type Entity = Exclude<RansomwareFound, { queryType: 'stats' }>;
const entity = (given: Partial<Entity>): Entity => ({
  query: 'northwind.com',
  queryType: 'domain',
  matches: [],
  total: given.matches?.filter(({ kind }) => kind === 'victim').length ?? 0,
  groups: [],
  loaded: true,
  message: 'No loaded claim matches, which does not show that there was no attack.',
  ...given,
});
const brief = (found: RansomwareFound) => {
  const answer = briefOfRansomware(found);
  expect(Brief.parse(answer)).toEqual(answer);
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(BRIEF_BYTES_MAX);
  return answer;
};

describe('a brief about ransomware', () => {
  test('a claim is told as a claim, with the group and the day, and is no verdict', () => {
    expect(
      brief(entity({ matches: [CLAIM], groups: ['akira'], message: 'A claim is no proof.' })),
    ).toMatchObject({
      verdict: 'unknown',
      riskScore: null,
      riskLevel: null,
      recommendedAction: 'review',
      headline: '1 ransomware claim names northwind.com, by akira.',
      summary: 'akira claimed Northwind on 2026-05-06. A claim is no proof.',
    });
  });

  test('no claim is no finding', () => {
    expect(brief(entity({}))).toMatchObject({
      recommendedAction: 'unverified',
      headline: 'No loaded ransomware claim names northwind.com.',
      categories: [],
    });
  });

  test('a list of indicators is named, and the verdict is left to the check', () => {
    const ioc = { kind: 'ioc', name: 'A list', group: null, discoveredAt: null } as const;
    expect(brief(entity({ queryType: 'ip', query: '192.0.2.7', matches: [ioc] }))).toMatchObject({
      verdict: 'unknown',
      headline: '192.0.2.7 is named by a list of ransomware indicators.',
      sources: ['A list'],
    });
  });

  test('a hundred claims with the longest names fit into 4 KB', () => {
    const name = 'é'.repeat(300);
    const matches = Array.from({ length: 100 }, () => ({ ...CLAIM, name, group: name }));
    brief(entity({ query: name.repeat(6), queryType: 'keyword', matches, groups: [name] }));
  });

  test('statistics are told without a query', () => {
    const stats = { totalVictims: 10_287, activeGroups: 32, attacksThisMonth: 200 };
    const dataAsOf = '2026-05-07T00:00:00.000Z';
    expect(
      brief({ queryType: 'stats', loaded: true, stats, dataAsOf, message: 'Only claims.' }),
    ).toMatchObject({
      query: '',
      headline: expect.stringMatching(/claim 10.?287 victims/),
    });
  });

  test('the headline of a group counts all of its claims, not only those that are shown', () => {
    const matches = Array.from({ length: 99 }, () => CLAIM);
    const found = { query: 'akira', queryType: 'group', matches, total: 197, groups: ['akira'] } as const;
    expect(brief(entity(found)).headline).toBe(
      'akira is a ransomware group with 197 claims in the loaded data.',
    );
  });

  test('old claims are inconclusive, with the date of the newest (O65)', () => {
    const stats = { totalVictims: 10_287, activeGroups: null, attacksThisMonth: null };
    const dataAsOf = '2026-08-04T00:00:00.000Z';
    expect(brief({ queryType: 'stats', loaded: true, stats, dataAsOf, message: 'Old.' })).toMatchObject({
      headline: 'Inconclusive: the loaded ransomware claims end on 2026-08-04.',
      summary: expect.stringMatching(/claim 10.?287 victims in the loaded data\. Old\./),
      recommendedAction: 'unverified',
    });
  });
});
