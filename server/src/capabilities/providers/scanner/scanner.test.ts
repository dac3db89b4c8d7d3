import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Domain, type Ip, parseIndicator, type Url } from '#domain/indicator/index.ts';
import { createLog } from '#platform/log.ts';
import { registry } from '#platform/metrics.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { type ScannerPeer, startScannerPeer } from '#test/peers/scanner-peer.ts';
import type { ScannerVerdict } from '../contract-opinions.ts';
import type { Provider } from '../provider.ts';
import { createScannerProvider } from './scanner.ts';

const KEY = 'scanner-key-7c1e';
const logged: string[] = [];
const log = createLog('trace', { write: (line) => logged.push(line) });
let nowMs = 0;
const clock = { now: () => Date.UTC(2026, 5, 1) + nowMs, monotonic: () => nowMs };
let peer: ScannerPeer;
let outbound: Outbound;
let provider: Provider<Ip | Domain | Url, ScannerVerdict>;
beforeEach(async () => {
  nowMs = 0;
  logged.length = 0;
  peer = await startScannerPeer();
  outbound = createOutbound({ log, clock, allow: [`127.0.0.1/32:${peer.port}`] });
  provider = createScannerProvider({ outbound, clock, baseUrl: peer.url, key: KEY });
});
afterEach(async () => {
  await outbound.close();
  await peer.close();
});

const asked = (text: string): Ip | Domain | Url => {
  const parsed = parseIndicator(text);
  if (parsed.ok && (parsed.indicator.kind === 'ip' || parsed.indicator.kind === 'domain'))
    return parsed.indicator;
  if (parsed.ok && parsed.indicator.kind === 'url') return parsed.indicator;
  throw new Error(text);
};
const scan = (text: string, deadlineMs = 30_000) =>
  provider.ask(asked(text), { signal: AbortSignal.timeout(60_000), deadlineMs });
const prefixOf = (expression: string): string =>
  createHash('sha256').update(expression).digest('hex').slice(0, 8);

test.each([
  ['MALWARE', 'malware'],
  ['SOCIAL_ENGINEERING', 'phishing'],
  ['UNWANTED_SOFTWARE', 'unwanted'],
  ['POTENTIALLY_HARMFUL_APPLICATION', 'malware'],
  ['TRICK_TO_BILL', 'abuse'],
])('a listed page is found under %s as %s, with the expression that matched', async (type, threat) => {
  peer.list('evil.com/login/', type);
  expect(await scan('https://www.evil.com/login/index.html?session=1')).toEqual({
    value: { threats: [threat], matched: 'evil.com/login/' },
    freshMs: 300_000,
  });
});

test('no finding is a verdict without threats, and nothing in it says clean', async () => {
  expect((await scan('http://quiet.com/')).value).toEqual({ threats: [], matched: null });
});

test('the same answer as protocol buffers gives the same verdict', async () => {
  peer.set({ isProtobuf: true, cacheDuration: '1200s' });
  peer.list('evil.com/', 'MALWARE');
  peer.list('evil.com/', 'SOCIAL_ENGINEERING');
  peer.list('evil.com/', 'UNWANTED_SOFTWARE', ['CANARY']);
  expect(await scan('evil.com')).toEqual({
    value: { threats: ['malware', 'phishing'], matched: 'evil.com/' },
    freshMs: 1_200_000,
  });
  expect((await scan('http://quiet.com/')).value?.threats).toEqual([]);
});

test('a listing that must not be enforced, or of an unknown kind, is ignored', async () => {
  peer.list('evil.com/', 'MALWARE', ['CANARY']);
  peer.list('evil.com/', 'SOCIAL_ENGINEERING', ['FRAME_ONLY']);
  peer.list('evil.com/', 'MALWARE', ['SOMETHING_NEW']);
  peer.list('evil.com/', 'SOMETHING_NEW');
  peer.list('evil.com/', 'constructor');
  expect((await scan('evil.com')).value).toEqual({ threats: [], matched: null });
});

test('another page whose hash begins with the same four bytes does not match', async () => {
  const hash = createHash('sha256').update('evil.com/').digest();
  hash[31] = (hash[31] ?? 0) ^ 1;
  peer.set({
    body: JSON.stringify({
      fullHashes: [{ fullHash: hash.toString('base64'), fullHashDetails: [{ threatType: 'MALWARE' }] }],
      cacheDuration: '300s',
    }),
  });
  expect((await scan('evil.com')).value?.threats).toEqual([]);
});

test('only four bytes of each hash are sent, sorted, and no part of the URL', async () => {
  const path = 'account/reset/step';
  await scan(`https://user:pa55@mail.intranet-name.com:8443/${path}?token=s3cr3t-value#frag`);
  expect(peer.asked).toHaveLength(1);
  const expected = ['mail.intranet-name.com', 'intranet-name.com'].flatMap((host) =>
    ['', 'account/', 'account/reset/', path, `${path}?token=s3cr3t-value`].map((tail) =>
      prefixOf(`${host}/${tail}`),
    ),
  );
  expect(peer.asked[0]).toEqual(expected.sort());
  const sent = peer.requests.join() + JSON.stringify(peer.headers);
  for (const told of ['intranet', 'account', 'reset', 's3cr3t', 'token', 'pa55', 'user:', 'frag'])
    expect(sent).not.toContain(told);
});

test('the key is sent in a header and appears in no URL, log line, error or metric', async () => {
  await scan('http://quiet.com/');
  expect(peer.headers[0]?.['x-goog-api-key']).toBe(KEY);
  const errors: unknown[] = [];
  for (const mode of ['error', 'garbage', 'flood', 'hang'] as const) {
    peer.mode = mode;
    await scan(`http://${mode}.com/`, 300).catch((error: unknown) => errors.push(error));
  }
  expect(errors).toHaveLength(4);
  const seen = [
    ...peer.requests,
    ...logged,
    ...errors.map((error) => inspect(error, { depth: 10, showHidden: true })),
    await registry.metrics(),
  ].join('\n');
  expect(logged.join()).toContain('outbound.failed');
  expect(seen).not.toContain(KEY);
});

test('pages of one site share cached prefixes, and only new ones are requested', async () => {
  peer.list('evil.com/b', 'MALWARE');
  await scan('http://www.evil.com/a');
  expect((await scan('http://www.evil.com/b')).value?.matched).toBe('evil.com/b');
  expect(peer.asked.map(({ length }) => length)).toEqual([4, 2]);
  await scan('https://www.evil.com:8443/a#again');
  expect(peer.asked).toHaveLength(2);
});

test('a threat is cached exactly as long as the scanner says', async () => {
  peer.set({ cacheDuration: '30s' });
  peer.list('evil.com/', 'MALWARE');
  expect((await scan('evil.com')).freshMs).toBe(30_000);
  peer.unlist('evil.com/');
  nowMs = 29_999;
  expect(await scan('evil.com')).toEqual({
    value: { threats: ['malware'], matched: 'evil.com/' },
    freshMs: 1_000,
  });
  nowMs = 30_000;
  expect((await scan('evil.com')).value?.threats).toEqual([]);
});

test('no finding is cached for at least five minutes, nothing for more than a day', async () => {
  peer.set({ cacheDuration: '0s' });
  expect((await scan('quiet.com')).freshMs).toBe(300_000);
  peer.list('evil.com/', 'MALWARE');
  expect((await scan('evil.com')).freshMs).toBe(1_000);
  peer.set({ cacheDuration: '999999s' });
  expect((await scan('other.com')).freshMs).toBe(86_400_000);
});

test('an answer made of old and new parts is fresh for as long as its oldest', async () => {
  await scan('http://www.evil.com/a');
  nowMs = 200_000;
  expect((await scan('http://www.evil.com/b')).freshMs).toBe(100_000);
});

test('too many requests, a refused key and an outage are failures of the upstream', async () => {
  for (const status of [429, 403, 500, 404]) {
    peer.set({ status });
    await expect(scan('evil.com')).rejects.toMatchObject({ kind: 'upstream' });
  }
  peer.set({ status: 429 });
  await expect(scan('evil.com')).rejects.toThrow(/too many requests/);
});

test.each([
  ['no JSON', '<html>'],
  ['a list', '[]'],
  ['hashes that are not a list', '{"fullHashes":"all of them"}'],
  ['a number for a hash', '{"fullHashes":[{"fullHash":7}]}'],
  ['an invalid duration', '{"cacheDuration":"forever"}'],
  ['a negative duration', '{"cacheDuration":"-5s"}'],
])('%s is a failure and never an empty verdict', async (_, body) => {
  peer.set({ body });
  await expect(scan('evil.com')).rejects.toMatchObject({ kind: 'upstream' });
  // A failure is not cached as an empty verdict either.
  peer.set({ body: null });
  peer.list('evil.com/', 'MALWARE');
  expect((await scan('evil.com')).value?.threats).toEqual(['malware']);
});

test('protocol buffers that are cut off or invalid are a failure', async () => {
  peer.set({ isProtobuf: true });
  for (const body of [
    '\n',
    '\x0a\x7f\x0a',
    '\x0a\x05\x0a\x20',
    '\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01',
    '\x07',
  ]) {
    peer.set({ body });
    await expect(scan('evil.com')).rejects.toMatchObject({ kind: 'upstream' });
  }
});

test('a server that hangs or floods ends at the deadline or the cap, as an outbound error', async () => {
  peer.mode = 'hang';
  await expect(scan('evil.com', 200)).rejects.toMatchObject({ reason: 'deadline' });
  peer.mode = 'flood';
  await expect(scan('evil.com')).rejects.toMatchObject({ reason: 'too_large' });
  peer.mode = 'garbage';
  await expect(scan('evil.com')).rejects.toMatchObject({ kind: 'upstream' });
});

test('an address that is not public is not looked up', async () => {
  for (const text of ['10.0.0.7', 'http://192.168.1.1/admin', 'http://[fd00::1]/'])
    await expect(scan(text)).rejects.toMatchObject({ kind: 'refused' });
  expect(peer.asked).toEqual([]);
});

test('without a key it says what to set', () => {
  expect(createScannerProvider({ outbound, clock, baseUrl: peer.url }).unconfigured).toContain('SCANNER_KEY');
  expect(provider.unconfigured).toBeUndefined();
});

test('a query has one key for every scheme and port, and reveals nothing of the URL', () => {
  const key = provider.keyOf(asked('http://evil.com/a?secret=1'));
  expect(provider.keyOf(asked('https://evil.com:8443/a?secret=1#x'))).toBe(key);
  expect(key).toMatch(/^[\da-f]{64}$/);
  expect(provider.keyOf(asked('evil.com'))).toBe(provider.keyOf(asked('http://evil.com')));
});
