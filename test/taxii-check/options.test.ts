import { expect, test } from 'vitest';
import { CLIENTS, readOptions } from './options.ts';

const URL_TEXT = 'http://127.0.0.1:8080/taxii/';
const read = (...argv: string[]) => readOptions([URL_TEXT, ...argv], {});

test('a URL is enough', () => {
  expect(read()).toEqual({
    url: new URL(URL_TEXT),
    credentials: { header: null, user: null },
    collections: [],
    pagesMax: 10_000,
    limit: 100,
    clients: CLIENTS,
    twice: false,
    json: false,
  });
});

test('credentials come from arguments or from the environment', () => {
  expect(read('--header', 'X-Key: a:b ', '--user', 'name:pass:word')?.credentials).toEqual({
    header: ['X-Key', 'a:b'],
    user: { name: 'name', password: 'pass:word' },
  });
  expect(readOptions([URL_TEXT], { TAXII_KEY: 'abc', TAXII_USER: 'a:b' })?.credentials).toEqual({
    header: ['X-API-KEY', 'abc'],
    user: { name: 'a', password: 'b' },
  });
});

test('clients are chosen by name', () => {
  expect(read('--as', 'misp', '--as', 'elastic')?.clients).toEqual(['elastic', 'misp']);
  expect(read('--as', 'none')?.clients).toEqual([]);
});

test.each([
  [[], /Send one URL/],
  [['taxii.example'], /no address/],
  [['ftp://taxii.example/'], /no address/],
  [['http://a:b@taxii.example/'], /--user/],
  [[URL_TEXT, '--limit', '0'], /--limit is '0'/],
  [[URL_TEXT, '--max-pages', 'many'], /--max-pages is 'many'/],
  [[URL_TEXT, '--as', 'nessus'], /--as is 'nessus'/],
  [[URL_TEXT, '--header', 'abc'], /a name and a value/],
  [[URL_TEXT, '--user', 'abc'], /NAME:PASSWORD/],
  [[URL_TEXT, '--fast'], /--fast/],
])('%j is refused with what to do', (argv, words) => {
  expect(() => readOptions(argv, {})).toThrow(words);
});
