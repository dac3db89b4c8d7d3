import { describe, expect, test } from 'vitest';
import {
  isBogon,
  isPlatformRoot,
  type Listable,
  parseAsn,
  parseCrypto,
  parseIndicator,
} from '#domain/indicator/index.ts';
import { isCanary } from './canaries.ts';
import { CANARY_VALUES } from './canary-values.ts';

function indicatorOf(text: string): Listable {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.reason}`);
  return parsed.indicator;
}

test('there are at least 200 of them, none twice', () => {
  expect(new Set(CANARY_VALUES).size).toBe(CANARY_VALUES.length);
  expect(CANARY_VALUES.length).toBeGreaterThanOrEqual(200);
});

test.each(CANARY_VALUES)('%s is written as the service writes it and could be listed', (text) => {
  const indicator = indicatorOf(text);
  expect(indicator.value).toBe(text);
  expect(['ip', 'domain', 'hash']).toContain(indicator.kind);
  expect(isCanary(indicator)).toBe(true);
  if (indicator.kind === 'ip') expect(isBogon(indicator)).toBe(false);
  if (indicator.kind === 'domain') {
    expect(indicator.registrable).not.toBeNull();
    expect(isPlatformRoot(text)).toBe(false);
  }
});

describe('only the exact value is a canary', () => {
  test.each([
    '8.8.8.9',
    '8.8.8.0/24',
    '2001:4860:4860::/48',
    'evil.www.google.com',
    'xgoogle.com',
    'docs.google.com',
    'bit.ly',
    'raw.githubusercontent.com',
    'https://github.com/',
    'https://github.com/someone/malware.exe',
    'http://8.8.8.8/x',
    'someone@microsoft.com',
    // MD5 and SHA-256 of the EICAR test file, which scanners report on purpose and lists may name.
    '44d88612fea8a8f36de82e1278abb02f',
    '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
  ])('%s is no canary', (text) => {
    expect(isCanary(indicatorOf(text))).toBe(false);
  });

  test('a network or a coin address is no canary', () => {
    const asn = parseAsn('AS15169');
    const coin = parseCrypto('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa');
    expect(asn.ok && !isCanary(asn.indicator) && coin.ok && !isCanary(coin.indicator)).toBe(true);
  });
});

test.each(['8.8.8.8/32', '2606:4700:4700::1111/128'])('%s is that one address', (text) => {
  const [base = '', bits] = text.split('/');
  const address = indicatorOf(base);
  if (address.kind !== 'ip') throw new Error('not an address');
  expect(isCanary({ ...address, kind: 'cidr', value: text, bits: Number(bits) } as Listable)).toBe(true);
  expect(isCanary(indicatorOf(text))).toBe(true);
});
