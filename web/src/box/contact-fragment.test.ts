import { expect, test } from 'vitest';
import { type Contact, contactOf, fragmentOf } from './contact-fragment.ts';

test.each<[Contact, string]>([
  [{ type: 'email', value: 'a+b@evil.com' }, 'email=a%2Bb%40evil.com'],
  [{ type: 'phone', value: '+14155552671' }, 'phone=%2B14155552671'],
  [
    { type: 'crypto', value: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' },
    'crypto=1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  ],
])('%j stands in the fragment and comes back unchanged', (contact, fragment) => {
  expect(fragmentOf(contact)).toBe(fragment);
  expect(contactOf(`#${fragment}`)).toEqual(contact);
});

test.each(['', '#', '#email=', '#domain=evil.com', '#email=%', '#mallory@evil.com'])(
  '%j names no contact',
  (fragment) => {
    expect(contactOf(fragment)).toBeNull();
  },
);
