import { describe, expect, test } from 'vitest';
import { summarize } from '#test/summarize-indicator.ts';
import { parseIndicator } from './parse-indicator.ts';
import { refang } from './refang.ts';

describe('refang', () => {
  test.each([
    'evil.com',
    'evil[.]com',
    'evil(.)com',
    'evil{.}com',
    'evil<.>com',
    'evil[dot]com',
    'evil(DOT)com',
    'evil{dot}com',
    'evil [.] com',
    'evil [dot] com',
    'evil[ . ]com',
    'evil dot com',
    'evil\\.com',
    'evil[.com',
    'evil.]com',
    'evil(.com',
    'evil。com',
    'evil．com',
    'ｅｖｉｌ.com',
    'ｅｖｉｌ［．］ｃｏｍ',
    'EVIL.COM.',
    'evil.com...',
    'evil.com…',
    'evil.com, ',
    'evil.com;',
    'evil.com!',
    'evil.com?',
    '"evil.com"',
    "'evil.com'",
    '`evil.com`',
    '“evil.com”',
    '‘evil.com’',
    '«evil.com»',
    '<evil.com>',
    '(evil.com)',
    '[evil.com]',
    '{evil.com}',
    '("evil.com").',
    '[evil[.]com]',
    'evil.com)',
    '(evil.com',
    'evil\u200b.com',
    'evil\u00ad.com',
    '\u202eevil.com',
    '\ufeffevil.com',
    'ev\u2060il.com',
    'evil\u{e0041}.com',
    '\u00a0evil.com\u3000',
  ])('%j is evil.com', (text) => {
    expect(summarize(parseIndicator(text))).toBe('domain evil.com < evil.com');
  });

  test('stops after 12 layers', () => {
    expect(refang(`${'('.repeat(12)}evil.com${')'.repeat(12)}`)).toBe('evil.com');
    expect(refang(`${'('.repeat(13)}evil.com${')'.repeat(13)}`)).toBeNull();
    expect(summarize(parseIndicator(`${'('.repeat(40)}evil.com${')'.repeat(40)}`))).toBe('no tooNested');
  });

  test('a plain text comes back as the same string', () => {
    for (const text of ['evil.com', 'http://evil.com/a', '2001:db8::', '1.2.3.4/24', 'a@evil.com'])
      expect(refang(text)).toBe(text);
  });
});
