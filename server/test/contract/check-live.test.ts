import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CheckEvent } from '#capabilities/check/index.ts';
import { eventually } from '#test/eventually.ts';
import { listen } from '#test/http-app.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import type { LivePeers } from '#test/live-peers.ts';
import type { PeerMode } from '#test/peers/peer-mode.ts';
import { readStream } from '#test/read-stream.ts';
import { GOLDEN } from '../golden/golden-corpus.ts';
import { goldenContext, type LiveGoldenContext, startGoldenPeers, tellPeers } from '../golden/golden-live.ts';
import { type GoldenService, startGolden } from '../golden/golden-service.ts';

let peers: LivePeers;
let context: LiveGoldenContext;
let service: GoldenService;
let base: string;

beforeAll(async () => {
  peers = await startGoldenPeers();
  context = goldenContext(peers);
  service = await startGolden(context);
  base = `http://127.0.0.1:${await listen(service.app)}`;
});
afterAll(async () => {
  await service?.close();
  await peers?.close();
});

async function worldIs(mode: PeerMode): Promise<void> {
  for (const peer of peers.modal) peer.mode = mode;
  tellPeers(peers);
  await context.forget();
}

type Answer = Record<string, unknown> & {
  readonly dataTrust: { completeness: { present: string[]; missing: string[] } };
  readonly riskScore: unknown;
};
async function check(query: string, enrichment: string) {
  const startedMs = performance.now();
  const url = `/check?query=${encodeURIComponent(query)}&enrichment=${enrichment}`;
  const { statusCode, body } = await service.app.inject({ url });
  expect(statusCode, body).toBe(200);
  return { body: JSON.parse(body) as Answer, tookMs: performance.now() - startedMs };
}
const LOCAL = [
  'malicious',
  'blocklistHits',
  'sources',
  'riskScore',
  'confidence',
  'classification',
  'evidence',
];

describe.each(['hang', 'error', 'garbage', 'flood'] as const)('every upstream is in mode %s', (mode) => {
  test('standard answers within 3 s and full within 7, with the verdict of the lists and null for live facts', async () => {
    await worldIs(mode);
    const fast = (await check(GOLDEN.ip, 'fast')).body;
    const standard = await check(GOLDEN.ip, 'standard');
    const full = await check(GOLDEN.ip, 'full');
    if (IS_FULL_SIZE) expect(standard.tookMs).toBeLessThan(3_000);
    if (IS_FULL_SIZE) expect(full.tookMs).toBeLessThan(7_000);
    for (const { body } of [standard, full]) {
      for (const field of LOCAL) expect(body[field], field).toEqual(fast[field]);
      // Without an answer the key `otx` is absent (trap 12), and the four zeros mean that no engine answered.
      expect('otx' in body).toBe(false);
      expect(body).toMatchObject({ whois: null, vulnerabilities: null, reputation: { undetected: 0 } });
      expect(body.dataTrust.completeness.missing).toEqual(
        expect.arrayContaining(['reputation', 'whois', 'vulnerabilities', 'otx']),
      );
    }
    // The certificate (TLS) and the timeline (our record) do not come over HTTP, so they are still present.
    expect(full.body).toMatchObject({ enrichmentLevel: 'full', timeline: { totalDetections: 2 } });
    expect(full.body.certificates).not.toBeNull();
  });
});

describe('the stream', () => {
  test('every phase comes in order within 8 s while every upstream hangs, and names the providers it lacks', async () => {
    await worldIs('hang');
    const url = `${base}/check/stream?query=${GOLDEN.domain}`;
    const { events, tookMs } = await readStream(url);
    expect(events.map(({ type }) => type)).toEqual([
      'reputation',
      'basic',
      'insights',
      'dns',
      'enrichment',
      'done',
    ]);
    if (IS_FULL_SIZE) expect(tookMs).toBeLessThan(8_000);
    for (const { type, data } of events) CheckEvent.parse({ type, data });
    expect(events[0]?.data).toMatchObject({ malicious: true, degraded: ['scanner'] });
    expect(events[1]?.data).toMatchObject({
      whois: null,
      degraded: expect.arrayContaining(['whois']) as unknown,
    });
    // DNS and TLS do not hang, so their facts are present.
    expect(events[1]?.data.geo).toMatchObject({ countryCode: 'NL' });
    expect(events[3]?.data).toMatchObject({ hasSPF: true, hasDMARC: true, nameserverCount: 2 });
    expect(events[4]?.data).toMatchObject({
      otx: null,
      degraded: expect.arrayContaining(['otx']) as unknown,
    });
  });

  test('facets are sent as they arrive, within a fraction of a second when upstreams are healthy', async () => {
    await worldIs('answer');
    const { events, tookMs } = await readStream(
      `${base}/check/stream?query=${encodeURIComponent(GOLDEN.url)}`,
    );
    if (IS_FULL_SIZE) expect(tookMs).toBeLessThan(3_000);
    const data = Object.fromEntries(events.map((event) => [event.type, event.data]));
    expect(data.reputation).toMatchObject({ type: 'url', query: GOLDEN.url });
    expect(data.basic).toMatchObject({
      whois: { registrar: 'Example Registrar, Inc.' },
      certificates: { isTrusted: true },
    });
    expect(data.enrichment).toMatchObject({
      otx: { pulseCount: 12 },
      technologies: [{ name: 'nginx' }, { name: 'PHP' }, { name: 'WordPress' }],
    });
    for (const event of events) expect(event.data).not.toHaveProperty('degraded');
  });

  test('a reader who disconnects cancels the lookups: the upstreams see their connections close', async () => {
    await worldIs('answer');
    peers.otx.tell('general', 'hang');
    const before = peers.otx.abandoned();
    const leave = new AbortController();
    const response = await fetch(`${base}/check/stream?query=${GOLDEN.knownHash}`, {
      signal: leave.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await eventually('the question arrived', 3_000, async () =>
      peers.otx.requests.some((line) => line.includes(GOLDEN.knownHash)),
    );
    const leftMs = performance.now();
    leave.abort();
    await eventually('it was taken back', 2_000, async () => peers.otx.abandoned() > before);
    if (IS_FULL_SIZE) expect(performance.now() - leftMs).toBeLessThan(1_000);
  });
});

test('basic waits for no upstream: the first answer has no live facts, the next has those fetched in the background', async () => {
  await worldIs('answer');
  const first = await check(GOLDEN.domain, 'basic');
  expect(first.body).toMatchObject({ whois: null, certificates: null, enrichmentLevel: 'basic' });
  if (IS_FULL_SIZE) expect(first.tookMs).toBeLessThan(500);
  await eventually('it is remembered', 5_000, async () => {
    const { body } = await check(GOLDEN.domain, 'basic');
    return body.whois !== null && body.certificates !== null && body.geo !== null;
  });
  const { body } = await check(GOLDEN.domain, 'basic');
  for (const key of ['riskScore', 'confidence', 'classification', 'mitre', 'otx', 'dns', 'timeline'])
    expect(key in body, key).toBe(false);
});

test('a private address, fast and bulk ask no upstream', async () => {
  await worldIs('answer');
  const asked = () => peers.modal.reduce((sum, peer) => sum + peer.requests.length, 0);
  const before = asked();
  for (const level of ['basic', 'standard', 'full']) await check(GOLDEN.privateIp, level);
  await check(GOLDEN.domain, 'fast');
  const payload = { entities: [GOLDEN.domain, GOLDEN.ip, GOLDEN.url] };
  expect((await service.app.inject({ method: 'POST', url: '/bulk/check', payload })).statusCode).toBe(200);
  expect(asked()).toBe(before);
});
