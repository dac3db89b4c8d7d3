import { expect, test } from 'vitest';
import { readEmail } from './read-email.ts';

test.each([
  ['a@example.com', 'a@example.com'],
  [' A[@]example[.]com ', 'a@example.com'],
  ['a b@example.com', 'a+b@example.com'],
])('%s is %s', (text, value) => {
  expect(readEmail(text)).toMatchObject({ ok: true, email: { value } });
});

test.each(['', 'abc', 'example.com', '192.0.2.1', 'a@', '@example.com'])(
  '%s is refused in words about addresses',
  (text) => {
    expect(readEmail(text)).toMatchObject({ ok: false, reason: expect.stringContaining('name@example.com') });
  },
);

test('the refusal says what is wrong with the domain of an address', () => {
  expect(readEmail('a@nowhere.nosuchsuffix')).toMatchObject({
    reason: expect.stringMatching(/suffix|domain/),
  });
  expect(readEmail('a@nowhere.invalid')).toMatchObject({ reason: expect.stringMatching(/reserve/) });
});
