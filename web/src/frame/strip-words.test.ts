import type { Health } from '@assay/sdk';
import { expect, test } from 'vitest';
import { strippedDown } from './strip-words.ts';

const health = (late: string[]): Health => ({
  status: late.length > 0 ? 'degraded' : 'operational',
  timestamp: '2026-11-19T12:00:00.000Z',
  services: { api: 'operational', database: 'operational', redis: 'operational' },
  replicaContactAgeMs: 10,
  data: { status: 'degraded', message: '3 data sets are in use, 2 never loaded.', late },
});

test('files that are not published are named, and the strip does not call checks incomplete', () => {
  expect(strippedDown(health(['blocklists', 'mmdb']))).toBe(
    'Not up to date for download: blocklists, the address database. Checks are not affected.',
  );
  expect(strippedDown(health([]))).toBeNull();
});
