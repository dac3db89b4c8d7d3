import { expect, test } from 'vitest';
import { bytesInWords } from './bytes.ts';

test.each([
  [0, '0 bytes'],
  [1_023, '1023 bytes'],
  [268 * 1_024, '268 KiB'],
  [1.5 * 1_024 ** 3, '1.5 GiB'],
  [100 * 1_048_576, '100 MiB'],
])('%i bytes are %s', (bytes, words) => {
  expect(bytesInWords(bytes)).toBe(words);
});
