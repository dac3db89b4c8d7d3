import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { digestOf, openLetters } from '#capabilities/letters/index.ts';
import { openLetter } from '#capabilities/letters/sealed-letter.ts';
import { sealUnsubscription, type Topic } from '#capabilities/letters/topics.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { capturedLog, testApp } from '#test/http-app.ts';
import { type MeteredApp, startMeteredApp } from '#test/metered-app.ts';
import { erasePerson } from './erase-person.ts';
import type { FormsDeps } from './forms-deps.ts';
import { forgetForms } from './jobs.ts';
import { listSubscribers } from './list-subscribers.ts';
import { formsRoutes } from './routes.ts';
import { openSubscribers } from './subscribers.ts';

const SECRET_KEY = `1:${'s'.repeat(64)}`;
const WEB = 'https://app.example.test';
const secrets = createSecrets(SECRET_KEY);
let nowMs = Date.UTC(2027, 0, 31, 12);
const clock = { now: () => nowMs, monotonic: () => performance.now() };

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let app: FastifyInstance;
let deps: FormsDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  deps = depsWith({ SMTP_URL: 'smtp://127.0.0.1:1' });
  app = testApp(formsRoutes(deps));
});
afterAll(async () => {
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
});
beforeEach(async () => {
  nowMs = Date.UTC(2027, 0, 31, 12);
  for (const table of ['form_entry', 'newsletter_subscriber', 'letter', 'letter_suppression'])
    await sql`delete from ${sql.table(table)}`.execute(system.db);
});

function depsWith({ SMTP_URL, FORMS_TO }: { SMTP_URL?: string; FORMS_TO?: string }): FormsDeps {
  const config = { SMTP_URL, SECRET_KEY, PUBLIC_WEB_URL: WEB, PUBLIC_API_URL: WEB, FORMS_TO };
  const letters = openLetters({ config, clock });
  const subscribers = openSubscribers({ system, clock, letters, secrets, publicWebUrl: WEB });
  return { clock, postgres, secrets, config, letters, subscribers };
}
const post = (url: string, payload: object, on = app) => on.inject({ method: 'POST', url, payload });
const entries = async () =>
  (
    await sql<{ form: string; fields: Record<string, unknown> }>`
      select form, fields from form_entry order by created_at, id`.execute(system.db)
  ).rows;
type Written = { id: string; kind: string; sealed: Buffer };
const letters = async () => {
  const { rows } = await sql<Written>`select id, kind, sealed from letter order by created_at, id`.execute(
    system.db,
  );
  return rows.map((row) => {
    const opened = openLetter(secrets, row);
    return { kind: row.kind, to: opened?.to, facts: opened?.content.facts as { link?: string } };
  });
};
const linkOf = async (at = -1): Promise<string> => {
  const link = (await letters()).at(at)?.facts.link ?? '';
  expect(link.startsWith(`${WEB}/api/newsletter/confirm?token=`)).toBe(true);
  return link.slice(WEB.length);
};

const CONTACT = { name: 'Ada', email: 'ada@example.org', subject: 'Hello', message: 'Two\nlines' };
const FORMS: readonly [string, object][] = [
  ['/contact', CONTACT],
  ['/feedback', { message: 'Good', rating: 5, page: '/app/check', email: 'ada@example.org' }],
  ['/license', { name: 'Ada', email: 'ada@example.org', company: 'Example', useCase: 'Research' }],
];

describe('a form', () => {
  test.each(FORMS)('%s is kept as it was sent, at both addresses', async (path, fields) => {
    const first = await post(path, fields);
    expect(first.statusCode, first.body).toBe(200);
    expect(first.json()).toEqual({ message: expect.stringContaining('Thank you.') });
    expect((await post(`/api${path}`, { ...fields, unknown: 1 })).body).toBe(first.body);
    expect(await entries()).toEqual([
      { form: path.slice(1), fields },
      { form: path.slice(1), fields },
    ]);
  });

  test.each([...FORMS, ['/newsletter', { email: 'ada@example.org' }] as const])(
    '%s with the field that people do not see is answered the same and dropped',
    async (path, fields) => {
      const dropped = await post(path, { ...fields, website: 'https://spam.example' });
      expect(dropped.statusCode).toBe(200);
      expect([await entries(), await letters()]).toEqual([[], []]);
      expect((await post(path, { ...fields, website: '' })).body).toBe(dropped.body);
      expect((await entries()).length + (await letters()).length).toBe(1);
    },
  );

  test.each([
    ['/contact', { ...CONTACT, message: 'x'.repeat(5_001) }],
    ['/contact', { ...CONTACT, email: 'nobody' }],
    ['/contact', { ...CONTACT, name: '  ' }],
    ['/contact', { email: 'ada@example.org', message: 'no name' }],
    ['/feedback', { message: 'Good', rating: 6 }],
    ['/feedback', { message: 'Good', rating: 2.5 }],
    ['/license', { name: 'Ada', email: 'ada@example.org', useCase: 'no company' }],
    ['/newsletter', { email: 'a@example.org\r\nBcc: b@example.org' }],
    ['/newsletter', {}],
  ])('%s %j is 400 and kept nowhere', async (path, fields) => {
    expect((await post(path, fields)).statusCode).toBe(400);
    expect([await entries(), await letters()]).toEqual([[], []]);
  });

  test('text that PostgreSQL or a terminal cannot take is kept without the bad characters', async () => {
    const answer = await post('/contact', { ...CONTACT, message: 'a\u0000b\u001b[31m\ud800c\nd' });
    expect(answer.statusCode).toBe(200);
    expect((await entries())[0]?.fields.message).toBe('ab[31m\ufffdc\nd');
  });

  test('requests cannot read what others sent', async () => {
    await post('/contact', CONTACT);
    await expect(sql`select id from form_entry`.execute(postgres.db)).rejects.toThrow('permission denied');
  });

  test('FORMS_TO is told once an hour for each form, without what was sent', async () => {
    const told = testApp(
      formsRoutes(depsWith({ SMTP_URL: 'smtp://127.0.0.1:1', FORMS_TO: 'ops@example.com' })),
    );
    for (let times = 0; times < 3; times += 1) await post('/contact', CONTACT, told);
    await post('/feedback', { message: 'Good' }, told);
    nowMs += 3_600_000;
    await post('/contact', CONTACT, told);
    expect((await letters()).map(({ kind, to }) => `${kind} ${to}`)).toEqual(
      Array(3).fill('form-received ops@example.com'),
    );
    expect(JSON.stringify(await letters())).not.toContain('ada@');
  });
});

describe('forms are limited', () => {
  let metered: MeteredApp;
  beforeAll(async () => {
    metered = await startMeteredApp(formsRoutes(deps));
  });
  afterAll(() => metered?.close());

  test('to five an hour for each address, all forms together; a wrong one costs none of them', async () => {
    metered.nextCaller();
    const send = (path: string, fields: object) => post(path, fields, metered.app);
    for (let times = 0; times < 8; times += 1)
      expect((await send('/contact', { name: 'Ada' })).statusCode).toBe(400);
    for (const [path, fields] of [...FORMS, ...FORMS].slice(0, 5))
      expect((await send(path, fields)).statusCode).toBe(200);
    const refused = await send('/newsletter', { email: 'ada@example.org' });
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({
      error: 'Rate Limited',
      plan: 'ANONYMOUS',
      rateLimit: { limit: 5 },
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    expect((await metered.app.inject({ url: '/newsletter/confirm?token=x' })).statusCode).toBe(400);
  });
});

describe('the newsletter', () => {
  const ask = (email = 'Ada@example.org') => post('/newsletter', { email });
  const subscribed = () => Array.fromAsync(listSubscribers(system.db, secrets));

  test('is subscribed by the button behind the link, and not by opening it', async () => {
    await ask();
    expect(await subscribed()).toEqual([]);
    const link = await linkOf();
    const page = await app.inject({ url: link });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.body).toContain('<form method="post">');
    expect(await subscribed()).toEqual([]);
    const confirmed = await app.inject({ method: 'POST', url: link, headers: { accept: 'text/html' } });
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    expect(confirmed.body).toContain('Your subscription is confirmed.');
    expect(await subscribed()).toEqual(['Ada@example.org']);
    // Sorted, because both letters may be written in the same millisecond.
    expect((await letters()).map(({ kind }) => kind).toSorted()).toEqual([
      'confirm-subscription',
      'subscription-confirmed',
    ]);
    expect((await app.inject({ method: 'POST', url: link })).json()).toEqual({
      message: 'Your subscription is confirmed.',
    });
    expect(await letters()).toHaveLength(2);
  });

  test('answers the same for new, waiting and confirmed addresses, and writes one letter an hour', async () => {
    const first = await ask();
    const waiting = await ask('ada@EXAMPLE.org');
    expect(await letters()).toHaveLength(1);
    await app.inject({ method: 'POST', url: await linkOf() });
    nowMs += 2 * 3_600_000;
    const confirmed = await ask();
    expect([waiting.body, confirmed.body]).toEqual([first.body, first.body]);
    expect([waiting.statusCode, confirmed.statusCode]).toEqual([200, 200]);
    expect(await letters()).toHaveLength(2);
  });

  test('a newer letter ends the link of the older one, and a link ends after 7 days', async () => {
    await ask();
    const old = await linkOf();
    nowMs += 2 * 3_600_000;
    await ask();
    const link = await linkOf();
    expect((await app.inject({ method: 'POST', url: old })).statusCode).toBe(400);
    nowMs += 8 * DAY_MS;
    expect((await app.inject({ method: 'POST', url: link })).statusCode).toBe(400);
    expect(await subscribed()).toEqual([]);
  });

  test('is 409 with the reason where no email can be sent', async () => {
    const mute = testApp(formsRoutes(depsWith({})));
    const answer = await post('/newsletter', { email: 'ada@example.org' }, mute);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).toContain('SMTP_URL is not set');
    expect((await post('/contact', CONTACT, mute)).statusCode).toBe(200);
  });

  test('no table shows the address of a subscriber', async () => {
    await ask();
    await app.inject({ method: 'POST', url: await linkOf() });
    const { rows } = await sql<{ whole: string }>`
      select row_to_json(s)::text as whole from newsletter_subscriber s
      union all select row_to_json(l)::text from letter l`.execute(system.db);
    expect(rows).toHaveLength(3);
    const shown = rows.map(({ whole }) => whole).join();
    // Plain and hexadecimal, because row_to_json shows a bytea column as hexadecimal digits.
    for (const part of ['Ada@', 'example.org', 'token'])
      for (const text of [part, Buffer.from(part).toString('hex')]) expect(shown).not.toContain(text);
  });
});

describe('unsubscribing', () => {
  const tokenOf = (topic: Topic) =>
    sealUnsubscription(secrets, { addressDigest: digestOf('ada@example.org'), topic });
  const url = (token: string) => `/api/email-sequences/unsubscribe?token=${token}`;
  const suppressions = async () =>
    (
      await sql<{ topic: string; isAda: boolean }>`
        select topic, address_digest = ${digestOf('ada@example.org')} as "isAda" from letter_suppression`.execute(
        system.db,
      )
    ).rows;
  const click = (token: string, payload: string, type: string) =>
    app.inject({ method: 'POST', url: url(token), payload, headers: { 'content-type': type } });
  const FORM = 'application/x-www-form-urlencoded';

  test('GET does not unsubscribe (trap 74)', async () => {
    const page = await app.inject({ url: url(tokenOf('quota')) });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('name="List-Unsubscribe" value="One-Click"');
    expect(await suppressions()).toEqual([]);
  });

  test.each([
    ['a form', FORM, 'List-Unsubscribe=One-Click'],
    [
      'multipart',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
    ['JSON', 'application/json', '{"List-Unsubscribe":"One-Click"}'],
  ])('one click as %s ends letters of the topic, twice the same', async (_what, type, payload) => {
    for (let times = 0; times < 2; times += 1) {
      const answer = await click(tokenOf('quota'), payload, type);
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toEqual({ message: 'You get no more letters of this kind.' });
    }
    expect(await suppressions()).toEqual([{ topic: 'quota', isAda: true }]);
  });

  test('the dashboard sends the token', async () => {
    const answer = await post('/api/mail/unsubscribe', { token: tokenOf('invitations') });
    expect(answer.statusCode).toBe(200);
    expect(await suppressions()).toEqual([{ topic: 'invitations', isAda: true }]);
    expect((await post('/mail/unsubscribe', { token: tokenOf('quota') })).statusCode).toBe(404);
  });

  test('a subscriber is erased', async () => {
    await post('/newsletter', { email: 'ada@example.org' });
    await app.inject({ method: 'POST', url: await linkOf() });
    expect((await click(tokenOf('newsletter'), 'List-Unsubscribe=One-Click', FORM)).statusCode).toBe(200);
    const { rows } = await sql`select id from newsletter_subscriber`.execute(system.db);
    expect([rows, await suppressions()]).toEqual([[], []]);
  });

  test('a token that we did not make, another body or none is 400 and changes nothing', async () => {
    const good = tokenOf('quota');
    const forged = createSecrets(`1:${'x'.repeat(64)}`);
    const foreign = sealUnsubscription(forged, {
      addressDigest: digestOf('ada@example.org'),
      topic: 'quota',
    });
    const confirm = secrets.seal(Buffer.from('nws_1'), 'forms:confirm-subscription').toString('base64url');
    for (const token of ['x', `${good.slice(0, -2)}AA`, foreign, confirm, '%00', `${good}%3D`]) {
      expect((await app.inject({ url: url(token) })).statusCode, token).toBe(400);
      expect((await click(token, 'List-Unsubscribe=One-Click', FORM)).statusCode, token).toBe(400);
    }
    expect((await click(good, 'List-Unsubscribe=No', FORM)).statusCode).toBe(400);
    expect((await app.inject({ method: 'POST', url: url(good) })).statusCode).toBe(400);
    expect((await app.inject({ url: '/email-sequences/unsubscribe' })).statusCode).toBe(400);
    expect(await suppressions()).toEqual([]);
  });
});

test('the role of requests reads, changes and deletes no subscriber, and reads no form', async () => {
  await post('/newsletter', { email: 'ada@example.org' });
  for (const statement of [
    sql`select id from newsletter_subscriber`,
    sql`update newsletter_subscriber set confirmed_at = now()`,
    sql`delete from newsletter_subscriber`,
    sql`insert into newsletter_subscriber select * from newsletter_subscriber`,
    sql`select id from form_entry`,
  ])
    await expect(statement.execute(postgres.db)).rejects.toThrow('permission denied');
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relname in ('newsletter_subscriber', 'form_entry') and relrowsecurity and relforcerowsecurity
     order by relname`.execute(system.db);
  expect(rows.map(({ name }) => name)).toEqual(['form_entry', 'newsletter_subscriber']);
});

describe('erasure', () => {
  const context = {
    log: capturedLog('silent').log,
    transaction: <T>(work: Parameters<typeof system.transaction<T>>[0]) => system.transaction(work),
  };
  const worker = () => ({ clock, config: { FORMS_KEPT_DAYS: 90 } });

  test('an entry is erased after FORMS_KEPT_DAYS, an address that did not confirm after 7 days', async () => {
    await post('/contact', CONTACT);
    await post('/newsletter', { email: 'ada@example.org' });
    await post('/newsletter', { email: 'bob@example.org' });
    await app.inject({ method: 'POST', url: await linkOf() });
    nowMs += 8 * DAY_MS;
    await forgetForms(context, worker());
    expect(await entries()).toHaveLength(1);
    expect(await Array.fromAsync(listSubscribers(system.db, secrets))).toHaveLength(1);
    expect((await sql`select id from newsletter_subscriber`.execute(system.db)).rows).toHaveLength(1);
    nowMs += 83 * DAY_MS;
    await forgetForms(context, worker());
    expect(await entries()).toEqual([]);
    expect(await Array.fromAsync(listSubscribers(system.db, secrets))).toHaveLength(1);
  });

  test('an operator erases everything of one person and nothing of others', async () => {
    for (const email of ['ada@example.org', 'bob@example.org']) {
      await post('/contact', { ...CONTACT, email });
      await post('/newsletter', { email });
    }
    expect(await erasePerson(system, 'ADA@example.org')).toEqual({
      entries: 1,
      subscriptions: 1,
      letters: 1,
    });
    expect((await entries()).map(({ fields }) => fields.email)).toEqual(['bob@example.org']);
    expect((await letters()).map(({ to }) => to)).toEqual(['bob@example.org']);
  });
});
