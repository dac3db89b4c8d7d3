import { expect, test } from 'vitest';
import { healthOf } from './feed-health.ts';
import type { FeedStatus } from './feed-status-store.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 8, 1);
const GOOD: FeedStatus = {
  id: 'a',
  name: 'a',
  threatClass: 'threat',
  fpRisk: 'low',
  category: 'c2',
  letter: 'A',
  licence: null,
  scheduled: true,
  enabled: true,
  entries: 5,
  intervalS: 3_600,
  cluster: null,
  ownList: false,
  expiresDays: 0,
  reliability: 0.95,
  redistributable: true,
  exported: true,
  lastFetchAtMs: NOW_MS - HOUR_MS,
  dataAtMs: NOW_MS - 5 * HOUR_MS,
  checkedAtMs: NOW_MS - HOUR_MS,
  fetchedAtMs: null,
  nextRunAtMs: NOW_MS,
  failures: 0,
  problem: null,
  problemSinceMs: null,
  rebaseMs: 0,
  quarantinedBy: null,
  lastRun: null,
};

test.each([
  ['all is well', {}, 'fresh'],
  ['an operator turned it off, in any other state', { enabled: false, problem: 'x' }, 'off'],
  ['a download waits for a decision', { quarantinedBy: 'volume', problem: 'x' }, 'quarantined'],
  ['the last runs failed', { problem: 'HTTP 503' }, 'failing'],
  ['nothing ever arrived', { dataAtMs: null }, 'empty'],
  ['the publisher stopped: 14 days at least', { dataAtMs: NOW_MS - 15 * 24 * HOUR_MS }, 'stale'],
  ['a slow list is given 30 intervals', { dataAtMs: NOW_MS - 15 * 24 * HOUR_MS, intervalS: 86_400 }, 'fresh'],
  ['no worker took it', { nextRunAtMs: NOW_MS - 3 * HOUR_MS }, 'late'],
  ['not scheduled, so never late', { nextRunAtMs: NOW_MS - 3 * HOUR_MS, scheduled: false }, 'fresh'],
] as const)('%s', (_name, change, word) => {
  expect(healthOf({ ...GOOD, ...change }, NOW_MS)).toBe(word);
});
