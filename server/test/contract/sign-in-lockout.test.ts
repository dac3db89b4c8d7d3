import { afterAll, beforeAll, expect, test } from 'vitest';
import { AddressGuard } from '#capabilities/metering/index.ts';
import { METER_LIBRARY } from '#capabilities/metering/meter-library.ts';
import { registry } from '#platform/metrics.ts';
import { FROM_DASHBOARD, OPERATOR } from '#test/access.ts';
import { cookiesOf, createTestAccounts, type TestAccounts } from '#test/accounts.ts';
import { connectTestRedis, removeKeys, testPrefix } from '#test/redis.ts';
import { createHasher } from '../../src/capabilities/accounts/hash-password.ts';
import { byMailbox, emailsByMailbox } from '../../src/capabilities/accounts/sign-in-limits.ts';
import { unlockPerson } from '../../src/capabilities/accounts/unlock-person.ts';

/** Third parties who guess passwords and ask for emails must not lock the owner out (reliability 3.K). */
const LIMITS = {
  SIGN_IN_DEVICE_PER_HOUR: '3',
  SIGN_IN_NETWORK_PER_HOUR: '2',
  SIGN_IN_ACCOUNT_PER_HOUR: '4',
  LETTERS_MAILBOX_PER_HOUR: '3',
};
const PASSWORD = 'a sentence of ten words';
const WRONG = 'not the right password';
const HOUR_MS = 3_600_000;
const HOME = '198.51.100.7';

let t: TestAccounts;
let phc: string;
beforeAll(async () => {
  t = await createTestAccounts(LIMITS);
  const turn = { lane: 'open', group: 'test', signal: new AbortController().signal } as const;
  phc = await createHasher(t.clock).hash(PASSWORD, turn);
});
afterAll(() => t?.close());

type Answer = Awaited<ReturnType<TestAccounts['post']>>;

/** A browser: it keeps its cookies and sends from one IP address. */
function browser(from: string) {
  const jar = new Map<string, string>();
  const headers = () => ({
    ...FROM_DASHBOARD,
    ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
  });
  const keep = (answer: Answer): Answer => {
    for (const line of cookiesOf(answer)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return answer;
  };
  const post = async (path: string, body: object) =>
    keep(await t.post(path, body, { headers: headers(), from }));
  return {
    jar,
    post,
    signIn: (email: string, password = PASSWORD) => post('/api/auth/login', { email, password }),
    revokeKey: (id: string) =>
      t.app.inject({ method: 'DELETE', url: `/api/user/keys/${id}`, headers: headers() }),
  };
}

async function owner(email: string) {
  const userId = await t.newUser(email);
  await t.owner.query('insert into user_password (user_id, phc, changed_at) values ($1, $2, $3)', [
    userId,
    phc,
    new Date(t.clock.now()),
  ]);
  const device = browser(HOME);
  expect((await device.signIn(email)).statusCode).toBe(200);
  return { email, userId, device };
}

/** Tries from networks of their own until new devices have no try left; returns the statuses. */
async function guess(email: string, times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1)
    statuses.push((await browser(`203.0.${i % 4}.9`).signIn(email, WRONG)).statusCode);
  return statuses;
}
const statusesOf = (answers: readonly Answer[]) => answers.map(({ statusCode }) => statusCode);

async function statements(): Promise<number> {
  const metric = await registry.getSingleMetric('assay_postgres_queries_total')?.get();
  return metric?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
}

test('while others guess and ask for emails, the owner confirms, signs in, resets and revokes a key', async () => {
  const { email, device } = await owner('locked@example.com');
  const guesses = await guess(email, 7);
  // One of the four was the sign-in that made the owner's device known.
  expect(guesses).toEqual([401, 401, 401, 429, 429, 429, 429]);
  for (let i = 0; i < 5; i += 1) await browser(`203.0.${i}.9`).post('/api/auth/forgot', { email });

  const stranger = await browser('192.0.2.1').signIn(email);
  expect(stranger.statusCode).toBe(429);
  expect(stranger.json().message).toMatch(
    /^Too many sign-in attempts for this email address from new devices\. Sign in on a device that you used before, or with a passkey, if you have one\. Try again in 1 hour( \d+ minutes?)?\.$/,
  );
  const made = await device.post('/api/auth/confirm', { password: PASSWORD });
  const again = await device.signIn(email);
  const key = await device.post('/api/user/keys', { label: 'mine' });
  const revoked = await device.revokeKey(key.json().id);
  const reset = await device.post('/api/auth/forgot', { email });
  expect(statusesOf([made, again, key, revoked, reset])).toEqual([200, 200, 201, 204, 200]);

  await t.settle();
  const resets = (await t.lettersTo(email)).filter(({ kind }) => kind === 'reset-password');
  // Three asked for by others, and the one that is kept for the owner.
  expect(resets).toHaveLength(4);
  expect((await device.post('/api/auth/forgot', { email })).statusCode).toBe(429);
});

test('one network uses up its own tries of an email address, and not those of others', async () => {
  const { email } = await owner('network@example.com');
  const near = [
    await browser('203.0.113.1').signIn(email, WRONG),
    await browser('203.0.113.2').signIn(email, WRONG),
  ];
  const third = await browser('203.0.113.3').signIn(email, WRONG);
  expect(statusesOf([...near, third])).toEqual([401, 401, 429]);
  expect(third.json().message).toMatch(
    /^Too many sign-in attempts for this email address from your network\./,
  );
  expect((await browser('203.0.114.3').signIn(email)).statusCode).toBe(200);
});

test('a known device has three wrong passwords an hour, and then counts as a new one', async () => {
  const { email, device } = await owner('mistyped@example.com');
  const wrong = [];
  for (let i = 0; i < 5; i += 1) wrong.push(await device.signIn(email, WRONG));
  // Three of the device, then what is left of its network after the sign-in that made it known.
  expect(statusesOf(wrong)).toEqual([401, 401, 401, 401, 429]);
  t.clock.advance(2 * HOUR_MS);
  expect((await device.signIn(email)).statusCode).toBe(200);
});

test('after a new password a device is unknown until it signs in again, and cannot use up what is kept for known ones', async () => {
  const { email, device } = await owner('renewed@example.com');
  const thief = browser('192.0.2.66');
  for (const [name, value] of device.jar) thief.jar.set(name, value);
  await device.post('/api/auth/forgot', { email });
  await t.settle();
  const { token } = await t.newestTo(email);
  t.clock.advance(1_000);
  expect((await device.post('/api/auth/reset', { token, password: `${PASSWORD} more` })).statusCode).toBe(
    200,
  );
  t.clock.advance(2 * HOUR_MS);
  await guess(email, 5);
  for (let i = 0; i < 4; i += 1) await browser(`203.0.${i}.9`).post('/api/auth/forgot', { email });
  const late = [await thief.signIn(email, WRONG), await thief.post('/api/auth/forgot', { email })];
  expect(statusesOf(late)).toEqual([429, 429]);
  t.clock.advance(2 * HOUR_MS);
  const fresh = browser('198.51.100.20');
  expect((await fresh.signIn(email, `${PASSWORD} more`)).statusCode).toBe(200);
  await guess(email, 5);
  expect((await fresh.signIn(email, `${PASSWORD} more`)).statusCode).toBe(200);
});

test('the device of one person is a new device for another', async () => {
  const [one, other] = [await owner('first@example.com'), await owner('second@example.com')];
  await guess(other.email, 5);
  expect((await one.device.signIn(other.email)).statusCode).toBe(429);
  expect((await other.device.signIn(other.email)).statusCode).toBe(200);
});

test('an email address without an account has the same limits, statuses and words', async () => {
  const { email } = await owner('real@example.com');
  const answersFor = async (to: string) => {
    const answers: (readonly [number, string])[] = [];
    for (let i = 0; i < 9; i += 1) {
      const answer = await browser(`192.0.${i % 4}.9`).signIn(to, WRONG);
      answers.push([answer.statusCode, answer.json().message]);
    }
    return answers;
  };
  t.clock.advance(2 * HOUR_MS);
  const [known, unknown] = [await answersFor(email), await answersFor('absent@example.com')];
  expect(unknown).toEqual(known);
});

test('a confirmation counts in its session: wrong ones use up neither another session nor the sign-in', async () => {
  const { email, device } = await owner('confirming@example.com');
  const other = browser('198.51.100.99');
  await other.signIn(email);
  const wrong = [];
  for (let i = 0; i < 4; i += 1) wrong.push(await device.post('/api/auth/confirm', { password: WRONG }));
  expect(statusesOf(wrong)).toEqual([403, 403, 403, 429]);
  expect(wrong.at(-1)?.json().message).toMatch(
    /^Too many wrong passwords or codes in this session\. Sign in again\. Try again in/,
  );
  expect((await other.post('/api/auth/confirm', { password: PASSWORD })).statusCode).toBe(200);
  expect((await device.signIn(email)).statusCode).toBe(200);
  expect((await device.post('/api/auth/confirm', { password: PASSWORD })).statusCode).toBe(200);
});

test('a session that changes its account takes its tries along', async () => {
  const { email, userId, device } = await owner('switching@example.com');
  for (let i = 0; i < 3; i += 1) await device.post('/api/auth/confirm', { password: WRONG });
  expect((await device.post('/api/auth/switch', { accountId: userId })).statusCode).toBe(200);
  expect((await device.post('/api/auth/confirm', { password: PASSWORD })).statusCode).toBe(429);
  expect(email).toContain('@');
});

test('sessions of a key pair are new devices: whoever has the key can open any number of them', async () => {
  const { email, userId } = await owner('keyed@example.com');
  const { apiKey, apiSecret } = await t.newKey(userId);
  const statuses: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const thief = browser('192.0.2.80');
    await thief.post('/api/auth/session', { apiKey, apiSecret });
    statuses.push((await thief.post('/api/auth/confirm', { password: WRONG })).statusCode);
    expect([...thief.jar.keys()].some((name) => name.endsWith('device'))).toBe(false);
  }
  expect(statuses).toEqual([403, 403, 429]);
  expect(email).toContain('@');
});

test('a forged device cookie costs the database nothing', async () => {
  const costOf = async (cookie: string) => {
    const before = await statements();
    await t.post(
      '/api/auth/login',
      { email: 'nobody@example.com', password: WRONG },
      {
        headers: { ...FROM_DASHBOARD, cookie },
        from: `192.0.${cookie.length % 200}.1`,
      },
    );
    return (await statements()) - before;
  };
  const plain = await costOf('theme=dark');
  const mark = `${'A'.repeat(16)}.m1abcdef.1.${'B'.repeat(43)}`;
  expect(await costOf(`__Secure-device=${mark}`)).toBe(plain);
  expect(await costOf(`__Secure-device=${[mark, mark, mark, mark, mark].join('~')}`)).toBe(plain);
});

test('an operator unlocks a person: limits that are used up are emptied, others stay, and the audit trail says so', async () => {
  const { email, userId } = await owner('helped@example.com');
  const prefix = testPrefix();
  const redis = await connectTestRedis();
  try {
    await redis.loadLibrary(METER_LIBRARY);
    const config = { ...t.config, REDIS_PREFIX: prefix };
    const guard = new AddressGuard({ redis, config, clock: t.clock, shares: () => 1 });
    const deps = { system: t.system, clock: t.clock, config, guard };
    const unlock = () => unlockPerson(deps, OPERATOR, { userId, email });
    expect((await unlock()).filter(({ wasUsedUp }) => wasUsedUp)).toEqual([]);
    const [all, emails] = [byMailbox(config, email), emailsByMailbox(config, email)];
    const spend = ({ group, bucket, limits }: typeof all) => guard.spend(group, bucket, limits);
    for (let i = 0; i < 5; i += 1) await spend(all);
    await spend(emails);
    expect((await spend(all)).granted).toBe(false);
    const used = (await unlock()).filter(({ used: tries }) => tries > 0);
    expect(used).toEqual([
      { name: 'new devices, all networks', used: 4, limit: 4, wasUsedUp: true },
      { name: 'emails', used: 1, limit: 3, wasUsedUp: false },
    ]);
    expect([
      (await spend(all)).granted,
      (await spend(all)).remaining,
      (await spend(emails)).remaining,
    ]).toEqual([true, 2, 1]);
    const { rows } = await t.owner.query(
      `select actor_kind, detail from audit_entry where account_id = $1 and action = 'user.unlock'`,
      [userId],
    );
    expect(rows).toEqual([{ actor_kind: 'operator', detail: { limits: 'new devices, all networks' } }]);
  } finally {
    redis.close();
    await removeKeys(prefix);
  }
});
