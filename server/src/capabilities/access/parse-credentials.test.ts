import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { credentialOf, newPair } from './key-format.ts';
import { keyHeaderMistake, parseCredentials } from './parse-credentials.ts';

const COOKIE = '__Secure-sid';
const parse = (headers: Parameters<typeof parseCredentials>[0]) => parseCredentials(headers, COOKIE);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const basic = (name: string, password: string) => `Basic ${base64(`${name}:${password}`)}`;

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => !/[\s:\p{Cc}\u{fffd}]/u.test(text) && Buffer.byteLength(text) <= 200);

describe('X-API-KEY', () => {
  test('a pair is decoded exactly, with any characters in the secret (trap 60)', () => {
    fc.assert(
      fc.property(word, word, (apiKey, apiSecret) => {
        expect(parse({ 'x-api-key': base64(`${apiKey}:${apiSecret}`) })).toEqual({
          kind: 'pair',
          pair: { apiKey, apiSecret },
        });
      }),
    );
  });

  test('is used alone: there is no fallback to Basic or the cookie', () => {
    const pair = newPair();
    const others = {
      authorization: basic(pair.apiKey, pair.apiSecret),
      cookie: `${COOKIE}=${'a'.repeat(43)}`,
    };
    expect(parse({ ...others, 'x-api-key': '' })).toEqual({ kind: 'empty' });
    expect(parse({ ...others, 'x-api-key': '  ' })).toEqual({ kind: 'empty' });
    expect(parse({ ...others, 'x-api-key': 'nonsense' })).toEqual({ kind: 'malformed' });
  });

  test.each([
    ['not Base64', 'ak_x:sk_y'],
    ['Base64 without its padding', base64('ak_x:sk_yz').replace(/=+$/, '')],
    [
      'the URL alphabet',
      Buffer.from('ak_?:sk_>>').toString('base64').replaceAll('/', '_').replaceAll('+', '-'),
    ],
    ['bits left over in the last character', `${base64('a:bb').slice(0, -3)}h==`],
    ['a space inside', base64('ak_x:sk_y').replace(/(.{4})/, '$1 ')],
    ['no colon', base64('ak_xsk_y')],
    ['two colons', base64('ak_x:sk:y')],
    ['an empty key', base64(':sk_y')],
    ['an empty secret', base64('ak_x:')],
    ['a space in the secret', base64('ak_x:sk y')],
    ['NUL', base64('ak_x:sk_y\0')],
    ['a line end', base64('ak_x:sk_y\n')],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0x3a, 0xff, 0xfe]).toString('base64')],
    ['more than 512 bytes', base64(`ak_x:${'y'.repeat(600)}`)],
    ['two headers, as Node joins them', `${base64('a:b')}, ${base64('a:b')}`],
  ])('%s is malformed', (_name, value) => {
    expect(parse({ 'x-api-key': value })).toEqual({ kind: 'malformed' });
  });

  test.each([
    ['a raw pair', 'ak_x:sk_y', /not base64\(apiKey:apiSecret\).*printf '%s' 'apiKey:apiSecret' \| base64/],
    ['an API key alone', newPair().apiKey, /not base64\(apiKey:apiSecret\)/],
    ['base64 twice', base64(base64('ak_x:sk_y')), /encoded twice/],
    ['what echo gives to base64', base64('ak_x:sk_y\n'), /with a line end/],
  ])('%s: the mistake is named', (_name, value, words) => {
    expect(parse({ 'x-api-key': value })).toEqual({ kind: 'malformed' });
    expect(keyHeaderMistake(value)).toMatch(words);
    expect(keyHeaderMistake(value)).not.toContain(value);
  });

  test('of a well-formed pair, and of a pair with two colons, nothing is said', () => {
    for (const pair of ['ak_x:sk_y', 'ak_x:sk:y', ':sk_y', 'ak_xsk_y'])
      expect(keyHeaderMistake(base64(pair))).toBeNull();
    for (const value of [undefined, [base64('a:b')]]) expect(keyHeaderMistake(value)).toBeNull();
  });

  test('a list of headers is malformed', () => {
    expect(parse({ 'x-api-key': [base64('a:b'), base64('a:b')] })).toEqual({ kind: 'malformed' });
  });

  test('with one character changed it never decodes to the same pair', () => {
    const pair = newPair();
    const credential = credentialOf(pair);
    fc.assert(
      fc.property(fc.nat(credential.length - 1), fc.string({ maxLength: 2 }), (at, put) => {
        const changed = credential.slice(0, at) + put + credential.slice(at + 1);
        fc.pre(changed !== credential);
        expect(parse({ 'x-api-key': changed })).not.toEqual({ kind: 'pair', pair });
      }),
      { numRuns: bySize(400, 2_000) },
    );
  });

  test('any text is parsed without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const headers of [
          { 'x-api-key': text },
          { authorization: text },
          { authorization: `Basic ${text}` },
          { cookie: text },
        ])
          expect(typeof parse(headers).kind).toBe('string');
      }),
    );
  });
});

describe('Authorization', () => {
  test('Basic gives the pair, and the pair inside the password when there is one', () => {
    const pair = newPair();
    expect(parse({ authorization: basic(pair.apiKey, pair.apiSecret) })).toEqual({
      kind: 'basic',
      pair,
      inner: null,
    });
    for (const name of ['taxii', '', 'Jane Doe', pair.apiKey])
      expect(parse({ authorization: basic(name, credentialOf(pair)) })).toMatchObject({ inner: pair });
  });

  test('the scheme is read in any case, with one space', () => {
    const pair = newPair();
    const value = basic(pair.apiKey, pair.apiSecret).slice(6);
    for (const scheme of ['basic', 'BASIC', 'bAsIc'])
      expect(parse({ authorization: `${scheme} ${value}` })).toMatchObject({ kind: 'basic', pair });
    expect(parse({ authorization: `Basic  ${value}` })).toEqual({ kind: 'malformed' });
    expect(parse({ authorization: 'Basic' })).toEqual({ kind: 'malformed' });
  });

  test.each([
    ['no colon', `Basic ${base64('name')}`],
    ['an empty password', basic('name', '')],
    ['a colon in the password', basic('name', 'a:b')],
    ['a control character in the name', basic('na\u0007me', 'x')],
    ['white space in the password', basic('name', 'x y')],
  ])('%s is malformed', (_name, authorization) => {
    expect(parse({ authorization })).toEqual({ kind: 'malformed' });
  });

  test('two headers are malformed', () => {
    expect(parse({ authorization: [basic('a', 'b'), basic('a', 'b')] })).toEqual({ kind: 'malformed' });
  });

  test('Bearer is recognised, an unknown scheme is no credential', () => {
    expect(parse({ authorization: 'Bearer ak_x' })).toEqual({ kind: 'bearer' });
    expect(parse({ authorization: 'bearer' })).toEqual({ kind: 'bearer' });
    expect(parse({ authorization: 'Digest x' })).toEqual({ kind: 'none' });
  });
});

describe('cookie', () => {
  const token = 'a'.repeat(43);

  test('the session is found among others', () => {
    expect(parse({ cookie: `theme=dark; ${COOKIE}=${token}; x=y` })).toEqual({ kind: 'session', token });
    expect(parse({ cookie: `x${COOKIE}=${token}; sid=${token}` })).toEqual({ kind: 'none' });
  });

  test('of two session cookies neither is accepted', () => {
    expect(parse({ cookie: `${COOKIE}=${token}; ${COOKIE}=${'b'.repeat(43)}` })).toEqual({
      kind: 'session',
      token: '',
    });
  });

  test('no headers give no credential', () => {
    expect(parse({})).toEqual({ kind: 'none' });
  });
});
