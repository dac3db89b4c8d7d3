import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobContext } from '#platform/jobs.ts';
import { createMailer, type Mailer } from '#platform/mail.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { capturedLog } from '#test/http-app.ts';
import { headerOf, type SmtpMode, type SmtpPeer, startSmtpPeer } from '#test/peers/smtp-peer.ts';
import { findStranded, forgetLetters } from './jobs.ts';
import { type Letter, openLetters } from './letters.ts';
import { setSequence } from './outbox.ts';
import { digestOf } from './read-address.ts';
import { type SendDeps, sendLetter } from './send-letter.ts';
import { createServerPause } from './server-pause.ts';
import { insertSuppression } from './store.ts';
import { openUnsubscription } from './topics.ts';

const SECRET_KEY = `1:${'s'.repeat(64)}`;
const WEB = 'https://app.example.test';
const LINK = `${WEB}/app/verify#token=opensesame`;
const LATER: SmtpMode = { at: 'recipient', code: 451, text: 'Come back' };
const verify: Letter = { to: 'person@example.org', kind: 'verify-address', facts: { link: LINK } };
const quota: Letter = {
  to: 'Person@example.org',
  kind: 'quota-reached',
  facts: { plan: 'FREE', meter: 'checks', share: '80 %', used: '400', limit: '500', resetsAt: '2027-02-01' },
};

let shiftMs = 0;
const clock = { now: () => Date.now() + shiftMs, monotonic: () => performance.now() + shiftMs };
const { log, lines } = capturedLog();
let database: TestDatabase;
let system: Postgres;
let app: Postgres;
let peer: SmtpPeer;
let deps: SendDeps;
let context: JobContext;

const mailerTo = (url: string): Mailer => {
  const config = {
    ASSAY_ENV: 'test',
    SMTP_URL: url,
    MAIL_FROM: 'no-reply@example.com',
    MAIL_CA_FILE: undefined,
  } as const;
  const mailer = createMailer(config, {
    connectMs: 60_000,
    greetingMs: 60_000,
    silenceMs: 60_000,
    totalMs: 90_000,
  });
  if (mailer === null) throw new Error('There is no mailer.');
  return mailer;
};

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
  shiftMs = 0;
  lines.length = 0;
  await sql`delete from letter`.execute(system.db);
  await sql`delete from letter_suppression`.execute(system.db);
  await sql`delete from graphile_worker._private_jobs`.execute(system.db).catch(() => undefined);
  peer = await startSmtpPeer();
  deps = {
    clock,
    mailer: mailerTo(peer.url()),
    pause: createServerPause(clock),
    secrets: createSecrets(SECRET_KEY),
    webUrl: WEB,
    random: () => 0,
  };
  // The fence of a real job is tested with its worker (test/faults/letters-killed.test.ts).
  context = {
    log,
    signal: new AbortController().signal,
    transaction: (work: Parameters<JobContext['transaction']>[0]) => system.transaction(work),
  } as unknown as JobContext;
});
afterEach(() => peer.close());

const letters = openLetters({
  config: { SECRET_KEY, PUBLIC_WEB_URL: WEB, PUBLIC_API_URL: WEB, SMTP_URL: 'smtp://127.0.0.1:1' },
  clock,
});
async function write(letter: Letter): Promise<string> {
  await app.transaction((tx) => letters.enqueueLetter(tx, letter));
  const [row] = await rows();
  return row?.id ?? '';
}
type Row = {
  id: string;
  state: string;
  attempts: number;
  reason: string | null;
  isSealed: boolean;
  waitS: number | null;
};
const rows = async (): Promise<readonly Row[]> =>
  (
    await sql<Row>`
      select id, state, attempts, reason, sealed is not null as "isSealed",
             case when state = 'waiting' then round(date_part('epoch', next_at) - ${clock.now()} / 1000.0)::int end as "waitS"
        from letter order by created_at desc, id desc`.execute(system.db)
  ).rows;
const waitingJobs = async () =>
  (
    await sql<{ key: string }>`select key from graphile_worker._private_jobs where key ~ '^ltr_'`.execute(
      system.db,
    )
  ).rows.map(({ key }) => key);

describe('a letter that is sent', () => {
  test('reaches the person, and the address and the token are erased', async () => {
    const id = await write(verify);
    await sendLetter(deps, context, id);
    expect(peer.received).toHaveLength(1);
    expect(peer.received[0]?.raw).toContain('#token=3Dopensesame');
    expect(headerOf(peer.received[0] as never, 'Message-ID')).toBe(`<${id}@example.com>`);
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1, isSealed: false }]);
    expect(lines.join('')).not.toMatch(/opensesame|person@/);
    await sendLetter(deps, context, id);
    expect(peer.received).toHaveLength(1);
  });

  test('a letter about security has no unsubscribe header; another one has, and its link names nobody', async () => {
    await sendLetter(deps, context, await write(verify));
    await sendLetter(deps, context, await write(quota));
    const [security, notice] = peer.received as [(typeof peer.received)[0], (typeof peer.received)[0]];
    expect(headerOf(security, 'List-Unsubscribe')).toBeUndefined();
    expect(headerOf(notice, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const link = headerOf(notice, 'List-Unsubscribe')?.replaceAll(/[<> ]/g, '') ?? '';
    expect(link).toMatch(/^https:\/\/app\.example\.test\/api\/email-sequences\/unsubscribe\?token=[\w-]+$/);
    expect(openUnsubscription(deps.secrets, new URL(link).searchParams.get('token') ?? '')).toEqual({
      addressDigest: digestOf('person@example.org'),
      topic: 'quota',
      letterId: (await rows())[0]?.id,
    });
  });
});

describe('a letter that cannot be sent now', () => {
  test('4xx: waits longer after each try, then is given up after 72 hours with the reason', async () => {
    const id = await write(verify);
    peer.mode = LATER;
    const waits: (number | null)[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      await sendLetter(deps, context, id);
      const [row] = await rows();
      waits.push(row?.waitS ?? null);
      shiftMs += (row?.waitS ?? 0) * 1_000;
    }
    expect(waits).toEqual([10, 30, 120, 300, 900, 1_800, 3_600, 3_600]);
    expect(await waitingJobs()).toEqual([id]);
    shiftMs = 72 * HOUR_MS;
    await sendLetter(deps, context, id);
    expect(await rows()).toMatchObject([
      { state: 'expired', isSealed: false, reason: expect.stringContaining('451') },
    ]);
  });

  test('5xx: is given up at once with the reason, without the address', async () => {
    peer.mode = { at: 'recipient', code: 550, text: '5.1.1 <ADDRESS>: unknown user' };
    await sendLetter(deps, context, await write(verify));
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'refused', isSealed: false });
    expect(row?.reason).toMatch(/550.*the recipient.*unknown user/);
  });

  test('no server for an hour: nothing is lost, and one letter tries while the others wait', async () => {
    await peer.close();
    const ids = [await write(verify), await write(quota), await write({ ...verify, to: 'c@example.org' })];
    for (let minute = 0; minute < 60; minute += 5) {
      shiftMs = minute * 60_000;
      for (const id of ids) await sendLetter(deps, context, id);
    }
    const during = await rows();
    expect(during.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting']);
    expect(during.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThanOrEqual(12);
    peer = await startSmtpPeer({ port: peer.port });
    shiftMs = HOUR_MS + 600_000;
    for (const id of ids) await sendLetter(deps, context, id);
    expect((await rows()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
    expect(peer.received).toHaveLength(3);
  });

  test('a connection that is cut before the 250: it is sent again with the same Message-ID', async () => {
    const id = await write(verify);
    peer.mode = 'cut';
    await sendLetter(deps, context, id);
    peer.mode = 'accept';
    shiftMs = 60_000;
    await sendLetter(deps, context, id);
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2 }]);
    expect(new Set(peer.received.map((mail) => headerOf(mail, 'Message-ID')))).toEqual(
      new Set([`<${id}@example.com>`]),
    );
  });

  test('a try that another one has overtaken records nothing', async () => {
    const id = await write(verify);
    peer.mode = { at: 'recipient', code: 550, text: 'no' };
    const overtaken: SendDeps = {
      ...deps,
      mailer: {
        ...deps.mailer,
        send: async (...args) => {
          const outcome = await deps.mailer.send(...args);
          await sql`update letter set attempts = attempts + 1 where id = ${id}`.execute(system.db);
          return outcome;
        },
      },
    };
    await sendLetter(overtaken, context, id);
    expect(await rows()).toMatchObject([{ state: 'waiting', isSealed: true }]);
  });
});

describe('a letter that must not be sent', () => {
  test('the person unsubscribed from its topic; letters about security still go out', async () => {
    await system.transaction((tx) =>
      insertSuppression(tx, { addressDigest: digestOf('PERSON@example.org'), topic: 'quota' }, clock.now()),
    );
    await sendLetter(deps, context, await write(quota));
    expect(await rows()).toMatchObject([{ state: 'suppressed', isSealed: false }]);
    await sendLetter(deps, context, await write(verify));
    expect(peer.received).toHaveLength(1);
  });

  test('an operator paused its topic: it waits, and goes out when the topic goes on', async () => {
    const pause = (enabled: boolean) =>
      setSequence({ system, clock }, { topic: 'quota', enabled, by: 'ann' });
    await pause(false);
    const id = await write(quota);
    await sendLetter(deps, context, id);
    await sendLetter(deps, context, await write(verify));
    expect(peer.received).toHaveLength(1);
    const paused = { state: 'waiting', isSealed: true, reason: 'An operator paused letters of this kind.' };
    expect((await rows()).find((row) => row.id === id)).toMatchObject(paused);
    await pause(true);
    expect((await rows()).find((row) => row.id === id)?.waitS).toBeLessThanOrEqual(0);
    await sendLetter(deps, context, id);
    expect(peer.received).toHaveLength(2);
  });

  test('SECRET_KEY no longer lists its version', async () => {
    const id = await write(verify);
    await sendLetter({ ...deps, secrets: createSecrets(`2:${'n'.repeat(64)}`) }, context, id);
    expect(await rows()).toMatchObject([{ state: 'refused', isSealed: false }]);
    expect(peer.received).toEqual([]);
  });
});

describe('nothing is left behind', () => {
  test('a letter whose job was given up gets a new one', async () => {
    const id = await write(verify);
    await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker._private_jobs))`.execute(
      system.db,
    );
    expect(await waitingJobs()).toEqual([]);
    await findStranded(context, clock);
    expect(await waitingJobs()).toEqual([]);
    shiftMs = 660_000;
    await findStranded(context, clock);
    expect(await waitingJobs()).toEqual([id]);
  });

  test('a letter that waits for more than four days is ended, and an ended one is deleted after 30', async () => {
    await write(verify);
    shiftMs = 97 * HOUR_MS;
    await forgetLetters(context, clock);
    expect(await rows()).toMatchObject([{ state: 'expired', isSealed: false }]);
    shiftMs += 31 * 24 * HOUR_MS;
    await forgetLetters(context, clock);
    expect(await rows()).toEqual([]);
  });
});
