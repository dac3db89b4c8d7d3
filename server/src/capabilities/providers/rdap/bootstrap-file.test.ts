import { describe, expect, test } from 'vitest';
import { type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { bootstrapFile } from '#test/peers/rdap-peer.ts';
import { domainServiceOf, rangeServiceOf, readDomainServices, readRangeServices } from './bootstrap-file.ts';

const HTTPS = ['https'];
const A = 'https://a.example/rdap/';
const B = 'https://b.example/';

const ip = (text: string): Ip => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error(text);
  return parsed.indicator;
};

test('the longest run of labels wins, and a name without an entry has no service', () => {
  const services = readDomainServices(
    bootstrapFile([
      [['UK'], [A]],
      [['co.uk'], [B]],
    ]),
    HTTPS,
  );
  expect(domainServiceOf(services, 'example.org.uk')?.href).toBe(A);
  expect(domainServiceOf(services, 'example.co.uk')?.href).toBe(B);
  expect(domainServiceOf(services, 'notco.uk')?.href).toBe(A);
  expect(domainServiceOf(services, 'example.com')).toBeUndefined();
});

test('the longest prefix wins, in both families and at every length', () => {
  const v4 = readRangeServices(
    bootstrapFile([
      [['41.0.0.0/8'], [A]],
      [['41.128.0.0/9', '9.0.0.0/31'], [B]],
    ]),
    HTTPS,
  );
  expect(rangeServiceOf(v4, ip('41.1.2.3'))?.href).toBe(A);
  expect(rangeServiceOf(v4, ip('41.129.2.3'))?.href).toBe(B);
  expect(rangeServiceOf(v4, ip('9.0.0.1'))?.href).toBe(B);
  expect(rangeServiceOf(v4, ip('9.0.0.2'))).toBeUndefined();
  expect(rangeServiceOf(v4, ip('2001:db9::1'))).toBeUndefined();
  const v6 = readRangeServices(
    bootstrapFile([
      [['2001:0200::/23'], [A]],
      [['2001:300::/25'], [B]],
    ]),
    HTTPS,
  );
  expect(rangeServiceOf(v6, ip('2001:3ff::1'))?.href).toBe(A);
  expect(rangeServiceOf(v6, ip('2001:37f::1'))?.href).toBe(B);
  expect(rangeServiceOf(v6, ip('2001:400::1'))).toBeUndefined();
});

test('https is preferred to http, and http alone is not used', () => {
  const file = bootstrapFile([
    [['com'], ['http://a.example/', A]],
    [['net'], ['http://a.example']],
    [['org'], ['javascript:x', 'https://u:p@a.example/']],
  ]);
  const services = readDomainServices(file, HTTPS);
  expect(domainServiceOf(services, 'x.com')?.href).toBe(A);
  expect(domainServiceOf(services, 'x.net')).toBeNull();
  expect(domainServiceOf(services, 'x.org')).toBeNull();
  expect(domainServiceOf(readDomainServices(file, ['https', 'http']), 'x.net')?.href).toBe(
    'http://a.example/',
  );
});

describe('a malformed file is refused as a whole', () => {
  test.each([
    ['no JSON', '{'],
    ['another version', JSON.stringify({ version: '2.0', services: [[['com'], [A]]] })],
    ['no services', bootstrapFile([])],
    ['no entries at all', bootstrapFile([[[], [A]]])],
    ['no URL', bootstrapFile([[['com'], []]])],
    ['an entry that is not a name', bootstrapFile([[['com', '../etc'], [A]]])],
    ['a prototype', '{"version":"1.0","services":{"__proto__":[[["com"],["https://a.example/"]]]}}'],
    ['services of services', '{"version":"1.0","services":[[[["com"]],["https://a.example/"]]]}'],
    ['too many services', bootstrapFile(Array.from({ length: 5_001 }, (_, i) => [[`x${i}`], [A]]))],
    [
      'too many entries',
      bootstrapFile(
        Array.from({ length: 5 }, (_, i) => [Array.from({ length: 5_000 }, (_, j) => `x${i}-${j}`), [A]]),
      ),
    ],
    ['deep nesting', '['.repeat(100_000)],
  ])('%s', (_, text) => {
    expect(() => readDomainServices(text, HTTPS)).toThrow(expect.objectContaining({ kind: 'upstream' }));
  });
  test('an invalid range', () => {
    expect(() => readRangeServices(bootstrapFile([[['10.0.0.0'], [A]]]), HTTPS)).toThrow();
    expect(() => readRangeServices(bootstrapFile([[['com'], [A]]]), HTTPS)).toThrow();
  });
});
