import { expect, test } from 'vitest';
import { acceptedEncodings } from './accept-encoding.ts';

test.each([
  [undefined, []],
  ['', []],
  ['identity', []],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['GZIP', ['gzip']],
  ['br;q=0, gzip;q=0.1', ['gzip']],
  ['br; q=0.000, *', ['gzip']],
  ['*', ['br', 'gzip']],
  ['*;q=0', []],
  ['brotli', []],
  [`${'x,'.repeat(300)}br`, []],
])('Accept-Encoding %j takes %j', (header, taken) => {
  expect(acceptedEncodings(header)).toEqual(taken);
});
