import { expect, test } from 'vitest';
import { parseIndicator } from '#domain/indicator/index.ts';
import { isLargeDisposable, isLargeFreeProvider } from './mail-providers.ts';
import { readMailbox } from './mailbox.ts';

const mailboxOf = (text: string) => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'email') throw new Error(`'${text}' is no address`);
  return readMailbox(parsed.indicator);
};

test.each([
  ['jane.doe@example.com', 'jane.doe', false, null],
  ['Postmaster@example.com', 'postmaster', true, null],
  ['support+ticket7@example.com', 'support+ticket7', true, 'ticket7'],
  ['jane+news@example.com', 'jane+news', false, 'news'],
  ['jane+@example.com', 'jane+', false, null],
  ['+tag@example.com', '+tag', false, null],
  ['no-reply@example.com', 'no-reply', true, null],
  ['adminis@example.com', 'adminis', false, null],
] as const)('%s: local part %s, role %s, subaddress %s', (text, localPart, isRoleAccount, subaddress) => {
  expect(mailboxOf(text)).toEqual({ localPart, isRoleAccount, subaddress });
});

test('the largest providers are known before any list is loaded', () => {
  expect(isLargeFreeProvider('gmail.com')).toBe(true);
  expect(isLargeFreeProvider('mail.gmail.com')).toBe(false);
  expect(isLargeDisposable('mailinator.com', 'mailinator.com')).toBe(true);
  expect(isLargeDisposable('inbox.mailinator.com', 'mailinator.com')).toBe(true);
  expect(isLargeDisposable('example.com', 'example.com')).toBe(false);
});
