import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchLostParts, lostParts, persistently } from './persistently.ts';

const network = new EventTarget();
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) =>
    network.addEventListener(name, listener),
  );
  vi.stubGlobal('removeEventListener', (name: string, listener: () => void) =>
    network.removeEventListener(name, listener),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const failing = (times: number) => {
  let tries = 0;
  return vi.fn(async () => {
    tries += 1;
    if (tries <= times) throw new TypeError('Failed to fetch dynamically imported module');
    return 'part';
  });
};

test('a part that is lost twice is loaded by itself at the third try', async () => {
  const load = failing(2);
  const part = persistently(load);
  await vi.advanceTimersByTimeAsync(499);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(await part).toBe('part');
  expect(load).toHaveBeenCalledTimes(3);
});

test('pauses grow to 15 seconds, and a network that comes back ends one', async () => {
  const load = failing(20);
  const part = persistently(load);
  await vi.advanceTimersByTimeAsync(60_000);
  const tries = load.mock.calls.length;
  await vi.advanceTimersByTimeAsync(14_000);
  expect(load.mock.calls.length - tries).toBeLessThanOrEqual(1);
  for (let left = 0; left < 20; left += 1) {
    network.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(await part).toBe('part');
});

test('lost parts are counted until they are here, and the reader can end the pauses', async () => {
  const parts = [persistently(failing(3)), persistently(failing(1)), persistently(failing(0))];
  await vi.advanceTimersByTimeAsync(0);
  expect(lostParts()).toBe(2);
  fetchLostParts();
  await vi.advanceTimersByTimeAsync(0);
  expect(lostParts()).toBe(1);
  fetchLostParts();
  await vi.advanceTimersByTimeAsync(0);
  fetchLostParts();
  expect(await Promise.all(parts)).toEqual(['part', 'part', 'part']);
  expect(lostParts()).toBe(0);
});
