import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openLetters } from '#capabilities/letters/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { headerOf, type SmtpPeer, startSmtpPeer } from '#test/peers/smtp-peer.ts';
import { adminRun } from '#test/run-admin.ts';

let database: TestDatabase;
let system: Postgres;
let peer: SmtpPeer;
let env: { DATABASE_URL: string; SMTP_URL: string; MAIL_FROM: string };

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  peer = await startSmtpPeer();
  env = { DATABASE_URL: database.url, SMTP_URL: peer.url(), MAIL_FROM: 'no-reply@example.com' };
});
afterAll(async () => {
  await peer?.close();
  await system?.close();
  await database?.drop();
});
afterEach(() => {
  peer.mode = 'accept';
});

describe('admin mail', () => {
  test('test sends a letter at once and prints the answer of the server', async () => {
    const run = await adminRun(env, ['mail', 'test', '--to', 'ops@example.org']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.lines).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+ took the letter: 250/)]);
    expect(peer.received[0]?.to).toEqual(['ops@example.org']);
    expect(headerOf(peer.received[0] as never, 'Subject')).toContain('Test letter');
  });

  test('test says what is wrong: the answer of the server, no server, no address', async () => {
    peer.mode = { at: 'recipient', code: 550, text: 'unknown user' };
    expect(await adminRun(env, ['mail', 'test', '--to', 'ops@example.org'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/did not take the letter \(refused\).*550 unknown user/),
    });
    expect(
      await adminRun({ DATABASE_URL: database.url }, ['mail', 'test', '--to', 'ops@example.org']),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining('Set SMTP_URL and MAIL_FROM') });
    expect(await adminRun(env, ['mail', 'test', '--to', 'ops'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'ops' is not an address"),
    });
  });

  test('status counts letters and shows those that wait, without address and facts', async () => {
    const letters = openLetters({ config: loadConfig({ ASSAY_ENV: 'test', ...env }), clock: systemClock() });
    await system.transaction((tx) =>
      letters.enqueueLetter(tx, { to: 'ada@example.org', kind: 'address-taken', facts: {} }),
    );
    const run = await adminRun(env, ['mail', 'status', '--json']);
    expect(run.documents).toMatchObject([
      {
        server: expect.stringContaining('127.0.0.1:'),
        states: [{ state: 'waiting', letters: 1 }],
        letters: [{ kind: 'address-taken', state: 'waiting', attempts: 0, reason: null }],
      },
    ]);
    const { text } = await adminRun(env, ['mail', 'status', '--to', 'ADA@example.org']);
    expect(text).toContain('address-taken');
    expect(text).not.toContain('ada@');
    expect((await adminRun(env, ['mail', 'status', '--to', 'bob@example.org'])).text).not.toContain('ltr_');
  });
});

describe('admin forms', () => {
  test('list, show and erase what a visitor sent', async () => {
    expect((await adminRun(env, ['forms', 'list'])).lines).toEqual(['Nothing was sent.']);
    await sql`
      insert into form_entry (id, form, address_digest, fields, created_at)
      values ('frm_1', 'contact', sha256('ada@example.org'),
              '{"name":"Ada","email":"ada@example.org","message":"Two\\nlines"}', '2027-01-31T12:00:00Z')`.execute(
      system.db,
    );
    expect((await adminRun(env, ['forms', 'list', '--form', 'contact'])).lines).toEqual([
      'frm_1 2027-01-31T12:00:00.000Z contact: Two lines',
    ]);
    expect((await adminRun(env, ['forms', 'show', 'frm_1'])).lines).toContain('name: Ada');
    expect(await adminRun(env, ['forms', 'show', 'frm_2'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no entry 'frm_2'"),
    });
    expect(await adminRun(env, ['forms', 'list', '--form', 'x'])).toMatchObject({ code: 1 });
    expect((await adminRun(env, ['forms', 'subscribers'])).lines).toEqual(['Nobody subscribed.']);
    const erased = await adminRun(env, ['forms', 'erase', '--email', 'ada@example.org', '--json']);
    expect(erased.documents).toEqual([{ entries: 1, subscriptions: 0, letters: 1 }]);
    expect((await adminRun(env, ['forms', 'list'])).lines).toEqual(['Nothing was sent.']);
  });
});
