import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import {
  createKey,
  createSession,
  createUser,
  ensureOrganization,
  putMembership,
  type Role,
  setPlan,
} from '#capabilities/access/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import { inviteMember } from '#capabilities/organizations/index.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import { createRelay } from '#platform/events.ts';
import { newId, ulid } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { sql } from '#platform/postgres.ts';
import { connectRedis } from '#platform/redis.ts';
import { createSecrets } from '#platform/secrets.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { cookieWith, OPERATOR } from './access.ts';
import { eventually, sleep } from './eventually.ts';
import { type Planted, type PlantedWatch, plantWatch } from './plant-watch.ts';
import type { SharedService } from './shared-service.ts';
import { post, type Where } from './tenant-calls.ts';

/** How the sessions of a member were opened. */
export type Origin = 'key' | 'password' | 'passkey';
export type Member = {
  readonly role: Role;
  readonly userId: string;
  /** Ids of the user, the key and the sessions. */
  readonly ids: readonly string[];
  readonly credential: string;
  readonly cookies: Readonly<Record<Origin, string>>;
};
export type Tenant = {
  readonly orgId: string;
  /** A word in everything that only this tenant may see. */
  readonly marker: string;
  readonly members: readonly Member[];
  /** The organization and its members. */
  readonly accountIds: readonly string[];
  /** Ids of everything that the tenant has, which another tenant may guess. */
  readonly ids: readonly string[];
  /** Ids of one object of each type that the tenant's own requests may change. */
  readonly spareIds: readonly string[];
  /** Cases, watched items, alerts and webhooks by their kind; their ids are among those above. */
  readonly watch: PlantedWatch;
};

const ROLES: readonly Role[] = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'];
const LIMITS = { burstPerMinute: 1_000_000, checksPerMonth: 100_000_000 };

/** Values that every tenant blocks, with its marker as the reason, so that each has a verdict of its own. */
export const BLOCKED_BY_ALL: readonly string[] = ['203.0.114.77', 'blocked-by-all.com', 'b'.repeat(32)];

/**
 * An organization with a member in each role, keys, sessions, reports, a submission and indicators, all with its marker.
 */
export async function newTenant({ service, accounts }: SharedService, name: string): Promise<Tenant> {
  const config = loadConfig(service.env);
  const deps = { postgres: accounts.system, clock: systemClock(), pepper: createSecrets(config.KEY_PEPPER) };
  const marker = `marker${name}${randomBytes(8).toString('hex')}`;
  const orgId = await ensureOrganization(deps, OPERATOR, `${marker} Inc.`);
  await setPlan(deps, OPERATOR, orgId, { plan: 'ENTERPRISE', limits: LIMITS });
  const ids: string[] = [orgId];
  const members: Member[] = [];
  const userIds: string[] = [];
  for (const role of ROLES) {
    const userId = await createUser(deps, OPERATOR, `${role.toLowerCase()}@${marker}.example`);
    await putMembership(deps, OPERATOR, orgId, userId, role);
    const key = await createKey(deps, OPERATOR, {
      accountId: orgId,
      userId,
      label: marker,
      allowedCidrs: [],
    });
    userIds.push(userId);
    const ofPerson = await openSessions(deps, config, { accountId: orgId, userId, marker });
    const cookies = { key: await signIn(service, key.credential), ...ofPerson.cookies };
    const own = [userId, key.id, ...ofPerson.ids];
    ids.push(...own);
    members.push({ role, userId, ids: own, credential: key.credential, cookies });
  }
  ids.push(...(await plantOfPeople({ accounts, config, orgId, marker, userId: userIds[0] ?? '' })));
  const spare = await createKey(deps, OPERATOR, {
    accountId: orgId,
    userId: userIds[0] ?? '',
    label: marker,
    allowedCidrs: [],
  });
  const reports = [
    await saveReport(service, members[0], marker),
    await saveReport(service, members[2], marker),
  ];
  await post(service, members[0]?.credential ?? '', '/submit', {
    sources: [{ name: marker, type: 'ip', url: `https://lists.example.com/${marker}.txt` }],
  });
  const indicators = await reportIndicators(service, members[0], marker);
  const credential = members[0]?.credential ?? '';
  const watch = await plantWatch({ where: service, system: accounts.system, credential, orgId, marker });
  const watched = await watchComponents({ service, accounts }, members[0], { orgId, marker });
  return {
    orgId,
    marker,
    members,
    accountIds: [orgId, ...userIds],
    ids: [...ids, reports[0] ?? '', indicators[0] ?? '', ...watched.ids, ...idsOf(watch.kept)],
    spareIds: [spare.id, reports[1] ?? '', indicators[1] ?? '', ...watched.spareIds, ...idsOf(watch.spare)],
    watch,
  };
}

const idsOf = ({ caseId, alertId, itemId, webhookId, deliveryId }: Planted): readonly string[] => [
  caseId,
  alertId,
  itemId,
  webhookId,
  deliveryId,
];

type PersonDeps = Parameters<typeof createSession>[0];

/** Opens sessions by password and by passkey whose proof of the person stays recent for the whole fuzz. */
async function openSessions(
  deps: PersonDeps,
  config: Config,
  {
    accountId,
    userId,
    marker,
  }: { readonly accountId: string; readonly userId: string; readonly marker: string },
): Promise<{ readonly cookies: { password: string; passkey: string }; readonly ids: readonly string[] }> {
  const open = (method: 'password' | 'passkey') =>
    createSession(
      deps,
      { accountId, userId, ip: '127.0.0.1', userAgent: marker },
      { actor: OPERATOR, keyId: null, method, factors: [method], provedAtMs: Date.now() + DAY_MS },
    );
  const [password, passkey] = [await open('password'), await open('passkey')];
  return {
    cookies: { password: cookieWith(config, password.token), passkey: cookieWith(config, passkey.token) },
    ids: [password.id, passkey.id],
  };
}

/** An invitation and a passkey with the marker of the tenant. */
async function plantOfPeople({
  accounts,
  config,
  orgId,
  marker,
  userId,
}: Pick<SharedService, 'accounts'> & {
  readonly config: Config;
  readonly orgId: string;
  readonly marker: string;
  readonly userId: string;
}): Promise<readonly string[]> {
  const clock = systemClock();
  const deps = {
    system: accounts.system,
    clock,
    letters: openLetters({ config, clock }),
    publicWebUrl: config.PUBLIC_WEB_URL,
    defaultPlan: config.DEFAULT_PLAN,
    invitationsPerDay: 1_000,
    organizationsPerPerson: 1,
    deletedKeptMs: DAY_MS,
  };
  const by = { accountId: orgId, userId, actor: OPERATOR };
  const { invitation } = await inviteMember(deps, by, { email: `guest@${marker}.example`, role: 'VIEWER' });
  const passkeyId = newId('psk', clock.now());
  await sql`
    insert into passkey (id, user_id, credential_id, public_key, counter, label, is_synced, created_at)
    values (${passkeyId}, ${userId}, ${randomBytes(16)}, ${randomBytes(16)}, 0, ${marker}, false, now())`.execute(
    accounts.system.db,
  );
  return [invitation.id, passkeyId];
}

/** The cookie of a new person who owns a new organization alone. */
export async function newLonelyOwner({ service, accounts }: SharedService): Promise<string> {
  const config = loadConfig(service.env);
  const deps = { postgres: accounts.system, clock: systemClock() };
  const name = `lonely${randomBytes(8).toString('hex')}`;
  const orgId = await ensureOrganization(deps, OPERATOR, name);
  const userId = await createUser(deps, OPERATOR, `${name}@example.com`);
  await putMembership(deps, OPERATOR, orgId, userId, 'OWNER');
  return (await openSessions(deps, config, { accountId: orgId, userId, marker: name })).cookies.password;
}

/** Sends what the tenants have done so far to the stream, as a worker does; the shared service has none. */
export async function relayEvents({ service, accounts }: SharedService): Promise<void> {
  const config = loadConfig(service.env);
  const log = createLog('silent');
  const redis = await connectRedis({ config, log, clock: systemClock() });
  const relay = createRelay({ postgres: accounts.system, redis, prefix: config.REDIS_PREFIX, log });
  await relay.flush();
  await relay.stop();
  redis.close();
}

async function signIn({ url, env }: Where, credential: string): Promise<string> {
  const [apiKey, apiSecret] = Buffer.from(credential, 'base64').toString().split(':');
  let cookie = '';
  await eventually('the key opens a session', 30_000, async () => {
    const answer = await fetch(`${url}/api/auth/session`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: env.PUBLIC_WEB_URL ?? '',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': `198.19.255.${randomBytes(1)[0]}`,
      },
      body: JSON.stringify({ apiKey, apiSecret }),
    });
    cookie = answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0] ?? '')
      .filter((each) => !each.endsWith('='))
      .join('; ');
    return answer.status === 201;
  });
  return cookie;
}

async function saveReport(where: Where, member: Member | undefined, marker: string): Promise<string> {
  const result = { query: '203.0.114.7', malicious: false, apiVersion: 'v2', secret: marker };
  const saved = await post(where, member?.credential ?? '', '/reports/save', {
    result,
    note: marker,
    tags: [marker.slice(0, 40)],
  });
  return (saved as { report: { id: string } }).report.id;
}

/**
 * A perimeter with a component and a finding that only the tenant changes, and others that its own requests may change. Findings
 * are put there as a worker does, which the shared service has not.
 */
async function watchComponents(
  { service, accounts }: Pick<SharedService, 'service' | 'accounts'>,
  member: Member | undefined,
  { orgId, marker }: { readonly orgId: string; readonly marker: string },
): Promise<{ readonly ids: readonly string[]; readonly spareIds: readonly string[] }> {
  const make = async (path: string, body: object) =>
    ((await post(service, member?.credential ?? '', path, body)) as { id: string }).id;
  const watch = async (name: string): Promise<readonly string[]> => {
    const perimeterId = await make('/cve-watch/perimeters', { name });
    const component = { vendor: marker, product: marker, version: '1.0' };
    const componentId = await make(`/cve-watch/perimeters/${perimeterId}/components`, component);
    const findingId = `xfnd_${ulid(Date.now())}`;
    await sql`
      insert into cve_watch_finding (id, account_id, perimeter_id, component_id, cve_id, status, priority, is_confirmed, is_kev,
                                     fixed_version, created_at, updated_at)
      values (${findingId}, ${orgId}, ${perimeterId}, ${componentId}, 'CVE-2025-1000', 'OPEN', 1, true, true, ${marker}, now(),
              now())`.execute(accounts.system.db);
    return [perimeterId, componentId, findingId];
  };
  return { ids: await watch(marker), spareIds: await watch(`${marker} spare`) };
}

/** The id of an indicator that only the tenant changes, and of one that its own requests may change. */
async function reportIndicators(
  where: Where,
  member: Member | undefined,
  marker: string,
): Promise<readonly string[]> {
  const reported = { category: 'c2', reason: marker, comment: marker };
  const own = ['domain', 'domain'].map((type, at) => ({ type, value: `${marker}${at}.com`, ...reported }));
  const shared = BLOCKED_BY_ALL.map((value) => {
    const type = value.includes('.com') ? 'domain' : value.includes('.') ? 'ip' : 'hash';
    return { type, value, ...reported };
  });
  const answer = await post(where, member?.credential ?? '', '/org/indicators', {
    indicators: [...own, ...shared],
  });
  return (answer as { indicators: readonly { id: string }[] }).indicators.map(({ id }) => id);
}

/** Moments of use are written late by the tenant's own earlier requests; the ledger counts those requests. */
const LATE_COLUMNS = ['last_used_at', 'last_seen_at', 'seen_at'];
const LATE_TABLES = ['usage_ledger', 'request_count'];

/** A digest of every row of these accounts and people, by table. */
export async function rowsOf(
  client: pg.Client,
  accountIds: readonly string[],
): Promise<Record<string, string>> {
  const tables = await client.query<{ name: string; column: string }>(
    `select table_name as name, column_name as column from information_schema.columns
      where table_schema = 'public'
        and (column_name in ('account_id', 'organization_id', 'user_id')
             or (table_name in ('app_user', 'organization') and column_name = 'id'))
        and table_name in (select tablename from pg_tables where schemaname = 'public')
      order by 1, 2`,
  );
  const digests: Record<string, string> = {};
  for (const { name, column } of tables.rows) {
    if (LATE_TABLES.includes(name)) continue;
    const { rows } = await client.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(row, '|' order by row)), '') as digest
         from (select (to_jsonb(t) - $2::text[])::text as row from ${client.escapeIdentifier(name)} t
                where ${client.escapeIdentifier(column)} = any($1)) as rows`,
      [accountIds, LATE_COLUMNS],
    );
    digests[`${name}.${column}`] = rows[0]?.digest ?? '';
  }
  return digests;
}

/** Pulls are written within two seconds, and later on busy cores. */
const WRITTEN_WITHIN_MS = 6_000;

/** The rows of these accounts after everything of their own earlier requests has been written. */
export async function settledRowsOf(
  client: pg.Client,
  accountIds: readonly string[],
): Promise<Record<string, string>> {
  let last = await rowsOf(client, accountIds);
  for (;;) {
    await sleep(WRITTEN_WITHIN_MS);
    const now = await rowsOf(client, accountIds);
    if (JSON.stringify(now) === JSON.stringify(last)) return now;
    last = now;
  }
}
