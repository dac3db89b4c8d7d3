import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseIndicator } from '#domain/indicator/index.ts';
import { createLog } from '#platform/log.ts';
import { registry } from '#platform/metrics.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { eventually } from '#test/eventually.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { type OtxPeer, otxPulse, startOtxPeer } from '#test/peers/otx-peer.ts';
import { Otx } from '../contract-opinions.ts';
import type { OtxKey } from '../providers.ts';
import { createOtxProvider } from './otx.ts';

const KEY = 'otx-key-51f0';
const FETCHED_AT = '2026-06-01T00:00:00.000Z';
const FETCHED = { source: 'AlienVault OTX', fetchedAt: FETCHED_AT };
const IP = '93.184.216.34';
const logged: string[] = [];
const clock = { now: () => Date.UTC(2026, 5, 1), monotonic: () => performance.now() };
let peer: OtxPeer;
let outbound: Outbound;
beforeEach(async () => {
  logged.length = 0;
  peer = await startOtxPeer();
  const log = createLog('trace', { write: (line) => logged.push(line) });
  outbound = createOutbound({ log, clock, allow: [`127.0.0.1/32:${peer.port}`] });
});
afterEach(async () => {
  await outbound.close();
  await peer.close();
});

const keyFor = (text: string, isWhole = false): OtxKey => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind === 'cidr' || parsed.indicator.kind === 'email')
    throw new Error(text);
  return { indicator: parsed.indicator, isWhole };
};
const provider = () => createOtxProvider({ outbound, clock, baseUrl: peer.url, key: KEY });
const ask = (text: string, isWhole = false, deadlineMs = 30_000) =>
  provider().ask(keyFor(text, isWhole), { signal: AbortSignal.timeout(60_000), deadlineMs });
const pulsesOf = (...pulses: unknown[]) => ({ body: { pulse_info: { count: pulses.length, pulses } } });

test('pulses are shown newest first, with their times in UTC and a link', async () => {
  peer.tell(
    'general',
    pulsesOf(
      otxPulse('aaa', { modified: '2026-01-01T00:00:00' }),
      otxPulse('bbb', { TLP: 'amber', subscriber_count: 'many', author: null }),
    ),
  );
  expect(await ask(IP)).toEqual({
    value: {
      ...FETCHED,
      pulseCount: 2,
      moreCount: 0,
      reputationScore: null,
      pulses: [
        {
          id: 'bbb',
          name: 'Pulse bbb',
          description: 'Seen in a campaign.',
          tags: ['c2'],
          tlp: 'amber',
          modified: '2026-05-01T10:00:00.123Z',
          references: ['https://research.example/report'],
          authorUsername: null,
          subscriberCount: null,
          pulseUrl: `${peer.url}/pulse/bbb`,
        },
        expect.objectContaining({ id: 'aaa', modified: '2026-01-01T00:00:00.000Z' }),
      ],
    },
    freshMs: 6 * 3_600_000,
  });
  expect(peer.headers[0]?.['x-otx-api-key']).toBe(KEY);
});

test('of more than ten pulses ten are shown and all are counted', async () => {
  const pulses = Array.from({ length: 30 }, (_, i) =>
    otxPulse(`p${i}`, { modified: `2026-03-${String(i + 1).padStart(2, '0')}T00:00:00` }),
  );
  peer.tell('general', { body: { pulse_info: { count: 47, pulses }, reputation: 2 } });
  const { value } = await ask(IP);
  expect(value).toMatchObject({ pulseCount: 47, moreCount: 37, reputationScore: 2 });
  expect(value?.pulses.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, i) => `p${29 - i}`));
});

test('an indicator without pulses is found with an empty list, and looked up again within the hour', async () => {
  const empty = { ...FETCHED, pulseCount: 0, moreCount: 0, reputationScore: 0, pulses: [] };
  expect(await ask(IP)).toEqual({ value: empty, freshMs: 3_600_000 });
  peer.tell('general', { status: 404, body: { detail: 'endpoint not found' } });
  expect((await ask('a'.repeat(64))).value).toEqual({ ...empty, reputationScore: null });
});

test.each([
  [IP, `IPv4/${IP}`],
  ['2606:4700::1111', 'IPv6/2606%3A4700%3A%3A1111'],
  ['evil.com', 'domain/evil.com'],
  ['www.evil.co.uk', 'hostname/www.evil.co.uk'],
  ['http://evil.com/a?b=c', 'url/http%3A%2F%2Fevil.com%2Fa%3Fb%3Dc'],
  ['d41d8cd98f00b204e9800998ecf8427e', 'file/d41d8cd98f00b204e9800998ecf8427e'],
])('%s is looked up as %s, in one request', async (text, path) => {
  await ask(text);
  expect(peer.requests).toEqual([`GET /api/v1/indicators/${path}/general`]);
});

test('an address at full has its reputation, its counts and its passive DNS', async () => {
  peer.tell('general', { body: { pulse_info: { count: 0 }, reputation: 0, country_name: 'Norway' } });
  peer.tell('reputation', { body: { reputation: { threat_score: 4, country: 'NO' } } });
  peer.tell('malware', { body: { data: [{ hash: 'x' }], size: 9, count: 9 } });
  peer.tell('url_list', { body: { url_list: [], full_size: 31, actual_size: 31 } });
  peer.tell('passive_dns', {
    body: {
      count: 70,
      passive_dns: Array.from({ length: 60 }, (_, i) => ({
        hostname: `h${i}.evil.com`,
        address: IP,
        record_type: 'A',
        first: '2026-01-01T00:00:00',
        last: `2026-02-${String((i % 28) + 1).padStart(2, '0')}T00:00:00`,
      })),
    },
  });
  const { value, freshMs } = await ask(IP, true);
  expect(value?.labsReputation).toEqual({
    ...FETCHED,
    score: 4,
    countryName: 'Norway',
    malwareSampleCount: 9,
    urlCount: 31,
  });
  expect(value?.passiveDns).toMatchObject({ ...FETCHED, totalRecords: 70, moreCount: 20 });
  expect(value?.passiveDns?.records).toHaveLength(50);
  expect(value?.passiveDns?.records[0]).toEqual({
    hostname: 'h27.evil.com',
    address: IP,
    recordType: 'A',
    firstSeen: '2026-01-01T00:00:00.000Z',
    lastSeen: '2026-02-28T00:00:00.000Z',
  });
  expect(freshMs).toBe(3_600_000);
  expect(provider().observe).toBeUndefined();
});

test('a domain at full has passive DNS, a file its analysis, a URL its pulses', async () => {
  peer.tell('passive_dns', { body: { passive_dns: [], count: 0 } });
  const rules = Array.from({ length: 25 }, (_, i) => ({ rule_name: `rule${i}`, severity: 0 }));
  peer.tell('analysis', {
    body: {
      analysis: {
        info: { results: { file_class: 'PEXE', file_type: 'PE32 executable', filesize: '437760' } },
        plugins: { pe32info: { results: {} }, yarad: { results: { detection: rules } } },
      },
    },
  });
  const domain = (await ask('evil.com', true)).value;
  expect(domain?.passiveDns).toEqual({ ...FETCHED, totalRecords: 0, moreCount: 0, records: [] });
  expect(domain?.labsReputation).toBeUndefined();
  const file = (await ask('d41d8cd98f00b204e9800998ecf8427e', true)).value;
  expect(file?.fileAnalysis).toEqual({
    ...FETCHED,
    fileClass: 'PEXE',
    fileType: 'PE32 executable',
    size: 437_760,
    yara: Array.from({ length: 20 }, (_, i) => `rule${i}`),
    plugins: ['pe32info', 'yarad'],
    moreCount: 5,
  });
  expect(file?.passiveDns).toBeUndefined();
  const before = peer.requests.length;
  const url = (await ask('http://evil.com/x', true)).value;
  expect(Object.keys(url ?? {})).not.toContain('passiveDns');
  expect(peer.requests.length - before).toBe(1);
});

test('a file without an analysis is found', async () => {
  peer.tell('analysis', { body: { malware: {}, page_type: 'generic', analysis: null } });
  const { value, freshMs } = await ask('d41d8cd98f00b204e9800998ecf8427e', true);
  expect(value?.fileAnalysis).toBeUndefined();
  expect(freshMs).toBe(3_600_000);
});

test('a hanging section is left out without losing the pulses, and is looked up again soon', async () => {
  peer.tell('general', pulsesOf(otxPulse('aaa')));
  peer.tell('passive_dns', 'hang');
  const startedMs = performance.now();
  const { value, freshMs } = await ask('evil.com', true, bySize(5_000, 2_000));
  if (IS_FULL_SIZE) expect(performance.now() - startedMs).toBeLessThan(2_000);
  expect(value).toMatchObject({ pulseCount: 1 });
  expect(value?.passiveDns).toBeUndefined();
  expect(freshMs).toBe(60_000);
});

test('an unavailable count is null, never 0', async () => {
  peer.tell('passive_dns', { body: { passive_dns: [] } });
  peer.tell('reputation', { body: { reputation: null } });
  peer.tell('malware', { status: 500, body: {} });
  peer.tell('url_list', { body: { full_size: 'lots' } });
  const { value, freshMs } = await ask(IP, true);
  expect(value?.labsReputation).toEqual({
    ...FETCHED,
    score: null,
    countryName: null,
    malwareSampleCount: null,
    urlCount: null,
  });
  expect(freshMs).toBe(60_000);
});

test('when the pulses fail the lookup does not wait for the rest', async () => {
  peer.tell('general', { status: 502, body: {} });
  peer.tell('passive_dns', 'hang');
  const startedMs = performance.now();
  await expect(ask('evil.com', true)).rejects.toMatchObject({ kind: 'upstream' });
  if (IS_FULL_SIZE) expect(performance.now() - startedMs).toBeLessThan(1_500);
  await eventually('the hanging request is cancelled', 1_000, () => peer.abandoned() === 1);
});

test.each([
  ['text for pulses', { pulse_info: 'none' }],
  ['nothing', null],
  ['a list', []],
  ['pulses that are no list', { pulse_info: { count: 1, pulses: 'one' } }],
])('%s is a failure, not an empty list', async (_, body) => {
  peer.tell('general', { body });
  await expect(ask(IP)).rejects.toMatchObject({ kind: 'upstream' });
});

test('hostile pulses are made inert and cut to size, broken ones counted and not shown', async () => {
  const nasty = `\u001b[2J\u202e<script>alert(1)</script>\u0000${'A'.repeat(5_000)}`;
  peer.tell('general', {
    body: {
      pulse_info: {
        count: -5,
        pulses: [
          otxPulse('good', {
            name: nasty,
            description: nasty,
            tags: Array.from({ length: 300 }, () => nasty),
            references: [nasty, 7, null, ...Array.from({ length: 300 }, (_, i) => `https://r.example/${i}`)],
            TLP: nasty,
            modified: '9999-99-99T99:99:99',
            author: { username: nasty },
            subscriber_count: -1,
          }),
          otxPulse('../../admin'),
          otxPulse('x'.repeat(500)),
          { name: 'no id' },
          7,
          null,
        ],
      },
      reputation: 'bad',
    },
  });
  const { value } = await ask(IP);
  expect(Otx.parse(value)).toEqual(value);
  expect(value).toMatchObject({ pulseCount: 6, moreCount: 5, reputationScore: null });
  const [pulse] = value?.pulses ?? [];
  expect(pulse).toMatchObject({ id: 'good', modified: null, subscriberCount: null });
  // JSON escapes control characters, but not bidirectional ones.
  expect(JSON.stringify(value)).not.toMatch(/\\u00|\\[bfnrt]|\u202e/);
  expect(pulse?.description).toHaveLength(1_000);
});

test('hostile sections are left out or cut to size', async () => {
  peer.tell('passive_dns', {
    body: {
      count: 'x',
      passive_dns: [
        7,
        null,
        { hostname: 1 },
        { hostname: '\u0007a\u202eb', address: 'x'.repeat(900), first: {}, last: 'yesterday' },
      ],
    },
  });
  peer.tell('reputation', { body: 'none of your business' });
  peer.tell('malware', { body: [] });
  peer.tell('url_list', { body: {} });
  const { value } = await ask(IP, true);
  expect(Otx.parse(value)).toEqual(value);
  expect(value?.labsReputation).toBeUndefined();
  expect(value?.passiveDns).toMatchObject({
    totalRecords: 4,
    moreCount: 3,
    records: [{ hostname: 'ab', address: 'x'.repeat(256), recordType: '', firstSeen: null, lastSeen: null }],
  });
});

test('429 with a Retry-After, a refused key and an outage count against it, a refused query does not', async () => {
  for (const [status, kind] of [
    [429, 'upstream'],
    [403, 'upstream'],
    [504, 'upstream'],
    [400, 'target'],
  ] as const) {
    peer.tell('general', { status, headers: { 'retry-after': '120' }, body: { detail: 'no' } });
    await expect(ask(IP)).rejects.toMatchObject({ kind });
  }
});

test('a server that hangs, floods or sends garbage ends at the deadline or the cap, and the key appears nowhere', async () => {
  const errors: unknown[] = [];
  for (const [mode, failure] of [
    ['hang', { reason: 'deadline' }],
    ['flood', { reason: 'too_large' }],
    ['garbage', { kind: 'upstream' }],
    ['error', { kind: 'upstream' }],
  ] as const) {
    peer.mode = mode;
    const error: unknown = await ask(IP, true, mode === 'hang' ? 300 : 30_000).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject(failure);
    errors.push(error);
  }
  const seen = [
    ...peer.requests,
    ...logged,
    ...errors.map((error) => inspect(error, { depth: 10, showHidden: true })),
    await registry.metrics(),
  ].join('\n');
  expect(logged.join()).toContain('outbound.failed');
  expect(seen).not.toContain(KEY);
});

test('an address that is not public and a URL that is too long are not looked up', async () => {
  for (const text of ['10.0.0.1', 'http://192.168.0.1/x', `http://evil.com/${'/'.repeat(1_500)}`])
    await expect(ask(text, true)).rejects.toMatchObject({ kind: 'refused' });
  expect(peer.requests).toEqual([]);
});

test('a query has one short key, and the key of a URL reveals nothing of it', () => {
  const { keyOf } = provider();
  expect(keyOf(keyFor('evil.com'))).toBe('brief:domain:evil.com');
  expect(keyOf(keyFor('evil.com', true))).toBe('whole:domain:evil.com');
  expect(keyOf(keyFor(`http://evil.com/${'x'.repeat(1_900)}?token=1`))).toMatch(/^brief:url:[\da-f]{64}$/);
});

test('without a key it says what to set', () => {
  expect(createOtxProvider({ outbound, clock, baseUrl: peer.url }).unconfigured).toContain('OTX_KEY');
});
