import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectPostgres, sql } from '#platform/postgres.ts';
import { FROM_DASHBOARD, WEB_URL } from '#test/access.ts';
import { cookieOf, cookiesOf, createTestAccounts, type TestAccounts } from '#test/accounts.ts';
import { PATIENT } from '#test/database.ts';

/** Attacks on people's accounts that the service refuses (reliability 3.C, 3.K, trap 66). */
let t: TestAccounts;
beforeAll(async () => {
  t = await createTestAccounts();
});
afterAll(() => t?.close());

const PASSWORD = 'a sentence of ten words';
type Headers = Readonly<Record<string, string>>;
type Answer = Awaited<ReturnType<TestAccounts['post']>>;

const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await t.get('/api/auth/session', cookie)).json().signedIn;
const withCookie = (cookie: string, headers: Headers = FROM_DASHBOARD) => ({
  headers: { ...headers, cookie },
});
const statusesOf = (answers: readonly Answer[]): readonly number[] =>
  answers.map(({ statusCode }) => statusCode);
const letterFor = async (email: string, path: string) => {
  await t.post(path, { email, password: PASSWORD });
  await t.settle();
  return t.newestTo(email);
};

describe('session fixation', () => {
  test('a cookie planted before the sign-in opens nothing after it', async () => {
    const email = 'fixed@example.com';
    await t.newPerson(email, PASSWORD);
    const attacker = await t.newPerson('planter@example.com', PASSWORD);
    const answer = await t.post(
      '/api/auth/login',
      { email, password: PASSWORD },
      withCookie(attacker.cookie),
    );
    const own = cookieOf(answer);
    expect(own).not.toBe(attacker.cookie);
    // The planted session has ended, so neither side is in the account of the other.
    expect([await isSignedIn(own), await isSignedIn(attacker.cookie)]).toEqual([true, false]);
    const chosen = `__Secure-sid=${'A'.repeat(43)}.1.${'B'.repeat(43)}`;
    const again = await t.post('/api/auth/login', { email, password: PASSWORD }, withCookie(chosen));
    expect(cookieOf(again)).not.toBe(chosen);
    expect(await isSignedIn(chosen)).toBe(false);
  });

  test('every gain of rights has a new token: sign-in, proof of the address, confirmation', async () => {
    const email = 'gainer@example.com';
    const { cookie } = await t.newPerson(email, PASSWORD);
    const second = cookieOf(
      await t.post('/api/auth/login', { email, password: PASSWORD }, withCookie(cookie)),
    );
    const third = cookieOf(await t.post('/api/auth/confirm', { password: PASSWORD }, withCookie(second)));
    expect(new Set([cookie, second, third]).size).toBe(3);
    expect([await isSignedIn(cookie), await isSignedIn(second), await isSignedIn(third)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('requests forged by another site', () => {
  const SITES: readonly (readonly [string, Headers])[] = [
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a page without an origin', { 'sec-fetch-site': 'cross-site' }],
  ];

  test.each(SITES)(
    '%s can neither sign in nor out, nor confirm, nor end a session',
    async (name, headers) => {
      const email = `csrf.${name.replaceAll(' ', '.')}@example.com`;
      const { cookie } = await t.newPerson(email, PASSWORD);
      const forged = { headers: { ...headers, cookie } };
      const answers = [
        await t.post('/api/auth/login', { email, password: PASSWORD }, forged),
        await t.post('/api/auth/logout', {}, forged),
        await t.post('/api/auth/confirm', { password: PASSWORD }, forged),
        await t.post('/api/auth/verify', { token: 'A'.repeat(43), password: PASSWORD }, forged),
        await t.post('/api/auth/claim', { token: 'A'.repeat(43), password: PASSWORD }, forged),
        await t.app.inject({
          method: 'DELETE',
          url: `/api/auth/sessions/ses_${'0'.repeat(26)}`,
          headers: forged.headers,
        }),
      ];
      expect(statusesOf(answers)).toEqual([403, 403, 403, 403, 403, 403]);
      expect(answers.flatMap(cookiesOf)).toEqual([]);
      expect(await isSignedIn(cookie)).toBe(true);
    },
  );

  test.each(SITES)('%s cannot make visitors ask for letters or keys', async (_name, headers) => {
    const body = { email: 'visitor@example.com', password: PASSWORD, token: 'A'.repeat(43) };
    const paths = ['auth/register', 'auth/forgot', 'auth/resend-verification', 'auth/reset', 'keys/instant'];
    for (const path of paths)
      expect((await t.post(`/api/${path}`, body, { headers })).statusCode, path).toBe(403);
    await t.settle();
    expect(await t.lettersTo('visitor@example.com')).toEqual([]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    '415: a simple request as %s, which needs no permission of the browser',
    async (type) => {
      const { cookie } = await t.newPerson(`simple.${type.length}@example.com`, PASSWORD);
      for (const path of ['register', 'login', 'verify', 'forgot', 'reset', 'confirm', 'claim']) {
        const answer = await t.app.inject({
          method: 'POST',
          url: `/api/auth/${path}`,
          headers: { ...FROM_DASHBOARD, cookie, 'content-type': type },
          payload: JSON.stringify({ email: 'simple@example.com', password: PASSWORD, token: 'A'.repeat(43) }),
        });
        expect([path, answer.statusCode]).toEqual([path, 415]);
      }
    },
  );
});

describe('the cookie of a session', () => {
  const FLAGS = 'Path=/; HttpOnly; SameSite=Lax';
  test.each([
    ['one host', {}, '__Secure-sid', `${FLAGS}; Secure`],
    [
      'sibling hosts',
      { PUBLIC_API_URL: 'https://api.example.com' },
      '__Secure-sid',
      `${FLAGS}; Secure; Domain=example.com`,
    ],
    [
      'hosts of different owners',
      { PUBLIC_API_URL: 'https://api.example.net' },
      '__Secure-sid',
      `${FLAGS}; Secure`,
    ],
    [
      'plain HTTP on this machine',
      { PUBLIC_API_URL: 'http://127.0.0.1:8080', PUBLIC_WEB_URL: 'http://127.0.0.1:8080' },
      'sid',
      FLAGS,
    ],
  ])('has the flags of its set-up: %s', async (_name, env, name, flags) => {
    const own = await createTestAccounts(env);
    try {
      await own.newUser('flags@example.com');
      const origin = own.config.PUBLIC_WEB_URL;
      const headers = { origin, 'sec-fetch-site': 'same-origin' };
      const email = 'flags@example.com';
      await own.post('/api/auth/forgot', { email }, { headers });
      await own.settle();
      const { token } = await own.newestTo(email);
      await own.post('/api/auth/reset', { token, password: PASSWORD }, { headers });
      const answer = await own.post('/api/auth/login', { email, password: PASSWORD }, { headers });
      const [cookie = ''] = cookiesOf(answer);
      expect(cookie.slice(0, cookie.indexOf('='))).toBe(name);
      expect(cookie.slice(cookie.indexOf('; ') + 2)).toBe(`Max-Age=604800; ${flags}`);
    } finally {
      await own.close();
    }
  });
});

describe('a token of a letter', () => {
  const AT_ONCE = 100;
  const race = (work: () => Promise<Answer>) => Promise.all(Array.from({ length: AT_ONCE }, work));
  const winnersOf = (answers: readonly Answer[]) =>
    answers.filter(({ statusCode }) => statusCode < 300).length;
  const losersOf = (answers: readonly Answer[]) =>
    new Set(statusesOf(answers).filter((status) => status >= 300));

  test('is used by one of a hundred at once: a registration', async () => {
    const { token } = await letterFor('race.verify@example.com', '/api/auth/register');
    const answers = await race(() => t.post('/api/auth/verify', { token, password: PASSWORD }));
    expect(winnersOf(answers)).toBe(1);
    for (const status of losersOf(answers)) expect([400, 503]).toContain(status);
    const { rows } = await t.owner.query(
      `select count(*)::int as n from session s join app_user u on u.id = s.user_id where u.email = $1`,
      ['race.verify@example.com'],
    );
    expect(rows[0].n).toBe(1);
  });

  test('is used by one of a hundred at once: a new password', async () => {
    const email = 'race.reset@example.com';
    await t.newPerson(email, PASSWORD);
    const { token } = await letterFor(email, '/api/auth/forgot');
    let n = 0;
    const answers = await race(() => {
      n += 1;
      return t.post('/api/auth/reset', { token, password: `new password ${n} of mine` });
    });
    expect(winnersOf(answers)).toBe(1);
    const told = (await t.lettersTo(email)).filter(({ kind }) => kind === 'password-changed');
    expect(told.length).toBe(1);
    expect((await t.post('/api/auth/reset', { token, password: 'once again of mine' })).statusCode).toBe(400);
  });

  test('is used by one of a hundred at once: a claim', async () => {
    await t.post('/api/keys/instant', { email: 'race.claim@example.com' });
    const { token } = await t.newestTo('race.claim@example.com');
    const answers = await race(() => t.post('/api/auth/claim', { token, password: PASSWORD }));
    expect(winnersOf(answers)).toBe(1);
  });

  test('is of one kind: a claim sets no password by reset, and a reset claims nothing', async () => {
    await t.post('/api/keys/instant', { email: 'kinds@example.com' }, { from: '198.51.100.3' });
    const claim = await t.newestTo('kinds@example.com');
    const reset = await t.post('/api/auth/reset', { token: claim.token, password: PASSWORD });
    const verify = await t.post('/api/auth/verify', { token: claim.token, password: PASSWORD });
    expect(statusesOf([reset, verify])).toEqual([400, 400]);
  });
});

test('a reset link leads to PUBLIC_WEB_URL, whatever Host and X-Forwarded-Host say', async () => {
  const email = 'poisoned@example.com';
  await t.newPerson(email, PASSWORD);
  for (const headers of [
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
  ])
    await t.post('/api/auth/forgot', { email }, { headers: { ...FROM_DASHBOARD, ...headers } });
  await t.settle();
  const links = (await t.lettersTo(email)).flatMap(({ kind, link }) =>
    kind === 'reset-password' ? [link] : [],
  );
  expect(links.length).toBe(3);
  for (const link of links) expect(link.startsWith(`${WEB_URL}/app/reset#token=`)).toBe(true);
  const claim = await t.app.inject({
    url: `/api/auth/claim?token=${'A'.repeat(43)}`,
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  });
  expect(String(claim.headers.location).startsWith(`${WEB_URL}/app/claim#`)).toBe(true);
});

describe('whether an address has an account', () => {
  const OWN_OF_EACH = new Set(['x-request-id', 'date']);
  const sentBy = (answer: Answer): string => {
    const { requestId: _id, ...body } = answer.json();
    const headers = Object.entries(answer.headers).filter(([name]) => !OWN_OF_EACH.has(name));
    return JSON.stringify([answer.statusCode, headers, body]);
  };

  test.each([
    ['login', '/api/auth/login'],
    ['register', '/api/auth/register'],
    ['forgot', '/api/auth/forgot'],
    ['resend', '/api/auth/resend-verification'],
  ])('is not in the answer of %s: status, headers and body are equal', async (name, path) => {
    const known = `known.${name}@example.com`;
    await t.newPerson(known, PASSWORD);
    await t.post('/api/auth/register', { email: `waits.${name}@example.com`, password: PASSWORD });
    await t.newUser(`bare.${name}@example.com`);
    await t.settle();
    const ask = (email: string) => t.post(path, { email, password: 'another password' });
    const expected = sentBy(await ask(`nobody.${name}@example.com`));
    for (const email of [known, `waits.${name}@example.com`, `bare.${name}@example.com`])
      expect(sentBy(await ask(email))).toBe(expected);
  });

  test.each([
    ['register', '/api/auth/register'],
    ['forgot', '/api/auth/forgot'],
    ['resend', '/api/auth/resend-verification'],
  ])(
    'is not looked up while %s is answered: the same statements run for every address',
    async (name, path) => {
      const known = `timed.${name}@example.com`;
      await t.newPerson(known, PASSWORD);
      await t.settle();
      const asked: string[] = [];
      for (const email of [known, `untimed.${name}@example.com`]) {
        await t.post(path, { email, password: PASSWORD });
        const { rows } = await t.owner.query('select kind, email from account_request');
        asked.push(...rows.map((row) => `${row.kind} ${row.email}`));
        // The job has not run, so nothing but the request exists.
        expect((await t.lettersTo(email)).some(({ kind }) => kind === 'address-taken')).toBe(false);
        await t.owner.query('delete from account_request');
      }
      expect(asked).toEqual([`${name} ${known}`, `${name} untimed.${name}@example.com`]);
    },
  );
});

test('requests of callers cannot read or write what belongs to a person: the role has no right to it', async () => {
  const { userId } = await t.newPerson('walled@example.com', PASSWORD);
  const app = connectPostgres(t.config, 'assay_app', PATIENT);
  try {
    for (const table of ['user_password', 'account_request', 'registration', 'account_token'])
      await expect(
        app.withAccount(userId, (tx) => sql`select 1 from ${sql.table(table)}`.execute(tx)),
        table,
      ).rejects.toThrow('permission denied');
    for (const statement of [
      sql`update app_user set email = 'mine@example.com'`,
      sql`insert into membership (account_id, user_id, role, created_at) values ('org_1', ${userId}, 'OWNER', now())`,
      sql`update subscription set plan = 'ENTERPRISE'`,
    ])
      await expect(app.withAccount(userId, (tx) => statement.execute(tx))).rejects.toThrow(
        'permission denied',
      );
  } finally {
    await app.close();
  }
});

test('after all of this no password and no token is in a table or in the log', async () => {
  const email = 'searched@example.com';
  const secrets = ['a password to look for', 'another password to look for', 'a wrong password to look for'];
  const [first = '', second = '', wrong = ''] = secrets;
  const tokens: string[] = [];
  const newest = async () => {
    await t.settle();
    const { token } = await t.newestTo(email);
    tokens.push(token);
    return token;
  };
  await t.post('/api/auth/register', { email, password: first });
  const proven = await t.post('/api/auth/verify', { token: await newest(), password: first });
  await t.post('/api/auth/login', { email, password: wrong });
  await t.post('/api/auth/forgot', { email });
  await t.post('/api/auth/reset', { token: await newest(), password: second });
  const login = await t.post('/api/auth/login', { email, password: second });
  await t.post('/api/auth/forgot', { email });
  await newest();
  for (const answer of [proven, login]) tokens.push(cookieOf(answer).split('=')[1]?.split('.')[0] ?? '');
  expect(tokens.every((token) => token.length === 43)).toBe(true);
  const { rows: tables } = await t.owner.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const log = t.lines.join('');
  expect(log).toContain('/api/auth/login');
  const kept: string[] = [log];
  for (const { name } of tables)
    kept.push(...(await t.owner.query(`select r::text as row from ${name} r`)).rows.map(({ row }) => row));
  const all = kept.join('\n');
  expect(all).toContain(email);
  for (const secret of [...secrets, ...tokens]) {
    expect(all).not.toContain(secret);
    for (const coding of ['hex', 'base64', 'base64url'] as const)
      expect(all).not.toContain(Buffer.from(secret).toString(coding));
    // A token's decoded 256 bits are not stored either; the text of a row shows a bytea column as hex.
    if (tokens.includes(secret)) expect(all).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
  }
});
