import { describe, expect, test } from 'vitest';
import { isDkimKey } from './dkim.ts';
import { readDmarc } from './dmarc.ts';
import { gradeMail } from './grade.ts';
import { takesMail } from './mail-exchange.ts';
import { readSpf } from './spf.ts';

const DMARC = {
  reject: 'v=DMARC1; p=reject',
  'reject of half': 'v=DMARC1; p=reject; pct=50',
  quarantine: 'v=DMARC1; p=quarantine',
  'quarantine of none': 'v=DMARC1; p=quarantine; pct=0',
  monitor: 'v=DMARC1; p=none',
  absent: '',
} as const;
const SPF = {
  '-all': 'v=spf1 -all',
  '~all': 'v=spf1 ~all',
  '?all': 'v=spf1 ?all',
  broken: 'v=spf1 x',
  none: '',
  '+all': 'v=spf1 +all',
};

describe('the grade of a domain’s mail', () => {
  test.each([
    ['reject', 'AABBBD'],
    ['reject of half', 'BBCCCE'],
    ['quarantine', 'BBCCCE'],
    ['quarantine of none', 'CCDDDF'],
    ['monitor', 'CCDDDF'],
    ['absent', 'DDEEFF'],
  ] as const)('DMARC %s, with SPF -all ~all ?all broken none +all: %s', (dmarc, grades) => {
    const got = Object.values(SPF).map((spf) => gradeMail(readSpf([spf]), readDmarc([DMARC[dmarc]])));
    expect(got.join('')).toBe(grades);
  });

  test('nothing published is the worst grade, never an unknown one', () => {
    expect(gradeMail(null, null)).toBe('F');
  });
});

describe('which domains take mail', () => {
  test.each([
    [[{ exchange: 'mx.example.com', priority: 10 }], false, true],
    [[{ exchange: '', priority: 0 }], true, false],
    [[{ exchange: '.', priority: 0 }], true, false],
    [[], true, true],
    [[], false, false],
  ])('%j with an address: %s gives %s', (mx, hasAddress, expected) => {
    expect(takesMail(mx, hasAddress)).toBe(expected);
  });
});

describe('a DKIM key (RFC 6376)', () => {
  const key = 'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ';
  test.each([
    [`v=DKIM1; k=rsa; p=${key}`, true],
    [`p=${key}`, true],
    ['v=DKIM1; p=', false],
    ['v=DKIM1; k=rsa', false],
    [`v=DKIM2; p=${key}`, false],
    ['v=spf1 -all', false],
    ['google-site-verification=abc', false],
  ])('%s: %s', (text, expected) => {
    expect(isDkimKey(text)).toBe(expected);
  });
});
