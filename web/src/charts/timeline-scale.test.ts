import { describe, expect, test } from 'vitest';
import { countMarks, timelineSentence } from './timeline-scale.ts';

describe('the timeline', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 3, 6]],
    [40, [0, 14, 28]],
  ])('up to %i sources are marked by whole numbers', (max, marks) => {
    expect(countMarks(max)).toEqual(marks);
  });

  test('is one sentence, with the highest count and the other events', () => {
    const step = (day: string, count: number) => ({ atMs: Date.parse(`${day}T00:00:00Z`), count });
    expect(
      timelineSentence(
        [step('2026-09-01', 0), step('2026-09-02', 4), step('2026-10-01', 1)],
        [{ atMs: Date.parse('2019-06-04T00:00:00Z'), label: 'registered' }],
      ),
    ).toBe('Timeline: 1 source lists it now, 4 at most since 2026-09-01; registered 2019-06-04');
    expect(timelineSentence([], [])).toBe('Timeline');
  });
});
