import { expect, test } from 'vitest';
import { readPassword } from './password.ts';

test('a password has 10 to 128 characters, counted as a person counts them', () => {
  expect(readPassword('123456789')).toBeNull();
  expect(readPassword('1234567890')).toBe('1234567890');
  expect(readPassword('😀'.repeat(9))).toBeNull();
  expect(readPassword('😀'.repeat(128))).toBe('😀'.repeat(128));
  expect(readPassword('x'.repeat(129))).toBeNull();
});

test('the same characters from two keyboards are one password', () => {
  expect(readPassword('Cafe\u0301 au lait')).toBe(readPassword('Caf\u00e9 au lait'));
  expect(readPassword('ｐａｓｓ word 12')).toBe('pass word 12');
});

test('spaces at the ends are part of a password', () => {
  expect(readPassword('  eight chars ')).toBe('  eight chars ');
});
