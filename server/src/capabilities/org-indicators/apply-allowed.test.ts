import { expect, test } from 'vitest';
import { seededRandom } from '#test/seeded-random.ts';
import { applyAllowed } from './apply-allowed.ts';

test('without allowed values the list is the same', () => {
  const entries = ['a.com', '11.1.1.1'];
  expect(applyAllowed(entries, [])).toBe(entries);
});

test('exact values leave; names below an allowed name, and other hashes, stay', () => {
  const [kept, gone] = ['a'.repeat(32), 'b'.repeat(32)];
  expect(applyAllowed(['good.com', 'www.good.com', 'notgood.com', kept, gone], ['good.com', gone])).toEqual([
    'www.good.com',
    'notgood.com',
    kept,
  ]);
});

test('addresses and ranges inside an allowed range leave', () => {
  expect(
    applyAllowed(
      ['11.1.1.1', '11.1.1.128/25', '11.1.2.1', '2a01:4f8::1', '2a01:4f8:1::/48', '2a01:4f9::1'],
      ['11.1.1.0/24', '2a01:4f8::/32'],
    ),
  ).toEqual(['11.1.2.1', '2a01:4f9::1']);
});

test('a listed range is split around what is allowed inside it', () => {
  expect(applyAllowed(['11.1.1.0/29'], ['11.1.1.3'])).toEqual(['11.1.1.0/31', '11.1.1.2', '11.1.1.4/30']);
  expect(applyAllowed(['2a01::/125'], ['2a01::4/126'])).toEqual(['2a01::/126']);
});

test('of any lists, exactly the addresses that are listed and not allowed stay', () => {
  const random = seededRandom('apply-allowed');
  const range = () => {
    const bits = 24 + Math.floor(random() * 9);
    const first = Math.floor(random() * 256) & (0xff << (32 - bits));
    return {
      first,
      size: 2 ** (32 - bits),
      text: bits === 32 ? `11.1.1.${first}` : `11.1.1.${first}/${bits}`,
    };
  };
  const addressesOf = (texts: readonly string[]) => {
    const found = new Set<number>();
    for (const text of texts) {
      const [address = '', bits = '32'] = text.split('/');
      const first = Number(address.split('.')[3]);
      for (let at = 0; at < 2 ** (32 - Number(bits)); at += 1) found.add(first + at);
    }
    return found;
  };
  for (let round = 0; round < 300; round += 1) {
    const listed = Array.from({ length: 4 }, () => range().text);
    const allowed = Array.from({ length: 3 }, () => range().text);
    const left = addressesOf(applyAllowed(listed, allowed));
    expect(left, `${listed.join()} without ${allowed.join()}`).toEqual(
      addressesOf(listed).difference(addressesOf(allowed)),
    );
  }
});
