import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import type { LivePeers } from '#test/live-peers.ts';
import { readStream } from '#test/read-stream.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';
import { GOLDEN } from '../golden/golden-corpus.ts';
import { startGoldenPeers, tellPeers } from '../golden/golden-live.ts';

/** Two minutes, because a failed lookup is tried again only after one. */
const PATIENT = { timeout: 120_000, interval: 500 };

let peers: LivePeers;
let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
let key: string;

/** The service as an operator starts it, with its providers set by environment variables. */
beforeAll(async () => {
  peers = await startGoldenPeers();
  tellPeers(peers);
  database = await createTestDatabase();
  service = await startService({ databaseUrl: database.url, env: peers.env });
  accounts = openAccounts(service);
  key = (await accounts.newAccount('live@example.com', { plan: 'ENTERPRISE' })).credential;
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await peers?.close();
  await database?.drop();
});

const headers = () => ({ 'X-API-KEY': key });
async function check(query: string, enrichment: string): Promise<Record<string, unknown>> {
  const url = `${service.url}/check?query=${encodeURIComponent(query)}&enrichment=${enrichment}`;
  const response = await fetch(url, { headers: headers() });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

test('standard and full show the answers of the configured providers, and the scanner makes the indicator malicious', async () => {
  // Asked repeatedly: an answer lacks a provider that missed its deadline, and a later answer has it.
  const shows = (query: string, level: string) => expect.poll(() => check(query, level), PATIENT);
  await shows(GOLDEN.domain, 'standard').toMatchObject({
    malicious: true,
    reputation: { malicious: 1 },
    whois: { registrar: 'Example Registrar, Inc.' },
    otx: { pulseCount: 12 },
    enrichmentLevel: 'standard',
  });
  await shows(GOLDEN.domain, 'full').toMatchObject({
    enrichmentLevel: 'full',
    dns: { hasSPF: true, nameserverCount: 2 },
    timeline: { trend: 'stable' },
    relatedInfrastructure: { riskAssessment: { level: expect.any(String) as unknown } },
  });
  await shows(GOLDEN.ip, 'standard').toMatchObject({ vulnerabilities: { total: 2 } });
});

test('a mail scan tells how the domain of the sender is protected, as the name server has it', async () => {
  const scan = async (domain: string) => {
    const response = await fetch(`${service.url}/mail/scan`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ eml: `From: Jane <jane@${domain}>\r\nSubject: x\r\n\r\nHello.\r\n` }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  };
  await expect
    .poll(() => scan(GOLDEN.domain), PATIENT)
    .toMatchObject({
      sender: { domain: GOLDEN.domain, posture: { hasSpf: true, spoofable: expect.any(Boolean) as unknown } },
    });
  await expect
    .poll(() => scan(`gone.${GOLDEN.domain}`), PATIENT)
    .toMatchObject({
      sender: { mx: false, posture: { hasSpf: false, hasDmarc: false, hasMx: false, spoofable: true } },
    });
});

test('the stream of a name has all six phases, for any caller', async () => {
  const { events } = await readStream(`${service.url}/check/stream?query=${GOLDEN.domain}`);
  expect(events.map(({ type }) => type)).toEqual([
    'reputation',
    'basic',
    'insights',
    'dns',
    'enrichment',
    'done',
  ]);
  for (const { data } of events) expect(data).not.toHaveProperty('degraded');
});

test('the resolutions seen by one check appear as related indicators in the next', async () => {
  await check(GOLDEN.url, 'full');
  // Asked repeatedly, because observations are written in batches.
  await expect
    .poll(async () => JSON.stringify((await check(GOLDEN.ip, 'full')).relatedInfrastructure), PATIENT)
    .toContain('popular-shop.com');
});
