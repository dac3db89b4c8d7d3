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

test('late downloads are told, and a service in order has no strip', () => {
  expect(strippedDown(health(['blocklists', 'mmdb']))).toMatch(/^A part of the service is away or late;/);
  expect(strippedDown(health([]))).toBeNull();
});
