import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readInput } from '../../box/read-input.ts';
import { examplesOf } from './examples.ts';

describe('the examples of an empty home page', () => {
  test.each([true, false])('can be checked as they stand (demonstration: %s)', (isDemo) => {
    for (const { target } of examplesOf(isDemo)) {
      const reading = readInput(target.value);
      expect(reading).toMatchObject({ kind: 'one', ways: [{ answer: { kind: 'page', target } }] });
    }
  });

  test('of the demonstration are in demo/examples.json', async () => {
    const file = new URL('../../../../demo/examples.json', import.meta.url);
    const shown = JSON.parse(await readFile(file, 'utf8')) as { type: string; value: string }[];
    for (const { target } of examplesOf(true)) expect(shown).toContainEqual(expect.objectContaining(target));
  });
});
