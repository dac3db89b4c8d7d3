import { expect, test } from 'vitest';
import { refuseUnbuilt } from './refuse-unbuilt.ts';

const LIST = 'blocklist-ips-all.txt';
const OTHER = 'blocklist-ips-c2.txt';
const AT_MS = Date.UTC(2026, 10, 19, 2, 20, 8);
const built = { failure: null, failedAtMs: null, checkedAtMs: AT_MS };
const failed = (failure: string) => ({ failure, failedAtMs: AT_MS, checkedAtMs: null });

test.each([
  ['canceling statement due to statement timeout', 'reading the data took too long'],
  ['Client has encountered a connection error and is not queryable', 'the database was not reachable'],
  ["ENOSPC: no space left on device, write '/data/x'", 'the disk is full'],
  ['x is not a function', 'an internal error, which the operator sees with the command lists status'],
])('a build that failed with %j is told in plain words, with the time of the last try', (failure, reason) => {
  const { status, message, options } = refuseUnbuilt(LIST, new Map([[LIST, failed(failure)]]));
  expect([status, options.headers]).toEqual([503, { 'Retry-After': '600' }]);
  expect(message).toBe(
    `This list could not be built: ${reason}, last try 2026-11-19 02:20 UTC. It is tried again every ten minutes.`,
  );
});

test('where no worker ever built a list the answer names the command; otherwise it names the interval', () => {
  const unready = refuseUnbuilt(LIST, new Map()).message;
  expect(unready).toMatch(/^No list has been built yet\. .* npm run admin -- lists build$/);
  expect(refuseUnbuilt(LIST, new Map([[OTHER, built]])).message).toBe(
    'This list has not been built yet. Lists are built every ten minutes.',
  );
});
