import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AddressGuard, METER_LIBRARY } from '#capabilities/metering/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { connectTestRedis, removeKeys, testPrefix } from '#test/redis.ts';
import { type AdminRun, adminRun } from '#test/run-admin.ts';
import { byMailbox } from '../../capabilities/accounts/sign-in-limits.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

const admin = (...args: readonly string[]): Promise<AdminRun> =>
  adminRun({ DATABASE_URL: database.url }, args);

/** Runs with --json and expects exactly one document and no other output. */
async function json<T>(...args: readonly string[]): Promise<T> {
  const run = await admin(...args, '--json');
  expect(run).toMatchObject({ code: 0, lines: [], stderr: '' });
  expect(run.documents).toHaveLength(1);
  return run.documents[0] as T;
}

type Made = {
  apiKey: string;
  apiSecret: string;
  header: string;
  keyId: string;
  accountId: string;
  userId: string;
  plan: string;
};

describe('key', () => {
  test('create makes a key and everything it needs: user, organization, membership, subscription', async () => {
    const made = await json<Made>(
      'key',
      'create',
      '--email',
      'Soc@Example.com',
      '--org',
      'Acme',
      '--plan',
      'PRO',
      '--label',
      'siem',
      '--limits',
      '{"checksPerMonth":5}',
      '--cidr',
      '203.0.113.0/24',
      '10.0.0.1',
    );
    expect(made).toMatchObject({
      plan: 'PRO',
      label: 'siem',
      allowedCidrs: ['203.0.113.0/24', '10.0.0.1/32'],
    });
    expect(made.accountId).toMatch(/^org_/);
    expect(made.keyId).toMatch(/^key_/);
    expect(atob(made.header)).toBe(`${made.apiKey}:${made.apiSecret}`);

    const again = await json<Made>('key', 'create', '--email', 'soc@example.com', '--org', 'Acme');
    expect(again).toMatchObject({ accountId: made.accountId, userId: made.userId, plan: 'PRO' });
    expect(again.apiKey).not.toBe(made.apiKey);
  });

  test('what an operator creates without --plan has ENTERPRISE; a plan that an account has stays', async () => {
    const made = await json<Made>('key', 'create', '--email', 'alone@example.com');
    expect(made).toMatchObject({ plan: 'ENTERPRISE', accountId: made.userId });
    expect(await json('user', 'invite', '--email', 'guest@example.com')).toMatchObject({
      plan: 'ENTERPRISE',
    });
    expect(await json('org', 'create', '--name', 'Planned')).toMatchObject({ plan: 'ENTERPRISE' });
    await json('plan', 'set', '--email', 'alone@example.com', '--plan', 'BASIC');
    const invited = ['user', 'invite', '--email', 'alone@example.com'];
    expect(await json(...invited)).toMatchObject({ plan: 'BASIC' });
    const asked = [...invited, '--plan', 'PRO'];
    expect(await json(...asked)).toMatchObject({ plan: 'PRO' });
  });

  test('list, rotate and revoke work by id and by apiKey', async () => {
    const made = await json<Made>('key', 'create', '--email', 'cycle@example.com');
    const listed = await json<{ keys: Made[] }>('key', 'list', '--email', 'cycle@example.com');
    expect(listed.keys.map((key) => key.keyId)).toEqual([made.keyId]);
    expect(JSON.stringify(listed)).not.toContain(made.apiSecret);
    const rotated = await json<Made>('key', 'rotate', made.apiKey, '--overlap', '60');
    expect(rotated.apiKey).toBe(made.apiKey);
    expect(rotated.apiSecret).not.toBe(made.apiSecret);
    expect(await json('key', 'revoke', made.keyId)).toMatchObject({ keyId: made.keyId, revoked: true });
    expect(await json('key', 'list', '--email', 'cycle@example.com')).toEqual({ keys: [] });
  });

  test('without --json a person can read it', async () => {
    const run = await admin('key', 'create', '--email', 'human@example.com');
    expect(run.documents).toEqual([]);
    expect(run.lines.join('\n')).toMatch(/X-API-KEY: [A-Za-z0-9+/=]+/);
  });
});

describe('accounts', () => {
  test('user, organization and members', async () => {
    const user = await json<{ userId: string }>('user', 'create', '--email', 'a@example.com');
    expect(await json('user', 'create', '--email', 'A@example.com')).toMatchObject(user);
    const org = await json<{ organizationId: string }>('org', 'create', '--name', 'Beta');
    const member = ['--org', 'Beta', '--email', 'a@example.com'];
    expect(await json('org', 'add-member', ...member, '--role', 'ADMIN')).toEqual({
      organizationId: org.organizationId,
      userId: user.userId,
      role: 'ADMIN',
    });
    expect(await json('org', 'remove-member', ...member)).toMatchObject({ removed: true });
    expect((await admin('org', 'remove-member', ...member)).code).toBe(1);
  });

  test('the last owner of an organization is neither removed nor given another role', async () => {
    await json('org', 'create', '--name', 'Owned');
    const [first, second] = ['first@example.com', 'second@example.com'].map((email) => [
      '--org',
      'Owned',
      '--email',
      email,
    ]) as [string[], string[]];
    await json('org', 'add-member', ...first, '--role', 'OWNER');
    for (const args of [
      ['remove-member', ...first],
      ['add-member', ...first, '--role', 'VIEWER'],
    ]) {
      const run = await admin('org', ...args);
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('keeps at least one owner')]);
    }
    await json('org', 'add-member', ...second, '--role', 'OWNER');
    expect(await json('org', 'remove-member', ...first)).toMatchObject({ removed: true });
  });

  test('a name that several organizations have is refused with their ids, and an id works', async () => {
    const first = await json<{ organizationId: string }>('org', 'create', '--name', 'Twin');
    expect(await json('org', 'create', '--name', 'Twin')).toMatchObject(first);
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    const second = first.organizationId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    await owner.query(`insert into organization (id, name, created_at) values ($1, 'Twin', now())`, [second]);
    await owner.end();
    for (const args of [
      ['org', 'create', '--name', 'Twin'],
      ['org', 'add-member', '--org', 'Twin', '--email', 'a@example.com'],
      ['key', 'create', '--email', 'a@example.com', '--org', 'Twin'],
      ['plan', 'set', '--org', 'Twin', '--plan', 'PRO'],
    ]) {
      const run = await admin(...args);
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(first.organizationId)]);
      expect(run.stderr).toContain(second);
    }
    const byId = await json<Made>('key', 'create', '--email', 'a@example.com', '--org', second);
    expect(byId.accountId).toBe(second);
    expect(await json('plan', 'set', '--org', second, '--plan', 'PRO')).toMatchObject({ accountId: second });
  });

  test('org invite prints a link; org and user are deleted and restored by an operator', async () => {
    const { organizationId } = await json<{ organizationId: string }>('org', 'create', '--name', 'Undone');
    const guest = ['--email', 'Guest@example.com', '--role', 'VIEWER'];
    const invited = await json<{ link: string; expiresAt: string }>(
      'org',
      'invite',
      '--org',
      'Undone',
      ...guest,
    );
    expect(invited.link).toMatch(/\/app\/invitation#token=[\w-]{43}$/);
    const deleted = await json<{ restorableUntil: string }>('org', 'delete', '--org', 'Undone');
    expect(Date.parse(deleted.restorableUntil)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    expect((await admin('org', 'invite', '--org', 'Undone', '--email', 'late@example.com')).code).toBe(1);
    expect(await json('org', 'restore', '--org', organizationId)).toEqual({ organizationId, name: 'Undone' });
    const again = await admin('org', 'restore', '--org', organizationId);
    expect([again.code, again.stderr]).toEqual([1, 'This organization is not deleted.\n']);
    const { userId } = await json<{ userId: string }>('user', 'create', '--email', 'undone@example.com');
    expect(await json('user', 'delete', '--email', 'undone@example.com')).toMatchObject({ userId });
    expect((await admin('user', 'delete', '--email', 'undone@example.com')).code).toBe(1);
    expect(await json('user', 'restore', '--email', 'undone@example.com')).toEqual({ userId });
  });

  test('user invite prints a link that sets a password, and makes the user', async () => {
    const invited = await json<{ userId: string; link: string; expiresAt: string }>(
      'user',
      'invite',
      '--email',
      'Invited@example.com',
    );
    expect(invited.link).toMatch(/^http:\/\/127\.0\.0\.1:8080\/app\/reset#token=[\w-]{43}$/);
    expect(await json('user', 'create', '--email', 'invited@example.com')).toMatchObject({
      userId: invited.userId,
    });
    const run = await admin('user', 'invite', '--email', 'invited@example.com');
    expect(run.lines[0]).toMatch(/#token=/);
    expect(run.lines[1]).toContain('works once');
  });

  test('org require-factor and user reset-factors say what they did, and refuse what is not there', async () => {
    const { organizationId } = await json<{ organizationId: string }>('org', 'create', '--name', 'Careful');
    expect(await json('org', 'require-factor', '--org', 'Careful')).toEqual({
      organizationId,
      demandsFactor: true,
    });
    const off = await json('org', 'require-factor', '--org', organizationId, '--off');
    expect(off).toEqual({ organizationId, demandsFactor: false });
    await json('user', 'create', '--email', 'plain@example.com');
    const none = await admin('user', 'reset-factors', '--email', 'plain@example.com');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no second factor')]);
  });

  test('user unlock says when nobody is locked out, and refuses an address without an account', async () => {
    const { userId } = await json<{ userId: string }>('user', 'create', '--email', 'free@example.com');
    const run = await admin('user', 'unlock', '--email', 'Free@example.com');
    expect([run.code, run.lines]).toEqual([
      0,
      [`${userId} is not locked out: no limit is used up. Nothing was changed.`],
    ]);
    expect(await json('user', 'unlock', '--email', 'free@example.com')).toMatchObject({
      userId,
      unlocked: false,
    });
    const none = await admin('user', 'unlock', '--email', 'nobody@example.com');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no account')]);
  });

  test('user unlock empties the limits that are used up, once, and says which', async () => {
    const { userId } = await json<{ userId: string }>('user', 'create', '--email', 'locked@example.com');
    const env = {
      DATABASE_URL: database.url,
      REDIS_PREFIX: testPrefix(),
      SIGN_IN_ACCOUNT_PER_HOUR: '3',
      // A busy machine must not make the counter count locally.
      REDIS_TIMEOUT_MS: '5000',
    };
    const redis = await connectTestRedis();
    try {
      await redis.loadLibrary(METER_LIBRARY);
      const config = loadConfig({ ASSAY_ENV: 'test', ...env });
      const guard = new AddressGuard({ redis, config, clock: systemClock(), shares: () => 1 });
      const { group, bucket, limits } = byMailbox(config, 'locked@example.com');
      for (let i = 0; i < 4; i += 1) await guard.spend(group, bucket, limits);
      const unlock = () => adminRun(env, ['user', 'unlock', '--email', 'locked@example.com']);
      const [first, second] = [await unlock(), await unlock()];
      expect(first).toMatchObject({
        code: 0,
        lines: [
          `Unlocked ${userId}. These limits were used up and are empty now:`,
          '  new devices, all networks: 3 of 3 in the last hour',
          'Whoever used them up can try again as well. Failed sign-ins are in the audit trail of the person.',
        ],
      });
      expect(second.lines).toEqual([
        `${userId} is not locked out: no limit is used up. Nothing was changed.`,
      ]);
    } finally {
      redis.close();
      await removeKeys(env.REDIS_PREFIX);
    }
  });

  test('plan set changes the given figures and leaves the rest', async () => {
    await json('org', 'create', '--name', 'Gamma');
    const set = (...args: string[]) => json('plan', 'set', '--org', 'Gamma', ...args);
    await set('--plan', 'ENTERPRISE', '--billing', 'YEARLY', '--limits', '{"burstPerMinute":9}');
    expect(await set('--status', 'suspended')).toMatchObject({
      plan: 'ENTERPRISE',
      billing: 'YEARLY',
      status: 'suspended',
      limits: { burstPerMinute: 9 },
    });
    expect(await set('--limits', '{}')).toMatchObject({ plan: 'ENTERPRISE', limits: {} });
  });

  test('licences', async () => {
    await json('user', 'create', '--email', 'lic@example.com');
    const made = await json<{ licenceId: string; licence: string }>(
      'licence',
      'create',
      '--email',
      'lic@example.com',
      '--expires',
      '2099-01-01T00:00:00Z',
    );
    expect(made.licence).toMatch(/^lk_/);
    const listed = await json<{ licences: { licenceId: string }[] }>('licence', 'list');
    expect(listed.licences.map(({ licenceId }) => licenceId)).toContain(made.licenceId);
    expect(JSON.stringify(listed)).not.toContain(made.licence);
    expect(await json('licence', 'revoke', made.licenceId)).toMatchObject({ revoked: true });
  });
});

describe('mistakes are one sentence on stderr and exit 1', () => {
  test.each([
    ['a wrong address', ['key', 'create', '--email', 'nobody'], "'nobody' is not an e-mail address."],
    [
      'limits that are not JSON',
      ['key', 'create', '--email', 'x@example.com', '--limits', '{'],
      '--limits is not JSON: {',
    ],
    ['an unknown limit', ['key', 'create', '--email', 'x@example.com', '--limits', '{"x":1}'], '--limits: '],
    ['an unknown plan', ['key', 'create', '--email', 'x@example.com', '--plan', 'GOLD'], 'GOLD'],
    [
      'a wrong range',
      ['key', 'create', '--email', 'x@example.com', '--cidr', 'home'],
      "'home' is not an address",
    ],
    ['an unknown key', ['key', 'revoke', 'key_x'], "There is no active key 'key_x'."],
    ['no account named', ['plan', 'set', '--plan', 'PRO'], 'Name one account'],
    [
      'two accounts named',
      ['plan', 'set', '--plan', 'PRO', '--org', 'a', '--email', 'b@example.com'],
      'Name one account',
    ],
    [
      'an unknown account',
      ['plan', 'set', '--plan', 'PRO', '--org', 'Nobody'],
      "There is no account 'Nobody'.",
    ],
    ['an unknown command', ['key', 'destroy'], 'destroy'],
  ])('%s', async (_name, args, sentence) => {
    const run = await admin(...args);
    expect(run).toMatchObject({ code: 1, lines: [], documents: [] });
    expect(run.stderr).toContain(sentence);
    expect(run.stderr).not.toContain('    at ');
    // No account was created by the failed commands.
    expect((await admin('plan', 'set', '--plan', 'PRO', '--email', 'x@example.com')).code).toBe(1);
  });
});
