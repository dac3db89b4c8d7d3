import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecrets } from '#platform/secrets.ts';
import { findCollection } from './collections.ts';
import { readWalk } from './read-walk.ts';
import { createWalkTokens, type Walk } from './walk-token.ts';

const secret = (letter: string) => letter.repeat(64);
const tokens = createWalkTokens(createSecrets(`2:${secret('b')},1:${secret('a')}`));
const WALK: Walk = {
  v: 1,
  c: 'malicious-ips',
  o: 'added',
  k: 1_800_000_000_000_001,
  q: { min: 40 },
  l: 100,
  s: 1_800_000_000_000_000,
};

test('a token is read by every node that has the secret, also after a new one came', () => {
  expect(tokens.read(tokens.write(WALK))).toEqual(WALK);
  const older = createWalkTokens(createSecrets(`1:${secret('a')}`));
  expect(tokens.read(older.write(WALK))).toEqual(WALK);
  expect(older.read(tokens.write(WALK))).toBeNull();
});

test('a token that differs in one character is refused', () => {
  const token = tokens.write(WALK);
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '0', '-', '.', ' '), (at, other) => {
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      // The last base64 character of the 16 bytes has two unused bits, so a change of it may change nothing.
      fc.pre(changed !== token && at < token.length - 1);
      expect(tokens.read(changed)).toBeNull();
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(tokens.read(text)).toBeNull();
    }),
  );
});

test('the longest filters that a first page takes fit into the token of the next one; longer ones are refused', () => {
  const collection = findCollection('malicious-ips');
  if (collection === undefined) throw new Error('There is no such collection.');
  const begin = (ids: number) =>
    readWalk(
      { 'match[id]': 'i'.repeat(ids), 'match[version]': 'v'.repeat(1_000), 'match[type]': '"'.repeat(200) },
      { tokens, collection, isTaxii: true, order: 'accept', startedUs: WALK.s },
    );
  const { o, q, l, s } = begin(4_000);
  const walk = { ...WALK, o, q, l, s };
  expect(tokens.read(tokens.write(walk))).toEqual(walk);
  expect(() => begin(4_200)).toThrow(/Send fewer ids or versions/);
});
