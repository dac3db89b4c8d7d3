import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectLargest } from '#capabilities/storage/store.ts';
import { sql } from '#platform/postgres.ts';
import { bySize } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { diskFill } from '../../../attack/disk-fill.ts';

const RESULT_BYTES = 250_000;
const LIMIT = 900_000;
const CALLS = bySize(6, 25);

let shared: SharedService;
beforeAll(async () => {
  shared = await sharedService('storage');
});
afterAll(() => shared?.stop());

async function call(
  credential: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await fetch(`${shared.service.url}${path}`, {
    method,
    headers: {
      ...shared.fromHere,
      ...headers,
      'x-api-key': credential,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, headers: answer.headers };
}
const reportOf = (bytes: number) => ({
  result: {
    malicious: false,
    apiVersion: 'v2',
    query: '203.0.113.9',
    filler: randomBytes(bytes / 2).toString('hex'),
  },
});
const newAccount = (name: string, storageBytes: number) =>
  shared.accounts.newAccount(`${name}@example.com`, {
    plan: 'ENTERPRISE',
    limits: { storageBytes },
  });
const storedBy = async (accountId: string): Promise<Readonly<Record<string, number>>> => {
  const { rows } = await sql<{ kind: string; bytes: number }>`
    select kind, bytes::float8 as bytes from account_storage where account_id = ${accountId} and bytes <> 0`.execute(
    shared.accounts.system.db,
  );
  return Object.fromEntries(rows.map(({ kind, bytes }) => [kind, bytes]));
};
async function newInstantKey(): Promise<{ credential: string; accountId: string }> {
  const answer = await fetch(`${shared.service.url}/api/keys/instant`, {
    method: 'POST',
    headers: { ...shared.fromHere, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `storage-${randomBytes(6).toString('hex')}@example.com` }),
  });
  const made = (await answer.json()) as { apiKey: string; apiSecret: string; account: { id: string } };
  const credential = Buffer.from(`${made.apiKey}:${made.apiSecret}`).toString('base64');
  return { credential, accountId: made.account.id };
}

describe('an account that nobody has claimed', () => {
  test('stores nothing: every route that stores answers 403 and says how to claim', async () => {
    const { credential, accountId } = await newInstantKey();
    const watched = { value: '203.0.113.10' };
    for (const [path, body] of [
      ['/reports', reportOf(1_000)],
      ['/reports/save', reportOf(1_000)],
      ['/cases', { title: 'A case' }],
      ['/cve-watch/perimeters', { name: 'A perimeter', kind: 'manual' }],
      ['/monitoring', watched],
    ] as const) {
      const { status, text } = await call(credential, 'POST', path, body, { 'idempotency-key': path });
      expect([status, JSON.parse(text).message], path).toEqual([
        403,
        expect.stringMatching(/claimed.*link in the email/),
      ]);
    }
    expect(await storedBy(accountId)).toEqual({});
    const { rows } = await sql`select 1 from idempotency_key where account_id = ${accountId}`.execute(
      shared.accounts.system.db,
    );
    expect(rows).toEqual([]);
    // The refused watch gave its check back.
    const check = await call(credential, 'GET', '/check?query=203.0.113.10');
    expect(check.headers.get('x-monthly-usage')).toBe('1');
  });
});

describe('the bytes of a plan', () => {
  test(`${CALLS} reports of 250 kB under Idempotency-Keys stop at the limit, and keep no second copy`, async () => {
    const { credential, accountId } = await newAccount('reports', LIMIT);
    const statuses: number[] = [];
    for (let nth = 0; nth < CALLS; nth += 1)
      statuses.push(
        (await call(credential, 'POST', '/reports', reportOf(RESULT_BYTES), { 'idempotency-key': `k${nth}` }))
          .status,
      );
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(new Set(statuses.slice(3))).toEqual(new Set([403]));
    const { report = 0, reply = 0 } = await storedBy(accountId);
    keepResult('disk-kept', { 'report-bytes': report, 'reply-bytes': reply, 'allowed-bytes': LIMIT });
    expect(report).toBeGreaterThan(3 * RESULT_BYTES);
    expect(report + reply).toBeLessThanOrEqual(LIMIT);
    expect(reply).toBeLessThan(3 * 1_000);
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(octet_length(result)), 0)::float8 as bytes from report where account_id = ${accountId}`.execute(
      shared.accounts.system.db,
    );
    expect(rows[0]?.bytes).toBeLessThan(LIMIT);
    const { text } = await call(credential, 'GET', '/metrics/subscription');
    expect(JSON.parse(text).storage).toMatchObject({
      used: report + reply,
      limit: LIMIT,
      byKind: { report, reply },
    });
    const refused = await call(credential, 'POST', '/reports', reportOf(RESULT_BYTES));
    expect(JSON.parse(refused.text).message).toMatch(
      /^This account stores \d+ KiB of 879 KiB, and this request has 244 KiB\./,
    );
  });

  test('deleting makes room', async () => {
    const { credential, accountId } = await newAccount('room', 400_000);
    const first = await call(credential, 'POST', '/reports', reportOf(RESULT_BYTES));
    expect((await call(credential, 'POST', '/reports', reportOf(RESULT_BYTES))).status).toBe(403);
    const { id } = JSON.parse(first.text).report;
    expect((await call(credential, 'DELETE', `/reports/${id}`)).status).toBe(204);
    expect(await storedBy(accountId)).toEqual({});
    expect((await call(credential, 'POST', '/reports', reportOf(RESULT_BYTES))).status).toBe(201);
  });
});

describe('a repeat under an Idempotency-Key', () => {
  const KEY = { 'idempotency-key': 'once' };

  test('of a long report gets its status and body again, also when the account is full', async () => {
    const { credential } = await newAccount('repeat', 400_000);
    const body = reportOf(RESULT_BYTES);
    const first = await call(credential, 'POST', '/reports', body, KEY);
    const again = await call(credential, 'POST', '/reports', body, KEY);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await call(credential, 'POST', '/reports', body)).status).toBe(403);
  });

  test('of a report that was deleted since says so, and stores nothing', async () => {
    const { credential, accountId } = await newAccount('deleted', 900_000);
    const body = reportOf(RESULT_BYTES);
    const { id } = JSON.parse((await call(credential, 'POST', '/reports', body, KEY)).text).report;
    await call(credential, 'DELETE', `/reports/${id}`);
    const again = await call(credential, 'POST', '/reports', body, KEY);
    expect([again.status, JSON.parse(again.text).message]).toEqual([
      409,
      expect.stringMatching(/was carried out, but 'rpt_\w+' was deleted since/),
    ]);
    expect(await storedBy(accountId)).toEqual({ reply: expect.any(Number) });
  });
});

test('what is counted is what the tables hold', async () => {
  const { credential, accountId } = await newAccount('counted', 10_000_000);
  const opened = await call(credential, 'POST', '/cases', { title: 'A case', description: 'x'.repeat(500) });
  const { id } = JSON.parse(opened.text);
  await call(credential, 'PATCH', `/cases/${id}`, { description: 'y'.repeat(5_000), title: 'Another' });
  await call(credential, 'POST', '/monitoring', { value: '203.0.113.11' });
  await call(credential, 'POST', '/monitoring', { value: '203.0.113.12' });
  await call(credential, 'POST', '/monitoring/unwatch', { value: '203.0.113.12' });
  const { rows } = await sql<{ cases: number; evidence: number }>`
    select (select sum(1000 + octet_length(title) + coalesce(octet_length(description), 0))::float8 from action_case
             where account_id = ${accountId}) as cases,
           (select coalesce(sum(500 + octet_length(payload) + octet_length(title) + coalesce(octet_length(description), 0)), 0)::float8
              from case_evidence where account_id = ${accountId}) as evidence`.execute(
    shared.accounts.system.db,
  );
  const { cases = 0, evidence = 0 } = rows[0] ?? {};
  expect(cases).toBeGreaterThan(6_000);
  expect(await storedBy(accountId)).toEqual({ case: cases + evidence, watch: 500 });
});

test('the gauge names the accounts that store most, the largest first', async () => {
  const { credential, accountId } = await newAccount('largest', 10_000_000);
  for (let nth = 0; nth < 4; nth += 1) await call(credential, 'POST', '/reports', reportOf(RESULT_BYTES));
  const largest = await selectLargest(shared.accounts.system.db, 10);
  expect(largest.length).toBeLessThanOrEqual(10);
  expect(largest.find((account) => account.accountId === accountId)?.bytes).toBeGreaterThan(4 * RESULT_BYTES);
  expect(largest.map(({ bytes }) => bytes)).toEqual(
    largest.map(({ bytes }) => bytes).toSorted((a, b) => b - a),
  );
});

test('the attack disk-fill: an unproven key stores no byte, a FREE one no more than its plan', async () => {
  const { credential } = await shared.accounts.newAccount('filler@example.com', { plan: 'FREE' });
  const target = { url: shared.service.url, bystanderKey: '', attackerKey: credential };
  const { held, figures } = await diskFill.run({ ...target, strength: bySize(0.02, 1) });
  for (const [name, value] of Object.entries(figures))
    keepResult('disk-kept', { [name.replaceAll(' ', '-')]: value });
  expect(figures['unproven stored bytes']).toBe(0);
  expect(figures['known bytes counted']).toBeLessThanOrEqual(figures['known bytes allowed'] ?? 0);
  expect(held).toBe(true);
});
