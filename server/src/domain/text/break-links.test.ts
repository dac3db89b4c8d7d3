import { describe, expect, test } from 'vitest';
import { extractIndicators } from '../indicator/index.ts';
import { breakLinks } from './break-links.ts';

describe('text of a caller in an email', () => {
  test.each([
    ['open www.evil-login.com/renew now', 'open www[.]evil-login[.]com/renew now'],
    ['https://evil.com/a.b?c=d.e', 'https[://]evil[.]com/a[.]b?c=d[.]e'],
    ['write to pay@evil.com', 'write to pay@evil[.]com'],
    ['mailto:pay@evil.com', 'mailto[:]pay@evil[.]com'],
    ['javascript:alert(1)', 'javascript[:]alert(1)'],
    [
      'evil。com, ｅｖｉｌ．ｃｏｍ, evil․com, evil｡com',
      'evil[.]com, ｅｖｉｌ[.]ｃｏｍ, evil[.]com, evil[.]com',
    ],
    ['evil.\u200bcom', 'evil[.]\u200bcom'],
    ['пример.рф', 'пример[.]рф'],
    ['192.0.2.7', '192[.]0[.]2[.]7'],
    ['//evil.com', '//evil[.]com'],
    ['i.❤.ws', 'i[.]❤[.]ws'],
  ])('%s holds no link', (text, broken) => {
    expect(breakLinks(text)).toBe(broken);
    expect(breakLinks(broken)).toBe(broken);
  });

  test.each([
    'Acme Inc. Berlin',
    'critical: a host is listed.',
    'It ended at 12:30.',
    'evil[.]com',
    'hxxps[://]evil[.]com',
  ])('%s stays as it is', (text) => expect(breakLinks(text)).toBe(text));

  test('no indicator of a report is left that a mail program would link', () => {
    const text =
      'a.b.example.org http://c.com/d ftp://e.net f@g.io 203.0.113.9 h.zip [i.com] (j.de) "k.fr" l.co.uk.';
    const raws = extractIndicators(text).found.map(({ raw }) => raw);
    expect(raws.length).toBeGreaterThan(6);
    for (const raw of raws) expect(breakLinks(text)).not.toContain(raw);
  });
});
