import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { ADDRESSES, type Address, createAimer, fire, type Shot } from '#test/fuzz-routes.ts';
import { bySize } from '#test/lane.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import {
  BLOCKED_BY_ALL,
  newLonelyOwner,
  newTenant,
  relayEvents,
  rowsOf,
  settledRowsOf,
  type Tenant,
} from '#test/tenants.ts';

/** At least one request of each tenant to each address. */
const REQUESTS = bySize(2 * ADDRESSES.length, 20_000);
const AT_ONCE = 8;
const TEST_MS = bySize(600_000, 3_600_000);
const random = seededRandom('tenants-apart');
const { aim, pick } = createAimer(random);

const TARGETS = [
  '203.0.114.7',
  'bad.example.com',
  'https://bad.example.com/x',
  'a'.repeat(32),
  'someone@example.com',
  ...BLOCKED_BY_ALL,
  `https://${BLOCKED_BY_ALL[1]}/x`,
  `someone@${BLOCKED_BY_ALL[1]}`,
];

let shared: SharedService;
let owner: pg.Client;
let tenants: readonly [Tenant, Tenant];

beforeAll(async () => {
  shared = await sharedService('tenants-apart');
  owner = new pg.Client({ connectionString: shared.service.env.DATABASE_URL });
  await owner.connect();
  tenants = [await newTenant(shared, 'red'), await newTenant(shared, 'blue')];
  // Without a worker the stream would have nothing to show, and nothing to keep apart.
  await relayEvents(shared);
});
afterAll(async () => {
  await owner?.end();
  await shared?.stop();
});

/** Values that a caller can know of another tenant: ids, never the planted words. */
const guesses = (mine: Tenant, theirs: Tenant): readonly string[] => [
  ...theirs.ids,
  ...theirs.ids,
  ...mine.spareIds,
  ...TARGETS,
  '*',
  '%',
  '',
  "' or account_id <> '",
];

/** Routes that end the session, the membership or the account of their caller: each gets a person who has nothing else. */
const ENDS_CALLER = /^(?:DELETE \/api\/(?:organization|user)|POST \/api\/organization\/leave)$/;
/** Sent without credentials, because these routes would end the session of the next requests. */
const SIGNS_OUT = /\/auth\/(session|logout)$/;

async function credentialsFor(
  { route, template }: Address,
  mine: Tenant,
): Promise<Readonly<Record<string, string>>> {
  if (SIGNS_OUT.test(template)) return {};
  if (ENDS_CALLER.test(`${route.method} ${template}`)) return { cookie: await newLonelyOwner(shared) };
  const member = pick(mine.members);
  const isByKey = route.policy.auth === 'key' || (route.policy.auth !== 'session' && random() < 0.5);
  return isByKey ? { 'x-api-key': member.credential } : { cookie: pick(Object.values(member.cookies)) };
}

async function aimAt(address: Address, mine: Tenant, theirs: Tenant): Promise<Shot> {
  const assigned = { accountId: theirs.orgId, account_id: theirs.orgId, userId: pick(theirs.ids) };
  return aim(address, {
    url: shared.service.url,
    origin: shared.service.env.PUBLIC_WEB_URL ?? '',
    credentials: {
      ...(await credentialsFor(address, mine)),
      ...(random() < 0.2 && { 'x-account-id': theirs.orgId, 'x-organization-id': theirs.orgId }),
    },
    known: guesses(mine, theirs),
    assigned: random() < 0.3 ? assigned : {},
  });
}

/** Routes whose answers hold the tenant's marker, asked with the session of an owner. */
const PLANTED = [
  '/user/keys',
  '/api/auth/sessions',
  '/api/auth/passkeys',
  '/api/organization',
  '/api/organization/members',
  '/api/organization/invitations',
  '/cases',
  '/alerts',
  '/monitoring',
  '/user/webhooks',
  '/action-center/overview',
  '/risk-brief/latest',
  '/cve-watch/perimeters',
  '/cve-watch/findings',
];

test('the planted words of a tenant are shown to the tenant itself', async () => {
  for (const tenant of tenants) {
    const [member] = tenant.members;
    await eventually('the keys are known', 30_000, async () => {
      const answers = await Promise.all(
        tenant.members.map(({ credential }) =>
          fetch(`${shared.service.url}/check`, { headers: { 'x-api-key': credential, ...shared.fromHere } }),
        ),
      );
      return answers.every(({ ok }) => ok);
    });
    const seen = await fetch(`${shared.service.url}/reports`, {
      headers: { 'x-api-key': member?.credential ?? '' },
    });
    expect(await seen.text()).toContain(tenant.marker);
    for (const path of PLANTED)
      await eventually(`${path} shows the marker`, 60_000, async () => {
        const shown = await fetch(`${shared.service.url}${path}`, {
          headers: {
            cookie: member?.cookies.password ?? '',
            origin: shared.service.env.PUBLIC_WEB_URL ?? '',
            'sec-fetch-site': 'same-origin',
          },
        });
        return (await shown.text()).includes(tenant.marker);
      });
    for (const value of BLOCKED_BY_ALL)
      await eventually('its own verdict is there', 30_000, async () => {
        const checked = await fetch(`${shared.service.url}/check?query=${value}`, {
          headers: { 'x-api-key': member?.credential ?? '' },
        });
        return (await checked.text()).includes(tenant.marker);
      });
  }
});

test('indicators of an organization: a viewer reads and cannot write; callers without an organization or PRO get 403', async () => {
  const red = tenants[0];
  const viewer = red.members.find(({ role }) => role === 'VIEWER');
  const basic = await shared.accounts.newAccount(`${red.marker}-basic@example.com`, { plan: 'BASIC' });
  const alone = await shared.accounts.newAccount(`${red.marker}-alone@example.com`, { plan: 'PRO' });
  const ask = async (credential: string | undefined, path: string, method = 'GET', body?: object) => {
    const answer = await fetch(`${shared.service.url}${path}`, {
      method,
      headers: { 'x-api-key': credential ?? '', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return [answer.status, await answer.text()];
  };
  const report = { indicators: [{ type: 'ip', value: '203.0.114.9', category: 'c2' }] };
  const own = red.spareIds[2];
  for (const path of ['/org/indicators', '/org/blocklists/stats', '/org/blocklists/ip']) {
    expect(await ask(viewer?.credential, path)).toEqual([200, expect.any(String)]);
    expect(await ask(basic.credential, path)).toEqual([403, expect.stringContaining('PRO or ENTERPRISE')]);
    expect(await ask(alone.credential, path)).toEqual([403, expect.stringContaining('organization')]);
  }
  for (const credential of [viewer?.credential, basic.credential, alone.credential]) {
    expect(await ask(credential, '/org/indicators', 'POST', report)).toEqual([403, expect.any(String)]);
    expect(await ask(credential, `/org/indicators/${own}`, 'DELETE')).toEqual([403, expect.any(String)]);
  }
});

/** Routes that show the tenant's own data to a session of every origin. */
const SHOWN = [
  '/user/keys',
  '/reports',
  '/action-center/overview',
  '/risk-brief/latest',
  '/user/webhooks',
  '/alerts/metrics',
  '/monitoring/metrics',
  '/metrics/subscription',
  '/api-root/collections',
  '/stream',
  '/organization/members',
  '/auth/sessions',
  '/auth/passkeys',
  '/api/user',
];

test.each([
  [0, 1],
  [1, 0],
] as const)(
  'of tenant %i, every route in four roles shows and changes nothing of tenant %i (reliability S2)',
  { timeout: TEST_MS },
  async (from, to) => {
    const [mine, theirs] = [tenants[from], tenants[to]];
    const before = await settledRowsOf(owner, theirs.accountIds);
    const leaks: string[] = [];
    const statuses = new Map<number, number>();
    const answered = new Set<string>();
    const succeeded = new Set<string>();
    let sent = 0;
    const caller = async (): Promise<void> => {
      while (sent < REQUESTS / 2) {
        // Every address in turn, so that none is left out at any size.
        const address = ADDRESSES[sent % ADDRESSES.length] as Address;
        const { route, template } = address;
        sent += 1;
        const shot = await aimAt(address, mine, theirs);
        const { status, text } = await fire(shot, template);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        answered.add(`${route.method} ${template}`);
        if (status === 200) succeeded.add(`${route.method} ${template}`);
        if (text.includes(theirs.marker)) leaks.push(`${shot.method} ${shot.url} ${shot.body ?? ''}`);
        if (status === 500) leaks.push(`500: ${shot.method} ${shot.url} ${shot.body ?? ''}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
    expect(leaks).toEqual([]);
    expect(answered.size).toBe(
      new Set(ADDRESSES.map(({ route, template }) => `${route.method} ${template}`)).size,
    );
    // Keys and sessions were accepted: a fuzz that is refused at the door would show nothing either.
    const unseen = SHOWN.filter(
      (path) => ![...succeeded].some((address) => address.startsWith('GET') && address.endsWith(path)),
    );
    expect(unseen).toEqual([]);
    expect(await rowsOf(owner, theirs.accountIds)).toEqual(before);
    for (const status of [200, 400, 404])
      expect(statuses.get(status) ?? 0, `answers ${status}`).toBeGreaterThan(0);
    console.log(`figure tenants-apart-${from}-requests ${sent}`);
    console.log(`figure tenants-apart-${from}-leaks ${leaks.length}`);
  },
);
