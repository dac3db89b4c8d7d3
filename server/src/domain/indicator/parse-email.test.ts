import { describe, expect, test } from 'vitest';
import { summarize } from '#test/summarize-indicator.ts';
import { parseIndicator } from './parse-indicator.ts';

const LOCAL_64 = 'l'.repeat(64);

describe('an e-mail address', () => {
  test.each([
    ['user@example.com', 'email user@example.com on example.com'],
    ['User.Name+Tag@Example.COM', 'email user.name+tag@example.com on example.com'],
    ['mailto:user@example.com', 'email user@example.com on example.com'],
    ['MAILTO:user@example.com?subject=Hi&body=x', 'email user@example.com on example.com'],
    ['<user@example.com>', 'email user@example.com on example.com'],
    ['user[@]example[.]com', 'email user@example.com on example.com'],
    ['user(at)example(dot)com', 'email user@example.com on example.com'],
    ['user [at] example [dot] com', 'email user@example.com on example.com'],
    ['user{at}example{.}com', 'email user@example.com on example.com'],
    ['user@example.com.', 'email user@example.com on example.com'],
    ['user＠example．com', 'email user@example.com on example.com'],
    ['user@münchen.de', 'email user@xn--mnchen-3ya.de on xn--mnchen-3ya.de'],
    ['user@mail.example.co.uk', 'email user@mail.example.co.uk on mail.example.co.uk'],
    ['info@gov.uk', 'email info@gov.uk on gov.uk'],
    ["o'brien@example.com", "email o'brien@example.com on example.com"],
    [`${LOCAL_64}@example.com`, `email ${LOCAL_64}@example.com on example.com`],
    [`${LOCAL_64}l@example.com`, 'no email'],
    [`a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(57)}.com`, 'no email'],
    ['@example.com', 'no email'],
    ['user@', 'no email'],
    ['user@@example.com', 'no email'],
    ['a b@example.com', 'no email'],
    ['.user@example.com', 'no email'],
    ['user..name@example.com', 'no email'],
    ['"quoted name"@example.com', 'no email'],
    ['user@[192.0.2.1]', 'no email'],
    ['user@192.0.2.1', 'no unknownSuffix'],
    ['user@localhost', 'no singleLabel'],
    ['user@foo.internal', 'no reservedName'],
    ['user@com', 'no isSuffix'],
    ['user@-example.com', 'no domainLabel'],
  ])('%j is %s', (text, expected) => {
    expect(summarize(parseIndicator(text))).toBe(expected);
  });

  test('the domain of an address has its registrable domain', () => {
    expect(parseIndicator('a@mail.example.co.uk')).toMatchObject({
      indicator: { domain: { kind: 'domain', registrable: 'example.co.uk' } },
    });
  });
});
