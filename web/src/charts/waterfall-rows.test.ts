import type { Infrastructure, RiskScore } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { placeOfPoints, sentenceOf, signed, toRows } from './waterfall-rows.ts';

type Parts = readonly (readonly [name: string, contribution: number])[];
const scoreOf = (parts: Parts): RiskScore => ({
  score: parts.reduce((sum, [, contribution]) => sum + contribution, 0),
  level: 'medium',
  word: 'Suspicious',
  summary: 'Listed.',
  factors: parts.map(([name, contribution]) => ({
    name,
    weight: 0.5,
    score: 50,
    contribution,
    description: `${name} says so.`,
  })),
});
const infrastructure = (...attributes: string[]): Infrastructure => ({ attributes, sources: [] });
const shapeOf = (...input: Parameters<typeof toRows>) =>
  toRows(...input).map(({ label, from, to, points }) => `${label} ${from}-${to} ${points}`);

describe('rows of the waterfall', () => {
  test('each bar starts where the last one ended and the total is a row of its own', () => {
    expect(
      shapeOf(
        scoreOf([
          ['a', 34],
          ['b', 18],
          ['c', 6],
        ]),
      ),
    ).toEqual(['a 0-34 +34', 'b 34-52 +18', 'c 52-58 +6', 'Risk score 0-58 58']);
  });

  test('a factor that takes points away draws its bar backwards', () => {
    const rows = toRows(
      scoreOf([
        ['a', 60],
        ['popular', -40],
      ]),
    );
    expect(rows.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['adds', 0, 60],
      ['takes', 60, 20],
      ['total', 0, 20],
    ]);
    expect(rows[1]?.points).toBe('−40');
  });

  test('a source that lists only a page of the host is named as in its description', () => {
    const score = scoreOf([['phishing-urls', 15]]);
    const [factor] = score.factors;
    if (factor === undefined) throw new Error('There is no factor.');
    const description = 'Phishing pages lists a page on it for phishing, last seen 17 hours ago.';
    const [row] = toRows({ ...score, factors: [{ ...factor, description }] });
    expect(row?.label).toBe('Phishing pages');
  });

  test('a factor is called by the name of its source, or by its label, or as the service sent it', () => {
    const rows = toRows(
      scoreOf([
        ['feed-1', 5],
        ['asn_listed', 2],
        ['new_thing', 1],
      ]),
      [{ id: 'feed-1', name: 'Feed One' }],
    );
    expect(rows.map(({ label }) => label)).toEqual(['Feed One', 'Network', 'new_thing', 'Risk score']);
  });

  test.each([
    ['a network boost at its most', 'asn_listed', 5, '+5 capped'],
    ['a network boost below it', 'asn_listed', 3, '+3'],
    ['a cap', 'popular_uncorroborated', -21, '−21 capped'],
  ])('%s says whether it is capped', (_case, name, contribution, points) => {
    const rows = toRows(
      scoreOf([
        ['a', 40],
        [name, contribution],
      ]),
    );
    expect(rows[1]?.points).toBe(points);
  });

  test('infrastructure adds nothing and stands where the score ended', () => {
    const rows = toRows(scoreOf([['a', 40]]), [], infrastructure('tor-exit'));
    expect(rows[1]).toMatchObject({
      kind: 'context',
      label: 'Tor exit',
      from: 40,
      to: 40,
      points: '0 context only',
    });
  });

  test('an attribute that took points away is shown once, by its bar', () => {
    const rows = toRows(
      scoreOf([
        ['a', 40],
        ['anonymity_network', -19],
      ]),
      [],
      infrastructure('cloud', 'tor-exit', 'vpn'),
    );
    expect(rows.map(({ label }) => label)).toEqual(['a', 'Anonymity network', 'Cloud', 'Risk score']);
  });

  test('many factors: the smallest share one bar, each context factor keeps its own, and the sum is unchanged', () => {
    const many: Parts = [
      ...Array.from({ length: 12 }, (_, n) => [`s${n}`, 12 - n] as const),
      ['asn_listed', 5],
    ];
    const rows = toRows(scoreOf(many), [], infrastructure('cdn', 'vpn', 'cloud'));
    expect(rows.map(({ label }) => label)).toEqual([
      's0',
      's1',
      '10 more',
      'Network',
      'CDN',
      'VPN, Cloud',
      'Risk score',
    ]);
    expect(rows[3]?.to).toBe(rows.at(-1)?.to);
    expect(rows[2]?.description).toContain('s2 +10');
  });

  test('without factors there is only the total', () => {
    expect(shapeOf(scoreOf([]))).toEqual(['Risk score 0-0 0']);
  });

  test('inconclusive is shown in words, never as 0', () => {
    const rows = toRows({ ...scoreOf([]), level: 'inconclusive' });
    expect(rows[0]?.points).toBe('too little is known');
    expect(sentenceOf(rows)).toBe('Score waterfall: start 0, total too little is known');
  });

  test('the chart is one sentence', () => {
    const rows = toRows(
      scoreOf([
        ['a', 34],
        ['popular', -4],
      ]),
      [],
      infrastructure('vpn'),
    );
    expect(sentenceOf(rows)).toBe(
      'Score waterfall: start 0, a plus 34, Much visited minus 4, VPN 0, total 30',
    );
  });

  test.each([
    ['short bar at the left', 0, 34, '+34', 'after'],
    ['long bar to the end', 0, 100, '100', 'inside'],
    ['short bar at the end', 90, 100, '+10', 'before'],
    ['words that would not fit behind', 70, 70, '0 context only', 'before'],
    ['words that fit', 40, 40, '0 context only', 'after'],
  ])('%s: the points stand where they are not cut', (_case, from, to, points, place) => {
    expect(placeOfPoints({ id: '', kind: 'adds', label: '', from, to, points, description: '' })).toBe(place);
  });

  test.each([
    [5, '+5'],
    [0, '0'],
    [-5, '−5'],
  ])('%i is written with its sign', (points, text) => {
    expect(signed(points)).toBe(text);
  });
});
