import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { createTestOrganizations, type TestOrganizations } from '#test/organizations.ts';

/** Invitations to organizations: bound to an address, for one use (O48). */
let t: TestOrganizations;
beforeAll(async () => {
  t = await createTestOrganizations();
});
afterAll(() => t?.close());

const ENDED = /used or withdrawn/;
const invite = (cookie: string, email: string, role = 'MEMBER') =>
  t.call(cookie, 'POST', '/organization/invitations', { email, role });
const accept = (cookie: string, token: string) => t.call(cookie, 'POST', '/invitations/accept', { token });
const personal = async (name: string) => {
  const person = await t.newProven(name);
  return { ...person, cookie: await t.signInto(person.userId, person.userId) };
};

test('an invited person joins with the role of the invitation; the letter holds the only copy of the token', async () => {
  const owner = await t.join('Inviting Inc.', 'inviting', 'OWNER');
  const guest = await personal('inviting.guest');
  const answer = await invite(owner.cookie, ' Inviting.Guest@Example.com ', 'ADMIN');
  expect([answer.statusCode, answer.json()]).toEqual([
    201,
    expect.objectContaining({ email: guest.email, role: 'ADMIN', invitedBy: owner.userId }),
  ]);
  const letter = await t.newestTo(guest.email);
  expect([letter.kind, letter.link]).toEqual([
    'invitation',
    expect.stringMatching(/^https:\/\/app\.example\.com\/app\/invitation#token=[\w-]{43}$/),
  ]);
  expect(answer.body).not.toContain(letter.token);
  const { rows } = await t.owner.query('select * from invitation where account_id = $1', [owner.orgId]);
  expect(rows[0].token_hash).toEqual(hash('sha256', letter.token, 'buffer'));
  expect((await t.call(owner.cookie, 'GET', '/organization/invitations')).json().invitations).toHaveLength(1);
  const joined = await accept(guest.cookie, letter.token);
  expect([joined.statusCode, joined.json()]).toEqual([
    200,
    { id: owner.orgId, name: 'Inviting Inc.', role: 'ADMIN' },
  ]);
  const { members } = (await t.call(owner.cookie, 'GET', '/organization/members')).json();
  expect(members).toContainEqual(
    expect.objectContaining({ userId: guest.userId, role: 'ADMIN', origin: 'invitation' }),
  );
  expect((await t.call(owner.cookie, 'GET', '/organization/invitations')).json().invitations).toEqual([]);
  expect((await invite(owner.cookie, guest.email)).statusCode).toBe(409);
  const audit = (await t.call(owner.cookie, 'GET', '/organization/audit')).body;
  expect(audit).toContain('invitation.accept');
  expect(audit).not.toContain(guest.email);
});

test('of 100 acceptances at once, one wins', async () => {
  const owner = await t.join('Race Inc.', 'race', 'OWNER');
  const guest = await personal('race.guest');
  await invite(owner.cookie, guest.email);
  const { token } = await t.newestTo(guest.email);
  const answers = await Promise.all(Array.from({ length: 100 }, () => accept(guest.cookie, token)));
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 400)).toHaveLength(99);
  const { rows } = await t.owner.query('select role from membership where account_id = $1', [owner.orgId]);
  expect(rows).toHaveLength(2);
});

describe('an invitation is refused', () => {
  test('403: for a person with another address, and it stays for its owner', async () => {
    const owner = await t.join('Bound Inc.', 'bound', 'OWNER');
    const [guest, thief] = [await personal('bound.guest'), await personal('bound.thief')];
    await invite(owner.cookie, guest.email);
    const { token } = await t.newestTo(guest.email);
    const stolen = await accept(thief.cookie, token);
    expect([stolen.statusCode, stolen.body]).toEqual([403, expect.not.stringContaining(guest.email)]);
    expect((await accept(guest.cookie, token)).statusCode).toBe(200);
  });

  test('403: for a person whose address is not proven', async () => {
    const owner = await t.join('Proof Inc.', 'proof', 'OWNER');
    const guest = await personal('proof.guest');
    await t.owner.query('update app_user set email_verified_at = null where id = $1', [guest.userId]);
    await invite(owner.cookie, guest.email);
    expect((await accept(guest.cookie, (await t.newestTo(guest.email)).token)).statusCode).toBe(403);
  });

  test('400: after seven days, when it was withdrawn, and when a newer one was sent', async () => {
    const owner = await t.join('Ended Inc.', 'ended', 'OWNER');
    const guest = await personal('ended.guest');
    await invite(owner.cookie, guest.email);
    const first = await t.newestTo(guest.email);
    const second = (await invite(owner.cookie, guest.email)).json();
    expect((await accept(guest.cookie, first.token)).json().message).toMatch(ENDED);
    const withdrawn = await t.newestTo(guest.email);
    expect((await t.call(owner.cookie, 'DELETE', `/organization/invitations/${second.id}`)).statusCode).toBe(
      204,
    );
    expect((await t.call(owner.cookie, 'DELETE', `/organization/invitations/${second.id}`)).statusCode).toBe(
      404,
    );
    expect((await accept(guest.cookie, withdrawn.token)).json().message).toMatch(ENDED);
    await invite(owner.cookie, guest.email);
    const old = await t.newestTo(guest.email);
    t.clock.advance(7 * 86_400_000);
    const late = await accept(await t.signInto(guest.userId, guest.userId), old.token);
    expect([late.statusCode, late.json().message]).toEqual([400, expect.stringMatching(ENDED)]);
  });

  test('400: when its sender may not invite any more, or the organization is deleted', async () => {
    const owner = await t.join('Fallen Inc.', 'fallen', 'OWNER');
    const admin = await t.join('Fallen Inc.', 'fallen.admin', 'ADMIN');
    const guest = await personal('fallen.guest');
    await invite(admin.cookie, guest.email);
    const { token } = await t.newestTo(guest.email);
    await t.call(owner.cookie, 'PATCH', `/organization/members/${admin.userId}`, { role: 'MEMBER' });
    expect((await accept(guest.cookie, token)).statusCode).toBe(400);
    await invite(owner.cookie, guest.email);
    const again = await t.newestTo(guest.email);
    await t.call(owner.cookie, 'DELETE', '/organization');
    expect((await accept(guest.cookie, again.token)).statusCode).toBe(400);
  });

  test('400: an owner is not invited; 401: without a session', async () => {
    const owner = await t.join('Crown Inc.', 'crown', 'OWNER');
    expect((await invite(owner.cookie, 'crown.guest@example.com', 'OWNER')).statusCode).toBe(400);
    expect((await accept('', 'x'.repeat(43))).statusCode).toBe(401);
  });

  test('a caller of the tenant role never reads the hash of a token', async () => {
    const owner = await t.join('Hidden Inc.', 'hidden', 'OWNER');
    const read = t.postgres.withAccount(owner.orgId, (tx) =>
      sql`select token_hash from invitation`.execute(tx),
    );
    await expect(read).rejects.toThrow('permission denied');
  });
});

test('429: invitations of an organization and letters to one mailbox are limited; 409 without a mail server', async () => {
  const strict = await createTestOrganizations({ INVITATIONS_PER_HOUR: '3', LETTERS_MAILBOX_PER_HOUR: '2' });
  try {
    const owner = await strict.join('Flood Inc.', 'flood', 'OWNER');
    const other = await strict.join('Other Flood Inc.', 'other.flood', 'OWNER');
    const send = async (cookie: string, email: string) =>
      (await strict.call(cookie, 'POST', '/organization/invitations', { email, role: 'VIEWER' })).statusCode;
    expect([
      await send(owner.cookie, 'a@example.com'),
      await send(owner.cookie, 'a@example.com'),
      await send(other.cookie, 'a@example.com'),
      await send(owner.cookie, 'b@example.com'),
      await send(owner.cookie, 'c@example.com'),
    ]).toEqual([201, 201, 429, 201, 429]);
  } finally {
    await strict.close();
  }
  const silent = await createTestOrganizations({ SMTP_URL: '', MAIL_FROM: '' });
  try {
    const owner = await silent.join('Silent Inc.', 'silent', 'OWNER');
    const answer = await silent.call(owner.cookie, 'POST', '/organization/invitations', {
      email: 'a@example.com',
      role: 'VIEWER',
    });
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      expect.stringContaining('admin org invite'),
    ]);
  } finally {
    await silent.close();
  }
});
