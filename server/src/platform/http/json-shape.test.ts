import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonProblem } from './json-shape.ts';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('JSON before it is parsed', () => {
  test('every value of bounded depth and size passes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        expect(jsonProblem(JSON.stringify(value), 20_000)).toBeNull();
      }),
    );
  });

  test.each([
    ['32 levels', nested(32), null],
    ['33 levels', nested(33), 'The body nests deeper than 32 levels.'],
    ['half a million levels', nested(500_000), 'The body nests deeper than 32 levels.'],
    ['unclosed levels', '{"a":['.repeat(100_000), 'The body nests deeper than 32 levels.'],
    ['siblings', `[${'[],'.repeat(1_000)}[]]`, null],
    ['half a million numbers', `[${'0,'.repeat(500_000)}0]`, 'The body has more than 20000 values.'],
    ['brackets and commas inside a string', JSON.stringify(`\\"${'[{,'.repeat(50_000)}`), null],
    [
      'a string that ends after an even number of backslashes',
      `["\\\\",${nested(40)}]`,
      'The body nests deeper than 32 levels.',
    ],
    ['a string that never ends', `["${'\\'.repeat(1_001)}"${'['.repeat(100)}`, null],
    ['no JSON', 'a,b]}', null],
  ])('%s', (_, text, message) => {
    expect(jsonProblem(text, 20_000)?.message ?? null).toBe(message);
  });

  test('quotes after runs of backslashes are read in one pass', () => {
    expect(jsonProblem(`"${'\\"'.repeat(500_000)}`, 1)).toBeNull();
    expect(jsonProblem(`"${'\\'.repeat(1_000_001)}`, 1)).toBeNull();
  });
});
