import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { missing, type Outcome } from '../outcome.ts';
import { Flight } from './flight.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const UNDERWAY = missing('underway');
const FOUND: Outcome<string> = { state: 'found', value: 'answer', fetchedAtMs: 0, isStale: false };

/** A lookup over the fake timers of this file, which ends when the test says so. */
function hanging() {
  const answer = Promise.withResolvers<Outcome<string>>();
  const flight = new Flight<string>({
    clock: { monotonic: () => performance.now() },
    work: () => answer.promise,
    isUnattended: false,
    onAbort: () => undefined,
  });
  return { flight, land: () => answer.resolve(FOUND) };
}

/** The outcome, and how many milliseconds the caller waited for it. */
async function waited(flight: Flight<string>, deadlineMs: number, isBrief = false) {
  const startedMs = performance.now();
  const waiting = flight.wait({ deadlineMs, isBrief }).then((outcome) => ({
    outcome,
    ms: performance.now() - startedMs,
  }));
  await vi.advanceTimersByTimeAsync(10_000);
  return waiting;
}

test('a lookup that hangs delays its first caller by the budget, and no later one (O80)', async () => {
  const { flight } = hanging();
  expect(await waited(flight, 250)).toEqual({ outcome: UNDERWAY, ms: 250 });
  expect(await waited(flight, 250)).toEqual({ outcome: UNDERWAY, ms: 0 });
});

test('a later caller waits what is left of its own budget, counted from the start of the lookup', async () => {
  const { flight } = hanging();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await waited(flight, 3_000)).toEqual({ outcome: UNDERWAY, ms: 2_000 });
});

test('a caller whose budget is over leaves the lookup running, and an answer in time is given to all', async () => {
  const { flight, land } = hanging();
  const [brief, patient] = [flight.wait({ deadlineMs: 250 }), flight.wait({ deadlineMs: 3_000 })];
  await vi.advanceTimersByTimeAsync(250);
  expect(await brief).toEqual(UNDERWAY);
  land();
  expect(await patient).toEqual(FOUND);
  expect(flight.signal.aborted).toBe(false);
});

test('a brief caller does not wait for a lookup that goes on behind the answers; a patient one does', async () => {
  const { flight } = hanging();
  const before = flight.wait({ deadlineMs: 60_000, isBrief: true });
  flight.goBehind();
  expect(await before).toEqual(UNDERWAY);
  expect(await waited(flight, 250, true)).toEqual({ outcome: UNDERWAY, ms: 0 });
  const { flight: other } = hanging();
  other.goBehind();
  expect(await waited(other, 250)).toEqual({ outcome: UNDERWAY, ms: 250 });
});

test('a stand-in is given when the budget is over', async () => {
  const { flight } = hanging();
  flight.standIn = { ...FOUND, isStale: true };
  expect((await waited(flight, 250)).outcome).toEqual({ ...FOUND, isStale: true });
});
