import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Domain, parseIndicator } from '#domain/indicator/index.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { startTenantPeer, type TenantPeer } from '#test/peers/tenant-peer.ts';
import { createTenantProvider } from './tenant-provider.ts';

const TENANT_ID = '72f988bf-86f1-41af-91ab-2d7cd011db47';
const clock = { now: () => Date.UTC(2026, 5, 1), monotonic: () => performance.now() };
const FOUND = {
  provider: 'microsoft',
  tenantId: TENANT_ID,
  domain: 'example.com',
  namespaceType: 'Managed',
  brandName: 'Example Org',
  region: 'EU',
  cloudInstance: 'microsoftonline.com',
  fetchedAt: '2026-06-01T00:00:00.000Z',
};

let peer: TenantPeer;
let outbound: Outbound;
beforeEach(async () => {
  peer = await startTenantPeer();
  peer.tenants.set('example.com', {
    tenantId: TENANT_ID,
    namespaceType: 'Managed',
    brandName: 'Example Org',
  });
  outbound = createOutbound({ log: createLog('silent'), clock, allow: [`127.0.0.1/32:${peer.port}`] });
});
afterEach(async () => {
  await outbound.close();
  await peer.close();
});

const domain = (text: string): Domain => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') throw new Error(text);
  return parsed.indicator;
};
const ask = (text: string, deadlineMs = 30_000) =>
  createTenantProvider({ outbound, clock, baseUrl: peer.url }).ask(domain(text), {
    signal: AbortSignal.timeout(60_000),
    deadlineMs,
  });

test('a tenant is found by its domain, and by a host below it', async () => {
  expect(await ask('example.com')).toEqual({ value: FOUND });
  expect(await ask('www.example.com')).toEqual({ value: FOUND });
});

test('a federated tenant is marked as federated', async () => {
  peer.tenants.set('example.net', { tenantId: TENANT_ID, namespaceType: 'Federated', brandName: 'N' });
  expect((await ask('example.net')).value).toMatchObject({
    namespaceType: 'Federated',
    domain: 'example.net',
  });
});

test('a domain without a tenant is absent', async () => {
  expect(await ask('example.org')).toEqual({ value: null });
});

test('a customer of a platform never gets the tenant of the platform', async () => {
  for (const platform of ['onmicrosoft.com', 'github.io'])
    peer.tenants.set(platform, { tenantId: TENANT_ID, namespaceType: 'Managed', brandName: 'Platform' });
  expect(await ask('victim.onmicrosoft.com')).toEqual({ value: null });
  expect(await ask('someone.github.io')).toEqual({ value: null });
});

test('without the second document the tenant is known and its brand is not, for an hour', async () => {
  peer.state.isRealmDown = true;
  expect(await ask('example.com')).toEqual({
    value: { ...FOUND, namespaceType: 'Unknown', brandName: null },
    freshMs: 3_600_000,
  });
});

test.each(['error', 'garbage', 'flood'] as const)('%s is a failure, never "no tenant"', async (mode) => {
  peer.mode = mode;
  await expect(ask('example.com')).rejects.toThrow();
});

test('a hanging server is cancelled in time', async () => {
  peer.mode = 'hang';
  const started = performance.now();
  await expect(ask('example.com', 200)).rejects.toEqual(expect.objectContaining({ reason: 'deadline' }));
  if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(1_500);
});

test('a brand is bounded and inert', async () => {
  const brandName = `\u202e${'<b>'.repeat(200)}\u0000`;
  peer.tenants.set('example.net', { tenantId: TENANT_ID, namespaceType: 'Managed', brandName });
  const { value } = await ask('example.net');
  expect(value?.brandName).toHaveLength(200);
  expect(value?.brandName).toMatch(/^<b>/);
});
