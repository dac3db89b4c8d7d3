import { expect, test } from 'vitest';
import { readInput } from '../../box/read-input.ts';
import { askedRange } from './range-target.ts';

const asked = (text: string) => askedRange(readInput(text));

test.each([
  ['185.220.101.9/24', '185.220.101.0/24'],
  ['2a0e:97c0:0::/48', '2a0e:97c0::/48'],
  ['1.0.0.0/8', '1.0.0.0/8'],
])('%s is asked about as %s', (text, cidr) => {
  expect(asked(text)).toEqual({ kind: 'range', cidr });
});

test('a private range is answered here', () => {
  expect(asked('10.0.0.0/8')).toMatchObject({
    kind: 'words',
    isLocal: true,
    sentence: expect.stringContaining('nothing was sent'),
  });
});

test.each(['8.8.8.8', '8.8.8.8/32'])('%s is one address, with a page of its own', (text) => {
  expect(asked(text)).toEqual({ kind: 'single', target: { type: 'ip', value: '8.8.8.8' } });
});

test.each(['', 'AS13335', '1.2.3.0/33', 'nonsense', 'a@evil.com'])('%j is no range', (text) => {
  expect(asked(text)).toMatchObject({ kind: 'words', isLocal: false });
});
