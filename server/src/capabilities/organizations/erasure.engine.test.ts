import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '#test/access.ts';
import {
  fillBilling,
  fillCases,
  fillMonitoring,
  fillSso,
  fillWatch,
  fillWebhooks,
} from '#test/erased-rows.ts';
import { createTestOrganizations, type TestOrganizations } from '#test/organizations.ts';
import { rowsOf } from '#test/tenants.ts';
import { restorePerson } from './delete-person.ts';
import { ERASED, ERASED_WITH_INDICATORS, KEPT } from './erased-tables.ts';
import { eraseDeleted } from './jobs.ts';

/** Deleted organizations and people: restored for a while, then erased everywhere (G59). */
let t: TestOrganizations;
beforeAll(async () => {
  t = await createTestOrganizations();
});
afterAll(() => t?.close());

const DAY_MS = 86_400_000;
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await t.get('/api/auth/session', cookie)).json().signedIn;
const probe = async (credential: string): Promise<number> => {
  await t.refresh();
  return (await t.app.inject({ url: '/probe', headers: { 'x-api-key': credential } })).statusCode;
};
const erase = (signal = new AbortController().signal) =>
  eraseDeleted(
    { clock: t.clock, deletedKeptMs: t.deps.deletedKeptMs },
    { transaction: t.system.transaction, signal },
  );

test('erasure knows every table that names an account or a person', async () => {
  const { rows } = await t.owner.query(
    `select c.relname || '.' || a.attname as place
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (a.attname in ('account_id', 'organization_id', 'user_id')
             or exists (select 1 from pg_constraint f
                         where f.conrelid = c.oid and f.contype = 'f' and f.conkey = array[a.attnum]
                           and f.confrelid in ('app_user'::regclass, 'organization'::regclass)))
      order by 1`,
  );
  const known = [
    ...ERASED.map(({ table, column }) => `${table}.${column}`),
    ...ERASED_WITH_INDICATORS,
    ...Object.keys(KEPT),
  ];
  // A new table has to say in erased-tables.ts what becomes of its rows.
  expect(rows.map(({ place }) => place)).toEqual(known.toSorted());
});

async function fillFactors(userId: string, now: Date): Promise<void> {
  const write = (text: string) => t.owner.query(text, [userId, now]);
  await write(`insert into passkey (id, user_id, credential_id, public_key, counter, label, is_synced, created_at)
    values ('psk_' || $1::text, $1, sha256(convert_to($1::text, 'UTF8')), 'x', 0, 'x', false, $2) on conflict do nothing`);
  await write(
    `insert into totp_factor (user_id, sealed, created_at) values ($1, 'x', $2) on conflict do nothing`,
  );
  await write(
    `insert into recovery_code (user_id, code_hash, created_at) values ($1, sha256(convert_to($1::text, 'UTF8')), $2) on conflict do nothing`,
  );
  await write(`insert into factor_token (token_hash, kind, user_id, created_at, expires_at)
    values (sha256(convert_to('t' || $1::text, 'UTF8')), 'ticket', $1, $2, $2) on conflict do nothing`);
}

/** One row in every table that erasure knows, written past the capabilities: what is there is erased, however it came. */
async function fill(accountId: string, userId: string): Promise<void> {
  const key = accountId.slice(-6);
  const now = new Date(t.clock.now());
  const write = (text: string, ...values: unknown[]) => t.owner.query(text, values);
  await write(
    `insert into report (id, account_id, user_id, entity_type, entity_value, verdict, origin, result, created_at)
    values ($1, $2, $3, 'ip', '203.0.113.7', 'safe', 'client', '{}', $4)`,
    `rpt_${key}`,
    accountId,
    userId,
    now,
  );
  await write(
    `insert into source_submission (id, account_id, name, type, url, submitted_at)
    values ($1, $2, 'x', 'ip', $3, $4)`,
    `sbm_${key}`,
    accountId,
    `https://lists.example/${key}`,
    now,
  );
  await write(
    `insert into blocklist_pull (account_id, key_id, list, variant, status, bytes, pulled_at)
    values ($1, 'key_1', 'ips', 'full', 200, 1, $2)`,
    accountId,
    now,
  );
  await write(
    `insert into usage_ledger (account_id, meter, period, granted, refunded) values ($1, 'checks', '202701', 1, 0)`,
    accountId,
  );
  await write(`insert into event_outbox (type, account_id, payload) values ('x', $1, '{}')`, accountId);
  await write(
    `insert into request_count (account_id, day, caller_id, route, status_class, verdict, counted)
    values ($1, $2, 'key_1', 'GET /check', 2, '', 1)`,
    accountId,
    now,
  );
  await write(
    `insert into quota_notice (account_id, period, meter, share, used, allowed, noticed_at)
    values ($1, '202701', 'checks', 80, 8, 10, $2)`,
    accountId,
    now,
  );
  await write(`insert into onboarding (account_id) values ($1)`, accountId);
  await fillFactors(userId, now);
  await fillWatch(t.owner, accountId);
  await fillWebhooks(t.owner, accountId);
  await fillCases(t.owner, accountId, userId);
  await fillBilling(t.owner, accountId);
  await fillMonitoring(t.owner, accountId);
  await write(
    `insert into licence_key (id, account_id, key_hash, created_at) values ($1, $2, sha256($3), $4)`,
    `lic_${key}`,
    accountId,
    Buffer.from(accountId),
    now,
  );
  await write(
    `insert into subscription (account_id, plan, status, updated_at) values ($1, 'PRO', 'active', $2)
    on conflict do nothing`,
    accountId,
    now,
  );
  await write(
    `insert into idempotency_key (account_id, key, fingerprint, created_at) values ($1, 'k', sha256('x'), $2)`,
    accountId,
    now,
  );
  await write(
    `insert into account_token (token_hash, kind, user_id, created_at, expires_at) values (sha256($1), 'reset', $2, $3, $3)`,
    Buffer.from(`token ${accountId}`),
    userId,
    now,
  );
  if (!accountId.startsWith('org_')) {
    await write(
      `insert into user_password (user_id, phc, changed_at) values ($1, $2, $3)`,
      userId,
      `$argon2id$${'x'.repeat(60)}`,
      now,
    );
    return;
  }
  await fillSso(t.owner, accountId, userId, now);
  await write(`insert into org_indicator_state (account_id, day) values ($1, $2)`, accountId, now);
  await write(
    `insert into org_indicator (id, account_id, entity_type, value, entry_key, disposition, category, status, submitted_by, created_at, updated_at)
    values ($1, $2, 'ip', '203.0.113.7', $3, 'block', 'c2', 'approved', $4, $5, $5)`,
    `ind_${key}`,
    accountId,
    Buffer.from(`${accountId}\0x`),
    userId,
    now,
  );
  await write(
    `insert into org_indicator_period (account_id, indicator_id, entry_key, started_at, disposition, category)
    values ($1, $2, $3, $4, 'block', 'c2')`,
    accountId,
    `ind_${key}`,
    Buffer.from(`${accountId}\0x`),
    now,
  );
  await write(
    `insert into org_indicator_revision (account_id, revision, at) values ($1, 1, $2)`,
    accountId,
    now,
  );
  await write(
    `insert into org_indicator_object (account_id, indicator_id, n, entity_type, value, category, created_us, changed_us)
    values ($1, $2, 0, 'ip', '203.0.113.7', 'c2', 1, 1)`,
    accountId,
    `ind_${key}`,
  );
}

/** How many rows each place of the list has for an account. */
async function countRows(accountId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const places = [
    ...ERASED.map(({ table, column }) => `${table}.${column}`),
    ...ERASED_WITH_INDICATORS,
    'audit_entry.account_id',
  ];
  for (const place of places) {
    const [table, column] = place.split('.');
    const { rows } = await t.owner.query(`select count(*)::int as n from ${table} where ${column} = $1`, [
      accountId,
    ]);
    counts[place] = rows[0].n;
  }
  return counts;
}

describe('a deleted organization', () => {
  test('loses keys and sessions at once; an owner takes it back within 30 days', async () => {
    const owner = await t.join('Gone Inc.', 'gone', 'OWNER');
    const admin = await t.join('Gone Inc.', 'gone.admin', 'ADMIN');
    const key = await t.newKey(owner.orgId, admin.userId);
    const personal = await t.signInto(owner.userId, owner.userId);
    expect(await probe(key.credential)).toBe(200);
    const deleted = await t.call(owner.cookie, 'DELETE', '/organization');
    expect([deleted.statusCode, String(deleted.headers['set-cookie'])]).toEqual([
      200,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect(Date.parse(deleted.json().restorableUntil) - Date.parse(deleted.json().deletedAt)).toBe(
      30 * DAY_MS,
    );
    expect([
      await probe(key.credential),
      await isSignedIn(owner.cookie),
      await isSignedIn(admin.cookie),
    ]).toEqual([401, false, false]);
    expect((await t.newestTo(owner.email)).kind).toBe('deletion-planned');
    expect((await t.call(personal, 'POST', '/auth/switch', { accountId: owner.orgId })).statusCode).toBe(404);
    const [listed] = (await t.call(personal, 'GET', '/organizations')).json().organizations;
    expect(listed).toMatchObject({ id: owner.orgId, restorableUntil: deleted.json().restorableUntil });
    const asAdmin = await t.signInto(admin.userId, admin.userId);
    expect((await t.call(asAdmin, 'GET', '/organizations')).json().organizations).toEqual([]);
    const restore = (cookie: string) =>
      t.call(cookie, 'POST', '/organization/restore', { organizationId: owner.orgId });
    expect((await restore(asAdmin)).statusCode).toBe(404);
    t.clock.advance(30 * DAY_MS - 60_000);
    const later = await t.signInto(owner.userId, owner.userId);
    expect((await restore(later)).json()).toEqual({ id: owner.orgId, name: 'Gone Inc.' });
    expect([await probe(key.credential), (await restore(later)).statusCode]).toEqual([200, 409]);
    expect(await erase()).toEqual({ accounts: 0, rows: 0 });
  });

  test('is erased from every table after 30 days; another organization keeps every row', async () => {
    const owner = await t.join('Erased Inc.', 'erased', 'OWNER');
    const other = await t.join('Kept Inc.', 'kept', 'OWNER');
    for (const { orgId, userId } of [owner, other]) {
      const parent = await t.newKey(orgId, userId);
      const child = await t.newKey(orgId, userId);
      await t.owner.query('update api_key set parent_id = $1 where id = $2', [parent.id, child.id]);
      await fill(orgId, userId);
    }
    await t.call(owner.cookie, 'POST', '/organization/invitations', {
      email: 'erased.guest@example.com',
      role: 'VIEWER',
    });
    const before = await countRows(owner.orgId);
    for (const [place, rows] of Object.entries(before))
      if (place.endsWith('.account_id')) expect(rows, place).toBeGreaterThan(0);
    const untouched = await rowsOf(t.owner, [other.orgId]);
    const seq = async () =>
      Number(
        (await t.owner.query(`select count(*) as n from replica_change where dataset = 'organizations'`))
          .rows[0].n,
      );
    const logged = await seq();
    await t.call(owner.cookie, 'DELETE', '/organization');
    t.clock.advance(30 * DAY_MS + 1);
    const restore = await t.call(
      await t.signInto(owner.userId, owner.userId),
      'POST',
      '/organization/restore',
      { organizationId: owner.orgId },
    );
    expect(restore.statusCode).toBe(404);
    // A run that is stopped in the middle is taken up by the next one.
    const stopped = new AbortController();
    stopped.abort();
    await expect(erase(stopped.signal)).rejects.toThrow();
    expect((await erase()).accounts).toBe(1);
    const { 'audit_entry.account_id': audit, ...left } = await countRows(owner.orgId);
    expect(Object.values(left).filter((rows) => rows > 0)).toEqual([]);
    expect(audit).toBeGreaterThan(0);
    expect((await t.owner.query('select 1 from organization where id = $1', [owner.orgId])).rowCount).toBe(0);
    expect(await rowsOf(t.owner, [other.orgId])).toEqual(untouched);
    // Erasing the indicators added two entries to the change log, so every node drops them.
    expect(await seq()).toBe(logged + 2);
    expect(await erase()).toEqual({ accounts: 0, rows: 0 });
  });
});

describe('a deleted person', () => {
  let n = 0;
  beforeEach(() => {
    n += 1;
  });
  const newPerson = async () => {
    const person = await t.newProven(`person${n}`);
    return { ...person, cookie: await t.signInto(person.userId, person.userId) };
  };

  test('409 while they are the only owner of an organization', async () => {
    const owner = await t.join('Sole Inc.', 'sole', 'OWNER');
    const cookie = await t.signInto(owner.userId, owner.userId);
    const refused = await t.call(cookie, 'DELETE', '/user');
    expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringContaining(owner.orgId)]);
    await t.join('Sole Inc.', 'sole.second', 'OWNER');
    expect((await t.call(cookie, 'DELETE', '/user')).statusCode).toBe(200);
    expect(
      (await t.owner.query('select 1 from membership where user_id = $1', [owner.userId])).rowCount,
    ).toBe(0);
  });

  test('loses keys, sessions and address at once; an operator restores them', async () => {
    const person = await newPerson();
    const colleague = await t.join('Left Inc.', 'left.owner', 'OWNER');
    await t.newMember('Left Inc.', person.email, 'ADMIN');
    const [own, ofOrg] = [await t.newKey(person.userId), await t.newKey(colleague.orgId, person.userId)];
    const deleted = await t.call(person.cookie, 'DELETE', '/user');
    expect(deleted.statusCode).toBe(200);
    expect([
      await probe(own.credential),
      await probe(ofOrg.credential),
      await isSignedIn(person.cookie),
    ]).toEqual([401, 401, false]);
    expect((await t.newestTo(person.email)).kind).toBe('deletion-planned');
    // The address is free for another registration, which is another person.
    const again = await t.newUser(person.email);
    expect(again).not.toBe(person.userId);
    const restore = () => restorePerson(t.deps, { email: person.email, actor: OPERATOR });
    await expect(restore()).rejects.toThrow('registered again');
    await t.owner.query(`update app_user set email = 'moved@example.com' where id = $1`, [again]);
    expect(await restore()).toBe(person.userId);
    expect([await probe(own.credential), await probe(ofOrg.credential)]).toEqual([200, 401]);
  });

  test('is erased after 30 days; what they did for organizations stays without an address', async () => {
    const person = await newPerson();
    const colleague = await t.join('Stays Inc.', 'stays.owner', 'OWNER');
    await t.newMember('Stays Inc.', person.email, 'MEMBER');
    await t.newKey(person.userId);
    await fill(person.userId, person.userId);
    await t.owner.query(
      `insert into report (id, account_id, user_id, entity_type, entity_value, verdict, origin, result, created_at)
       values ('rpt_team', $1, $2, 'ip', '203.0.113.7', 'safe', 'client', '{}', now())`,
      [colleague.orgId, person.userId],
    );
    await t.call(person.cookie, 'DELETE', '/user');
    t.clock.advance(30 * DAY_MS + 1);
    expect((await erase()).accounts).toBeGreaterThan(0);
    const { 'audit_entry.account_id': audit, ...left } = await countRows(person.userId);
    expect(Object.values(left).filter((rows) => rows > 0)).toEqual([]);
    expect(audit).toBeGreaterThan(0);
    const { rows } = await t.owner.query('select row_to_json(u)::text as row from app_user u where id = $1', [
      person.userId,
    ]);
    expect(rows[0].row).not.toContain(person.email);
    expect((await t.owner.query(`select user_id from report where id = 'rpt_team'`)).rows).toEqual([
      { user_id: person.userId },
    ]);
    await expect(restorePerson(t.deps, { email: person.email, actor: OPERATOR })).rejects.toThrow(
      'not found',
    );
  });
});
