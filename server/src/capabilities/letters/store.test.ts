import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { openLetters } from './letters.ts';

const CONFIG = {
  SECRET_KEY: `1:${'s'.repeat(64)}`,
  PUBLIC_WEB_URL: 'https://app.example.test',
  PUBLIC_API_URL: 'https://api.example.test',
};
const LINK = 'https://app.example.test/app/verify#token=opensesame';
const letters = openLetters({
  config: { ...CONFIG, SMTP_URL: 'smtp://127.0.0.1:1' },
  clock: systemClock(),
});

let database: TestDatabase;
let system: Postgres;
let app: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  system = asSystem(config);
  app = connectPostgres(config, 'assay_app', PATIENT);
});
afterAll(async () => {
  await Promise.all([system?.close(), app?.close()]);
  await database?.drop();
});
beforeEach(async () => {
  await sql`delete from letter`.execute(system.db);
});

const rows = async () =>
  (
    await sql<{ id: string; state: string; whole: string }>`
      select id, state, row_to_json(letter)::text as whole from letter order by id`.execute(system.db)
  ).rows;
const jobs = async () =>
  Number(
    (
      await sql<{ count: string }>`
        select count(*) as count from graphile_worker._private_jobs where key ~ '^ltr_'`.execute(system.db)
    ).rows[0]?.count,
  );
const verify = { to: 'person@example.org', kind: 'verify-address', facts: { link: LINK } } as const;

describe('a letter is written with the fact it tells about', () => {
  test('a transaction that is rolled back leaves neither letter nor job', async () => {
    const before = await jobs();
    const failed = app.transaction(async (tx) => {
      await letters.enqueueLetter(tx, verify);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
    expect(await jobs()).toBe(before);
    await app.transaction((tx) => letters.enqueueLetter(tx, verify));
    expect(await rows()).toMatchObject([{ state: 'waiting' }]);
    expect(await jobs()).toBe(before + 1);
  });

  test('a row shows neither the address nor the token, and a request cannot read it', async () => {
    await app.transaction((tx) => letters.enqueueLetter(tx, verify));
    const [row] = await rows();
    // Plain and hexadecimal, because JSON shows a bytea column as hexadecimal digits.
    for (const part of ['person', 'example.org', 'opensesame'])
      for (const text of [part, Buffer.from(part).toString('hex')]) expect(row?.whole).not.toContain(text);
    await expect(sql`select id from letter`.execute(app.db)).rejects.toThrow('permission denied');
  });

  test('a second letter with the same key is not written; another account may use the key', async () => {
    const quota = {
      to: 'person@example.org',
      kind: 'quota-reached',
      facts: {
        plan: 'FREE',
        meter: 'checks',
        share: '80 %',
        used: '400',
        limit: '500',
        resetsAt: '2027-02-01',
      },
      key: 'quota:202701:80',
    } as const;
    for (const accountId of ['usr_1', 'usr_1', 'usr_2'])
      await app.withAccount(accountId, (tx) => letters.enqueueLetter(tx, { ...quota, accountId }));
    expect(await rows()).toHaveLength(2);
  });

  test('an account cannot write a letter of another', async () => {
    const foreign = app.withAccount('usr_1', (tx) =>
      letters.enqueueLetter(tx, { ...verify, accountId: 'usr_2' }),
    );
    await expect(foreign).rejects.toThrow('row-level security');
  });

  test('a link of another host, a line break in a fact or an address is refused', async () => {
    const write = (letter: Parameters<typeof letters.enqueueLetter>[1]) =>
      app.transaction((tx) => letters.enqueueLetter(tx, letter));
    await expect(write({ ...verify, facts: { link: 'https://evil.test/#token=1' } })).rejects.toThrow(
      'PUBLIC_WEB_URL',
    );
    await expect(write({ ...verify, to: 'a@example.org\r\nBcc: b@example.org' })).rejects.toThrow('address');
    await expect(
      write({ to: 'a@example.org', kind: 'sso-break-glass', facts: { who: 'x\r\nBcc: y', when: 'now' } }),
    ).rejects.toThrow('line breaks');
    expect(await rows()).toEqual([]);
  });

  test('without SMTP_URL nothing is written and canSendLetters says so', async () => {
    const none = openLetters({ config: { ...CONFIG, SMTP_URL: undefined }, clock: systemClock() });
    await app.transaction((tx) => none.enqueueLetter(tx, verify));
    expect(none.canSendLetters).toBe(false);
    expect(await rows()).toEqual([]);
  });
});
