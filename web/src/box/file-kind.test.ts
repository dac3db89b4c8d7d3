import { expect, test } from 'vitest';
import { FILE_BYTES_MAX, isTextName, refusalOfFile, sizeWords } from './file-kind.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [64_200, '64.2 kB'],
  [640_000, '640 kB'],
  [1_234_567_890, '1.2 GB'],
])('%i bytes are %s', (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});

test('an empty file and one over 2 GB are refused with what to do; all others are hashed', () => {
  expect(refusalOfFile(0)).toContain('empty');
  expect(refusalOfFile(1)).toBeNull();
  expect(refusalOfFile(FILE_BYTES_MAX)).toBeNull();
  expect(refusalOfFile(FILE_BYTES_MAX + 1)).toContain('sha256sum');
});

test('only .txt, .csv and .log are offered for extraction', () => {
  expect(['a.txt', 'A.CSV', 'auth.log'].every(isTextName)).toBe(true);
  expect(['a.exe', 'txt', 'a.txt.exe', 'a.log.gz'].some(isTextName)).toBe(false);
});
