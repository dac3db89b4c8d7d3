import { expect, test } from 'vitest';
import { seededRandom } from '#test/seeded-random.ts';
import type { AgeGroup } from './age-group.ts';
import { shareOfAll, sharesOfSource } from './source-shares.ts';

const B = { letter: 'B', fpRisk: 'medium' } as const;
const cell = (group: AgeGroup, n: number, h: number) => ({ group, n, h });

test('a cell alone is drawn towards the prior of the grade by 1,000 entries', () => {
  expect(sharesOfSource([cell('U', 0, 0)], B).get('U')).toBe(0.001);
  expect(sharesOfSource([cell('U', 9_000, 0)], B).get('U')).toBeCloseTo(0.0001, 10);
});

test('a count has half a standard deviation on top, nothing counted has none', () => {
  expect(sharesOfSource([cell('U', 9_000, 9)], B).get('U')).toBeCloseTo((9 + 1.5 + 1) / 10_000, 10);
});

test('a cell is drawn towards the other cells of its source', () => {
  const shares = sharesOfSource([cell('F', 1_000, 0), cell('U', 99_000, 99)], B);
  expect(shares.get('F')).toBeCloseTo((1_000 * (100 / 100_000)) / 2_000, 10);
});

test('a younger cell has at most the share of an older one: violators are pooled by their entries', () => {
  const shares = sharesOfSource([cell('F', 10_000, 300), cell('M', 30_000, 30), cell('O', 9_000, 900)], B);
  expect(shares.get('F')).toBe(shares.get('M'));
  expect(shares.get('M')).toBeLessThan(shares.get('O') as number);
});

test('where no mature entries are, fresh ones are compared with old ones', () => {
  const shares = sharesOfSource([cell('F', 10_000, 300), cell('O', 10_000, 3)], B);
  expect(shares.get('F')).toBe(shares.get('O'));
});

test('shares rise with age whatever was counted', () => {
  const random = seededRandom('shares rise with age');
  for (let round = 0; round < 500; round += 1) {
    const groups = (['F', 'M', 'O', 'U'] as const).filter(() => random() < 0.8);
    const cells = groups.map((group) => {
      const n = Math.floor(random() ** 3 * 100_000);
      return cell(group, n, Math.floor(random() ** 4 * n));
    });
    const shares = sharesOfSource(cells, B);
    const dated = (['F', 'M', 'O'] as const).flatMap((group) => shares.get(group) ?? []);
    expect(dated.toSorted((a, b) => a - b)).toEqual(dated);
  }
});

test('the share of a whole source takes all its cells as one', () => {
  expect(shareOfAll([cell('F', 4_000, 3), cell('U', 5_000, 6)], B)).toBeCloseTo((9 + 1.5 + 1) / 10_000, 10);
});
