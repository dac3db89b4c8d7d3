import { describe, expect, test } from 'vitest';
import { isQuick } from '#test/growth.ts';
import { spfStrength } from './grade.ts';
import { readSpf } from './spf.ts';

const one = (text: string) => readSpf([text]);

describe('an SPF record (RFC 7208)', () => {
  test.each([
    ['v=spf1 -all', '-', 0],
    ['v=spf1 ~all', '~', 0],
    ['V=SPF1 ?ALL', '?', 0],
    ['v=spf1 all', '+', 0],
    ['v=spf1 +all', '+', 0],
    ['v=spf1', null, 0],
    ['v=spf1 a mx ip4:192.0.2.0/24 ip6:2001:db8::/32 include:_spf.example.com -all', '-', 3],
    ['v=spf1 a:mail.example.com/28//64 mx/24 ptr exists:%{i}._spf.%{d} ~all', '~', 4],
    ['v=spf1 -all +all', '-', 0],
    ['v=spf1 unknown=thing exp=why.example.com -all', '-', 0],
    ['v=spf1   mx   -all  ', '-', 1],
  ])('%s ends with %s and needs %i lookups', (text, all, lookups) => {
    expect(one(text)).toMatchObject({ problem: null, all, lookups });
  });

  test('a redirect names the record to continue with and costs one lookup', () => {
    expect(one('v=spf1 redirect=_spf.Example.com')).toMatchObject({
      redirect: '_spf.example.com',
      lookups: 1,
      all: null,
    });
  });

  test.each([
    'v=spf1 banana -all',
    'v=spf1 ip4:999.1.1.1 -all',
    'v=spf1 ip4:1.2.3 -all',
    'v=spf1 ip4:1.2.3.4/33 -all',
    'v=spf1 ip6:nothing -all',
    'v=spf1 include -all',
    'v=spf1 include: -all',
    'v=spf1 all:example.com',
    'v=spf1 redirect=a.com redirect=b.com',
    'v=spf1 redirect=',
    'v=spf1 --all',
    `v=spf1 ${'a '.repeat(11)}-all`,
    `v=spf1 ${'ip4:1.2.3.4 '.repeat(501)}-all`,
    'v=spf1 a\u0000 -all',
  ])('receivers cannot use %j', (text) => {
    const spf = one(text);
    expect(spf?.problem).toEqual(expect.any(String));
    expect(spfStrength(spf)).toBe('weak');
  });

  test('ten lookups are allowed', () => {
    expect(one(`v=spf1 ${'a '.repeat(10)}-all`)?.problem).toBeNull();
  });

  test('two records count as none', () => {
    expect(readSpf(['v=spf1 -all', 'other', 'v=spf1 ~all'])?.problem).toMatch(/more than one/);
  });

  test.each([[], ['hello'], ['v=spf10 -all'], ['spf1 -all'], [' v=spf1 -all'], ['v=spf1-all']])(
    '%j has no SPF record',
    (...texts) => {
      expect(readSpf(texts)).toBeNull();
    },
  );

  test('64 KiB of foreign text is read in time', () => {
    for (const text of [
      `v=spf1 ${'a'.repeat(65_000)}`,
      `v=spf1 ip6:${':'.repeat(65_000)}x`,
      `v=spf1 exists:${'%{'.repeat(30_000)}`,
    ])
      expect(isQuick(() => one(text))).toBe(true);
  });
});
