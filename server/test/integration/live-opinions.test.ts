import { afterEach, beforeEach, expect, test } from 'vitest';
import { AnswerMemory } from '#capabilities/providers/frame/answer-memory.ts';
import { createLookup } from '#capabilities/providers/frame/create-lookup.ts';
import { createKeptAnswers, type KeptAnswers } from '#capabilities/providers/frame/kept-answers.ts';
import { createRedisRoom } from '#capabilities/providers/frame/redis-room.ts';
import { createOtxProvider } from '#capabilities/providers/otx/otx.ts';
import type { Provider } from '#capabilities/providers/provider.ts';
import { createScannerProvider } from '#capabilities/providers/scanner/scanner.ts';
import { parseIndicator, type Url } from '#domain/indicator/index.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { sql } from '#platform/postgres.ts';
import { type LiveRig, openLiveRig } from '#test/live-rig.ts';
import { type OtxPeer, otxPulse, startOtxPeer } from '#test/peers/otx-peer.ts';
import { type ScannerPeer, startScannerPeer } from '#test/peers/scanner-peer.ts';

let rig: LiveRig;
let otx: OtxPeer;
let scanner: ScannerPeer;
let outbound: Outbound;
const opened: { kept: KeptAnswers; close: () => void }[] = [];
beforeEach(async () => {
  rig = await openLiveRig();
  otx = await startOtxPeer();
  scanner = await startScannerPeer();
  outbound = createOutbound({
    log: rig.log,
    clock: rig.clock,
    allow: [otx, scanner].map(({ port }) => `127.0.0.1/32:${port}`),
  });
});
afterEach(async () => {
  for (const { kept, close } of opened.splice(0)) {
    close();
    await kept.close();
  }
  await outbound.close();
  await Promise.all([otx.close(), scanner.close()]);
  await rig.close();
});

function framed<K, V>(provider: Provider<K, V>) {
  const kept = createKeptAnswers(rig);
  const lookup = createLookup(
    {
      memory: new AnswerMemory(),
      redis: rig.redis,
      redisPrefix: rig.prefix,
      room: createRedisRoom(rig),
      kept,
      observations: { record: () => undefined },
      clock: rig.clock,
      log: rig.log,
    },
    provider,
    () => 'evil.com',
  );
  opened.push({ kept, close: lookup.close });
  return Object.assign(lookup, { kept });
}
const otxProcess = () =>
  framed(createOtxProvider({ outbound, clock: rig.clock, baseUrl: otx.url, key: 'otx-key-51f0' }));
const scannerProcess = () =>
  framed(createScannerProvider({ outbound, clock: rig.clock, baseUrl: scanner.url, key: 'key-7c1e' }));

const URL_TEXT = 'http://evil.com/login?token=s3cr3t-value';
const url = (text = URL_TEXT): Url => {
  const parsed = parseIndicator(text);
  if (parsed.ok && parsed.indicator.kind === 'url') return parsed.indicator;
  throw new Error(text);
};
const question = { indicator: url(), isWhole: false };

test('an answer to one process is found by another, and neither cache holds the URL or a key', async () => {
  otx.tell('general', { body: { pulse_info: { count: 1, pulses: [otxPulse('aaa')] } } });
  const one = otxProcess();
  const scan = scannerProcess();
  expect(await one.ask(question)).toMatchObject({ state: 'found', value: { pulseCount: 1 } });
  expect(await scan.ask(url())).toMatchObject({ state: 'found', value: { threats: [] } });
  await one.kept.close();
  expect(await otxProcess().ask(question)).toMatchObject({ state: 'found', value: { pulseCount: 1 } });
  expect(await scannerProcess().ask(url())).toMatchObject({ state: 'found' });
  expect([otx.requests.length, scanner.requests.length]).toEqual([1, 1]);
  const ids = [one.idOf(question), scan.idOf(url())];
  const held = await Promise.all(ids.map((id) => rig.redis.command(id, ['GET', id])));
  const { rows } = await sql`select provider, key, value from live_answer`.execute(rig.postgres.db);
  expect(rows).toHaveLength(1);
  for (const text of held) expect(text).toContain('fetchedAtMs');
  const remembered = JSON.stringify([ids, held, rows]);
  for (const secret of ['s3cr3t', 'token', 'login', 'otx-key', 'key-7c1e'])
    expect(remembered).not.toContain(secret);
});

test('while the community service is down its last answer is used and marked as stale; the scanner is missing', async () => {
  otx.tell('general', { body: { pulse_info: { count: 1, pulses: [otxPulse('aaa')] } } });
  scanner.list('evil.com/', 'MALWARE');
  const one = otxProcess();
  await one.ask(question);
  const scan = scannerProcess();
  expect(await scan.ask(url())).toMatchObject({ state: 'found', value: { threats: ['malware'] } });
  await one.kept.close();
  otx.mode = 'error';
  scanner.mode = 'error';
  rig.pass(7 * 3_600_000);
  expect(await otxProcess().ask(question)).toMatchObject({
    state: 'found',
    isStale: true,
    value: { pulseCount: 1 },
  });
  expect(await scan.ask(url())).toEqual({ state: 'missing', reason: 'failed' });
  expect(await scannerProcess().ask(url())).toEqual({ state: 'missing', reason: 'failed' });
});

test('a threat that was removed from the list disappears when its cached answer expires', async () => {
  scanner.set({ cacheDuration: '30s' });
  scanner.list('evil.com/', 'MALWARE');
  const scan = scannerProcess();
  expect(await scan.ask(url())).toMatchObject({ value: { threats: ['malware'], matched: 'evil.com/' } });
  scanner.unlist('evil.com/');
  rig.pass(20_000);
  expect(await scan.ask(url())).toMatchObject({ value: { threats: ['malware'] } });
  rig.pass(11_000);
  expect(await scan.ask(url())).toMatchObject({ value: { threats: [], matched: null } });
  expect(scanner.requests).toHaveLength(2);
});
