import { expect, test } from 'vitest';
import type { Listing } from '#capabilities/corpus/index.ts';
import type { Assessment } from '#capabilities/judging/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { sourceOf } from '#domain/scoring/case.fixture.ts';
import { presentSources } from './present-listings.ts';

function subjectOf(text: string): Assessment['subject'] {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}
const of = (matched: string, matchType: Listing['matchType'] = 'exact'): Listing =>
  ({ source: sourceOf(matched), matched, matchType, firstSeenS: 0, lastSeenS: 0, confidence: -1 }) as never;
const shown = (text: string, ...listings: Listing[]) =>
  presentSources(subjectOf(text), listings).map(({ id, matchType }) => [id, matchType]);

test('a list that names the host of a page does not match the page exactly', () => {
  const page = 'http://shop.example.com/pay';
  expect(shown(page, of(page), of('shop.example.com'), of('example.com', 'parent'))).toEqual([
    [page, 'exact'],
    ['shop.example.com', 'parent'],
    ['example.com', 'parent'],
  ]);
  expect(shown('http://192.0.2.7/x', of('192.0.2.7'), of('192.0.2.0/24', 'cidr'))).toEqual([
    ['192.0.2.7', 'parent'],
    ['192.0.2.0/24', 'cidr'],
  ]);
});

test('a host asked about itself is matched exactly', () => {
  expect(shown('shop.example.com', of('shop.example.com'))).toEqual([['shop.example.com', 'exact']]);
});
