import { expect, test } from 'vitest';
import { otherNames } from './same-group.ts';

const said = (key: string, ...aliasKeys: string[]) => ({ key, aliasKeys });

test('a name that a source gives a group with claims leads to it, in either direction', () => {
  const names = otherNames(new Set(['alphv', 'hiveleak']), [
    said('blackcat', 'alphv', 'noberus'),
    said('hiveleak', 'hive'),
  ]);
  expect([...names]).toEqual([
    ['blackcat', 'alphv'],
    ['hive', 'hiveleak'],
  ]);
});

test('a name of two groups with claims stays on its own, and two such groups are never one', () => {
  const names = otherNames(new Set(['a', 'b']), [said('x', 'a'), said('b', 'x'), said('a', 'b')]);
  expect([...names]).toEqual([]);
});
