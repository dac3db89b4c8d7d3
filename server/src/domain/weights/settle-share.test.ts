import { expect, test } from 'vitest';
import { seededRandom } from '#test/seeded-random.ts';
import { settleShare } from './settle-share.ts';
import { pointsOfShare, shareOfPoints } from './share-points.ts';

const after = (from: number, to: number, asked = 0) => {
  const settled = settleShare(shareOfPoints(from), asked, shareOfPoints(to));
  return { points: pointsOfShare(settled.share), asked: settled.asked };
};

test('the first learning of a cell takes effect at once', () => {
  expect(settleShare(null, 0, 0.00012345678)).toEqual({ share: 0.000123457, asked: 0 });
});

test('less than two points of difference leave the share as it is, to the digit', () => {
  const inForce = shareOfPoints(50);
  expect(settleShare(inForce, 0, shareOfPoints(51.9))).toEqual({ share: inForce, asked: 0 });
});

test.each([
  [50, 58, 53],
  [50, 42, 47],
  [50, 52.5, 52.5],
])('from %d towards %d it moves to %d: three points a night at most', (from, to, expected) => {
  expect(after(from, to).points).toBeCloseTo(expected, 2);
});

test.each([
  [34, 50, 34.49],
  [59, 70, 59.49],
  [83, 85, 84.49],
  [36, 20, 34.51],
  [61, 40, 59.51],
])('from %d towards %d it stops at %d, the last points on its side of the floor', (from, to, expected) => {
  expect(after(from, to)).toEqual({ points: expect.closeTo(expected, 2), asked: 1 });
});

test('a floor is crossed on the third night in a row that asks for it', () => {
  let inForce = { points: 34, asked: 0 };
  const nights: number[] = [];
  for (let night = 0; night < 4; night += 1) {
    inForce = after(inForce.points, 50, inForce.asked);
    nights.push(Math.round(inForce.points));
  }
  expect(nights).toEqual([34, 34, 37, 40]);
});

test('a night that does not ask begins the row again', () => {
  const first = after(34, 50);
  const second = after(first.points, 34, first.asked);
  expect(second.asked).toBe(0);
  expect(Math.round(after(second.points, 50, second.asked).points)).toBe(34);
});

test('a crossing that had to wait for a release is asked for again the next night', () => {
  expect(after(34.49, 50, 3)).toEqual({ points: expect.closeTo(37.49, 2), asked: 3 });
});

test('no night moves more than three points or crosses a floor unasked', () => {
  const random = seededRandom('nights of shares');
  for (let round = 0; round < 2_000; round += 1) {
    const [from, to] = [1 + random() * 84, 1 + random() * 84];
    const { points, asked } = after(from, to, Math.floor(random() * 3));
    expect(Math.abs(points - from)).toBeLessThan(3.001);
    for (const floor of [35, 60, 85])
      if (Math.round(from) < floor !== Math.round(points) < floor) expect(asked).toBe(3);
  }
});
