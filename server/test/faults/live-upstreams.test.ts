import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { ProviderFailure } from '#capabilities/providers/provider.ts';
import { registry } from '#platform/metrics.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { type LiveRig, openLiveRig } from '#test/live-rig.ts';
import type { PeerMode } from '#test/peers/peer-mode.ts';

let rig: LiveRig;
afterEach(() => rig.close());

const keys = (count: number, name = 'key') => Array.from({ length: count }, (_, index) => `${name}-${index}`);
const reasonsOf = (outcomes: readonly { state: string; reason?: string }[]) => {
  const counts: Record<string, number> = {};
  for (const { state, reason } of outcomes) counts[reason ?? state] = (counts[reason ?? state] ?? 0) + 1;
  return counts;
};
const messages = () =>
  rig.lines.map(({ msg }) => msg).filter((text) => String(text).startsWith('live.breaker'));

async function metric(name: string): Promise<Record<string, number>> {
  const found = (await registry.getMetricsAsJSON()).find((each) => each.name === `assay_${name}`);
  return Object.fromEntries(
    (found?.values ?? []).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}

/** A peer that holds its answers until they are released, and counts its open connections. */
async function holding() {
  const held = new Set<ServerResponse>();
  rig = await openLiveRig((request, response) => {
    held.add(response);
    response.once('close', () => held.delete(response));
    void request;
  });
  return held;
}

test(`when every caller has disconnected, the upstream connection is closed${bySize('', ' within 100 ms')}`, async () => {
  const held = await holding();
  const process = rig.process();
  const callers = [new AbortController(), new AbortController(), new AbortController()];
  const asked = callers.map(({ signal }) => process.ask('long', { signal }));
  await eventually('the question is there', 2_000, () => held.size === 1);
  callers[0]?.abort();
  expect(await asked[0]).toEqual({ state: 'missing', reason: 'cancelled' });
  callers[1]?.abort();
  await sleep(150);
  expect(held.size).toBe(1);
  const [abandoned] = held;
  const leftMs = performance.now();
  callers[2]?.abort();
  // A caller that arrives at the same moment starts a new request, because the previous one was cancelled.
  const again = process.ask('long', { deadlineMs: bySize(2_000, 500) });
  expect(await asked[2]).toEqual({ state: 'missing', reason: 'cancelled' });
  await eventually('the connection is gone', 100, () => abandoned !== undefined && !held.has(abandoned));
  expectWithin(performance.now() - leftMs, 100);
  expect(await again).toEqual({ state: 'missing', reason: 'underway' });
  // The request of a caller whose deadline is over goes on.
  await eventually('the new request is there', 2_000, () => rig.peer.requests.length >= 2);
  expect(rig.peer.requests).toHaveLength(2);
});

test("after a caller's deadline the request continues, and the next caller finds the answer", async () => {
  const held = await holding();
  const process = rig.process();
  const startedMs = performance.now();
  expect(await process.ask('slow', { deadlineMs: 100 })).toEqual({ state: 'missing', reason: 'underway' });
  expectWithin(performance.now() - startedMs, 400);
  // A second caller that is cancelled does not cancel the shared request either.
  const controller = new AbortController();
  const second = process.ask('slow', { signal: controller.signal });
  controller.abort();
  expect(await second).toEqual({ state: 'missing', reason: 'cancelled' });
  await eventually('the question is there', 2_000, () => held.size === 1);
  for (const response of held) response.end(JSON.stringify({ name: 'slow', size: 1 }));
  await eventually('it is remembered', 2_000, async () => (await process.cached('slow')).state === 'found');
  expect(rig.peer.requests).toHaveLength(1);
});

test('a hanging request is cancelled at the deadline of the provider', async () => {
  const held = await holding();
  const process = rig.process({ deadlineMs: 300 });
  const startedMs = performance.now();
  expect(await process.ask('hang')).toEqual({ state: 'missing', reason: 'deadline' });
  expectWithin(performance.now() - startedMs, 1_000);
  await eventually('the connection is gone', 200, () => held.size === 0);
});

test('1,000 concurrent lookups use no more connections than places, and the rest are refused at once', async () => {
  rig = await openLiveRig();
  rig.peer.mode = 'hang';
  const process = rig.process({ atOnceMax: 8 });
  const startedMs = performance.now();
  const refusedMs: number[] = [];
  const ask = async (key: string) => {
    const outcome = await process.ask(key);
    if (outcome.state === 'missing' && outcome.reason === 'busy')
      refusedMs.push(performance.now() - startedMs);
    return outcome;
  };
  const asked = keys(1_000).map(ask);
  await eventually('the rest are refused', 2_000, () => refusedMs.length >= 992);
  expectWithin(Math.max(...refusedMs), 1_500);
  await eventually('the places are taken', 2_000, () => rig.peer.requests.length >= 8);
  // The eight lookups that got a place still wait for the hanging upstream.
  process.close();
  expect(reasonsOf(await Promise.all(asked))).toEqual({ busy: 992, cancelled: 8 });
  expect(rig.peer.connections()).toBeLessThanOrEqual(8);
  expect(rig.peer.requests).toHaveLength(8);
});

test.each<[PeerMode, string]>([
  ['error', 'failed'],
  ['garbage', 'failed'],
  ['flood', 'failed'],
  ['hang', 'deadline'],
])('an upstream in mode %s is missing: %s, is not cached and is asked again', async (mode, reason) => {
  rig = await openLiveRig();
  // Only the upstream that hangs is meant to be too late; a busy machine delays every one.
  const process = rig.process({ deadlineMs: mode === 'hang' ? bySize(5_000, 1_000) : 60_000 });
  rig.peer.mode = mode;
  expect(await process.ask('x')).toEqual({ state: 'missing', reason });
  expect(await process.cached('x')).toEqual({ state: 'missing', reason: 'uncached' });
  rig.peer.mode = 'answer';
  expect(await process.ask('x')).toMatchObject({ state: 'found' });
});

test('a breaker opens on an upstream that fails, sends one request after a pause, and closes when it succeeds', async () => {
  rig = await openLiveRig();
  const process = rig.process();
  rig.peer.mode = 'error';
  for (const key of keys(40)) await process.ask(key);
  expect(rig.peer.requests.length).toBeLessThanOrEqual(20);
  expect(await process.ask('more')).toEqual({ state: 'missing', reason: 'breaker' });
  expect((await metric('live_breakers_open')).rdap).toBe(1);
  const asked = rig.peer.requests.length;
  rig.pass(7_000);
  // The upstream still fails: one of 50 lookups is let through as a probe.
  await Promise.all(keys(50, 'probe').map((key) => process.ask(key)));
  expect(rig.peer.requests.length).toBe(asked + 1);
  rig.peer.mode = 'answer';
  expect(await process.ask('still')).toEqual({ state: 'missing', reason: 'breaker' });
  rig.pass(13_000);
  expect(await process.ask('healed')).toMatchObject({ state: 'found' });
  expect(reasonsOf(await Promise.all(keys(30, 'after').map((key) => process.ask(key))))).toEqual({
    found: 30,
  });
  expect((await metric('live_breakers_open')).rdap).toBe(0);
  expect(messages()).toEqual(['live.breaker.opened', 'live.breaker.closed']);
});

test('a breaker opens on an upstream that hangs, and then no caller waits for it', async () => {
  rig = await openLiveRig();
  const process = rig.process({ deadlineMs: 300, atOnceMax: 5 });
  rig.peer.mode = 'hang';
  for (let round = 0; round < 2; round += 1)
    await Promise.all(keys(5, `round-${round}`).map((key) => process.ask(key)));
  const startedMs = performance.now();
  expect(await process.ask('next')).toEqual({ state: 'missing', reason: 'breaker' });
  expectWithin(performance.now() - startedMs, 100);
});

test('one upstream that fails does not open the breaker of another', async () => {
  rig = await openLiveRig();
  const upstreamOf = (key: string) => key.split('-')[0] ?? '';
  const process = rig.process({ upstreamOf });
  rig.peer.mode = 'error';
  for (const key of keys(12, 'bad')) await process.ask(key);
  rig.peer.mode = 'answer';
  expect(await process.ask('bad-x')).toEqual({ state: 'missing', reason: 'breaker' });
  expect(await process.ask('good-x')).toMatchObject({ state: 'found' });
});

test('failing targets and refused lookups do not count as failures of the upstream', async () => {
  rig = await openLiveRig();
  const process = rig.process();
  for (const key of keys(50, 'target')) await process.ask(key);
  expect(rig.peer.requests).toHaveLength(50);
  const outside = rig.process({
    ask: async (_, { signal, deadlineMs }) => {
      const url = 'http://169.254.169.254/latest/meta-data/';
      await rig.outbound.fetch(url, { signal, deadlineMs, bytesMax: 1_024, schemes: ['http'] });
      return { value: null };
    },
  });
  for (const key of keys(50, 'inner'))
    expect(await outside.ask(key)).toEqual({ state: 'missing', reason: 'refused' });
  expect(messages()).toEqual([]);
});

test('silent target hosts do not block lookups of other hosts', async () => {
  rig = await openLiveRig();
  rig.peer.mode = 'hang';
  const { ask } = rig.provider();
  const process = rig.process({
    // The provider's request ends at 95 % of it; in the rest a busy machine must report that the target is silent.
    deadlineMs: bySize(4_000, 300),
    ask: async (key, asking) => {
      try {
        return await ask(key, asking);
      } catch (error) {
        throw new ProviderFailure('target', 'The host is silent.', error);
      }
    },
  });
  const outcomes = await Promise.all(keys(30).map((key) => process.ask(key)));
  expect(reasonsOf(outcomes)).toEqual({ failed: 30 });
  expect(messages()).toEqual([]);
});

test('background lookups take half the places at most, never queue, and stop at an open breaker', async () => {
  rig = await openLiveRig();
  const process = rig.process({ atOnceMax: 8, deadlineMs: bySize(5_000, 2_000) });
  process.warm('ahead');
  await eventually('it is remembered', 2_000, async () => (await process.cached('ahead')).state === 'found');
  rig.peer.mode = 'hang';
  const before = rig.peer.requests.length;
  for (const key of keys(100, 'warm')) process.warm(key);
  await eventually('they are asked', 2_000, () => rig.peer.requests.length - before >= 4);
  await sleep(300);
  expect(rig.peer.requests.length - before).toBe(4);
  rig.peer.mode = 'error';
  await Promise.all(keys(4, 'fill').map((key) => process.ask(key)));
  await eventually('the warming is over', 5_000, async () => (await metric('live_in_flight')).rdap === 0);
  for (const key of keys(20, 'break')) await process.ask(key);
  const open = rig.peer.requests.length;
  for (const key of keys(20, 'cold')) process.warm(key);
  await sleep(100);
  expect(rig.peer.requests.length).toBe(open);
});

test('closing aborts the requests in flight, and no new request is sent', async () => {
  const held = await holding();
  const process = rig.process();
  const asked = process.ask('open');
  await eventually('the question is there', 2_000, () => held.size === 1);
  process.close();
  expect(await asked).toEqual({ state: 'missing', reason: 'cancelled' });
  await eventually('the connection is gone', 100, () => held.size === 0);
  expect(await process.ask('later')).toEqual({ state: 'missing', reason: 'cancelled' });
});

test('a provider that throws an unexpected error or breaks its own schema is missing and never causes an exception', async () => {
  rig = await openLiveRig();
  const broken = rig.process({
    ask: () => {
      throw new TypeError('oops');
    },
  });
  expect(await broken.ask('x')).toEqual({ state: 'missing', reason: 'failed' });
  const lying = rig.process({ ask: async () => ({ value: { name: 'n'.repeat(200), size: -1 } }) });
  expect(await lying.ask('y')).toEqual({ state: 'missing', reason: 'failed' });
  const observing = rig.process({
    observe: () => {
      throw new Error('oops');
    },
  });
  expect(await observing.ask('z')).toEqual({ state: 'missing', reason: 'failed' });
  expect(rig.lines.filter(({ msg }) => msg === 'live.call.unreadable')).toHaveLength(3);
});

test('lookups are counted by provider: results, origins, seconds', async () => {
  rig = await openLiveRig();
  registry.resetMetrics();
  const process = rig.process();
  await Promise.all([process.ask('a'), process.ask('a')]);
  await process.ask('a');
  await process.ask('absent-a');
  await process.ask('target-a');
  expect(await metric('live_calls_total')).toMatchObject({
    'rdap found': 1,
    'rdap absent': 1,
    'rdap target': 1,
  });
  expect(await metric('live_answers_total')).toMatchObject({
    'rdap upstream': 2,
    'rdap shared': 1,
    'rdap memory': 1,
  });
  expect((await metric('live_in_flight')).rdap).toBe(0);
  const page = await registry.metrics();
  expect(page).toMatch(/assay_live_call_seconds_bucket\{le="\+Inf",provider="rdap"\} 3/);
});
