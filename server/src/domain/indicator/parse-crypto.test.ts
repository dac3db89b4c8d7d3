import { expect, test } from 'vitest';
import { parseCrypto } from './index.ts';

const keptAs = (text: string): string | null => {
  const parsed = parseCrypto(text);
  return parsed.ok ? parsed.indicator.value : null;
};
const CASH = 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';

test.each([
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  [CASH, CASH],
  [`bitcoincash:${CASH}`, CASH],
  [`BITCOINCASH:${CASH.toUpperCase()}`, CASH],
  ['7gnwGHt17heGpG9Crfeh4KGpYNFugPhJdh', '7gnwGHt17heGpG9Crfeh4KGpYNFugPhJdh'],
])('%s is stored as %s in every spelling', (text, value) => {
  expect(keptAs(text)).toBe(value);
});

test.each(['', 'hello', '0x12', 'example.com', `bitcoincash:${CASH}x`, '0OIl'.repeat(8)])(
  '%s is not a cryptocurrency address',
  (text) => {
    expect(keptAs(text)).toBeNull();
  },
);
