import { describe, expect, test } from 'vitest';
import { summarize } from '#test/summarize-indicator.ts';
import { parseIndicator } from './parse-indicator.ts';

const LABEL_63 = 'a'.repeat(63);
/** 253 characters: three labels of 63, one of 57, and "com". */
const NAME_253 = `${LABEL_63}.${LABEL_63}.${LABEL_63}.${'b'.repeat(57)}.com`;
const REGISTRABLE_253 = `${'b'.repeat(57)}.com`;

describe('a domain', () => {
  test.each([
    ['evil.com', 'domain evil.com < evil.com'],
    ['EVIL.COM', 'domain evil.com < evil.com'],
    ['evil.com.', 'domain evil.com < evil.com'],
    ['a.b.c.evil.com', 'domain a.b.c.evil.com < evil.com'],
    ['www.evil.co.uk', 'domain www.evil.co.uk < evil.co.uk'],
    ['evil.com:8443', 'domain evil.com < evil.com'],
    ['_dmarc.example.com', 'domain _dmarc.example.com < example.com'],
    ['selector._domainkey.example.com', 'domain selector._domainkey.example.com < example.com'],
    ['a_b.example.com', 'domain a_b.example.com < example.com'],
    ['1.com', 'domain 1.com < 1.com'],
    ['1.2.3.4.com', 'domain 1.2.3.4.com < 4.com'],
    ['0x7f.com', 'domain 0x7f.com < 0x7f.com'],
    ['a--b.com', 'domain a--b.com < a--b.com'],
    ['4.3.2.1.in-addr.arpa', 'domain 4.3.2.1.in-addr.arpa < 1.in-addr.arpa'],
    ['duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion', /< duckduckgo\w+\.onion$/],
    ['user.github.io', 'domain user.github.io < github.io'],
    ['github.io', 'domain github.io < github.io'],
    ['foo.s3.amazonaws.com', 'domain foo.s3.amazonaws.com < amazonaws.com'],
    ['www.ck', 'domain www.ck < www.ck'],
    ['gov.uk', 'domain gov.uk < null'],
    ['nhs.uk', 'domain nhs.uk < null'],
    ['CO.UK.', 'domain co.uk < null'],
    ['foo.kawasaki.jp', 'domain foo.kawasaki.jp < null'],
    ['a.b.kawasaki.jp', 'domain a.b.kawasaki.jp < a.b.kawasaki.jp'],
    ['city.kawasaki.jp', 'domain city.kawasaki.jp < city.kawasaki.jp'],
    [NAME_253, `domain ${NAME_253} < ${REGISTRABLE_253}`],
  ])('%j is %s', (text, expected) => {
    const summary = summarize(parseIndicator(text));
    if (expected instanceof RegExp) expect(summary).toMatch(expected);
    else expect(summary).toBe(expected);
  });

  test.each([
    ['münchen.de', 'domain xn--mnchen-3ya.de < xn--mnchen-3ya.de'],
    ['MÜNCHEN.de', 'domain xn--mnchen-3ya.de < xn--mnchen-3ya.de'],
    ['mu\u0308nchen.de', 'domain xn--mnchen-3ya.de < xn--mnchen-3ya.de'],
    ['xn--mnchen-3ya.de', 'domain xn--mnchen-3ya.de < xn--mnchen-3ya.de'],
    ['XN--MNCHEN-3YA.DE', 'domain xn--mnchen-3ya.de < xn--mnchen-3ya.de'],
    ['faß.de', 'domain xn--fa-hia.de < xn--fa-hia.de'],
    ['пример.рф', 'domain xn--e1afmkfd.xn--p1ai < xn--e1afmkfd.xn--p1ai'],
    ['例え。jp', 'domain xn--r8jz45g.jp < xn--r8jz45g.jp'],
    ['例え｡jp', 'domain xn--r8jz45g.jp < xn--r8jz45g.jp'],
    ['аpple.com', 'domain xn--pple-43d.com < xn--pple-43d.com'],
    ['💩.la', 'domain xn--ls8h.la < xn--ls8h.la'],
    ['xn--a.com', 'domain xn--a.com < xn--a.com'],
    ['食狮.公司.cn', 'domain xn--85x722f.xn--55qx5d.cn < xn--85x722f.xn--55qx5d.cn'],
    ['\u0301evil.com', 'no idn'],
  ])('internationalized %j is its A-label form: %s', (text, expected) => {
    expect(summarize(parseIndicator(text))).toBe(expected);
  });

  test.each([
    ['com', 'no isSuffix'],
    ['xn--p1ai', 'no isSuffix'],
    ['рф', 'no isSuffix'],
    ['localhost', 'no singleLabel'],
    ['evil', 'no singleLabel'],
    ['müller', 'no singleLabel'],
    ['localhost:8080', 'no singleLabel'],
    ['foo.internal', 'no reservedName'],
    ['foo.local', 'no reservedName'],
    ['foo.test', 'no reservedName'],
    ['a.b', 'no unknownSuffix'],
    ['invoice.pdf', 'no unknownSuffix'],
    ['foo.example', 'no reservedName'],
    ['-evil.com', 'no domainLabel'],
    ['evil-.com', 'no domainLabel'],
    ['evil..com', 'no domainLabel'],
    ['.evil.com', 'no domainLabel'],
    ['evil.com\u0000', 'no domainLabel'],
    [`a.${NAME_253}`, 'no domainTooLong'],
    [`${LABEL_63}a.com`, 'no domainTooLong'],
    ['ü'.repeat(60).concat('.com'), 'no domainTooLong'],
    ['*.evil.com', 'no unrecognized'],
    ['evil.com/path', 'no missingScheme'],
    ['evil.com/', 'no missingScheme'],
    ['//evil.com/path', 'no unrecognized'],
    ['evil.com?x=1', 'no unrecognized'],
    ['hello world', 'no unrecognized'],
    ['evil com', 'no unrecognized'],
    ['evil.com evil.org', 'no unrecognized'],
    ['evil,com', 'no unrecognized'],
    ['', 'no empty'],
    [' \t\r\n', 'no empty'],
    ['\u200b\ufeff\u00ad', 'no empty'],
    ['""', 'no empty'],
    ['...', 'no empty'],
    ['a'.repeat(2049), 'no tooLong'],
    [`${' '.repeat(2048)}evil.com`, 'no tooLong'],
    ['ﷺ'.repeat(2048), 'no tooLong'],
  ])('%j is refused with one sentence: %s', (text, expected) => {
    expect(summarize(parseIndicator(text))).toBe(expected);
  });
});
