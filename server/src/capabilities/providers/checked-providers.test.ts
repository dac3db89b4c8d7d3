import { expect, test } from 'vitest';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { questionsOf } from './checked-providers.ts';
import { siteOf } from './site-of.ts';

function indicator(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}
const asked = (text: string, level: 'standard' | 'full' = 'standard') =>
  Object.keys(questionsOf(indicator(text), level)).sort();

test.each([
  ['185.220.101.1', 'internetdb otx rdap scanner tls'],
  ['2a00:1450:4001::1', 'internetdb otx rdap scanner tls'],
  ['www.example.com', 'addresses ct otx rdap scanner tls'],
  ['https://www.example.com/a', 'addresses ct otx rdap scanner tls'],
  ['https://185.220.101.1/a', 'internetdb otx rdap scanner tls'],
  ['d41d8cd98f00b204e9800998ecf8427e', 'otx'],
  ['someone@example.com', ''],
  ['185.220.101.0/24', ''],
])('%s: %s', (text, expected) => {
  expect(asked(text).join(' ')).toBe(expected);
});

test('DNS names, technologies and the whole community block are looked up only at full', () => {
  expect(asked('www.example.com', 'full')).toEqual([
    'addresses',
    'ct',
    'dns',
    'otx',
    'rdap',
    'scanner',
    'tls',
    'web',
  ]);
  expect(asked('185.220.101.1', 'full')).toContain('web');
  expect(questionsOf(indicator('185.220.101.1'), 'full').otx?.isWhole).toBe(true);
  expect(questionsOf(indicator('185.220.101.1'), 'standard').otx?.isWhole).toBe(false);
});

test('an address that is not public, and a page on one, are never looked up', () => {
  for (const text of ['10.0.0.1', '127.0.0.1', '169.254.169.254', 'fd00::1', 'http://192.168.1.1/admin'])
    expect(questionsOf(indicator(text), 'full')).toEqual({});
});

test('a registry gets the registered name, a scanner the page itself', () => {
  const page = questionsOf(indicator('https://a.b.example.co.uk/x?y'), 'standard');
  expect(page.rdap).toEqual({ kind: 'domain', value: 'example.co.uk', registrable: 'example.co.uk' });
  expect(page.tls).toMatchObject({ value: 'a.b.example.co.uk' });
  expect(page.scanner).toMatchObject({ kind: 'url' });
  expect(page.otx?.indicator).toMatchObject({ kind: 'url' });
});

test('all queries about one subject have one site', () => {
  for (const text of ['https://a.b.example.co.uk/x', 'a.b.example.co.uk', '185.220.101.1']) {
    const { otx, ...others } = questionsOf(indicator(text), 'full');
    const sites = [...Object.values(others), otx?.indicator].map((key) => siteOf(key as Indicator));
    expect(new Set(sites).size).toBe(1);
  }
});
