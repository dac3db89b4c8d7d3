import { expect, test } from 'vitest';
import { letterParts } from './lookalike-letters.ts';

const notesOf = (name: string, of: string) =>
  letterParts(name, of)?.flatMap(({ note }) => (note === null ? [] : [note])) ?? null;

test.each([
  ['pаypal.com', 'paypal.com', ['letter 2 is Cyrillic а']],
  ['gοοgle.com', 'google.com', ['letter 2 is Greek ο', 'letter 3 is Greek ο']],
  ['möbel.example', 'mobel.example', ['letter 2 is an accented ö']],
  ['paypa1.com', 'paypal.com', ['letter 6 is 1, not l']],
  ['bluebnak.com', 'bluebank.com', ['letters 6 and 7 are swapped', 'letters 6 and 7 are swapped']],
  ['payypal.com', 'paypal.com', ['letter 3 is added']],
  ['paypl.com', 'paypal.com', ['a is missing after letter 4']],
  ['aypal.com', 'paypal.com', ['p is missing before letter 1']],
  ['paypal.com', 'paypal.com', null],
  ['paypal-login-secure.com', 'paypal.com', null],
])('%s beside %s', (name, of, notes) => {
  expect(notesOf(name, of)).toEqual(notes);
});

test('the parts are the whole name', () => {
  const parts = letterParts('pаypa1.com', 'paypal.com') ?? [];
  expect(parts.map(({ text }) => text).join('')).toBe('pаypa1.com');
});
