import { type CheckPhase, NetworkFailure, RateLimited, StreamBroken } from '@assay/sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CheckDesk, createCheckDesk, failureOf, type OpenCheck } from './check-desk.ts';
import * as phase from './check-state.fixture.ts';
import { IP, type Unmarked } from './check-state.fixture.ts';
import { afterPhases, type CheckState, type CheckTarget, started } from './check-state.ts';

const OTHER: CheckTarget = { type: 'ip', value: '192.0.2.9' };
const FOUND: readonly Unmarked[] = [
  phase.reputation(),
  phase.basic(),
  phase.insights(),
  phase.enrichment(),
  phase.done,
];

function service() {
  const asked: { value: string; lastEventId: string | null; signal: AbortSignal }[] = [];
  const queue: (Unmarked | Error)[] = [];
  const early: CheckPhase[] = [];
  let wake = (): void => {};
  async function* answer(signal: AbortSignal, lastEventId: string | null) {
    let id = lastEventId === null ? 0 : Number(lastEventId.slice(1));
    for (;;) {
      const next = queue.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve());
        });
        if (signal.aborted) return;
        continue;
      }
      if (next instanceof Error) throw next;
      id += 1;
      yield { ...next, id: `m${id}` };
      if (next.type === 'done') return;
    }
  }
  const open: OpenCheck = (value, { signal, lastEventId }) => {
    asked.push({ value, lastEventId, signal });
    return { arrived: early.splice(0), rest: answer(signal, lastEventId) };
  };
  const say = async (...answers: readonly (Unmarked | Error)[]): Promise<void> => {
    queue.push(...answers);
    wake();
    await vi.advanceTimersByTimeAsync(1);
  };
  return { asked, early, open, say };
}

let desk: CheckDesk;
let peer: ReturnType<typeof service>;
const states = new Map<string, CheckState>();
const finished: CheckState[] = [];
const stateOf = (target: CheckTarget = IP) => states.get(target.value);

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  states.clear();
  finished.length = 0;
  peer = service();
  desk = createCheckDesk({
    open: peer.open,
    isAsked: () => peer.early.length > 0,
    now: () => Date.now(),
    finished: (state) => finished.push(state),
    states: {
      get: ({ value }) => states.get(value),
      set: ({ value }, state) => states.set(value, state),
      remove: ({ value }) => states.delete(value),
    },
  });
});
afterEach(() => vi.useRealTimers());

const lost = () => new NetworkFailure({ status: 0, error: 'Network', message: 'gone' });

test('mounting twice, as React does while developing, is one check', async () => {
  desk.attend(IP)();
  desk.attend(IP);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(peer.asked).toHaveLength(1);
  expect(peer.asked[0]?.signal.aborted).toBe(false);
});

test('phases of the early check are shown at once, and the rest follows', async () => {
  peer.early.push({ ...phase.reputation(), id: 'm1' }, { ...phase.basic(), id: 'm2' });
  desk.attend(IP);
  expect(Object.keys(stateOf()?.phases ?? {})).toEqual(['reputation', 'basic']);
  expect(stateOf()?.lastEventId).toBe('m2');
  await peer.say(phase.insights(), phase.enrichment(), phase.done);
  expect(stateOf()?.end).toEqual({ kind: 'done' });
  expect(peer.asked).toHaveLength(1);
});

test('an early check that had already ended is finished once, and drawn once', () => {
  peer.early.push(...FOUND.map((found, place) => ({ ...found, id: `m${place + 1}` })));
  // As a page does: it draws the arrived phases first, then attends.
  const shown = afterPhases(started(IP, Date.now()), peer.early, Date.now());
  states.set(IP.value, shown);
  desk.attend(IP);
  expect(stateOf()).toBe(shown);
  expect(finished).toEqual([shown]);
  desk.attend(IP);
  expect(peer.asked).toHaveLength(1);
});

test('coming back to a finished check sends no request and shows all of it', async () => {
  const leave = desk.attend(IP);
  await peer.say(...FOUND);
  leave();
  await vi.advanceTimersByTimeAsync(60_000);
  desk.attend(IP);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(peer.asked).toHaveLength(1);
  expect(stateOf()?.end).toEqual({ kind: 'done' });
  expect(finished).toHaveLength(1);
});

test('leaving closes the connection, so that the service can stop', async () => {
  const leave = desk.attend(IP);
  await peer.say(phase.reputation());
  leave();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(peer.asked[0]?.signal.aborted).toBe(true);
  expect(stateOf()?.end).toMatchObject({ kind: 'cut', why: 'left' });
});

test('coming back soon resumes the same check by its last event id', async () => {
  const leave = desk.attend(IP);
  await peer.say(phase.reputation(), phase.basic());
  leave();
  await vi.advanceTimersByTimeAsync(10_000);
  desk.attend(IP);
  await peer.say(phase.insights(), phase.enrichment(), phase.done);
  expect(peer.asked.map(({ lastEventId }) => lastEventId)).toEqual([null, 'm2']);
  expect(stateOf()?.end).toEqual({ kind: 'done' });
  expect(stateOf()?.phases.reputation).toBeDefined();
});

test('leaving before the first phase removes the state', async () => {
  desk.attend(IP)();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stateOf()).toBeUndefined();
});

test('a lost connection keeps its phases and is never retried automatically', async () => {
  const leave = desk.attend(IP);
  await peer.say(phase.reputation(), phase.basic(), lost());
  await vi.advanceTimersByTimeAsync(300_000);
  expect(stateOf()?.end).toMatchObject({ kind: 'cut', why: 'lost' });
  leave();
  await vi.advanceTimersByTimeAsync(1_000);
  desk.attend(IP);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(peer.asked).toHaveLength(1);
});

test('Resume continues after the last phase seen', async () => {
  desk.attend(IP);
  await peer.say(phase.reputation(), lost());
  desk.resume(IP);
  await peer.say(phase.basic(), phase.insights(), phase.enrichment(), phase.done);
  expect(peer.asked.map(({ lastEventId }) => lastEventId)).toEqual([null, 'm1']);
  expect(stateOf()?.end).toEqual({ kind: 'done' });
});

test('a stream that ends without done is cut, not done', async () => {
  desk.attend(IP);
  await peer.say(phase.reputation(), new StreamBroken({ status: 200, error: 'x', message: 'early' }));
  expect(stateOf()?.end).toMatchObject({ kind: 'cut', why: 'lost' });
  expect(finished).toEqual([]);
});

test('Check again is one more check, and later phases of the old one are ignored', async () => {
  desk.attend(IP);
  await peer.say(phase.reputation());
  desk.again(IP);
  await vi.advanceTimersByTimeAsync(1);
  expect(stateOf()?.end).toEqual({ kind: 'running' });
  await peer.say(...FOUND);
  expect(peer.asked).toHaveLength(2);
  expect(peer.asked[0]?.signal.aborted).toBe(true);
  expect(peer.asked[1]?.lastEventId).toBeNull();
  expect(stateOf()?.end).toEqual({ kind: 'done' });
});

test('the right permalink takes over the running check: one charge for both spellings', async () => {
  const leave = desk.attend(OTHER);
  await peer.say(phase.reputation());
  desk.rename(OTHER, IP);
  leave();
  desk.attend(IP);
  await vi.advanceTimersByTimeAsync(1_000);
  await peer.say(phase.basic(), phase.insights(), phase.enrichment(), phase.done);
  expect(peer.asked).toHaveLength(1);
  expect(stateOf(OTHER)).toBeUndefined();
  expect(stateOf(IP)).toMatchObject({ target: IP, end: { kind: 'done' } });
});

test('opening a page whose check was refused checks again: a refusal cost nothing', async () => {
  const leave = desk.attend(IP);
  await peer.say(new RateLimited({ status: 429, error: 'Rate Limited', message: 'no', retryAfterMs: 5_000 }));
  expect(stateOf()?.end.kind).toBe('refused');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(peer.asked).toHaveLength(1);
  leave();
  await vi.advanceTimersByTimeAsync(1_000);
  desk.attend(IP);
  await peer.say(...FOUND);
  expect(peer.asked).toHaveLength(2);
});

describe('failures', () => {
  test('a 429 has a retry time, from Retry-After or else from the end of its window', () => {
    const failure = { status: 429, error: 'Rate Limited', message: 'no' };
    const soon = failureOf(new RateLimited({ ...failure, retryAfterMs: 43_000 }), 1_000);
    expect(soon).toMatchObject({ kind: 'refused', failure: { retryAtMs: 44_000 } });
    const body = { resetsAt: '2026-12-01T00:00:00.000Z', plan: 'ANONYMOUS' };
    const later = failureOf(new RateLimited({ ...failure, body }), 1_000);
    expect(later).toMatchObject({
      usedUp: 'anonymous',
      failure: { retryAtMs: Date.parse(body.resetsAt) },
    });
  });
  test('a bug in the page is a refusal, not a lost connection', () => {
    expect(failureOf(new TypeError('oops'), 0)).toMatchObject({ kind: 'refused', usedUp: null });
  });
});
