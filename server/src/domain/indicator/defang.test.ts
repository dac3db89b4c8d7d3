import { expect, test } from 'vitest';
import { defang } from './defang.ts';
import { parseIndicator } from './parse-indicator.ts';

test.each([
  ['1.2.3.4', '1[.]2[.]3[.]4'],
  ['10.0.0.0/8', '10[.]0[.]0[.]0/8'],
  ['2001:db8::1', '2001[:]db8[:][:]1'],
  ['2001:db8::/32', '2001[:]db8[:][:]/32'],
  ['www.evil.com', 'www[.]evil[.]com'],
  ['https://evil.com/a.b?c=d.e', 'hxxps[://]evil[.]com/a.b?c=d.e'],
  ['http://evil.com:8080/', 'hxxp[://]evil[.]com:8080/'],
  ['ftp://1.2.3.4/x', 'fxp[://]1[.]2[.]3[.]4/x'],
  ['http://[2001:db8::1]:81/', 'hxxp[://][2001[:]db8[:][:]1]:81/'],
  ['first.last@mail.evil.com', 'first.last[@]mail[.]evil[.]com'],
  ['d41d8cd98f00b204e9800998ecf8427e', 'd41d8cd98f00b204e9800998ecf8427e'],
])('%s is shown as %s and read back', (text, expected) => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  expect(defang(parsed.indicator)).toBe(expected);
  expect(parseIndicator(expected)).toEqual(parsed);
});
