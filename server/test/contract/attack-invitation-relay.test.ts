import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSubscribers } from '#capabilities/forms/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import type { JobContext } from '#platform/jobs.ts';
import { createMailer } from '#platform/mail.ts';
import { createSecrets } from '#platform/secrets.ts';
import { capturedLog } from '#test/http-app.ts';
import { bySize } from '#test/lane.ts';
import { createTestOrganizations, type TestOrganizations } from '#test/organizations.ts';
import { headerOf, type ReceivedMail, type SmtpPeer, startSmtpPeer } from '#test/peers/smtp-peer.ts';
import { keepResult } from '#test/proof-results.ts';
import { invitationRelay } from '../../../attack/invitation-relay.ts';
import { unsubscribe } from '../../src/capabilities/forms/unsubscribe.ts';
import { sendLetter } from '../../src/capabilities/letters/send-letter.ts';
import { createServerPause } from '../../src/capabilities/letters/server-pause.ts';

const PASSWORD = 'a sentence of ten words';
/** The limit of an hour is out of the way, so that the budget of the day is what holds. */
const ENV = { INVITATIONS_PER_HOUR: '100000' };

let t: TestOrganizations;
let smtp: SmtpPeer;
let url: string;
beforeAll(async () => {
  smtp = await startSmtpPeer();
  t = await createTestOrganizations({ ...ENV, SMTP_URL: smtp.url() });
  url = await t.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await t?.close();
  await smtp?.close();
});

/** Sends what waits, over a real connection to the mail server. */
async function deliver(): Promise<readonly ReceivedMail[]> {
  const from = smtp.received.length;
  const mailer = createMailer(
    { ASSAY_ENV: 'test', SMTP_URL: smtp.url(), MAIL_FROM: 'no-reply@example.com', MAIL_CA_FILE: undefined },
    { connectMs: 60_000, greetingMs: 60_000, silenceMs: 60_000, totalMs: 90_000 },
  );
  if (mailer === null) throw new Error('There is no mailer.');
  const webUrl = t.config.PUBLIC_WEB_URL;
  const secrets = createSecrets(t.config.SECRET_KEY);
  const deps = {
    clock: t.clock,
    mailer,
    pause: createServerPause(t.clock),
    secrets,
    webUrl,
    random: () => 0,
  };
  const context = {
    log: capturedLog('silent').log,
    signal: new AbortController().signal,
    transaction: (work: Parameters<JobContext['transaction']>[0]) => t.system.transaction(work),
  } as unknown as JobContext;
  const { rows } = await t.owner.query("select id from letter where state = 'waiting' order by id");
  for (const { id } of rows) await sendLetter(deps, context, id);
  return smtp.received.slice(from);
}

const plainOf = ({ raw }: ReceivedMail): string =>
  raw
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

describe('a fresh account as a relay for phishing', () => {
  test('ten times the invitations of the first attack: no baited name is taken, and ten strangers get an email', async () => {
    const email = 'relay@example.com';
    await t.newPerson(email, PASSWORD);
    await deliver();
    const target = { url, bystanderKey: '', attackerKey: '', strength: bySize(0.05, 1) };
    const { held, figures } = await invitationRelay.run({ ...target, login: { email, password: PASSWORD } });
    const mails = await deliver();
    keepResult('invitation-relay', { ...figures, emails: mails.length });
    expect(figures).toMatchObject({ 'baited names taken': 0, 'invitations accepted': 10 });
    expect(held).toBe(true);
    expect(mails).toHaveLength(10);
    for (const mail of mails) {
      expect(headerOf(mail, 'Subject')).toBe('Invitation to an organization (app.example.com)');
      expect(plainOf(mail)).toContain('join the organization "Service desk 1"');
    }
  });

  test('an organization with a name of an earlier release is quoted in the body, and its dots make no link', async () => {
    const { orgId, cookie } = await t.join('Old Inc.', 'old.namer', 'OWNER');
    const name =
      'Security alert: "open" www.evil-login.com/renew or https://evil-login.com, pay@evil-login.com';
    await t.owner.query('update organization set name = $2 where id = $1', [orgId, name]);
    const answer = await t.call(cookie, 'POST', '/organization/invitations', {
      email: 'stranger@example.com',
      role: 'VIEWER',
    });
    expect(answer.statusCode).toBe(201);
    const [mail] = (await deliver()) as [ReceivedMail];
    expect(headerOf(mail, 'Subject')).not.toContain('Security');
    const text = plainOf(mail);
    expect(text).toContain("\"Security alert: 'open' www[.]evil-login[.]com/renew or");
    expect(text).not.toMatch(/evil-login\.com|https:\/\/evil/);
  });
});

describe('the budget of invitations', () => {
  const invite = (cookie: string, email: string) =>
    t.call(cookie, 'POST', '/organization/invitations', { email, role: 'VIEWER' });

  test('429 with the time of the next one: a person with several organizations has one budget for 24 hours', async () => {
    const first = await t.join('One of two', 'two.orgs', 'OWNER');
    const second = await t.join('Two of two', 'two.orgs', 'OWNER');
    const statuses: number[] = [];
    for (let nth = 0; nth < 12; nth += 1) {
      const { cookie } = nth % 2 === 0 ? first : second;
      statuses.push((await invite(cookie, `guest${nth}@example.com`)).statusCode);
    }
    expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
    const refused = await invite(first.cookie, 'one.more@example.com');
    expect(refused.json().message).toMatch(
      /^You have sent 10 invitations in the last 24 hours\. Try again in 1 day\./,
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    // Refused attempts are counted against no mailbox: its owner can still ask for a password.
    t.clock.advance(86_400_000);
    const later = await t.signInto(first.orgId, first.userId);
    expect((await invite(later, 'one.more@example.com')).statusCode).toBe(201);
  });

  test('50 a day in the first month of a paid organization; its subject names it after 30 days', async () => {
    const { orgId, userId, cookie } = await t.join('Paid Inc.', 'paid.owner', 'OWNER');
    await t.owner.query(
      "insert into subscription (account_id, plan, status, updated_at) values ($1, 'BASIC', 'active', now())",
      [orgId],
    );
    await t.owner.query('update organization set created_at = $2 where id = $1', [
      orgId,
      new Date(t.clock.now()),
    ]);
    for (let nth = 0; nth < 11; nth += 1)
      expect((await invite(cookie, `paid.guest${nth}@example.com`)).statusCode).toBe(201);
    await t.owner.query(
      "update letter set created_at = created_at - interval '1 hour' where sender_id = $1",
      [userId],
    );
    await deliver();
    t.clock.advance(31 * 86_400_000);
    await invite(await t.signInto(orgId, userId), 'paid.late@example.com');
    const [mail] = (await deliver()) as [ReceivedMail];
    expect(headerOf(mail, 'Subject')).toBe('Invitation to Paid Inc. (app.example.com)');
  });

  test('403: three invited people who ask for no more email stop the invitations of a person for 30 days', async () => {
    const { orgId, userId, cookie } = await t.join('Unwanted Inc.', 'unwanted', 'OWNER');
    const other = await t.join('Other Inc.', 'wanted', 'OWNER');
    for (let nth = 0; nth < 3; nth += 1) {
      expect((await invite(cookie, `annoyed${nth}@example.com`)).statusCode).toBe(201);
      const [mail] = (await deliver()) as [ReceivedMail];
      const link = headerOf(mail, 'List-Unsubscribe')?.replaceAll(/[<> ]/g, '') ?? '';
      await refuseEmail(new URL(link).searchParams.get('token') ?? '');
    }
    const refused = await invite(cookie, 'next@example.com');
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringMatching(
        /^3 people whom you invited asked for no more emails, .* until \d{4}-\d\d-\d\d\./,
      ),
    ]);
    expect((await invite(other.cookie, 'next@example.com')).statusCode).toBe(201);
    t.clock.advance(30 * 86_400_000 + 60_000);
    expect((await invite(await t.signInto(orgId, userId), 'next@example.com')).statusCode).toBe(201);
  });

  test('unpaid organizations share half of the budget of the service, which is exact under 40 calls at once', async () => {
    const strict = await createTestOrganizations({ ...ENV, INVITATIONS_PER_DAY: '12' });
    try {
      const cookies: string[] = [];
      for (const name of ['share.a', 'share.b', 'share.c', 'share.d'])
        cookies.push((await strict.join(`Of ${name.slice(-1)}`, name, 'OWNER')).cookie);
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, nth) =>
          strict.call(cookies[nth % 4] ?? '', 'POST', '/organization/invitations', {
            email: `shared${nth}@example.com`,
            role: 'VIEWER',
          }),
        ),
      );
      expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(6);
      const refused = answers.find(({ statusCode }) => statusCode === 429);
      expect(refused?.json().message).toContain('This service has sent as many invitations');
    } finally {
      await strict.close();
    }
  });
});

/** What the button of a mail program does, through the function that its route calls. */
async function refuseEmail(token: string): Promise<void> {
  const { clock, postgres, system, config } = t;
  const secrets = createSecrets(config.SECRET_KEY);
  const letters = openLetters({ config, clock });
  const publicWebUrl = config.PUBLIC_WEB_URL;
  const subscribers = openSubscribers({ system, clock, letters, secrets, publicWebUrl });
  await unsubscribe({ clock, postgres, secrets, subscribers }, token);
}
