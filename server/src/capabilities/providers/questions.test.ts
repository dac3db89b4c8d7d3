import { expect, test } from 'vitest';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { questionsOf, siteOf } from './questions.ts';

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

test('names in DNS and technologies are of full alone, and the whole community block too', () => {
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

test('nobody is asked about an address that is not public, nor about a page on one', () => {
  for (const text of ['10.0.0.1', '127.0.0.1', '169.254.169.254', 'fd00::1', 'http://192.168.1.1/admin'])
    expect(questionsOf(indicator(text), 'full')).toEqual({});
});

test('a registry is asked about the registered name, a scanner about the page itself', () => {
  const page = questionsOf(indicator('https://a.b.example.co.uk/x?y'), 'standard');
  expect(page.rdap).toEqual({ kind: 'domain', value: 'example.co.uk', registrable: 'example.co.uk' });
  expect(page.tls).toMatchObject({ value: 'a.b.example.co.uk' });
  expect(page.scanner).toMatchObject({ kind: 'url' });
  expect(page.otx?.indicator).toMatchObject({ kind: 'url' });
});

test('everything asked about one subject has one site', () => {
  for (const text of ['https://a.b.example.co.uk/x', 'a.b.example.co.uk', '185.220.101.1']) {
    const { otx, ...others } = questionsOf(indicator(text), 'full');
    const sites = [...Object.values(others), otx?.indicator].map((key) => siteOf(key as Indicator));
    expect(new Set(sites).size).toBe(1);
  }
});
