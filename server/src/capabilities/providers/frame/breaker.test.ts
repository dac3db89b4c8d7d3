import { expect, test } from 'vitest';
import { Breaker, type CallResult, PAUSE_MAX_MS, PAUSE_MIN_MS } from './breaker.ts';

function rig() {
  let nowMs = 1_000_000;
  const heard: string[] = [];
  const pauses: number[] = [];
  const breaker = new Breaker({
    clock: { monotonic: () => nowMs },
    onOpen: (pauseMs) => {
      heard.push('open');
      pauses.push(pauseMs);
    },
    onClose: () => heard.push('close'),
  });
  const call = (result: CallResult, times = 1) => {
    for (let each = 0; each < times; each += 1) breaker.enter()?.end(result);
  };
  return { breaker, heard, pauses, call, pass: (ms: number) => (nowMs += ms) };
}

/** `bad` failures among `calls`, spread so that no ten fail in a row. */
function mixed(rigged: ReturnType<typeof rig>, calls: number, bad: number): void {
  for (let each = 0; each < calls; each += 1)
    rigged.call(Math.floor(((each + 1) * bad) / calls) > Math.floor((each * bad) / calls) ? 'bad' : 'good');
}

test.each([
  [20, 10, true],
  [20, 9, false],
  [18, 12, false],
  [40, 20, true],
  [100, 49, false],
])('of %i calls in ten seconds %i failed: open is %s', (calls, bad, isOpen) => {
  const rigged = rig();
  mixed(rigged, calls, bad);
  expect(rigged.breaker.isOpen).toBe(isOpen);
});

test('failures of longer than ten seconds ago do not count', () => {
  const rigged = rig();
  mixed(rigged, 12, 8);
  rigged.pass(11_000);
  mixed(rigged, 12, 8);
  expect(rigged.breaker.isOpen).toBe(false);
  rigged.pass(5_000);
  mixed(rigged, 12, 8);
  expect(rigged.breaker.isOpen).toBe(true);
});

test('ten failures in a row open it, at any rate', () => {
  const rigged = rig();
  for (let each = 0; each < 9; each += 1) {
    rigged.call('bad');
    rigged.pass(30_000);
  }
  expect(rigged.breaker.isOpen).toBe(false);
  rigged.call('bad');
  expect(rigged.breaker.isOpen).toBe(true);
});

test('a cancelled call, or a failure of the target, counts neither as bad nor as good', () => {
  const rigged = rig();
  rigged.call('unsaid', 1_000);
  rigged.call('bad', 9);
  rigged.call('unsaid', 1_000);
  expect(rigged.breaker.isOpen).toBe(false);
  rigged.call('bad');
  expect(rigged.breaker.isOpen).toBe(true);
});

test('open, it lets one call through after the pause, and closes when that succeeds', () => {
  const { breaker, call, heard, pauses, pass } = rig();
  call('bad', 10);
  expect(breaker.lets).toBe(false);
  expect(breaker.enter()).toBeNull();
  pass(pauses[0] ?? 0);
  const probe = breaker.enter();
  expect(probe).not.toBeNull();
  expect(breaker.enter()).toBeNull();
  probe?.end('good');
  expect(breaker.isOpen).toBe(false);
  expect(breaker.enter()).not.toBeNull();
  expect(heard).toEqual(['open', 'close']);
});

test('a probe that fails makes the next pause longer, up to a minute, and the opening is reported once', () => {
  const { breaker, call, heard, pass } = rig();
  call('bad', 10);
  const pausesMs: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    let waitedMs = 0;
    while (!breaker.lets) {
      pass(100);
      waitedMs += 100;
    }
    pausesMs.push(waitedMs);
    breaker.enter()?.end('bad');
  }
  expect(pausesMs[0]).toBeGreaterThanOrEqual(PAUSE_MIN_MS);
  expect(pausesMs[0]).toBeLessThanOrEqual(PAUSE_MIN_MS * 1.25 + 100);
  expect(pausesMs[2]).toBeGreaterThan(PAUSE_MIN_MS * 2);
  expect(Math.max(...pausesMs)).toBeLessThanOrEqual(PAUSE_MAX_MS + 100);
  expect(pausesMs[7]).toBeGreaterThan(PAUSE_MAX_MS * 0.7);
  expect(heard).toEqual(['open']);
});

test('after a cancelled probe the next one may start at once', () => {
  const { breaker, call, pauses, pass } = rig();
  call('bad', 10);
  pass(pauses[0] ?? 0);
  breaker.enter()?.end('unsaid');
  expect(breaker.isOpen).toBe(true);
  expect(breaker.lets).toBe(true);
});

test('calls that began before it opened are ignored afterwards', () => {
  const { breaker, call, heard, pauses, pass } = rig();
  const [early, late] = [breaker.enter(), breaker.enter()];
  call('bad', 10);
  early?.end('good');
  expect(breaker.isOpen).toBe(true);
  pass(pauses[0] ?? 0);
  breaker.enter()?.end('good');
  for (let each = 0; each < 20; each += 1) late?.end('bad');
  expect(breaker.isOpen).toBe(false);
  expect(heard).toEqual(['open', 'close']);
});

test('three calls that hang without any answer since are a stall, long before they fail', () => {
  const { breaker, pass } = rig();
  const calls = [breaker.enter(), breaker.enter(), breaker.enter()];
  expect(breaker.isStalled).toBe(false);
  pass(251);
  expect(breaker.isStalled).toBe(true);
  calls[0]?.end('bad');
  expect(breaker.isStalled).toBe(false);
  expect(breaker.isOpen).toBe(false);
});

test('calls that hang beside answered ones are no stall: the upstream works', () => {
  const { breaker, pass, call } = rig();
  for (let each = 0; each < 5; each += 1) breaker.enter();
  pass(251);
  call('good');
  expect(breaker.isStalled).toBe(false);
});
