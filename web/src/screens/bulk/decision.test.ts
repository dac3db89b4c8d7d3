import { type BulkRow, verdictOfRow } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { rowOf } from './bulk-rows.fixture.ts';
import { DECISION_WORDS, DECISIONS, PARTS, partOf, sharedWord } from './decision.ts';

const of = (changes: Partial<BulkRow>) => {
  const row = rowOf('a.example', changes);
  return partOf(row, verdictOfRow(row));
};
const hash: Partial<BulkRow> = { type: 'hash', lookupStatus: 'unknown' };
const scanner = { infrastructure: { attributes: ['cloud', 'scanner'] } };
const tor = { infrastructure: { attributes: ['tor-exit'] } };
const service = { service: { name: 'Quad9', operator: 'Quad9', kind: 'resolver' } } as const;
const open = { riskLevel: 'inconclusive' } as const;

describe('the group of a row', () => {
  test.each<[string, Partial<BulkRow>, string]>([
    ['critical', { riskLevel: 'critical' }, 'block threats'],
    ['high', { riskLevel: 'high' }, 'block threats'],
    ['high, contradicted', { riskLevel: 'high', recommendedAction: 'escalate' }, 'block threats'],
    ['medium', { riskLevel: 'medium' }, 'look review'],
    ['low, contradicted', { riskLevel: 'low', recommendedAction: 'review' }, 'look review'],
    ['vouched for, contradicted', { riskLevel: 'safe', recommendedAction: 'review' }, 'look review'],
    ['low', { riskLevel: 'low' }, 'ignore faint'],
    ['an old report', { ...open, word: 'Old report', recommendedAction: 'monitor' }, 'ignore faint'],
    ['a weak report', { ...open, word: 'Weak report', recommendedAction: 'monitor' }, 'ignore faint'],
    ['tracking', { ...open, word: 'Tracking only', recommendedAction: 'monitor' }, 'ignore faint'],
    ['known good', { riskLevel: 'safe', word: 'Known good' }, 'ignore known'],
    ['a popular site', { riskLevel: 'safe', word: 'Popular site' }, 'ignore known'],
    [
      'reserved',
      { riskLevel: 'safe', word: 'Reserved address', recommendedAction: 'not-applicable' },
      'ignore known',
    ],
    [
      'reserved, from an older service',
      { riskLevel: 'safe', word: 'Reserved address', recommendedAction: 'allow' },
      'ignore known',
    ],
    ['the empty file', { ...open, word: 'Empty file', recommendedAction: 'ignore' }, 'ignore known'],
    ['ignored, but high', { riskLevel: 'high', recommendedAction: 'ignore' }, 'look review'],
    [
      'not applicable, but malicious',
      { isMalicious: true, recommendedAction: 'not-applicable' },
      'look review',
    ],
    [
      'a vulnerable driver',
      { riskLevel: 'high', word: 'Vulnerable driver', recommendedAction: 'review' },
      'look review',
    ],
    ['a test file', { isMalicious: true, riskLevel: 'high', word: 'Test file' }, 'block threats'],
    ['not listed', {}, 'unknown unlisted'],
    ['a platform', { word: 'Platform: judge the name below it' }, 'unknown unlisted'],
    ['a file that nobody has seen', { ...hash, word: 'Not seen' }, 'unknown unlisted'],
    ['a service without data', { word: 'No data' }, 'look unanswered'],
    ['an error', { error: 'Not an indicator.' }, 'look unanswered'],
    ['an error beside a level', { riskLevel: 'critical', error: 'Failed.' }, 'look unanswered'],
    ['an action of a newer service', { recommendedAction: 'quarantine' as never }, 'look unanswered'],
    ['a level of a newer service', { riskLevel: 'odd' as never }, 'look unanswered'],
    ['allowed, but nobody vouches', { ...open, recommendedAction: 'allow' }, 'look unanswered'],
    ['allowed, but malicious', { riskLevel: 'critical', recommendedAction: 'allow' }, 'look review'],
    ['watched, but high', { riskLevel: 'high', recommendedAction: 'monitor' }, 'look review'],
    ['unverified, but suspicious', { riskLevel: 'medium', recommendedAction: 'unverified' }, 'look review'],
    ['a Tor exit to block', { riskLevel: 'high', ...tor }, 'block block-shared'],
    ['a Tor exit to review', { riskLevel: 'medium', ...tor }, 'look look-shared'],
    ['a Tor exit that no list accuses', { ...tor }, 'unknown unknown-shared'],
    ['a research scanner', { riskLevel: 'low', ...scanner }, 'ignore ignore-shared'],
    ['a service', { riskLevel: 'safe', word: 'Common service: Quad9', ...service }, 'ignore ignore-shared'],
    ['a service with an error', { error: 'Failed.', ...service }, 'look unanswered'],
    ['in a cloud', { riskLevel: 'high', infrastructure: { attributes: ['cloud'] } }, 'block threats'],
  ])('%s', (_what, changes, place) => {
    const { decision, id } = of(changes);
    expect(`${decision} ${id}`).toBe(place);
  });

  test('without an advice it is for a person', () => {
    const { recommendedAction: _, ...row } = rowOf('a.example');
    expect(partOf(row, verdictOfRow(row)).id).toBe('unanswered');
  });
});

test('the parts of a group are together, in the order of the groups', () => {
  const order = PARTS.map(({ decision }) => DECISIONS.indexOf(decision));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test('not listed and not seen are a group of their own, which says that this does not mean they are safe', () => {
  expect(DECISION_WORDS.unknown.why).toContain("This doesn't mean they are safe.");
  expect(DECISION_WORDS.ignore.why).not.toMatch(/listed|unknown|seen/);
  const words = [...Object.values(DECISION_WORDS).map(({ why }) => why), ...PARTS.map(({ note }) => note)];
  expect(words.join(' ').replaceAll("This doesn't mean they are safe.", '')).not.toMatch(
    /clean|safe|harmless/i,
  );
});

test.each<[string | null, Partial<BulkRow>]>([
  ['Quad9', { ...service, ...tor }],
  ['Tor exit', tor],
  ['Research scanner', scanner],
  [null, { infrastructure: { attributes: ['cloud'] } }],
  [null, {}],
])('a row that stands apart says what it is: %s', (word, changes) => {
  expect(sharedWord(rowOf('a.example', changes))).toBe(word);
});
