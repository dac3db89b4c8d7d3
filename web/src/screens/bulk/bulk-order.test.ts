import { describe, expect, test } from 'vitest';
import { pageOf, stepsAround } from './bulk-order.ts';
import { rowOf } from './bulk-rows.fixture.ts';
import { triageRows } from './triage-view.ts';

const rows = (count: number) => triageRows(Array.from({ length: count }, (_, n) => rowOf(`h${n}.example`)));
const values = (steps: ReturnType<typeof stepsAround>): readonly string[] => steps.map(({ value }) => value);

describe('the order for the indicator page', () => {
  test('is the order shown, with the word of each', () => {
    const shown = rows(2).toReversed();
    expect(stepsAround(shown, shown[0] as (typeof shown)[0])).toEqual([
      { type: 'domain', value: 'h1.example', word: 'Not listed', tone: 'unknown' },
      { type: 'domain', value: 'h0.example', word: 'Not listed', tone: 'unknown' },
    ]);
  });

  test.each([0, 1_500, 4_999])('of a long list holds 2,000 rows around the opened one (%i)', (at) => {
    const shown = rows(5_000);
    const steps = values(stepsAround(shown, shown[at] as (typeof shown)[0]));
    expect(steps).toHaveLength(2_000);
    expect(steps).toContain(`h${at}.example`);
  });

  test('leaves out rows without a page: e-mail addresses never appear in a path', () => {
    const shown = triageRows([rowOf('a@example.com', { type: 'email' }), rowOf('b.example')]);
    expect(values(stepsAround(shown, shown[1] as (typeof shown)[0]))).toEqual(['b.example']);
    expect(shown.map(pageOf)).toEqual([null, { type: 'domain', value: 'b.example' }]);
  });
});
