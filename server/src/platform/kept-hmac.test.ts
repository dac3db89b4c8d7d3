import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeptHmac } from './kept-hmac.ts';

test('RFC 4231, case 2', () => {
  expect(createKeptHmac('Jefe').of('what do ya want for nothing?').toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('a text matches its own HMAC alone, the first time and when it is remembered', () => {
  const secret = 'pepper'.repeat(8);
  const hmac = createKeptHmac(secret);
  const right = createHmac('sha256', secret).update('right').digest();
  const other = createHmac('sha256', secret).update('other').digest();
  for (let round = 0; round < 3; round += 1) {
    expect(hmac.matches('right', right)).toBe(true);
    expect(hmac.matches('right', other)).toBe(false);
    expect(hmac.matches('other', right)).toBe(false);
    expect(hmac.matches('Right', right)).toBe(false);
  }
});

test('more texts than it remembers still match', () => {
  const hmac = createKeptHmac('pepper'.repeat(8));
  const texts = Array.from({ length: 10_050 }, (_, n) => `text ${n}`);
  const expected = texts.map((text) => hmac.of(text));
  for (let round = 0; round < 2; round += 1)
    expect(texts.every((text, n) => hmac.matches(text, expected[n] as Buffer))).toBe(true);
});
