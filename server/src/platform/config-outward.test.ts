import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { readOutwardLinks } from './config-outward.ts';

const ALL = ['ip', 'domain', 'url', 'hash'];

test.each([
  ['none', []],
  ['', []],
  [
    'Ours=https://siem.example/find?q={value}',
    [{ name: 'Ours', kinds: ALL, template: 'https://siem.example/find?q={value}' }],
  ],
  [
    ' A:ip=https://a.example/{value} , B b:url|domain=https://b.example/#{value}',
    [
      { name: 'A', kinds: ['ip'], template: 'https://a.example/{value}' },
      { name: 'B b', kinds: ['domain', 'url'], template: 'https://b.example/#{value}' },
    ],
  ],
])('%j is read', (text, links) => {
  expect(readOutwardLinks(text)).toEqual(links);
});

test.each([
  ['no address', 'Ours'],
  ['no name', '=https://a.example/{value}'],
  ['no place for the value', 'A=https://a.example/'],
  ['the value in the host', 'A=https://{value}.example/'],
  ['the value as the host', 'A=https://{value}/'],
  ['plain HTTP', 'A=http://a.example/{value}'],
  ['a script', 'A=javascript:alert({value})'],
  ['a password', 'A=https://me:secret@a.example/{value}'],
  ['an unknown kind', 'A:wallet=https://a.example/{value}'],
  ['markup in the name', 'A<b>=https://a.example/{value}'],
  ['too many', Array.from({ length: 13 }, (_, n) => `A${n}=https://a.example/{value}`).join(',')],
])('%s is refused', (_what, text) => {
  expect(readOutwardLinks(text)).toBeNull();
});

test('four services are linked by default, and a wrong list stops the start with a sentence', () => {
  expect(loadConfig({}).OUTWARD_LINKS.map(({ name }) => name)).toEqual([
    'VirusTotal',
    'Shodan',
    'Censys',
    'urlscan',
  ]);
  expect(() => loadConfig({ OUTWARD_LINKS: 'A=http://a.example/{value}' })).toThrow(/OUTWARD_LINKS/);
});
