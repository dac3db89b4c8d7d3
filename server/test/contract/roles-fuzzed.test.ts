import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '#capabilities/access/index.ts';
import { ADDRESSES, type Address, createAimer, fire } from '#test/fuzz-routes.ts';
import { bySize } from '#test/lane.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { type Member, newTenant, type Origin, type Tenant } from '#test/tenants.ts';

const REQUESTS = bySize(240, 6_000);
const AT_ONCE = 8;
const random = seededRandom('roles-fuzzed');
const { aim, pick } = createAimer(random);

/** What only these roles may do, written here by hand: the policies of the routes are what is tested. */
const MANAGERS: readonly Role[] = ['OWNER', 'ADMIN'];
const WRITERS: readonly Role[] = ['OWNER', 'ADMIN', 'MEMBER'];
const MAY: Readonly<Record<string, readonly Role[]>> = {
  'DELETE /organization': ['OWNER'],
  'POST /organization/transfer': ['OWNER'],
  'PATCH /organization': MANAGERS,
  'GET /organization/audit': MANAGERS,
  'GET /organization/invitations': MANAGERS,
  'POST /organization/invitations': MANAGERS,
  'DELETE /organization/invitations/:id': MANAGERS,
  'PATCH /organization/members/:userId': MANAGERS,
  'DELETE /organization/members/:userId': MANAGERS,
  'GET /organization/sso': MANAGERS,
  'PUT /organization/sso': MANAGERS,
  'DELETE /organization/sso': MANAGERS,
  'POST /billing/checkout': MANAGERS,
  'POST /billing/portal': MANAGERS,
  'POST /user/keys': WRITERS,
  'DELETE /user/keys/:id': WRITERS,
  'POST /user/keys/:id/rotate': WRITERS,
  'POST /org/indicators': WRITERS,
  'DELETE /org/indicators/:id': WRITERS,
  'POST /reports': WRITERS,
  'POST /reports/save': WRITERS,
  'DELETE /reports/:id': WRITERS,
  'PATCH /onboarding': WRITERS,
  'POST /cve-watch/perimeters': WRITERS,
  'PATCH /cve-watch/perimeters/:id': WRITERS,
  'DELETE /cve-watch/perimeters/:id': WRITERS,
  'POST /cve-watch/perimeters/:id/components': WRITERS,
  'DELETE /cve-watch/perimeters/:id/components/:cid': WRITERS,
  'POST /cve-watch/perimeters/:id/import': WRITERS,
  'POST /cve-watch/perimeters/:id/scan': WRITERS,
  'PATCH /cve-watch/findings/:id': WRITERS,
  'POST /user/webhooks': WRITERS,
  'PATCH /user/webhooks/:id': WRITERS,
  'DELETE /user/webhooks/:id': WRITERS,
  'POST /user/webhooks/:id/rotate-secret': WRITERS,
  'POST /user/webhooks/:id/test': WRITERS,
  'POST /user/webhooks/:id/verify': WRITERS,
  'POST /user/webhooks/:id/deliveries/:dlv/redeliver': WRITERS,
  'POST /user/webhooks/:id/replay': WRITERS,
  'POST /cases': WRITERS,
  'PATCH /cases/:id': WRITERS,
  'POST /cases/:id/evidence': WRITERS,
  'POST /monitoring': WRITERS,
  'POST /monitoring/toggle-notify': WRITERS,
  'POST /monitoring/unwatch': WRITERS,
  'PATCH /alerts/:id': WRITERS,
};
/** A session of a key pair may read about its organization and change nothing of it, in any role. */
const PEOPLE_ONLY =
  /^(?:POST|PUT|PATCH|DELETE) \/(?:organizations?(?:\/(?!restore).*)?|invitations\/accept|user|auth\/(?:passkeys.*|totp.*|recovery-codes))$/;
/** Left out: routes that end the caller's own session, membership or account, because later requests prove nothing. */
const ENDS_CALLER =
  /^(?:POST \/auth\/(?:logout|switch)|DELETE \/auth\/session|POST \/organization\/leave|DELETE \/user)$/;

let shared: SharedService;
let owner: pg.Client;
let tenant: Tenant;

beforeAll(async () => {
  shared = await sharedService('roles-fuzzed');
  owner = new pg.Client({ connectionString: shared.service.env.DATABASE_URL });
  await owner.connect();
  tenant = await newTenant(shared, 'green');
});
afterAll(async () => {
  await owner?.end();
  await shared?.stop();
});

const actOf = ({ route }: Address): string => `${route.method} ${route.path}`;
const isSessionRoute = ({ route }: Address): boolean =>
  ['session', 'keyOrSession', 'signIn'].includes(route.policy.auth);
/** Routes with a rule of roles come up as often as all others together. */
const RULED = ADDRESSES.filter((address) => MAY[actOf(address)] !== undefined);
const OTHERS = ADDRESSES.filter(
  (address) => isSessionRoute(address) && !ENDS_CALLER.test(actOf(address)) && !RULED.includes(address),
);

/** Rows that a member in this role may not change. */
const KEPT: Readonly<Record<'VIEWER' | 'MEMBER' | 'ADMIN', readonly string[]>> = {
  VIEWER: [
    'select name, deleted_at from organization where id = $1 and $2 <> id',
    'select user_id, role from membership where account_id = $1 and $2 <> user_id order by 1',
    'select id, email, role from invitation where account_id = $1 and $2 <> id order by 1',
    'select * from subscription where account_id = $1 and $2 <> account_id',
    'select id, user_id, label, revoked_at, rotated_at from api_key where account_id = $1 and $2 <> id order by 1',
    'select id, status from org_indicator where account_id = $1 and $2 <> id order by 1',
    'select id, note from report where account_id = $1 and $2 <> id order by 1',
    'select * from cve_watch_perimeter where account_id = $1 and $2 <> id order by 1',
    'select * from cve_watch_component where account_id = $1 and $2 <> id order by 1',
    'select id, status from cve_watch_finding where account_id = $1 and $2 <> id order by 1',
    'select * from webhook_endpoint where account_id = $1 and $2 <> id order by 1',
    'select id, status from webhook_delivery where account_id = $1 and $2 <> id order by 1',
    'select * from action_case where account_id = $1 and $2 <> id order by 1',
    'select * from case_evidence where account_id = $1 and $2 <> id order by 1',
    'select id, notify from watch_item where account_id = $1 and $2 <> id order by 1',
    'select id, status from alert where account_id = $1 and $2 <> id order by 1',
    'select * from sso_connection where account_id = $1 and $2 <> account_id',
    'select id, user_id, method, proved_at from session where account_id = $1 and user_id <> $2 order by 1',
  ],
  MEMBER: [
    'select name, deleted_at from organization where id = $1 and $2 <> id',
    'select user_id, role from membership where account_id = $1 and $2 <> user_id order by 1',
    'select id, email, role from invitation where account_id = $1 and $2 <> id order by 1',
    'select * from subscription where account_id = $1 and $2 <> account_id',
    'select * from sso_connection where account_id = $1 and $2 <> account_id',
    'select id, label, revoked_at, rotated_at from api_key where account_id = $1 and user_id <> $2 order by 1',
    'select id, user_id, method, proved_at from session where account_id = $1 and user_id <> $2 order by 1',
  ],
  ADMIN: [
    'select deleted_at from organization where id = $1 and $2 <> id',
    `select user_id from membership where account_id = $1 and role = 'OWNER' and $2 <> user_id order by 1`,
    'select * from subscription where account_id = $1 and $2 <> account_id',
    `select s.id, method, proved_at from session s join membership m on m.account_id = s.account_id and m.user_id = s.user_id
      where s.account_id = $1 and m.role = 'OWNER' and s.user_id <> $2 order by 1`,
  ],
};

const rowsKept = async (role: 'VIEWER' | 'MEMBER' | 'ADMIN', userId: string): Promise<string[]> => {
  const kept: string[] = [];
  for (const statement of KEPT[role])
    kept.push(JSON.stringify((await owner.query(statement, [tenant.orgId, userId])).rows));
  return kept;
};

const memberOf = (role: Role): Member => {
  const found = tenant.members.find((member) => member.role === role);
  if (found === undefined) throw new Error(`There is no ${role}.`);
  return found;
};

/** Ids that a member's requests try: all of the organization except the member's own, which the member may end. */
const knownTo = ({ ids }: Member): readonly string[] => [
  ...tenant.ids.filter((id) => !ids.includes(id)),
  ...tenant.spareIds,
  '203.0.114.7',
  'bad.example.com',
];

type Sent = { readonly act: string; readonly origin: Origin | 'api key'; readonly status: number };

async function shoot(member: Member, address: Address): Promise<Sent> {
  const origin = pick<Origin>(['key', 'password', 'passkey']);
  const isByKey = address.route.policy.auth === 'keyOrSession' && random() < 0.2;
  const shot = aim(address, {
    url: shared.service.url,
    origin: shared.service.env.PUBLIC_WEB_URL ?? '',
    credentials: isByKey ? { 'x-api-key': member.credential } : { cookie: member.cookies[origin] },
    known: knownTo(member),
    assigned: random() < 0.3 ? { role: 'OWNER', accountId: tenant.orgId, userId: pick(tenant.ids) } : {},
  });
  const { status } = await fire(shot, address.template);
  return { act: actOf(address), origin: isByKey ? 'api key' : origin, status };
}

async function fuzz(role: 'VIEWER' | 'MEMBER' | 'ADMIN'): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  let begun = 0;
  const caller = async (): Promise<void> => {
    while (begun < REQUESTS / 3) {
      begun += 1;
      const from = begun % 2 === 0 ? RULED : OTHERS;
      sent.push(await shoot(memberOf(role), from[Math.floor(begun / 2) % from.length] as Address));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return sent;
}

const isAbove = (role: Role, { act, origin, status }: Sent): boolean =>
  status < 300 &&
  ((MAY[act]?.includes(role) ?? true) === false || (origin === 'key' && PEOPLE_ONLY.test(act)));

test('the owner may do what the others are refused, except with a session of a key pair', async () => {
  const name = { name: 'Another name' };
  expect(await statusOf(memberOf('OWNER'), 'password', 'PATCH', '/api/organization', name)).toBe(200);
  expect(await statusOf(memberOf('OWNER'), 'passkey', 'GET', '/api/organization/audit')).toBe(200);
  expect(await statusOf(memberOf('OWNER'), 'key', 'PATCH', '/api/organization', name)).toBe(403);
});

// Administrators are last, because they may remove the others and revoke their keys, which ends sessions of these keys.
test.each(['VIEWER', 'MEMBER', 'ADMIN'] as const)(
  '%s: does nothing that the role does not allow, with a session of any origin or a key (reliability S2)',
  async (role) => {
    const { userId } = memberOf(role);
    const before = await rowsKept(role, userId);
    const sent = await fuzz(role);
    const above = sent.filter((each) => isAbove(role, each));
    console.log(`figure roles-fuzzed-${role.toLowerCase()}-requests ${sent.length}`);
    console.log(`figure roles-fuzzed-${role.toLowerCase()}-above ${above.length}`);
    expect(above).toEqual([]);
    expect(sent.filter(({ status }) => status === 500)).toEqual([]);
    expect(await rowsKept(role, userId)).toEqual(before);
    // The credentials work to the end, so what was refused was refused for the role.
    for (const origin of ['password', 'passkey'] as const)
      expect(await statusOf(memberOf(role), origin, 'GET', '/api/organization')).toBe(200);
  },
);

async function statusOf(
  member: Member,
  origin: Origin,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const answer = await fetch(`${shared.service.url}${path}`, {
    method,
    headers: {
      cookie: member.cookies[origin],
      origin: shared.service.env.PUBLIC_WEB_URL ?? '',
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await answer.text();
  return answer.status;
}

test('every route with a rule of roles is in the table of this test', () => {
  const ruled = ADDRESSES.filter(({ route }) => route.policy.role !== undefined).map(actOf);
  expect([...new Set(ruled)].sort()).toEqual(Object.keys(MAY).sort());
});
