import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { startHttpPeer } from '#test/http-peer.ts';
import { type InternetDbPeer, internetDbHost, startInternetDbPeer } from '#test/peers/internetdb-peer.ts';
import { Vulnerabilities } from '../contract-hosts.ts';
import { createInternetDbProvider } from './internetdb.ts';
import { type CveSeverity, joinCves } from './join-cves.ts';

const IP = '93.184.216.34';
const log = createLog('silent');
let peer: InternetDbPeer;
let outbound: Outbound;
beforeEach(async () => {
  peer = await startInternetDbPeer();
  outbound = createOutbound({
    log,
    clock: systemClock(),
    allow: [`127.0.0.1/32:${peer.port}`],
  });
});
afterEach(async () => {
  await outbound.close();
  await peer.close();
});

const ipOf = (text: string): Ip => {
  const parsed = parseIndicator(text);
  if (parsed.ok && parsed.indicator.kind === 'ip') return parsed.indicator;
  throw new Error(text);
};
const ask = (text = IP, deadlineMs = 30_000) =>
  createInternetDbProvider({ outbound, baseUrl: peer.url }).ask(ipOf(text), {
    signal: AbortSignal.timeout(60_000),
    deadlineMs,
  });

test('ports, software, names and vulnerabilities of an address are shown', async () => {
  peer.tell(IP, internetDbHost(IP, { ports: [443, 22, 443], vulns: ['CVE-2021-44228', 'cve-2023-1234'] }));
  const { value } = await ask();
  expect(value).toEqual({
    total: 2,
    critical: 0,
    high: 0,
    medium: 0,
    low: 0,
    cves: [
      { id: 'CVE-2023-1234', severity: 'UNKNOWN', score: null, description: '' },
      { id: 'CVE-2021-44228', severity: 'UNKNOWN', score: null, description: '' },
    ],
    ports: [22, 443],
    cpes: ['cpe:/a:openbsd:openssh:8.9'],
    hostnames: ['host.example.com'],
    tags: ['cloud'],
  });
  expect(peer.requests).toEqual([`GET /${IP}`]);
});

test('severities are joined when an answer is read; a rejected CVE is shown nowhere', async () => {
  const ids = ['CVE-2021-0001', 'CVE-2021-0002', 'CVE-2021-0003', 'CVE-2021-0004', 'CVE-2021-0005'];
  peer.tell(IP, internetDbHost(IP, { vulns: ids }));
  const { value } = await ask();
  const isRejected = false;
  const known = new Map<string, CveSeverity>([
    ['CVE-2021-0001', { severity: 'high', score: 7.5, description: 'A flaw.\u202e\u0000', isRejected }],
    ['CVE-2021-0002', { severity: 'CRITICAL', score: 9.8, description: 'Worse.', isRejected }],
    ['CVE-2021-0003', { severity: 'terrible', score: null, description: '', isRejected }],
    ['CVE-2021-0005', { severity: 'HIGH', score: 8, description: '', isRejected: true }],
  ]);
  if (value === null) throw new Error('The address is known.');
  const joined = joinCves(value, (id) => known.get(id));
  expect(joined).toMatchObject({ total: 4, critical: 1, high: 1, medium: 0, low: 0 });
  expect(joined.cves.map(({ id, severity }) => [id, severity])).toEqual([
    ['CVE-2021-0002', 'CRITICAL'],
    ['CVE-2021-0001', 'HIGH'],
    ['CVE-2021-0004', 'UNKNOWN'],
    ['CVE-2021-0003', 'UNKNOWN'],
  ]);
  expect(joined.cves[1]?.description).toBe('A flaw.');
  expect(Vulnerabilities.parse(joined)).toEqual(joined);
  known.set('CVE-2021-0004', { severity: 'LOW', score: 2, description: '', isRejected });
  expect(joinCves(value, (id) => known.get(id))).toMatchObject({ low: 1 });
});

test('an address it has never scanned is absent', async () => {
  expect(await ask()).toEqual({ value: null });
});

test('a 404 without JSON is a failure: the URL may lead to another service', async () => {
  const other = await startHttpPeer((_, response) => response.writeHead(404).end('<h1>Not found</h1>'));
  try {
    const strange = createOutbound({ log, clock: systemClock(), allow: [`127.0.0.1/32:${other.port}`] });
    await expect(
      createInternetDbProvider({ outbound: strange, baseUrl: other.url }).ask(ipOf(IP), {
        signal: AbortSignal.timeout(60_000),
        deadlineMs: 30_000,
      }),
    ).rejects.toMatchObject({ kind: 'upstream' });
    await strange.close();
  } finally {
    await other.close();
  }
});

test.each([
  ['text', '"gone"'],
  ['nothing', 'null'],
  ['ports that are a word', internetDbHost(IP, { ports: 'all' })],
  ['no list of vulnerabilities', internetDbHost(IP, { vulns: { 'CVE-2021-1': true } })],
  ['another address', internetDbHost('1.1.1.1')],
])('%s for an answer is a failure, not an address without flaws', async (_, body) => {
  peer.tell(IP, body);
  await expect(ask()).rejects.toMatchObject({ kind: 'upstream' });
});

test('its answer is cut to size and made inert, and invalid values are dropped', async () => {
  const hostile = ['\u001b[31mred\u0007', '\u202egnp.exe', 'x'.repeat(5_000), 7, null, {}, '  '];
  peer.tell(
    IP,
    internetDbHost(IP, {
      ports: [80, -1, 65_536, 1.5, '22', null, ...Array.from({ length: 400 }, (_, i) => i + 1_000)],
      cpes: [...hostile, ...Array.from({ length: 500 }, (_, i) => `cpe:${i}`)],
      hostnames: hostile,
      tags: hostile,
      vulns: [
        'CVE-1',
        '<script>',
        9,
        'CVE-2021-12345678901234567890',
        ...Array.from({ length: 400 }, (_, i) => `CVE-2020-${10_000 + i}`),
      ],
    }),
  );
  const { value } = await ask();
  expect(Vulnerabilities.parse(value)).toEqual(value);
  expect(value).toMatchObject({ total: 400, tags: ['[31mred', 'gnp.exe', 'x'.repeat(256)] });
  expect(value?.cves).toHaveLength(200);
  expect(value?.ports).toHaveLength(200);
  expect(value?.ports.slice(0, 2)).toEqual([80, 1_000]);
});

test('429, an outage and a refusal are failures, not an unknown address', async () => {
  for (const [status, kind] of [
    [429, 'upstream'],
    [403, 'upstream'],
    [500, 'upstream'],
    [422, 'target'],
  ] as const) {
    peer.tell(IP, { detail: 'no' }, status);
    await expect(ask()).rejects.toMatchObject({ kind });
  }
});

test('a server that hangs, floods or sends garbage ends at the deadline or the cap', async () => {
  peer.mode = 'hang';
  await expect(ask(IP, 200)).rejects.toMatchObject({ reason: 'deadline' });
  peer.mode = 'flood';
  await expect(ask()).rejects.toMatchObject({ reason: 'too_large' });
  peer.mode = 'garbage';
  await expect(ask()).rejects.toMatchObject({ kind: 'upstream' });
  peer.mode = 'error';
  await expect(ask()).rejects.toMatchObject({ kind: 'upstream' });
});

test('an address that is not public is not looked up, an IPv6 address is', async () => {
  await expect(ask('10.1.2.3')).rejects.toMatchObject({ kind: 'refused' });
  await expect(ask('fd00::1')).rejects.toMatchObject({ kind: 'refused' });
  expect(peer.requests).toEqual([]);
  peer.tell('2606:4700::1111', internetDbHost('2606:4700:0:0::1111'));
  expect((await ask('2606:4700::1111')).value?.ports).toEqual([22, 443]);
});
