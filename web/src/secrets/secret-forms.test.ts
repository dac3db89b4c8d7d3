import { expect, test } from 'vitest';
import { secretForms } from './secret-forms.ts';

const PAIR = {
  apiKey: 'ak_1',
  apiSecret: 'as_2',
  authHeader: `X-API-KEY: ${Buffer.from('ak_1:as_2').toString('base64')}`,
};
const formOf = (title: string, apiUrl = 'https://api.example.com/') =>
  secretForms(PAIR, apiUrl).find((form) => form.title === title)?.text;

test('every form holds the whole pair', () => {
  expect(formOf('Header')).toBe('X-API-KEY: YWtfMTphc18y');
  expect(formOf('.env')).toBe('ASSAY_URL=https://api.example.com\nASSAY_KEY=YWtfMTphc18y\n');
  expect(formOf('Basic pair')).toBe('ak_1:as_2');
});

test('the first curl asks the API of this installation', () => {
  expect(formOf('First curl')).toBe(
    "curl -sSG 'https://api.example.com/check' -H 'X-API-KEY: YWtfMTphc18y' --data-urlencode 'query=185.220.101.1'",
  );
  expect(formOf('First curl', "https://o'brien.example")).toContain(
    String.raw`'https://o'\''brien.example/check'`,
  );
});
