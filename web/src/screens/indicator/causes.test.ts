import type { RiskScore } from '@assay/sdk';
import { expect, test } from 'vitest';
import { accusationOf } from '../../../../server/src/domain/scoring/wording.ts';
import { causeTag, causeWords, KNOWN_CAUSES } from './cause-words.ts';
import { causesOf, reasonsOf } from './causes.ts';
import * as phase from './check-state.fixture.ts';
import { evidence, IP, riskScore, source, stateAfter } from './check-state.fixture.ts';
import type { CheckTarget } from './check-state.ts';

test('every category has the words of the service, and a tag', () => {
  for (const category of KNOWN_CAUSES) {
    expect(causeWords(category)).toBe(accusationOf({ category, tags: [] } as never));
    expect(causeTag(category)).toMatch(/^[A-Z]/);
  }
  expect(causeWords('new-kind')).toBe('“new-kind”');
});

const factor = (name: string, description = `${name} lists it.`): RiskScore['factors'][number] => ({
  name,
  weight: 0.5,
  score: 50,
  contribution: 10,
  description,
});
const judged = (factors: RiskScore['factors'], reasons: readonly string[], more = {}) =>
  phase.insights({
    riskScore: { ...riskScore(48, 'medium'), factors },
    evidence: evidence({ reasons, ...more }),
  });
const C2 = (name: string) => ({ ...source(name), category: 'c2' });

test('sources that accuse of the same are one cause, whatever else they say', () => {
  const { phases } = stateAfter(IP, [
    phase.reputation({ sources: [C2('A'), source('B'), C2('C')] }),
    judged([factor('a'), factor('b'), factor('c')], []),
  ]);
  expect(causesOf(phases)).toEqual([
    {
      sentence: 'Listed for command and control.',
      category: 'c2',
      sources: [
        { id: 'a', name: 'A' },
        { id: 'c', name: 'C' },
      ],
    },
    {
      sentence: 'Listed for brute-force attempts.',
      category: 'bruteforce',
      sources: [{ id: 'b', name: 'B' }],
    },
  ]);
});

test('a range, a parent and another digest are said, with the listed value', () => {
  const listing = (sourceId: string, value: string, matchType: 'cidr' | 'parent') => ({
    sourceId,
    value,
    matchType,
    firstSeen: null,
    lastSeen: null,
    stillListedOn: null,
    contribution: 1,
  });
  const { phases } = stateAfter(IP, [
    phase.reputation({
      sources: [
        { ...C2('A'), matchType: 'cidr' },
        { ...C2('B'), matchType: 'parent' },
        { ...C2('C'), matchType: 'alias' },
      ],
      listings: [listing('a', '192.0.2.0/24', 'cidr'), listing('b', 'evil.example', 'parent')],
    }),
    judged([factor('a'), factor('b'), factor('c')], []),
  ]);
  expect(causesOf(phases).map(({ sentence }) => sentence)).toEqual([
    'Listed for command and control, as part of 192.0.2.0/24.',
    'Listed for command and control, by way of evil.example.',
    'Listed for command and control, under another digest of the same file.',
  ]);
});

test('no sentence is said twice: what a cause tells is no reason any more, all else stays', () => {
  const reasons = ['a lists it.', '3 more listings add 9 points.', 'Only names below it are listed.'];
  const { phases } = stateAfter(IP, [
    phase.reputation({ sources: [C2('A')] }),
    judged(
      [factor('a'), factor('gone', 'gone listed it; delisted 3 days ago.')],
      [...reasons, 'gone listed it; delisted 3 days ago.'],
    ),
  ]);
  expect(reasonsOf(phases).notes).toEqual([
    'Only names below it are listed.',
    'gone listed it; delisted 3 days ago.',
  ]);
});

test('a source that adds nothing is no cause: the service says why', () => {
  const reasons = ['a lists it.', 'Also listed by B, made of other lists: nothing is added.'];
  const { phases } = stateAfter(IP, [
    phase.reputation({ sources: [C2('A'), C2('B')] }),
    judged([factor('a')], reasons),
  ]);
  const { causes, notes } = reasonsOf(phases);
  expect(causes.flatMap(({ sources }) => sources.map(({ id }) => id))).toEqual(['a']);
  expect(notes).toEqual(reasons.slice(1));
});

test('a test file has the sentence of the service and no accusation', () => {
  const reasons = ['EICAR test file: made to be detected.'];
  const { phases } = stateAfter(IP, [
    phase.reputation({ sources: [{ ...source('EICAR test file'), category: 'test' }] }),
    judged([factor('eicar-test-file', reasons[0])], reasons),
  ]);
  expect(reasonsOf(phases)).toMatchObject({ causes: [], notes: reasons });
});

test('contradictions stay, and four notes at most', () => {
  const contradictorySignals = [
    {
      type: 'popular',
      severity: 'low',
      title: 'Accused and among the most visited',
      description: '2 accuse.',
    },
  ];
  const { phases } = stateAfter(IP, [
    phase.reputation({ sources: [] }),
    judged([], ['a.', 'b.', 'c.', 'd.', 'e.'], { contradictorySignals }),
  ]);
  expect(reasonsOf(phases)).toEqual({
    causes: [],
    notes: ['a.', 'b.', 'c.', 'd.'],
    contradictions: contradictorySignals,
  });
});

test('a file that no source has seen gets a sentence of its own', () => {
  const hash: CheckTarget = { type: 'hash', value: 'a'.repeat(40) };
  const { phases } = stateAfter(hash, [
    phase.reputation({ blocklistHits: 0, sources: [], lookupStatus: 'unknown' }),
    judged([], ['Not seen by 4 fresh sources.']),
  ]);
  expect(reasonsOf(phases).notes).toEqual([
    'No source has seen this file. That is not a clean verdict. Checked again after 5 minutes.',
  ]);
});

test('a claim on the organization of a domain is one sentence, and no cause', () => {
  const claims = [
    { group: 'lockbit3', family: 'lockbit', victim: 'Acorn', discoveredAt: '2024-12-17T00:00:00.000Z' },
  ];
  const ransomwareClaims = { domain: 'acorn.example', total: 2, claims, note: 'It adds no points.' };
  const { phases } = stateAfter(IP, [phase.reputation({ sources: [], ransomwareClaims }), judged([], [])]);
  const { causes, notes } = reasonsOf(phases);
  expect(causes).toEqual([]);
  expect(notes).toEqual([
    'Ransomware group lockbit3 claimed acorn.example as a victim on 2024-12-17, the newest of 2 claims. It adds no points.',
  ]);
});
