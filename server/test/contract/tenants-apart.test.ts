import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Route } from '#platform/http/route.ts';
import { eventually } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { BLOCKED_BY_ALL, newTenant, relayEvents, rowsOf, settledRowsOf, type Tenant } from '#test/tenants.ts';
import { describeRoutes } from '../../src/app/build-app.ts';

const REQUESTS = bySize(600, 20_000);
const AT_ONCE = 8;
const random = seededRandom('tenants-apart');
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

/** Every address of every route; the dashboard's files are the same for all callers. */
const ADDRESSES = describeRoutes().flatMap((route) =>
  (route.policy.surface === 'both' ? ['', '/api'] : [route.policy.surface === 'web' ? '/api' : '']).map(
    (base) => ({ route, template: `${base}${route.path}` }),
  ),
);
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

type JsonSchema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
};
const schemaOf = (type: z.ZodType): JsonSchema =>
  z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

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

function valueFor(schema: JsonSchema, known: readonly string[], depth = 0): unknown {
  if (schema.anyOf !== undefined) return valueFor(pick(schema.anyOf), known, depth);
  if (schema.enum !== undefined) return pick(schema.enum);
  if (Array.isArray(schema.examples) && random() < 0.5) return pick(schema.examples);
  if (schema.type === 'integer' || schema.type === 'number') return Math.floor(random() * 30);
  if (schema.type === 'boolean') return random() < 0.5;
  if (schema.type === 'array')
    return Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      valueFor(schema.items ?? {}, known, depth + 1),
    );
  if (schema.type === 'object' && depth < 4) return objectFor(schema, known, depth);
  return pick(known);
}
const objectFor = (schema: JsonSchema, known: readonly string[], depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(() => random() < 0.8)
      .map(([name, property]) => [name, valueFor(property, known, depth + 1)]),
  );

type Shot = {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};

/** Parameters of a path that name something of a fixed set; any other value of them is 404 at once. */
const PATH_WORDS: Readonly<Record<string, readonly string[]>> = {
  collectionId: ['ips', 'domains', 'file-hashes'].flatMap((kind) => [
    `org-reported-${kind}`,
    `org-reported-${kind}-observables`,
  ]),
};
const TAXII = 'application/taxii+json;version=2.1';
const STREAM_READ_MS = 500;
const isEndless = (template: string): boolean => /^(\/api)?\/stream$/.test(template);

function aim(route: Route, template: string, mine: Tenant, theirs: Tenant): Shot {
  const known = guesses(mine, theirs);
  // Fields that no schema has: a service that assigns what it is sent would take them.
  const assigned =
    random() < 0.3 ? { accountId: theirs.orgId, account_id: theirs.orgId, userId: pick(theirs.ids) } : {};
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(
    route.query === undefined ? {} : objectFor(schemaOf(route.query), known),
  ))
    query.append(name, String(value));
  for (const [name, value] of Object.entries(assigned)) if (random() < 0.5) query.append(name, value);
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(pick((random() < 0.8 && PATH_WORDS[name]) || known)),
  );
  const member = pick(mine.members);
  const isByKey = route.policy.auth === 'key' || (route.policy.auth !== 'session' && random() < 0.5);
  const credentials = isByKey ? { 'x-api-key': member.credential } : { cookie: member.cookie };
  const hasBody = route.body !== undefined;
  return {
    url: `${shared.service.url}${path}?${query.toString()}`,
    method: route.method,
    headers: {
      // Signing out would end the session of the next requests.
      ...(/\/auth\/(session|logout)$/.test(template) ? {} : credentials),
      ...(random() < 0.2 && { 'x-account-id': theirs.orgId, 'x-organization-id': theirs.orgId }),
      'x-forwarded-for': `198.19.${Math.floor(random() * 250)}.${Math.floor(random() * 250)}`,
      origin: shared.service.env.PUBLIC_WEB_URL ?? '',
      'sec-fetch-site': 'same-origin',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(random() < 0.5 && template.includes('/taxii') && { accept: TAXII }),
      ...(isEndless(template) && { 'last-event-id': '0' }),
    },
    ...(hasBody && {
      body: JSON.stringify({ ...objectFor(schemaOf(route.body as z.ZodType), known), ...assigned }),
    }),
  };
}

async function fire(shot: Shot, isEndless: boolean): Promise<{ status: number; text: string }> {
  const { url, ...init } = shot;
  const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(120_000) });
  const text = isEndless && answer.ok ? await readStart(answer) : await answer.text();
  return { status: answer.status, text: `${text} ${JSON.stringify([...answer.headers])}` };
}

/** What an endless answer says at first: here all events that it replays. */
async function readStart(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  const ended = sleep(STREAM_READ_MS).then(() => reader?.cancel());
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    text += Buffer.from(value).toString();
  }
  await ended;
  return text;
}

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
    const keys = await fetch(`${shared.service.url}/user/keys`, {
      headers: {
        cookie: member?.cookie ?? '',
        origin: shared.service.env.PUBLIC_WEB_URL ?? '',
        'sec-fetch-site': 'same-origin',
      },
    });
    expect(await keys.text()).toContain(tenant.marker);
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

test.each([
  [0, 1],
  [1, 0],
] as const)(
  'of tenant %i, every route in four roles shows and changes nothing of tenant %i (reliability S2)',
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
        const { route, template } = ADDRESSES[sent % ADDRESSES.length] as (typeof ADDRESSES)[number];
        sent += 1;
        const shot = aim(route, template, mine, theirs);
        const { status, text } = await fire(shot, isEndless(template));
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
    for (const path of ['/user/keys', '/reports', '/api-root/collections', '/stream'])
      expect([...succeeded].some((address) => address.startsWith('GET') && address.endsWith(path))).toBe(
        true,
      );
    expect(await rowsOf(owner, theirs.accountIds)).toEqual(before);
    for (const status of [200, 400, 404])
      expect(statuses.get(status) ?? 0, `answers ${status}`).toBeGreaterThan(0);
    console.log(`figure tenants-apart-${from}-requests ${sent}`);
    console.log(`figure tenants-apart-${from}-leaks ${leaks.length}`);
  },
);
