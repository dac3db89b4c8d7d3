import { describe, expect, test } from 'vitest';
import { rowOf } from './bulk-rows.fixture.ts';
import {
  arrange,
  countDecisions,
  countTypes,
  countVerdicts,
  scoreOf,
  searchOf,
  toggled,
  triageRows,
  viewOf,
} from './triage-view.ts';

const ROWS = triageRows([
  rowOf('good.example', {
    riskLevel: 'safe',
    word: 'Known good',
    recommendedAction: 'allow',
  }),
  rowOf('unknown.example'),
  rowOf('low.example', { riskLevel: 'low', word: 'Reported', riskScore: 20, sources: 1 }),
  rowOf('a'.repeat(64), {
    type: 'hash',
    lookupStatus: 'unknown',
    riskScore: undefined,
    riskLevel: undefined,
  } as never),
  rowOf('bad.example', { isMalicious: true, riskLevel: 'critical', riskScore: 95, sources: 4 }),
  rowOf('refused.example', { error: 'Cannot be read.' }),
  rowOf('8.8.8.8', { type: 'ip', riskLevel: 'high', riskScore: 80, sources: 6 }),
]);
const shown = (search: Readonly<Record<string, string>>): readonly string[] =>
  arrange(ROWS, viewOf(search)).map(({ row }) => row.entity.slice(0, 16));

describe('the table', () => {
  test('sorts by group and part, and the worst of a part first', () => {
    expect(shown({})).toEqual([
      'bad.example',
      '8.8.8.8',
      'refused.example',
      'unknown.example',
      'a'.repeat(16),
      'good.example',
      'low.example',
    ]);
  });

  test('without a filter every row is there, failed and unknown ones too', () => {
    expect(shown({})).toHaveLength(ROWS.length);
  });

  test.each([
    [{ verdict: 'malicious' }, ['bad.example']],
    [{ verdict: 'not-checked' }, ['refused.example']],
    [{ verdict: 'not-listed' }, ['unknown.example']],
    [{ verdict: 'not-seen' }, ['a'.repeat(16)]],
    [{ verdict: 'malicious,high-risk' }, ['bad.example', '8.8.8.8']],
    [{ group: 'block' }, ['bad.example', '8.8.8.8']],
    [{ group: 'look' }, ['refused.example']],
    [{ group: 'block', verdict: 'malicious' }, ['bad.example']],
    [{ group: 'quarantine' }, shown({})],
    [{ type: 'ip' }, ['8.8.8.8']],
    [{ type: 'ip', verdict: 'malicious' }, []],
  ])('the address %j shows %j', (search, entities) => {
    expect(shown(search as Readonly<Record<string, string>>)).toEqual(entities);
  });

  test.each([
    ['-risk', '8.8.8.8'],
    ['indicator', '8.8.8.8'],
    ['-indicator', 'bad.example'],
    ['sources', '8.8.8.8'],
    ['type', 'bad.example'],
  ])('sorted by %s the first group begins with %s', (sort, first) => {
    expect(shown({ sort })[0]).toBe(first);
  });

  test.each([
    ['cause', ['b', 'a', 'c']],
    ['family', ['c', 'a', 'b']],
    ['network', ['b', 'a', 'c']],
    ['country', ['a', 'b', 'c']],
    ['seen', ['b', 'c', 'a']],
    ['-seen', ['a', 'c', 'b']],
  ])('sorted by %s, rows without one come last: %j', (sort, entities) => {
    const rows = triageRows([
      rowOf('a', { categories: ['spam'], malwareFamily: 'Qakbot', asn: 7, countryCode: 'DE' }),
      rowOf('b', { categories: ['c2'], asn: 5, countryCode: 'NL', lastSeen: '2026-11-14T09:00:00.000Z' }),
      rowOf('c', { malwareFamily: 'Emotet', firstSeen: '2026-11-01T00:00:00.000Z' }),
    ]);
    expect(arrange(rows, viewOf({ sort })).map(({ row }) => row.entity)).toEqual(entities);
  });

  test('an unknown sort order falls back to the default', () => {
    expect(shown({ sort: 'colour' })).toEqual(shown({}));
  });

  test('an unknown indicator has no score; a 0 would read as an answer', () => {
    const byEntity = new Map(ROWS.map((row) => [row.row.entity, scoreOf(row)]));
    expect(byEntity.get('unknown.example')).toBeNull();
    expect(byEntity.get('refused.example')).toBeNull();
    expect(byEntity.get('good.example')).toBe(0);
    expect(byEntity.get('bad.example')).toBe(95);
  });
});

describe('the counts', () => {
  test('of the groups sum up to all rows', () => {
    expect(countDecisions(ROWS)).toEqual({ block: 2, look: 1, unknown: 2, ignore: 2 });
  });

  test('are worst first and sum up to all rows', () => {
    const counts = countVerdicts(ROWS);
    expect(counts.map(({ verdict, count }) => [verdict.word, count])).toEqual([
      ['Malicious', 1],
      ['High risk', 1],
      ['Reported', 1],
      ['Not listed', 1],
      ['Not seen', 1],
      ['Not checked', 1],
      ['Known good', 1],
    ]);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(ROWS.length);
  });

  test('a verdict of a newer service is shown as it is, between accusations and unknown', () => {
    const rows = triageRows([
      rowOf('a.example'),
      rowOf('b.example', { riskLevel: 'weird' as never }),
      rowOf('c.example', { riskLevel: 'low', word: 'Reported', riskScore: 20 }),
    ]);
    expect(countVerdicts(rows).map(({ verdict }) => verdict.word)).toEqual([
      'Reported',
      'weird',
      'Not listed',
    ]);
  });

  test('never call the unknown good', () => {
    for (const { verdict } of countVerdicts(ROWS).filter(({ verdict: { tone } }) => tone === 'unknown')) {
      expect(verdict.word).not.toMatch(/clean|safe|good/i);
    }
  });

  test('of types are in the order of the rows', () => {
    expect(countTypes(ROWS)).toEqual([
      { type: 'domain', count: 5 },
      { type: 'hash', count: 1 },
      { type: 'ip', count: 1 },
    ]);
  });
});

describe('the address', () => {
  test.each([
    {},
    { group: 'block,look' },
    { verdict: 'malicious,unknown' },
    { type: 'ip' },
    { sort: '-risk' },
    { sort: 'indicator' },
  ])('%j comes back as it was', (search) => {
    expect(searchOf(viewOf(search as Readonly<Record<string, string>>))).toEqual(search);
  });

  test('leaves out defaults', () => {
    expect(searchOf(viewOf({ sort: 'risk', verdict: '', type: '' }))).toEqual({});
  });

  test('a filter that is pressed twice is gone', () => {
    expect(toggled(toggled(new Set(), 'malicious'), 'malicious').size).toBe(0);
  });
});
