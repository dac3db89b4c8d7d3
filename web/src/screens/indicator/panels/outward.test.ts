import { expect, test } from 'vitest';
import { outwardOf } from './outward.ts';

const TEMPLATES = [
  {
    name: 'All',
    kinds: ['ip', 'domain', 'url', 'hash'],
    template: 'https://a.example/{value}?again={value}',
  },
  { name: 'Hosts', kinds: ['ip'], template: 'https://b.example/{value}' },
];

test('a kind gets its links, and a value cannot leave its place in the address', () => {
  expect(outwardOf(TEMPLATES, { type: 'ip', value: '8.8.8.8' }).map(({ name }) => name)).toEqual([
    'All',
    'Hosts',
  ]);
  const [link] = outwardOf(TEMPLATES, { type: 'url', value: 'https://x.example/$&?a=b#c' });
  expect(link?.href).toBe(
    'https://a.example/https%3A%2F%2Fx.example%2F%24%26%3Fa%3Db%23c?again=https%3A%2F%2Fx.example%2F%24%26%3Fa%3Db%23c',
  );
  expect(new URL(link?.href ?? '').host).toBe('a.example');
});
