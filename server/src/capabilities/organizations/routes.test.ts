import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#capabilities/access/index.ts';
import { OPERATOR } from '#test/access.ts';
import { createTestOrganizations, type TestOrganizations } from '#test/organizations.ts';
import { inviteMember } from './invite-member.ts';
import { organizationsRoutes } from './routes.ts';

/** Organizations of people (O48), over the whole HTTP stack. */
let t: TestOrganizations;
beforeAll(async () => {
  t = await createTestOrganizations();
});
afterAll(() => t?.close());

const ROLES: readonly Role[] = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'];
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await t.get('/api/auth/session', cookie)).json().signedIn;
const statusOf = async (answer: Promise<{ statusCode: number }>): Promise<number> =>
  (await answer).statusCode;
const rolesOf = async (orgId: string): Promise<Record<string, string>> => {
  const { rows } = await t.owner.query('select user_id, role from membership where account_id = $1', [orgId]);
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
};
const actionsOf = async (orgId: string): Promise<readonly string[]> =>
  (
    await t.owner.query('select action from audit_entry where account_id = $1 order by at, id', [orgId])
  ).rows.map(({ action }) => action);

describe('making an organization', () => {
  test('its maker owns it, sees it in the list, and goes on in it', async () => {
    const maker = await t.newProven('maker');
    const cookie = await t.signInto(maker.userId, maker.userId);
    const made = await t.call(cookie, 'POST', '/organizations', { name: ' Made Inc. ' });
    expect([made.statusCode, made.json()]).toEqual([
      201,
      expect.objectContaining({ name: 'Made Inc.', role: 'OWNER', deletedAt: null }),
    ]);
    const { id } = made.json();
    expect((await t.call(cookie, 'GET', '/organizations')).json()).toMatchObject({
      organizations: [{ id, name: 'Made Inc.', role: 'OWNER' }],
    });
    const inside = await t.signInto(id, maker.userId);
    expect((await t.call(inside, 'GET', '/organization')).json()).toMatchObject({
      id,
      name: 'Made Inc.',
      plan: 'FREE',
      role: 'OWNER',
      members: 1,
    });
    const renamed = await t.call(inside, 'PATCH', '/organization', { name: 'Renamed Inc.' });
    expect([renamed.statusCode, renamed.json().name]).toEqual([200, 'Renamed Inc.']);
    expect(await actionsOf(id)).toEqual(
      expect.arrayContaining(['organization.create', 'membership.put', 'organization.rename']),
    );
  });

  test('409 beyond ORGANIZATIONS_PER_PERSON, also when they are made at once or deleted', async () => {
    const { userId } = await t.newProven('collector');
    const cookie = await t.signInto(userId, userId);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => t.call(cookie, 'POST', '/organizations', { name: `Many ${n}` })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(statuses.filter((status) => status === 409)).toHaveLength(3);
    const { id } = answers.find(({ statusCode }) => statusCode === 201)?.json() ?? {};
    expect(await statusOf(t.call(await t.signInto(id, userId), 'DELETE', '/organization'))).toBe(200);
    expect(await statusOf(t.call(cookie, 'POST', '/organizations', { name: 'One more' }))).toBe(409);
  });

  test.each([
    ['nothing', ' '],
    ['a line break', 'a\r\nBcc: b@example.com'],
    ['a mark that turns the text around', 'a\u202Eb'],
    ['a link', 'Prize! https://evil.example'],
    ['a web address', 'Security alert: open www.evil-login.example/renew'],
    ['a domain', 'Prize at evil-login.com'],
    ['an IP address', 'Prize at 192.0.2.7'],
    ['an email address', 'Write to prize@evil-login.com'],
    ['101 characters', 'x'.repeat(101)],
  ])('400: a name of %s', async (_what, name) => {
    const { userId } = await t.newProven('namer');
    const cookie = await t.signInto(userId, userId);
    expect(await statusOf(t.call(cookie, 'POST', '/organizations', { name }))).toBe(400);
  });
});

/** The roles that may use each route; has every route that acts on the organization of the session. */
const ALLOWED: readonly (readonly [string, string, readonly Role[]])[] = [
  ['GET', '/organization', ROLES],
  ['PATCH', '/organization', ['OWNER', 'ADMIN']],
  ['DELETE', '/organization', ['OWNER']],
  ['GET', '/organization/audit', ['OWNER', 'ADMIN']],
  ['GET', '/organization/members', ROLES],
  ['PATCH', '/organization/members/:userId', ['OWNER', 'ADMIN']],
  ['DELETE', '/organization/members/:userId', ['OWNER', 'ADMIN']],
  ['POST', '/organization/leave', ROLES],
  ['POST', '/organization/transfer', ['OWNER']],
  ['GET', '/organization/invitations', ['OWNER', 'ADMIN']],
  ['POST', '/organization/invitations', ['OWNER', 'ADMIN']],
  ['DELETE', '/organization/invitations/:id', ['OWNER', 'ADMIN']],
];
const OF_A_PERSON = [
  'GET /organizations',
  'POST /organizations',
  'POST /organization/restore',
  'DELETE /user',
  'POST /invitations/accept',
];
const BODIES: Readonly<Record<string, (other: string) => object>> = {
  'PATCH /organization': () => ({ name: 'Another name' }),
  'PATCH /organization/members/:userId': () => ({ role: 'VIEWER' }),
  'POST /organization/transfer': (userId) => ({ userId }),
  'POST /organization/invitations': () => ({ email: 'invited.by.role@example.com', role: 'VIEWER' }),
};

describe('every role on every route', () => {
  test('the table names every route', () => {
    const routes = organizationsRoutes({} as Parameters<typeof organizationsRoutes>[0]);
    expect(routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      [...ALLOWED.map(([method, path]) => `${method} ${path}`), ...OF_A_PERSON].toSorted(),
    );
  });

  test.each(ROLES)('%s', async (role) => {
    for (const [method, path, allowed] of ALLOWED) {
      const name = `${role} ${method} ${path}`;
      const tag = name.toLowerCase().replaceAll(/[^a-z]+/g, '.');
      const own = await t.join(tag, tag, role);
      await t.join(tag, `${tag}.owner`, 'OWNER');
      const other = await t.join(tag, `${tag}.other`, 'MEMBER');
      const operator = { accountId: own.orgId, userId: null, actor: OPERATOR };
      const guest = { email: 'waiting@example.com', role: 'MEMBER' } as const;
      const { invitation } = await inviteMember(t.deps, operator, guest);
      const url = path.replace(':userId', other.userId).replace(':id', invitation.id);
      const body = BODIES[`${method} ${path}`]?.(other.userId);
      const answer = await t.call(own.cookie, method as 'GET', url, body);
      expect(answer.statusCode < 300, `${name}: ${answer.statusCode} ${answer.body}`).toBe(
        allowed.includes(role),
      );
      if (!allowed.includes(role)) expect([name, answer.statusCode]).toEqual([name, 403]);
    }
  });

  test('403: a personal session has no organization', async () => {
    const { userId } = await t.newProven('alone');
    const cookie = await t.signInto(userId, userId);
    for (const [method, path] of ALLOWED) {
      const url = path.replace(':userId', userId).replace(':id', 'inv_1');
      const answer = await t.call(cookie, method as 'GET', url, BODIES[`${method} ${path}`]?.(userId));
      expect([path, answer.statusCode]).toEqual([path, 403]);
    }
  });

  test('403: a session of a key pair changes nothing, because what it makes must end with its key', async () => {
    const owner = await t.join('Keyed Inc.', 'keyed', 'OWNER');
    const other = await t.join('Keyed Inc.', 'keyed.other', 'MEMBER');
    const key = await t.newKey(owner.orgId, owner.userId);
    const cookie = await t.newCookie(owner.orgId, owner.userId, key.id);
    const before = await rolesOf(owner.orgId);
    for (const [method, path] of [
      ...ALLOWED.map(([m, p]) => [m, p] as const),
      ...OF_A_PERSON.map((each) => each.split(' ') as [string, string]),
    ]) {
      if (method === 'GET') continue;
      const url = path.replace(':userId', other.userId).replace(':id', 'inv_1');
      const body = BODIES[`${method} ${path}`]?.(other.userId) ?? {
        name: 'x',
        token: 'x'.repeat(43),
        organizationId: owner.orgId,
      };
      const answer = await t.call(cookie, method as 'POST', url, method === 'DELETE' ? undefined : body);
      expect([path, answer.statusCode]).toEqual([path, 403]);
    }
    expect(await rolesOf(owner.orgId)).toEqual(before);
    expect((await t.call(cookie, 'GET', '/organizations')).json().organizations).toHaveLength(1);
  });

  test('403 with confirmationRequired: members, transfer and deletion ask for a recent proof', async () => {
    const owner = await t.join('Stale Inc.', 'stale', 'OWNER');
    const other = await t.join('Stale Inc.', 'stale.other', 'MEMBER');
    t.clock.advance(600_001);
    for (const [method, path, body] of [
      ['PATCH', `/organization/members/${other.userId}`, { role: 'ADMIN' }],
      ['DELETE', `/organization/members/${other.userId}`, undefined],
      ['POST', '/organization/transfer', { userId: other.userId }],
      ['POST', '/organization/invitations', { email: 'late@example.com', role: 'MEMBER' }],
      ['POST', '/organization/leave', undefined],
      ['DELETE', '/organization', undefined],
      ['DELETE', '/user', undefined],
    ] as const) {
      const answer = await t.call(owner.cookie, method, path, body);
      expect([path, answer.statusCode, answer.json().confirmationRequired]).toEqual([path, 403, true]);
    }
  });
});

describe('members', () => {
  test('an administrator touches no owner and makes none; the last owner stays', async () => {
    const owner = await t.join('Roles Inc.', 'roles.owner', 'OWNER');
    const admin = await t.join('Roles Inc.', 'roles.admin', 'ADMIN');
    const member = await t.join('Roles Inc.', 'roles.member', 'MEMBER');
    const put = (cookie: string, userId: string, role: Role) =>
      statusOf(t.call(cookie, 'PATCH', `/organization/members/${userId}`, { role }));
    const remove = (cookie: string, userId: string) =>
      statusOf(t.call(cookie, 'DELETE', `/organization/members/${userId}`));
    expect(await put(admin.cookie, owner.userId, 'MEMBER')).toBe(403);
    expect(await remove(admin.cookie, owner.userId)).toBe(403);
    expect(await put(admin.cookie, member.userId, 'OWNER')).toBe(403);
    expect(await put(admin.cookie, admin.userId, 'OWNER')).toBe(403);
    expect(await put(owner.cookie, owner.userId, 'MEMBER')).toBe(409);
    expect(await remove(owner.cookie, owner.userId)).toBe(409);
    expect(await statusOf(t.call(owner.cookie, 'POST', '/organization/leave'))).toBe(409);
    expect(await put(admin.cookie, member.userId, 'ADMIN')).toBe(200);
    expect((await t.newestTo(member.email)).kind).toBe('role-changed');
    expect(await put(owner.cookie, member.userId, 'OWNER')).toBe(200);
    expect(await statusOf(t.call(owner.cookie, 'POST', '/organization/leave'))).toBe(204);
    const { members } = (await t.call(admin.cookie, 'GET', '/organization/members')).json();
    expect(
      members.map((each: { email: string; role: string; isYou: boolean }) => [
        each.email,
        each.role,
        each.isYou,
      ]),
    ).toEqual([
      [member.email, 'OWNER', false],
      [admin.email, 'ADMIN', true],
    ]);
  });

  test('who is removed loses keys and sessions of the organization, for good, and is told', async () => {
    const owner = await t.join('Leave Inc.', 'leave.owner', 'OWNER');
    const gone = await t.join('Leave Inc.', 'leave.gone', 'ADMIN');
    const stays = await t.newKey(owner.orgId, owner.userId);
    const key = await t.newKey(gone.orgId, gone.userId);
    const own = await t.newKey(gone.userId);
    const ofKey = await t.newCookie(gone.orgId, gone.userId, key.id);
    const probe = async (credential: string) =>
      (await t.app.inject({ url: '/probe', headers: { 'x-api-key': credential } })).statusCode;
    await t.call(gone.cookie, 'POST', '/organization/invitations', {
      email: 'accomplice@example.com',
      role: 'ADMIN',
    });
    const { token } = await t.newestTo('accomplice@example.com');
    expect([await probe(key.credential), await isSignedIn(gone.cookie)]).toEqual([200, true]);
    expect(await statusOf(t.call(owner.cookie, 'DELETE', `/organization/members/${gone.userId}`))).toBe(204);
    await t.refresh();
    expect([await probe(key.credential), await probe(stays.credential), await probe(own.credential)]).toEqual(
      [401, 200, 200],
    );
    expect([await isSignedIn(gone.cookie), await isSignedIn(ofKey)]).toEqual([false, false]);
    expect((await t.newestTo(gone.email)).kind).toBe('membership-ended');
    const accomplice = await t.newProven('accomplice');
    const late = await t.call(
      await t.signInto(accomplice.userId, accomplice.userId),
      'POST',
      '/invitations/accept',
      { token },
    );
    expect(late.statusCode).toBe(400);
    // A person who comes back starts without the old keys.
    await t.newMember('Leave Inc.', gone.email, 'MEMBER');
    await t.refresh();
    expect(await probe(key.credential)).toBe(401);
    expect(await actionsOf(owner.orgId)).toEqual(
      expect.arrayContaining(['membership.remove', 'key.revoke', 'session.end']),
    );
  });

  test('a role that was taken away is gone for keys and sessions too', async () => {
    const owner = await t.join('Demoted Inc.', 'demoted.owner', 'OWNER');
    const admin = await t.join('Demoted Inc.', 'demoted.admin', 'ADMIN');
    const key = await t.newKey(admin.orgId, admin.userId);
    const probe = async () =>
      (await t.app.inject({ url: '/probe/owner', headers: { 'x-api-key': key.credential } })).statusCode;
    expect([await probe(), await statusOf(t.call(admin.cookie, 'GET', '/organization/audit'))]).toEqual([
      200, 200,
    ]);
    await t.call(owner.cookie, 'PATCH', `/organization/members/${admin.userId}`, { role: 'VIEWER' });
    await t.refresh();
    expect([await probe(), await statusOf(t.call(admin.cookie, 'GET', '/organization/audit'))]).toEqual([
      403, 403,
    ]);
  });

  test('of two owners who remove each other at the same time, one stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [
        await t.join(`Duel ${round}`, `duel.a${round}`, 'OWNER'),
        await t.join(`Duel ${round}`, `duel.b${round}`, 'OWNER'),
      ];
      const answers = await Promise.all([
        t.call(a.cookie, 'DELETE', `/organization/members/${b.userId}`),
        t.call(b.cookie, 'DELETE', `/organization/members/${a.userId}`),
      ]);
      expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1);
      expect(Object.values(await rolesOf(a.orgId))).toEqual(['OWNER']);
    }
  });

  test('of two owners who leave at the same time, one stays', async () => {
    const [a, b] = [await t.join('Flight', 'flight.a', 'OWNER'), await t.join('Flight', 'flight.b', 'OWNER')];
    const statuses = await Promise.all(
      [a, b].map(({ cookie }) => statusOf(t.call(cookie, 'POST', '/organization/leave'))),
    );
    expect(statuses.toSorted((x, y) => x - y)).toEqual([204, 409]);
    expect(Object.values(await rolesOf(a.orgId))).toEqual(['OWNER']);
  });

  test('an owner hands the organization over and stays as an administrator', async () => {
    const owner = await t.join('Handed Inc.', 'handed.owner', 'OWNER');
    const heir = await t.join('Handed Inc.', 'handed.heir', 'VIEWER');
    const stranger = await t.newProven('handed.stranger');
    const transfer = (userId: string) =>
      statusOf(t.call(owner.cookie, 'POST', '/organization/transfer', { userId }));
    expect([await transfer(stranger.userId), await transfer(owner.userId)]).toEqual([404, 400]);
    expect(await transfer(heir.userId)).toBe(204);
    expect(await rolesOf(owner.orgId)).toEqual({ [heir.userId]: 'OWNER', [owner.userId]: 'ADMIN' });
    expect(await transfer(heir.userId)).toBe(403);
  });
});

test('an organization reads and changes nothing of another (reliability S2)', async () => {
  const mine = await t.join('Mine Inc.', 'apart.mine', 'OWNER');
  const theirs = await t.join('Theirs Inc.', 'apart.theirs', 'OWNER');
  const victim = await t.join('Theirs Inc.', 'apart.victim', 'MEMBER');
  await t.call(theirs.cookie, 'POST', '/organization/invitations', {
    email: 'apart.guest@example.com',
    role: 'VIEWER',
  });
  const { invitations } = (await t.call(theirs.cookie, 'GET', '/organization/invitations')).json();
  const { entries } = (await t.call(theirs.cookie, 'GET', '/organization/audit')).json();
  const before = await rolesOf(theirs.orgId);
  const statuses = [
    await statusOf(t.call(mine.cookie, 'PATCH', `/organization/members/${victim.userId}`, { role: 'ADMIN' })),
    await statusOf(t.call(mine.cookie, 'DELETE', `/organization/members/${victim.userId}`)),
    await statusOf(t.call(mine.cookie, 'POST', '/organization/transfer', { userId: victim.userId })),
    await statusOf(t.call(mine.cookie, 'DELETE', `/organization/invitations/${invitations[0].id}`)),
    await statusOf(t.call(mine.cookie, 'POST', '/organization/restore', { organizationId: theirs.orgId })),
  ];
  expect(statuses).toEqual([404, 404, 404, 404, 404]);
  const page = await t.call(mine.cookie, 'GET', `/organization/audit?before=${entries[0].id}`);
  expect(page.json()).toEqual({ entries: [], next: null });
  expect(await rolesOf(theirs.orgId)).toEqual(before);
});

test('the audit trail is read page by page, with details and without hashes', async () => {
  const owner = await t.join('Audited Inc.', 'audited', 'OWNER');
  for (let n = 0; n < 4; n += 1)
    await t.call(owner.cookie, 'PATCH', '/organization', { name: `Audited ${n}` });
  const seen: string[] = [];
  let next: string | null = '';
  while (next !== null) {
    const answer = await t.call(
      owner.cookie,
      'GET',
      `/organization/audit?limit=3${next === '' ? '' : `&before=${next}`}`,
    );
    expect(answer.body).not.toMatch(/hash/i);
    const page: { entries: { id: string; action: string; detail: { by?: string } }[]; next: string | null } =
      answer.json();
    for (const { id, action, detail } of page.entries) {
      seen.push(id);
      if (action === 'organization.rename') expect(detail.by).toBe(owner.userId);
    }
    next = page.next;
  }
  const { rows } = await t.owner.query(
    'select id from audit_entry where account_id = $1 order by at desc, id desc',
    [owner.orgId],
  );
  expect(seen).toEqual(rows.map(({ id }) => id));
});
