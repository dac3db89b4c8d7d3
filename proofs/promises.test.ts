import { expect, test } from 'vitest';
import { promisesIn } from './promises.ts';

test('promises are read from the first column, ranges and links included', () => {
  const page = [
    '| A9 | before the section |',
    '## Promises',
    '| Id | Promise |',
    '|---|---|',
    '| A1 | one |',
    '| A7, [A8](docs/x.md#a8) | two |',
    '| D1-D3 | three |',
    '| 3.F, 5.11 | four |',
  ].join('\n');
  expect(promisesIn(page)).toEqual(['A1', 'A7', 'A8', 'D1', 'D2', 'D3', '3.F', '5.11']);
});
