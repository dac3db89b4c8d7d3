import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  type Access,
  type AccessReplica,
  type Actor,
  accessRoutes,
  callerOf,
  createAccess,
  createKey,
  createOrganization,
  createSession,
  createUser,
  type PlanChange,
  putMembership,
  type RevealedKey,
  type Role,
  sessionRoutes,
  setPlan,
} from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import type { Policy } from '#platform/http/policy.ts';
import { createReadiness } from '#platform/http/readiness.ts';
import { type Route, route } from '#platform/http/route.ts';
import { createHttpServer } from '#platform/http/server.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres, REQUEST_LIMITS, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export const OPERATOR: Actor = { kind: 'operator', id: 'admin', ip: '', requestId: '' };
export const WEB_URL = 'https://app.example.com';
/** What a browser sends from the dashboard's own pages. */
export const FROM_DASHBOARD = { origin: WEB_URL, 'sec-fetch-site': 'same-origin' } as const;

export type TestAccess = {
  readonly app: FastifyInstance;
  readonly access: Access;
  readonly config: Config;
  readonly database: TestDatabase;
  readonly postgres: Postgres;
  readonly system: Postgres;
  readonly clock: Clock & { readonly advance: (ms: number) => void };
  /** Brings the snapshot of the two views up to date, as the replicator would within a second. */
  readonly refresh: () => Promise<void>;
  /** Moves the last contact with PostgreSQL into the past. */
  readonly setContactAge: (ms: number) => void;
  readonly newUser: (email: string, plan?: PlanChange) => Promise<string>;
  readonly newMember: (org: string, email: string, role: Role) => Promise<{ orgId: string; userId: string }>;
  readonly newKey: (accountId: string, userId?: string, cidrs?: readonly string[]) => Promise<RevealedKey>;
  /** The cookie of a new session. */
  readonly newCookie: (accountId: string, userId?: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Access over a real database and the real HTTP stack, with routes that say who called. */
export async function createTestAccess(env: Readonly<Record<string, string>> = {}): Promise<TestAccess> {
  const database = await createTestDatabase();
  const config = loadConfig({
    ASSAY_ENV: 'test',
    DATABASE_URL: database.url,
    PUBLIC_WEB_URL: WEB_URL,
    POSTGRES_POOL_MAX: '4',
    ...env,
  });
  const clock = movableClock();
  const postgres = connectPostgres(config, 'assay_app');
  const system = asSystem(config, REQUEST_LIMITS);
  const snapshot = createSnapshot(system, clock);
  const access = createAccess({ config, clock, postgres, system, replica: snapshot.replica });
  const app = createHttpServer({
    config,
    clock,
    log: createLog('silent'),
    readiness: createReadiness(),
    routes: [...accessRoutes(access), ...sessionRoutes({ ...access, usageOf }), ...probes()],
    gates: {
      identify: access.identify,
      idempotent: access.idempotent,
      refuseEarly: () => undefined,
      admit: () => null,
      refund: () => undefined,
    },
  });
  await app.ready();
  const manage = { postgres: system, clock, pepper: access.pepper };
  return {
    app,
    access,
    config,
    database,
    postgres,
    system,
    clock,
    refresh: snapshot.refresh,
    setContactAge: snapshot.setContactAge,
    newUser: async (email, plan) => {
      const userId = await createUser(manage, OPERATOR, email);
      if (plan !== undefined) await setPlan(manage, OPERATOR, userId, plan);
      return userId;
    },
    newMember: async (org, email, role) => {
      const orgId = await createOrganization(manage, OPERATOR, org);
      const userId = await createUser(manage, OPERATOR, email);
      await putMembership(manage, OPERATOR, orgId, userId, role);
      return { orgId, userId };
    },
    newKey: async (accountId, userId = accountId, cidrs = []) => {
      const wanted = { accountId, userId, label: 'test', allowedCidrs: cidrs };
      const key = await createKey(manage, OPERATOR, wanted);
      await snapshot.refresh();
      return key;
    },
    newCookie: async (accountId, userId = accountId) => {
      const who = { accountId, userId, ip: '127.0.0.1', userAgent: 'test' };
      return `__Secure-sid=${(await createSession({ postgres, clock }, who)).token}`;
    },
    close: async () => {
      await app.close();
      await Promise.all([postgres.close(), system.close()]);
      await database.drop();
    },
  };
}

/** There is no meter here; a test of a running service reads the true figure. */
const usageOf = async () => ({ checks: 7, resetsAtMs: Date.UTC(2027, 1, 1) });

function movableClock(): TestAccess['clock'] {
  // A whole minute, so that last use at minute precision is easy to tell.
  const at = { ms: 1_800_000_000_000 };
  return {
    now: () => at.ms,
    monotonic: () => performance.now(),
    advance: (ms) => {
      at.ms += ms;
    },
  };
}

function createSnapshot(system: Postgres, clock: Clock) {
  const entries = new Map<string, Buffer>();
  const state = { seq: 0, ageMs: 0 };
  const nameOf = (collection: string, key: Uint8Array) =>
    `${collection} ${Buffer.from(key).toString('latin1')}`;
  const replica: AccessReplica = {
    view: () => ({
      seq: state.seq,
      generation: 'test',
      contactAtMs: clock.now() - state.ageMs,
      get: (collection, key) => entries.get(nameOf(collection, key)),
    }),
  };
  return {
    replica,
    setContactAge: (ms: number) => {
      state.ageMs = ms;
    },
    refresh: async () => {
      const { rows } = await sql<{ collection: string; key: Buffer; value: Buffer }>`
        select 'key' as collection, key, value from access_key_entry
        union all select 'licence', key, value from access_licence_entry`.execute(system.db);
      entries.clear();
      for (const row of rows) entries.set(nameOf(row.collection, row.key), row.value);
      state.seq += 1;
    },
  };
}

const PROBE: Policy = {
  surface: 'both',
  auth: 'keyOrSession',
  plan: 'any',
  meter: 'none',
  bodyMax: 65_536,
  deadlineMs: 10_000,
  class: 'B',
  since: '0.1.0',
};

const Said = z.object({
  kind: z.string(),
  id: z.string(),
  accountId: z.string(),
  plan: z.string(),
  checksPerMonth: z.number().nullable(),
});

/** One route per demand a policy can make; each answers who it believes the caller to be. */
function probes(): Route[] {
  const probe = (method: 'GET' | 'POST', path: string, policy: Partial<Policy>): Route =>
    route({
      method,
      path,
      summary: 'Says who called.',
      tags: ['Probe'],
      policy: { ...PROBE, ...policy },
      reply: Said,
      handle: ({ principal }) => ({
        kind: principal.kind,
        id: principal.id,
        accountId: principal.accountId,
        plan: principal.plan,
        checksPerMonth: callerOf(principal)?.limits.checksPerMonth ?? null,
      }),
    });
  return [
    probe('GET', '/probe', {}),
    probe('POST', '/probe', {}),
    probe('GET', '/probe/public', { auth: 'public' }),
    probe('GET', '/probe/optional', { auth: 'optional' }),
    probe('GET', '/probe/key', { auth: 'key' }),
    probe('GET', '/probe/pro', { auth: 'key', plan: 'PRO' }),
    probe('GET', '/probe/organization', { organization: true }),
    probe('GET', '/probe/owner', { organization: true, role: ['OWNER', 'ADMIN'] }),
    probe('GET', '/probe/operator', { auth: 'operator' }),
    probe('POST', '/probe/licence', { licence: true }),
  ];
}
