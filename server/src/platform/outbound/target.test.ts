import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { OutboundError } from './outbound-error.ts';
import { type AddressPolicy, checkTarget, parseAllowed, refusal } from './target.ts';

const policy: AddressPolicy = { allowed: [], denied: [], own: () => new Set(['198.20.0.7']) };
const rules = { schemes: ['https', 'http'] as const, ports: [443, 80, 8443] };
const reasonOf = (url: string): string => {
  try {
    checkTarget(url, rules, policy);
    return 'passed';
  } catch (error) {
    return error instanceof OutboundError ? error.reason : String(error);
  }
};

test.each([
  // One address in many spellings.
  ['http://127.0.0.1/', 'address'],
  ['http://127.0.0.1./', 'address'],
  ['http://127.1/', 'address'],
  ['http://127.0.1/', 'address'],
  ['http://2130706433/', 'address'],
  ['http://0x7f000001/', 'address'],
  ['http://0x7f.1/', 'address'],
  ['http://0x7F.0x0.0x0.0x1/', 'address'],
  ['http://0177.0.0.1/', 'address'],
  ['http://017700000001/', 'address'],
  ['http://0/', 'address'],
  ['http://0.0.0.0/', 'address'],
  ['http://%31%32%37.0.0.1/', 'address'],
  ['http://１２７.０.０.１/', 'address'],
  ['http://①②⑦.⓪.⓪.①/', 'address'],
  ['http://127。0。0。1/', 'address'],
  ['http://127.0.0.1。/', 'address'],
  ['http:\\\\127.0.0.1\\', 'address'],
  ['http:127.0.0.1', 'address'],
  ['  http://127.0.0.1/', 'address'],
  ['ht\ntp://127.0.0.1/', 'address'],
  ['http://169.254.169.254/latest/meta-data/', 'address'],
  ['http://2852039166/', 'address'],
  ['http://0xa9fea9fe/', 'address'],
  ['http://100.100.100.200/', 'address'],
  ['http://10.0.0.1/', 'address'],
  ['http://192.168.1.1/', 'address'],
  ['http://172.16.0.1/', 'address'],
  ['http://198.20.0.7/', 'address'],
  ['http://224.0.0.1/', 'address'],
  ['http://255.255.255.255/', 'address'],
  // IPv6.
  ['http://[::1]/', 'address'],
  ['http://[::]/', 'address'],
  ['http://[0:0:0:0:0:0:0:1]/', 'address'],
  ['http://[::ffff:127.0.0.1]/', 'address'],
  ['http://[::ffff:7f00:1]/', 'address'],
  ['http://[::127.0.0.1]/', 'address'],
  ['http://[64:ff9b::127.0.0.1]/', 'address'],
  ['http://[64:ff9b:1::a9fe:a9fe]/', 'address'],
  ['http://[2002:7f00:1::]/', 'address'],
  ['http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/', 'address'],
  ['http://[fe80::1]/', 'address'],
  ['http://[fec0::1]/', 'address'],
  ['http://[fd00:ec2::254]/', 'address'],
  ['http://[ff02::1]/', 'address'],
  ['http://[2a00:1450::200:5efe:10.0.0.1]/', 'address'],
  ['http://[fe80::1%25eth0]/', 'invalid_url'],
  ['http://[fe80::1%eth0]/', 'invalid_url'],
  // Names of this machine.
  ['http://localhost/', 'address'],
  ['http://localhost./', 'address'],
  ['http://LOCALHOST/', 'address'],
  ['http://foo.localhost/', 'address'],
  ['http://foo.localhost./', 'address'],
  // Other parts of the URL.
  ['http://user@example.com/', 'userinfo'],
  ['http://user:pass@example.com/', 'userinfo'],
  ['http://:pass@example.com/', 'userinfo'],
  ['http://example.com@127.0.0.1/', 'userinfo'],
  ['http://127.0.0.1\\@example.com/', 'address'],
  ['http://127.0.0.1#@example.com/', 'address'],
  ['http://127.0.0.1?@example.com/', 'address'],
  ['http://example.com:22/', 'port'],
  ['http://example.com:6379/', 'port'],
  ['http://example.com:65536/', 'invalid_url'],
  ['https://example.com:0/', 'port'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'invalid_url'],
  ['gopher://example.com/', 'scheme'],
  ['data:text/plain,x', 'invalid_url'],
  ['javascript:alert(1)', 'invalid_url'],
  ['//example.com/', 'invalid_url'],
  ['http://', 'invalid_url'],
  ['http://999.1.1.1/', 'invalid_url'],
  ['http://127.0.0.1.1/', 'invalid_url'],
  ['http://1.2.3.4.5.6.0x7f/', 'invalid_url'],
  ['', 'invalid_url'],
  [`http://example.com/${'a'.repeat(5_000)}`, 'invalid_url'],
])('%s is refused (%s)', (url, reason) => {
  expect(reasonOf(url)).toBe(reason);
});

test('ordinary URLs pass', () => {
  for (const url of [
    'https://example.com/',
    'http://example.com:80/x?y',
    'https://8.8.8.8/',
    'https://exämple.com:8443/',
  ])
    expect(reasonOf(url)).toBe('passed');
  expect(() => checkTarget('http://example.com/', { ...rules, schemes: ['https'] }, policy)).toThrow(/https/);
});

test('every spelling of every special address is refused', () => {
  const denied = fc
    .tuple(fc.constantFrom(10, 127, 0, 224, 240, 255), fc.nat(255), fc.nat(255), fc.nat(255))
    .map(([a, b, c, d]) => [a, b, c, d] as const);
  const spell = fc.constantFrom<(p: readonly [number, number, number, number]) => string>(
    (p) => p.join('.'),
    (p) => p.map((n) => `0x${n.toString(16)}`).join('.'),
    (p) => p.map((n) => `0${n.toString(8)}`).join('.'),
    (p) => String(((p[0] * 256 + p[1]) * 256 + p[2]) * 256 + p[3]),
    (p) => `0x${p.map((n) => n.toString(16).padStart(2, '0')).join('')}`,
    (p) => `${p[0]}.${(p[1] * 256 + p[2]) * 256 + p[3]}`,
    (p) => `[::ffff:${p.join('.')}]`,
    (p) => `[64:ff9b::${p.join('.')}]`,
  );
  fc.assert(
    fc.property(denied, spell, (parts, write) => {
      expect(reasonOf(`http://${write(parts)}/`)).toBe('address');
    }),
    { numRuns: bySize(100, 500) },
  );
});

test('an allowance opens one range on one port and nothing else', () => {
  const open: AddressPolicy = {
    allowed: [parseAllowed('127.0.0.1/32:8081')],
    denied: [],
    own: () => new Set(),
  };
  expect(refusal(open, '127.0.0.1', 8081)).toBeNull();
  expect(refusal(open, '127.0.0.1', 8082)).toBe('loopback');
  expect(refusal(open, '127.0.0.2', 8081)).toBe('loopback');
  expect(refusal(open, '::1', 8081)).toBe('loopback');
  expect(refusal({ ...open, allowed: [parseAllowed('[::1]/128:8081')] }, '::1', 8081)).toBeNull();
  for (const text of ['127.0.0.1', '127.0.0.1/32', '127.0.0.1/32:0', '127.0.0.1/99:80', 'x:80'])
    expect(() => parseAllowed(text)).toThrow();
});
