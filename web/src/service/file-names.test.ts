import { expect, test } from 'vitest';
import { type FileNames, readFileNames, withFileName } from './file-names.ts';

const hashOf = (n: number): string => n.toString(16).padStart(64, '0');

test('the newest names are kept, and the oldest go after five hundred', () => {
  let names: FileNames = {};
  for (let n = 0; n < 510; n += 1) names = withFileName(names, hashOf(n), `sample-${n}.exe`);
  expect(Object.keys(names)).toHaveLength(500);
  expect(names[hashOf(9)]).toBeUndefined();
  expect(names[hashOf(10)]).toBe('sample-10.exe');
  expect(names[hashOf(509)]).toBe('sample-509.exe');
});

test('a file hashed again under another name gets that name and counts as newest', () => {
  const names = withFileName(withFileName({ [hashOf(1)]: 'a' }, hashOf(2), 'b'), hashOf(1), 'c');
  expect(Object.entries(names)).toEqual([
    [hashOf(2), 'b'],
    [hashOf(1), 'c'],
  ]);
});

test.each([
  ['nothing', null, {}],
  ['broken text', '{"a', {}],
  ['no object', '7', {}],
  ['a name that is not a string', '{"a":1,"b":"x.exe"}', { b: 'x.exe' }],
])('a storage with %s is read without its invalid entries', (_what, text, names) => {
  expect(readFileNames(text)).toEqual(names);
});
