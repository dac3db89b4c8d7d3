import { describe, expect, test } from 'vitest';
import { readInput } from '../../box/read-input.ts';
import { isPlain, pageTypeOf } from './plain-target.ts';
import { askedAtOnce, askedOf, askedWithoutReader } from './target.ts';

const asked = (type: Parameters<typeof askedOf>[0], raw: string) => askedOf(type, raw, readInput(raw));

test.each([
  ['/ip/8.8.8.8', 'ip'],
  ['/domain/example.com', 'domain'],
  ['/url/http%3A%2F%2Fexample.com', 'url'],
  ['/hash/ab', 'hash'],
  ['/ip', 'ip'],
  ['/constructor/x', 'domain'],
])('%s asks about a %s', (path, type) => {
  expect(pageTypeOf(path)).toBe(type);
});

const PLAIN = [
  ['ip', '185.220.101.34'],
  ['ip', '8.8.8.8'],
  ['ip', '223.255.255.255'],
  ['domain', 'example.com'],
  ['domain', 'a.b-c.example.co.uk'],
  ['hash', '44d88612fea8a8f36de82e1278abb02f'],
  ['hash', 'a'.repeat(64)],
  ['url', 'http://example.com/'],
  ['url', 'https://example.com/a?b=c&d=e'],
] as const;

const DOUBTFUL = [
  ['ip', '192.168.1.1'],
  ['ip', '10.0.0.1'],
  ['ip', '127.0.0.1'],
  ['ip', '255.255.255.255'],
  ['ip', '224.0.0.1'],
  ['ip', '0.0.0.0'],
  ['ip', '8.8.8'],
  ['ip', '8.8.8.8.8'],
  ['ip', '8.8.8.256'],
  ['ip', '08.8.8.8'],
  ['ip', '8.8.8.8/24'],
  ['ip', '2001:db8::1'],
  ['ip', '2A00::1'],
  ['ip', 'example.com'],
  ['domain', 'Example.com'],
  ['domain', 'example.com.'],
  ['domain', 'bücher.example'],
  ['domain', 'xn--pple-43d.com'],
  ['domain', '185.220.101.34'],
  ['domain', 'example[.]com'],
  ['hash', 'A'.repeat(64)],
  ['hash', 'a'.repeat(63)],
  ['url', 'http://example.com'],
  ['url', 'HTTP://example.com/'],
  ['url', 'http://example.com/#fragment'],
  ['url', 'http://192.168.1.1/'],
  ['url', 'http://user:pass@example.com/'],
  ['url', 'http://example.com:80/'],
  ['url', 'ftp://example.com/'],
  ['url', 'example.com'],
] as const;

describe('the check begins before the parser is loaded', () => {
  test.each(PLAIN)('of %s %s, which the parser then leaves unchanged', (type, raw) => {
    expect(isPlain(type, raw)).toBe(true);
    expect(asked(type, raw)).toEqual({ ...askedAtOnce(type, raw), unicode: null });
  });
  test.each(DOUBTFUL)('not of %s %s', (type, raw) => {
    expect(isPlain(type, raw)).toBe(false);
    expect(askedAtOnce(type, raw)).toEqual({ kind: 'reading', raw });
  });
});

describe('the right permalink', () => {
  test.each([
    ['domain', '185.220.101.34', 'ip', '185.220.101.34'],
    ['ip', 'example.com', 'domain', 'example.com'],
    ['hash', 'https://example.com/a', 'url', 'https://example.com/a'],
    ['domain', 'Example[.]COM', 'domain', 'example.com'],
    ['domain', 'bücher.de', 'domain', 'xn--bcher-kva.de'],
    ['hash', 'A'.repeat(40), 'hash', 'a'.repeat(40)],
    ['url', 'hxxp://example[.]com/x', 'url', 'http://example.com/x'],
    ['ip', '2001:0db8:85a3::8a2e:0370:7334', null, null],
    ['ip', '2A00:1450:4001:0::1', 'ip', '2a00:1450:4001::1'],
  ] as const)('of /%s/%s is /%s/%s', (type, raw, rightType, value) => {
    const found = asked(type, raw);
    if (rightType === null) expect(found.kind).toBe('words');
    else expect(found).toEqual({ kind: 'elsewhere', target: { type: rightType, value } });
  });
  test('is the target, with the Unicode form of the name', () => {
    expect(asked('domain', 'xn--pple-43d.com')).toEqual({
      kind: 'target',
      target: { type: 'domain', value: 'xn--pple-43d.com' },
      unicode: 'аpple.com',
    });
  });
});

describe('answered here, without a request', () => {
  test.each([
    ['ip', '192.168.1.1', /192\.168\.1\.1.*no public reputation/],
    ['ip', '2001:db8::1', /Documentation.*no public reputation/],
    ['url', 'http://10.0.0.7/admin', /10\.0\.0\.7.*no public reputation/],
    ['ip', '198.51.100.0/24', /no public reputation/],
  ] as const)('%s %s', (type, raw, sentence) => {
    const found = asked(type, raw);
    expect(found).toMatchObject({ kind: 'words', isLocal: true, sentence: expect.stringMatching(sentence) });
  });
});

test.each([
  ['ip', '300.1.1.1'],
  ['domain', 'localhost'],
  ['hash', 'zz'],
  ['url', ''],
] as const)('/%s/%s cannot be read, and a sentence says why', (type, raw) => {
  expect(asked(type, raw)).toMatchObject({
    kind: 'words',
    isLocal: false,
    sentence: expect.stringMatching(/\.$/),
  });
});

test('without the parser, a canonical value is still checked', () => {
  expect(askedWithoutReader('ip', '8.8.8.8').kind).toBe('target');
  expect(askedWithoutReader('ip', '10.0.0.1')).toMatchObject({ kind: 'words', isLocal: false });
});
