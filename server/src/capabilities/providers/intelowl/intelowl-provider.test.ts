import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { type IntelOwlPeer, startIntelOwlPeer } from '#test/peers/intelowl-peer.ts';
import { IntelOwlReport } from '../contract-opinions.ts';
import { createIntelOwlProvider, reachesIntelOwl } from './intelowl-provider.ts';

const TOKEN = 'owl-token-7710';
/** A deadline for servers that answer, so long that no test reaches it. */
const ENOUGH_MS = 30_000;
const KEY = { type: 'domain', value: 'example.com' } as const;

let peer: IntelOwlPeer;
let outbound: Outbound;
beforeEach(async () => {
  peer = await startIntelOwlPeer(TOKEN);
  outbound = createOutbound({
    log: createLog('silent'),
    clock: systemClock(),
    allow: [`127.0.0.1/32:${peer.port}`],
  });
});
afterEach(async () => {
  await outbound.close();
  await peer.close();
});

const deps = (token = TOKEN) => ({ outbound, baseUrl: peer.url, token });
const patience = (deadlineMs: number) => ({ signal: AbortSignal.timeout(60_000), deadlineMs });
const ask = (deadlineMs = ENOUGH_MS, token = TOKEN) =>
  createIntelOwlProvider(deps(token)).ask(KEY, patience(deadlineMs));

const report = (name: string, evaluation?: string) => ({
  name,
  status: 'SUCCESS',
  report: { score: 1 },
  ...(evaluation === undefined ? {} : { data_model: { evaluation } }),
});

test('an analysis is submitted with the token and returned when it ends', async () => {
  peer.state.runningFor = 1;
  peer.state.job = {
    status: 'reported_with_fails',
    analyzer_reports: [
      report('A', 'malicious'),
      report('B', 'trusted'),
      report('C'),
      report('D', 'suspicious'),
    ],
  };
  const { value, freshMs } = await ask();
  expect(value).toMatchObject({
    status: 'completed',
    jobId: 42,
    summary: { malicious: 1, suspicious: 1, clean: 1, total: 4 },
  });
  expect(value?.analyzers[0]).toEqual({ name: 'A', status: 'SUCCESS', report: { score: 1 } });
  expect(freshMs).toBeUndefined();
  expect(peer.submitted[0]?.body).toMatchObject({
    observable_name: 'example.com',
    observable_classification: 'domain',
    tlp: 'AMBER',
  });
});

test('an analyzer without an evaluation is never counted as clean', async () => {
  peer.state.job = {
    status: 'reported_without_fails',
    analyzer_reports: [report('A'), report('B', 'no idea')],
  };
  expect((await ask()).value?.summary).toEqual({ malicious: 0, suspicious: 0, clean: 0, total: 2 });
});

test('an analysis still running near the deadline is accepted, and cached for seconds only', async () => {
  peer.state.runningFor = 1_000;
  const started = performance.now();
  const { value, freshMs } = await ask(1_500);
  if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(1_500);
  expect(value).toMatchObject({ status: 'accepted', jobId: 42, analyzers: [] });
  expect(freshMs).toBe(2_000);
});

test('a failed analysis is returned as failed and not cached for an hour', async () => {
  peer.state.job = { status: 'failed', analyzer_reports: [] };
  expect(await ask()).toMatchObject({ value: { status: 'failed' }, freshMs: 2_000 });
});

test('without a URL or a token it is unconfigured, and says what an operator must set', async () => {
  expect(createIntelOwlProvider({ outbound }).unconfigured).toMatch(/INTELOWL_URL and INTELOWL_TOKEN/);
  expect(createIntelOwlProvider({ outbound, baseUrl: peer.url }).unconfigured).toBeDefined();
  expect(createIntelOwlProvider(deps()).unconfigured).toBeUndefined();
  expect(await reachesIntelOwl({ outbound }, patience(500))).toBe(false);
});

test.each(['error', 'garbage', 'flood'] as const)('%s is a failure', async (mode) => {
  peer.mode = mode;
  await expect(ask()).rejects.toThrow();
});

test('a wrong token and a hanging server fail in time', async () => {
  await expect(ask(ENOUGH_MS, 'wrong')).rejects.toEqual(expect.objectContaining({ kind: 'upstream' }));
  peer.mode = 'hang';
  await expect(ask(500)).rejects.toEqual(expect.objectContaining({ reason: 'deadline' }));
});

describe('a hostile analyzer', () => {
  test('reports are bounded, inert and in the form of the contract', async () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown;
    peer.state.job = {
      status: 'reported_without_fails',
      analyzer_reports: [
        { name: 'x\u202e\u0000'.repeat(100), status: 7, report: deep },
        {
          name: 'Proto',
          status: 'SUCCESS',
          report: JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as unknown,
        },
        { status: 'SUCCESS', report: 'nameless' },
        null,
        ...Array.from({ length: 500 }, (_, i) => ({
          name: `A${i}`,
          status: 'SUCCESS',
          report: 'y'.repeat(1_000),
        })),
      ],
    };
    const { value } = await ask();
    expect(IntelOwlReport.parse(value)).toEqual(value);
    expect(value?.analyzers.length).toBeLessThanOrEqual(100);
    expect(value?.analyzers[0]?.name).toBe('x'.repeat(100));
    expect(JSON.stringify(value).length).toBeLessThan(256 * 1024);
    expect(value?.analyzers[1]?.report).toEqual({ b: 2 });
  });

  test('lists in place of texts are ignored', async () => {
    peer.state.job = { status: 'reported_without_fails', analyzer_reports: 'many' };
    expect((await ask()).value?.analyzers).toEqual([]);
  });
});

test('a URL of any length has a short key', () => {
  const { keyOf } = createIntelOwlProvider(deps());
  expect(keyOf({ type: 'url', value: `https://example.com/${'x'.repeat(2_000)}` }).length).toBeLessThan(300);
});

test('reachable means: it answers, and takes our token', async () => {
  expect(await reachesIntelOwl(deps(), patience(ENOUGH_MS))).toBe(true);
  expect(await reachesIntelOwl(deps('wrong'), patience(ENOUGH_MS))).toBe(false);
  peer.mode = 'error';
  expect(await reachesIntelOwl(deps(), patience(ENOUGH_MS))).toBe(false);
  peer.mode = 'hang';
  expect(await reachesIntelOwl(deps(), patience(300))).toBe(false);
  peer.mode = 'flood';
  expect(await reachesIntelOwl(deps(), patience(ENOUGH_MS))).toBe(true);
});
