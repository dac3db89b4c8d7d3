import { expect, test } from 'vitest';
import type { Source } from '#capabilities/corpus/index.ts';
import { SHIPPED_BOOK } from '#domain/weights/index.ts';
import { precisionOf } from './precision-of-source.ts';

const source = (id: string, given: Partial<Source> = {}): Source =>
  ({ id, threatClass: 'threat', adOnly: false, semantics: 'state', keepsEntries: false, ...given }) as Source;

test('a source shows its class and each age of its names as one in so many', () => {
  expect(precisionOf(source('phishtank'), SHIPPED_BOOK)).toMatchObject({
    class: 'removes',
    judged: 15_500,
    leftWithin30Days: 0.334,
    cells: [
      { age: 'fresh', entries: 35_235, visited: 11, oneIn: 2_661, points: 63 },
      { age: 'mature', oneIn: 950, points: 34 },
      { age: 'old', oneIn: 950, points: 34 },
      { age: 'undated', oneIn: 1_866, points: 58 },
    ],
  });
});

test('a source that was never counted has no cells, and a declared archive keeps its entries', () => {
  expect(precisionOf(source('new', { keepsEntries: true }), SHIPPED_BOOK)).toMatchObject({
    class: 'keeps',
    leftWithin30Days: null,
    cells: [],
  });
});

test('a source that lists no threats has no precision', () => {
  expect(precisionOf(source('tranco', { threatClass: 'allowlist' }), SHIPPED_BOOK)).toBeNull();
});
