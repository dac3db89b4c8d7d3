import { expect, test } from 'vitest';
import { refuseUnbuilt } from './refuse-unbuilt.ts';

const LIST = 'blocklist-ips-all.txt';
const AT_MS = Date.UTC(2026, 10, 19, 2, 20, 8);
const failed = (failure: string) => ({ failure, failedAtMs: AT_MS });

const refusalOf = (state: ReturnType<typeof failed> | null) =>
  refuseUnbuilt(
    {
      lists: { states: () => new Map(state === null ? [] : [[LIST, state]]) },
      publications: { whyMissing: async () => ({ message: 'Nothing is imported yet.', retryAfterS: 130 }) },
    },
    LIST,
  );

test.each([
  ['canceling statement due to statement timeout', 'reading the data took too long'],
  ['Client has encountered a connection error and is not queryable', 'the database was not reachable'],
  ["ENOSPC: no space left on device, write '/data/x'", 'the disk is full'],
  ['x is not a function', 'an internal error, which the operator finds in the log of the worker'],
])(
  'a list that failed with %j gives the reason in plain words and the time of the next try',
  async (failure, reason) => {
    const { status, message, options } = await refusalOf(failed(failure));
    expect([status, options.headers]).toEqual([503, { 'Retry-After': '130' }]);
    expect(message).toBe(
      `This list could not be built: ${reason}, last try 2026-11-19 02:20 UTC. The next try is in 2 minutes 10 seconds.`,
    );
  },
);

test('a list that was never tried gives the reason why nothing is published', async () => {
  expect((await refusalOf(null)).message).toBe('This list is not published yet. Nothing is imported yet.');
});
