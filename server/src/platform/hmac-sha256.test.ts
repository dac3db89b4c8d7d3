import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHmacSha256 } from './hmac-sha256.ts';

const reference = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('hex');

test('any key and any text give what node:crypto gives', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      (key, text) => {
        expect(createHmacSha256(key)(text).toString('hex')).toBe(reference(key, text));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('every length around the block boundaries is right, whatever was hashed before it', () => {
  const key = Buffer.from('pepper'.repeat(8));
  const hmac = createHmacSha256(key);
  for (const length of [300, 0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128, 2_000, 46])
    expect(hmac('x'.repeat(length)).toString('hex'), String(length)).toBe(reference(key, 'x'.repeat(length)));
});

test('RFC 4231, cases 1 and 2', () => {
  expect(createHmacSha256(Buffer.alloc(20, 0x0b))('Hi There').toString('hex')).toBe(
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  );
  expect(createHmacSha256(Buffer.from('Jefe'))('what do ya want for nothing?').toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});
