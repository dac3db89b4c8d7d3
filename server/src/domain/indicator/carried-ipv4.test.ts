import { expect, test } from 'vitest';
import { carriedIpv4 } from './carried-ipv4.ts';
import { parseIndicator } from './parse-indicator.ts';

function carriedIn(text: string): string | null {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error(`'${text}' is no address.`);
  const carried = carriedIpv4(parsed.indicator);
  return carried === null ? null : `${carried.carrier} ${carried.ip.value}`;
}

test.each([
  ['64:ff9b::185.220.101.1', 'NAT64 185.220.101.1'],
  ['64:ff9b:1::185.220.101.1', 'NAT64 185.220.101.1'],
  ['64:ff9b:1:b9dc:65:100::', 'NAT64 185.220.101.1'],
  ['2002:b9dc:6501::1', '6to4 185.220.101.1'],
  ['2001:0:4136:e378:8000:63bf:4623:9afe', 'Teredo 185.220.101.1'],
])('%s carries %s', (text, expected) => {
  expect(carriedIn(text)).toBe(expected);
});

test.each(['185.220.101.1', '::ffff:185.220.101.1', '2001:4860:4860::8888', '2a00:1450::1', '::1'])(
  '%s carries nothing: it is the address itself',
  (text) => {
    expect(carriedIn(text)).toBeNull();
  },
);
