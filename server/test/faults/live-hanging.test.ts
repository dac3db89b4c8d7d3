import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { type HangingUpstreams, startHangingUpstreams } from '#test/hanging-upstreams.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';

/**
 * Tests reliability A4 in seconds; `proofs/live-hanging.test.ts` holds it for ten minutes and measures
 * latency.
 */
const OPENED = ['addresses', 'dns', 'internetdb', 'otx', 'rdap'];
const CHECKS_PER_ROUND = 12;
const WAIT_MS = 180_000;

let database: TestDatabase;
let upstreams: HangingUpstreams;
let service: Service;
let accounts: ServiceAccounts;
let credential: string;

beforeAll(async () => {
  database = await createTestDatabase();
  upstreams = await startHangingUpstreams();
  upstreams.hang();
  service = await startService({ databaseUrl: database.url, env: upstreams.env });
  accounts = openAccounts(service);
  ({ credential } = await accounts.newAccount('desk@example.com', { plan: 'ENTERPRISE' }));
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await upstreams?.close();
  await database?.drop();
});

let asked = 0;
/** Never repeats a subject, so that no answer is cached; alternates names and addresses. */
function nextSubject(): string {
  asked += 1;
  return asked % 2 === 0 ? `site-${asked}.com` : `45.7.${asked >> 8}.${asked % 256}`;
}

async function check(level: string, subject = nextSubject()) {
  const response = await fetch(`${service.url}/check?enrichment=${level}&query=${subject}`, {
    headers: { 'X-API-KEY': credential },
  });
  const body = (await response.json()) as {
    readonly dataTrust?: { readonly completeness?: { readonly missing?: string[] } } | null;
  };
  return { level, status: response.status, missing: body.dataTrust?.completeness?.missing ?? [] };
}

const round = () =>
  Promise.all(
    Array.from({ length: CHECKS_PER_ROUND }, (_, nth) =>
      check(['basic', 'standard', 'full'][nth % 3] as string),
    ),
  );

async function openBreakers(): Promise<readonly string[]> {
  const page = await (await fetch(service.metricsUrl)).text();
  const found = page.matchAll(
    /^assay_live_breakers_open\{process="listener-0",provider="(\w+)"\} [1-9]\d*$/gm,
  );
  return [...found].map(([, provider = '']) => provider).sort();
}

test(
  'every upstream hangs: checks answer and name the missing facts, breakers open, and close when upstreams answer again',
  async () => {
    const answers: Awaited<ReturnType<typeof check>>[] = [];
    const opened = new Set<string>();
    await eventually('the breakers are open', WAIT_MS, async () => {
      answers.push(...(await round()));
      for (const provider of await openBreakers()) opened.add(provider);
      return OPENED.every((provider) => opened.has(provider));
    });
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.filter(({ level, missing }) => level !== 'basic' && missing.length === 0)).toEqual([]);
    upstreams.heal();
    await eventually('every breaker is closed', WAIT_MS, async () => {
      await round();
      return (await openBreakers()).length === 0;
    });
    // A connection from the outage may still wait for its time limit, so the first check may lack certificates.
    let nth = 0;
    await eventually('a check has certificates again', WAIT_MS, async () => {
      nth += 1;
      return !(await check('standard', `healthy-${nth}.com`)).missing.includes('certificates');
    });
  },
  3 * WAIT_MS,
);
