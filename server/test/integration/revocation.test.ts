import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createKey,
  createSession,
  createUser,
  ensureOrganization,
  putMembership,
  removeMembership,
  setPlan,
} from '#capabilities/access/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import { deleteOrganization, restoreOrganization } from '#capabilities/organizations/index.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { cookieWith, FROM_DASHBOARD, OPERATOR } from '#test/access.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { type Service, startService } from '#test/service.ts';

const PROCESSES = bySize(2, 4);
const ROUNDS_REFUSED = bySize(3, 10);
/** At full size two nodes, because the second one has a replica of its own. */
const NODES = bySize(1, 2);
let database: TestDatabase;
let service: Service;
const nodes: Service[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  for (let at = 0; at < NODES; at += 1)
    nodes.push(
      await startService({
        databaseUrl: database.url,
        processes: PROCESSES,
        // This test causes hundreds of refusals from one address, which the limit on wrong credentials would
        // block.
        env: {
          AUTH_FAILURES_PER_MINUTE: '1000000',
          PUBLIC_WEB_URL: FROM_DASHBOARD.origin,
          // The nodes of one service share their counters.
          ...(at > 0 && { REDIS_PREFIX: nodes[0]?.env.REDIS_PREFIX ?? '' }),
        },
      }),
    );
  service = nodes[0] as Service;
});
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.stop();
  await database?.drop();
});

/** So many that the kernel spreads them over every listener of the shared port. */
const CONNECTIONS = 64;

/** Asks every node the same number of times. */
const askOften = (
  agent: Agent,
  path: string,
  headers: Readonly<Record<string, string>>,
  times = CONNECTIONS,
): Promise<number[]> =>
  Promise.all(
    nodes.flatMap(({ url }) =>
      Array.from({ length: times }, async () => {
        const answer = await request(`${url}${path}`, { dispatcher: agent, headers });
        await answer.body.dump();
        return answer.statusCode;
      }),
    ),
  );

test(`a new key works and a revoked key is refused on every API process${bySize('', ' within one second')}`, async () => {
  const key = await service.admin<{ header: string; apiKey: string; keyId: string }>(
    'key',
    'create',
    '--email',
    'soc@example.com',
    '--plan',
    'ENTERPRISE',
    '--limits',
    JSON.stringify({ burstPerMinute: 1_000_000, checksPerMonth: 100_000_000 }),
  );
  for (const node of nodes) expect(node.listenerPids()).toHaveLength(PROCESSES);
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const round = () => askOften(agent, '/check', { 'X-API-KEY': key.header });
  await eventually('every process knows the key', bySize(60_000, 2_000), async () =>
    (await round()).every((status) => status === 200),
  );

  await service.admin('key', 'revoke', key.apiKey);
  const revokedAt = performance.now();
  const withinMs = await eventually('every process refuses the key', bySize(60_000, 3_000), async () =>
    (await round()).every((status) => status === 401),
  );
  if (IS_FULL_SIZE) {
    // `admin` exits after the commit, so this is an upper bound of the time from commit to refusal.
    keepResult('revocation', { keyMs: withinMs });
    expect(withinMs).toBeLessThan(1_000);
    await sleep(Math.max(0, 1_000 - (performance.now() - revokedAt)));
  }
  for (let i = 0; i < ROUNDS_REFUSED; i += 1)
    expect((await round()).every((status) => status === 401)).toBe(true);
  await agent.close();
}, 180_000);

/** A session, and the request that ends it from another session of the same person. */
async function endedSession(
  deps: { readonly postgres: Postgres; readonly clock: Clock },
  config: Config,
  who: { readonly accountId: string; readonly userId: string },
) {
  const { id, token } = await createSession(deps, { ...who, ip: '127.0.0.1', userAgent: 'test' });
  const opened = await createSession(
    deps,
    { ...who, ip: '127.0.0.1', userAgent: 'test' },
    { actor: OPERATOR, keyId: null, method: 'password', factors: ['password'] },
  );
  return {
    cookie: cookieWith(config, token),
    end: async () => {
      const answer = await request(`${service.url}/api/auth/sessions/${id}`, {
        method: 'DELETE',
        headers: { ...FROM_DASHBOARD, cookie: cookieWith(config, opened.token) },
      });
      expect(answer.statusCode, await answer.body.text()).toBe(204);
    },
  };
}

/** The keys and sessions of a member who is removed, and of everybody when the organization is deleted (reliability S1). */
test(`a removed member and a deleted organization are refused on every API process${bySize('', ' within one second')}`, async () => {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const config = loadConfig(service.env);
  const clock = systemClock();
  const system = asSystem({ ...config, POSTGRES_POOL_MAX: 2 });
  const deps = { postgres: system, clock, pepper: createSecrets(config.KEY_PEPPER) };
  const orgId = await ensureOrganization(deps, OPERATOR, 'Acme');
  const limits = { burstPerMinute: 1_000_000, checksPerMonth: 100_000_000 };
  await setPlan(deps, OPERATOR, orgId, { plan: 'ENTERPRISE', limits });
  const newMember = async (email: string) => {
    const userId = await createUser(deps, OPERATOR, email);
    await putMembership(deps, OPERATOR, orgId, userId, 'OWNER');
    const key = await createKey(deps, OPERATOR, { accountId: orgId, userId, label: '', allowedCidrs: [] });
    const who = { accountId: orgId, userId, ip: '127.0.0.1', userAgent: 'test' };
    const { token } = await createSession(deps, who);
    return { userId, credential: key.credential, cookie: cookieWith(config, token) };
  };
  const [gone, stays] = [await newMember('gone@example.com'), await newMember('stays@example.com')];
  // A session is read from PostgreSQL at each request, so a few requests are enough.
  const becomes = async (what: string, { credential, cookie }: typeof gone, status: number) => {
    const withinMs = await eventually(what, bySize(60_000, 3_000), async () => {
      const byKey = await askOften(agent, '/check', { 'X-API-KEY': credential });
      const bySession = await askOften(agent, '/api/organization', { ...FROM_DASHBOARD, cookie }, 4);
      return [...byKey, ...bySession].every((each) => each === status);
    });
    if (!IS_FULL_SIZE || status !== 401) return;
    keepResult('revocation', { [`${what.replaceAll(' ', '-')}-ms`]: withinMs });
    expect(withinMs).toBeLessThan(1_000);
  };
  await becomes('both members are known', gone, 200);
  const ended = await endedSession(deps, config, { accountId: orgId, userId: stays.userId });
  const askSession = () =>
    askOften(agent, '/api/organization', { ...FROM_DASHBOARD, cookie: ended.cookie }, 4);
  expect(new Set(await askSession())).toEqual(new Set([200]));
  await ended.end();
  // A session is read from PostgreSQL, so the first request after the commit is refused.
  expect(new Set(await askSession())).toEqual(new Set([401]));
  await removeMembership(deps, OPERATOR, orgId, gone.userId);
  await becomes('the removed member is refused', gone, 401);
  await becomes('the other member goes on', stays, 200);
  const teams = {
    ...deps,
    system,
    letters: openLetters({ config, clock }),
    publicWebUrl: config.PUBLIC_WEB_URL,
    defaultPlan: config.DEFAULT_PLAN,
    invitationsPerDay: 1_000,
    organizationsPerPerson: 1,
    deletedKeptMs: 1_000_000,
  };
  await deleteOrganization(teams, { accountId: orgId, userId: null, actor: OPERATOR });
  await becomes('everybody of the deleted organization is refused', stays, 401);
  await restoreOrganization(teams, { accountId: orgId, userId: null, actor: OPERATOR });
  await eventually('the key of the restored organization works', bySize(60_000, 3_000), async () =>
    (await askOften(agent, '/check', { 'X-API-KEY': stays.credential })).every((status) => status === 200),
  );
  await Promise.all([agent.close(), system.close()]);
});
