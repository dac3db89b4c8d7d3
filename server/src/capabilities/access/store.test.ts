import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { assertRestricted } from '#platform/restricted-login.ts';
import { createTestAccess, OPERATOR, type TestAccess } from '#test/access.ts';
import { pruneAccess } from './access.ts';
import { recordAudit } from './audit.ts';
import { createLicence, putMembership, removeMembership, revokeLicence, setPlan } from './manage-accounts.ts';
import { createKey, KEYS_PER_ACCOUNT_MAX, listKeys, revokeKey, rotateKey } from './manage-keys.ts';
import { createSession, findSession, revokeSession } from './sessions.ts';

const TABLES = [
  'app_user',
  'organization',
  'membership',
  'subscription',
  'api_key',
  'licence_key',
  'session',
  'audit_entry',
  'idempotency_key',
];

let t: TestAccess;
let owner: pg.Client;

beforeAll(async () => {
  t = await createTestAccess();
  owner = new pg.Client({ connectionString: t.database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await t?.close();
});

const countOf = async (pool: Postgres, table: string, accountId?: string): Promise<number> => {
  const count = async (db: Postgres['db']) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db);
    return rows[0]?.n ?? -1;
  };
  return accountId === undefined ? count(pool.db) : pool.withAccount(accountId, count);
};

async function fill(name: string) {
  const { orgId, userId } = await t.newMember(name, `${name.toLowerCase()}@example.com`, 'OWNER');
  const manage = { postgres: t.system, clock: t.clock };
  await setPlan(manage, OPERATOR, orgId, { plan: 'PRO' });
  await createLicence(manage, OPERATOR, { accountId: orgId, label: '', expiresAtMs: null });
  const key = await t.newKey(orgId, userId);
  await t.newCookie(orgId, userId);
  await owner.query(
    `insert into idempotency_key (account_id, key, fingerprint, created_at) values ($1, 'k', $2, now())`,
    [orgId, Buffer.alloc(32)],
  );
  return { orgId, userId, key };
}

describe('row-level security', () => {
  let a: Awaited<ReturnType<typeof fill>>;
  let b: Awaited<ReturnType<typeof fill>>;
  beforeAll(async () => {
    a = await fill('Alpha');
    b = await fill('Beta');
  });

  test.each(TABLES)(
    '%s: an account sees its own rows, the system role all, no account none',
    async (table) => {
      const all = await countOf(t.system, table);
      const ofA = await countOf(t.postgres, table, a.orgId);
      const ofB = await countOf(t.postgres, table, b.orgId);
      expect(ofA).toBeGreaterThan(0);
      expect(ofB).toBeGreaterThan(0);
      expect(ofA + ofB).toBeLessThanOrEqual(all);
      expect(await countOf(t.postgres, table)).toBe(0);
      expect(await countOf(t.postgres, table, '')).toBe(0);
    },
  );

  test.each(['access_key_entry', 'access_licence_entry'])(
    'view %s shows an account its own entries only',
    async (view) => {
      expect(await countOf(t.postgres, view, a.orgId)).toBe(1);
      expect(await countOf(t.postgres, view)).toBe(0);
      expect(await countOf(t.system, view)).toBe(2);
    },
  );

  test("a row cannot be written into another account, nor another account's row be changed", async () => {
    const steal = t.postgres.withAccount(a.orgId, (tx) =>
      createKeyRow(tx, b.orgId, b.userId, `ak_${'Z'.repeat(24)}`),
    );
    await expect(steal).rejects.toThrow(/row-level security/);
    const changed = await t.postgres.withAccount(a.orgId, (tx) =>
      sql`update api_key set label = 'mine' where id = ${b.key.id}`.execute(tx),
    );
    expect(Number(changed.numAffectedRows)).toBe(0);
  });

  test('a session is readable only with its token hash', async () => {
    const token = (
      await createSession(
        { postgres: t.postgres, clock: t.clock },
        { accountId: a.orgId, userId: a.userId, ip: '', userAgent: '' },
      )
    ).token;
    const found = await findSession({ postgres: t.postgres, clock: t.clock }, token);
    expect(found?.caller).toMatchObject({
      kind: 'session',
      accountId: a.orgId,
      role: 'OWNER',
      plan: 'PRO',
    });
    expect(await countOf(t.postgres, 'session')).toBe(0);
    const stored = await owner.query('select * from session');
    expect(JSON.stringify(stored.rows)).not.toContain(token);
  });

  test('the service refuses to start as superuser, and would see every account if it did', async () => {
    const role = t.config.DATABASE_URL;
    const superuser = { ...t.postgres, db: connectAsLoginUser(role), role: 'assay_app' as const };
    try {
      await expect(assertRestricted(superuser, t.config)).rejects.toThrow(/is a superuser/);
      expect(await countOf(superuser, 'api_key')).toBe(2);
      await expect(assertRestricted(t.postgres, t.config)).resolves.toBeUndefined();
      await expect(assertRestricted(t.system, t.config)).resolves.toBeUndefined();
    } finally {
      await superuser.db.destroy();
    }
  });

  test('every table of access forces its policies on the owner too', async () => {
    const { rows } = await owner.query<{ relname: string }>(
      `select relname from pg_class where relname = any($1) and relrowsecurity and relforcerowsecurity`,
      [TABLES],
    );
    expect(rows.map((row) => row.relname).sort()).toEqual([...TABLES].sort());
  });

  test('a table without FORCE shows everything to an owner that is no superuser', async () => {
    // Shows what FORCE ROW LEVEL SECURITY does: the same owner reads with it and without it.
    const visible = async () =>
      (await owner.query<{ n: number }>('select count(*)::int as n from api_key')).rows[0]?.n;
    await owner.query('begin');
    await owner.query('create role probe_owner nosuperuser nobypassrls');
    await owner.query('grant usage, create on schema public to probe_owner');
    await owner.query('alter table api_key owner to probe_owner');
    await owner.query('set local role probe_owner');
    expect(await visible()).toBe(0);
    await owner.query('alter table api_key no force row level security');
    expect(await visible()).toBe(2);
    await owner.query('rollback');
  });

  test('the audit trail can be written and read, never changed or erased', async () => {
    const entry = {
      accountId: a.orgId,
      actor: OPERATOR,
      action: 'test.note',
      target: 'x',
      before: { a: 1, b: 2 },
      after: null,
      nowMs: t.clock.now(),
    };
    await t.postgres.withAccount(a.orgId, (tx) => recordAudit(tx, entry));
    for (const pool of [t.postgres, t.system])
      for (const change of [sql`update audit_entry set action = 'x'`, sql`delete from audit_entry`])
        await expect(pool.withAccount(a.orgId, (tx) => change.execute(tx))).rejects.toThrow(
          /permission denied/,
        );
    const { rows } = await owner.query(`select * from audit_entry where action = 'test.note'`);
    expect(rows).toHaveLength(1);
    expect(rows[0].before_hash).toHaveLength(32);
    expect(rows[0].after_hash).toBeNull();
  });
});

describe('keys', () => {
  test('no stored byte contains a secret, and every change is a log entry in its own transaction', async () => {
    const user = await t.newUser('secrets@example.com');
    const deps = { postgres: t.system, clock: t.clock, pepper: t.access.pepper };
    const scope = { accountId: user, userId: null };
    const key = await t.newKey(user);
    const rotated = await rotateKey(deps, OPERATOR, scope, key.apiKey, 1_000);
    await setPlan(deps, OPERATOR, user, { plan: 'PRO' });
    await revokeKey(deps, OPERATOR, scope, key.id);
    const dump = await owner.query(
      `select to_jsonb(k)::text as row from api_key k union all select to_jsonb(a)::text from audit_entry a`,
    );
    const text = dump.rows.map((row) => row.row).join('\n');
    for (const secret of [key.apiSecret, rotated.apiSecret]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    }
    const changes = await owner.query(
      `select count(*)::int as n from replica_change where dataset = 'access' and key = $1`,
      [Buffer.from(key.apiKey)],
    );
    expect(changes.rows[0].n).toBe(4);
    const audit = await owner.query(`select action from audit_entry where account_id = $1 order by id`, [
      user,
    ]);
    expect(audit.rows.map((row) => String(row.action)).sort()).toEqual(
      ['user.create', 'key.create', 'key.rotate', 'plan.set', 'key.revoke'].sort(),
    );
  });

  test('a failed change leaves neither row nor log entry', async () => {
    const user = await t.newUser('rollback@example.com');
    const before = await owner.query('select count(*)::int as n from replica_change');
    const deps = { postgres: t.postgres, clock: t.clock, pepper: t.access.pepper };
    const wanted = { accountId: user, userId: 'usr_NOBODY', label: '', allowedCidrs: [] };
    await expect(createKey(deps, OPERATOR, wanted)).rejects.toThrow(/foreign key/);
    const after = await owner.query('select count(*)::int as n from replica_change');
    expect(after.rows).toEqual(before.rows);
  });

  test('an account holds at most 100 keys, also when they are made at once', async () => {
    const user = await t.newUser('many@example.com');
    await owner.query(
      `insert into api_key (id, api_key, account_id, user_id, secret_hmac, pepper_version, created_at)
       select 'key_' || n, 'ak_' || lpad(n::text, 24, '0'), $1::text, $1::text, $2::bytea, 1, now() from generate_series(1, $3::int) n`,
      [user, Buffer.alloc(32), KEYS_PER_ACCOUNT_MAX - 1],
    );
    const deps = { postgres: t.postgres, clock: t.clock, pepper: t.access.pepper };
    const wanted = { accountId: user, userId: user, label: '', allowedCidrs: [] };
    const results = await Promise.allSettled([1, 2, 3].map(() => createKey(deps, OPERATOR, wanted)));
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await listKeys(deps, { accountId: user, userId: null })).keys).toHaveLength(KEYS_PER_ACCOUNT_MAX);
  });

  test('the replica finds a key by its bytes through an index', async () => {
    await owner.query('set enable_seqscan = off');
    const { rows } = await owner.query(
      `explain select value from access_key_entry where key = any($1::bytea[])`,
      [[Buffer.from('ak_x')]],
    );
    await owner.query('reset enable_seqscan');
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('api_key_bytes');
  });

  test("a former member's key has no entry any more, and a role change is one", async () => {
    const { orgId, userId } = await t.newMember('Gamma', 'leaver@example.com', 'MEMBER');
    const key = await t.newKey(orgId, userId);
    const deps = { postgres: t.system, clock: t.clock };
    const entry = async () => {
      const { rows } = await owner.query(
        `select convert_from(value, 'UTF8')::jsonb as value from access_key_entry where key = $1`,
        [Buffer.from(key.apiKey)],
      );
      return rows[0]?.value;
    };
    await putMembership(deps, OPERATOR, orgId, userId, 'ADMIN');
    expect(await entry()).toMatchObject({ role: 'ADMIN', organization: orgId, account: orgId, user: userId });
    const session = await createSession(
      { postgres: t.postgres, clock: t.clock },
      { accountId: orgId, userId, ip: '', userAgent: '' },
    );
    await removeMembership(deps, OPERATOR, orgId, userId);
    expect(await entry()).toBeUndefined();
    expect(await findSession({ postgres: t.postgres, clock: t.clock }, session.token)).toBeNull();
    const log = await owner.query(`select count(*)::int as n from replica_change where key = $1`, [
      Buffer.from(key.apiKey),
    ]);
    expect(log.rows[0].n).toBe(3);
  });

  test('a revoked licence has no entry any more', async () => {
    const user = await t.newUser('licensed@example.com');
    const deps = { postgres: t.system, clock: t.clock };
    const made = await createLicence(deps, OPERATOR, { accountId: user, label: '', expiresAtMs: null });
    const count = () => countOf(t.postgres, 'access_licence_entry', user);
    expect(await count()).toBe(1);
    await revokeLicence(deps, OPERATOR, made.id);
    expect(await count()).toBe(0);
    await expect(revokeLicence(deps, OPERATOR, made.id)).rejects.toThrow(/was not found/);
  });
});

describe('sessions', () => {
  test('a revoked session is gone; ended sessions are pruned', async () => {
    const user = await t.newUser('signed-in@example.com');
    const deps = { postgres: t.postgres, clock: t.clock };
    const who = { accountId: user, userId: user, ip: '', userAgent: 'x'.repeat(1_000) };
    const first = await createSession(deps, who);
    const second = await createSession(deps, who);
    expect(await revokeSession(deps, user, first.id)).toBe(true);
    expect(await findSession(deps, first.token)).toBeNull();
    expect(await findSession(deps, second.token)).toMatchObject({ caller: { id: second.id }, allows: null });
    expect(await findSession(deps, 'not-a-token')).toBeNull();
    t.clock.advance(86_400_000);
    expect(await pruneAccess(t.system, t.clock)).toBeGreaterThan(0);
    expect(await countOf(t.system, 'session')).toBe(0);
  });
});

const createKeyRow = (tx: Postgres['db'], accountId: string, userId: string, apiKey: string) =>
  sql`insert into api_key (id, api_key, account_id, user_id, secret_hmac, pepper_version, created_at)
      values ('key_stolen', ${apiKey}, ${accountId}, ${userId}, ${Buffer.alloc(32)}, 1, now())`.execute(tx);

/** Connects without the restricted role, as a careless deployment would. */
function connectAsLoginUser(databaseUrl: string): Postgres['db'] {
  const login = connectPostgres({ DATABASE_URL: databaseUrl, POSTGRES_POOL_MAX: 1 }, 'none' as 'assay_app');
  return login.db;
}
