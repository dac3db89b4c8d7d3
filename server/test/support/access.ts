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
  createSession,
  createSessionCookie,
  createUser,
  ensureOrganization,
  type PlanChange,
  putMembership,
  type RevealedKey,
  type Role,
  type SessionRoutesDeps,
  sessionRoutes,
  setPlan,
} from '#capabilities/access/index.ts';
import { AddressGuard } from '#capabilities/metering/index.ts';
import type { Clock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import type { Policy } from '#platform/http/policy.ts';
import { createReadiness } from '#platform/http/readiness.ts';
import { type Route, route } from '#platform/http/route.ts';
import { createHttpServer } from '#platform/http/server.ts';
import { createLog, type Log } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { type Redis, RedisAway } from '#platform/redis.ts';
import { createSecrets } from '#platform/secrets.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from './database.ts';
import { calmShedder } from './http-app.ts';

export const OPERATOR: Actor = { kind: 'operator', id: 'admin', ip: '', requestId: '' };
export const WEB_URL = 'https://app.example.com';
export const FROM_DASHBOARD = { origin: WEB_URL, 'sec-fetch-site': 'same-origin' } as const;

export type TestAccess = {
  readonly app: FastifyInstance;
  readonly access: Access;
  readonly config: Config;
  readonly database: TestDatabase;
  readonly postgres: Postgres;
  readonly system: Postgres;
  readonly clock: Clock & { readonly advance: (ms: number) => void };
  /** Updates the snapshot of the two views, as the replicator would within a second. */
  readonly refresh: () => Promise<void>;
  readonly setContactAge: (ms: number) => void;
  /** True: key records cannot be read from PostgreSQL, as while it is down. */
  readonly setKeysAway: (isAway: boolean) => void;
  readonly newUser: (email: string, plan?: PlanChange) => Promise<string>;
  readonly newMember: (org: string, email: string, role: Role) => Promise<{ orgId: string; userId: string }>;
  readonly newKey: (accountId: string, userId?: string, cidrs?: readonly string[]) => Promise<RevealedKey>;
  /** `keyId` is the key whose pair opened the session. */
  readonly newCookie: (accountId: string, userId?: string, keyId?: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Parts from which a test builds further routes. */
export type TestAccessParts = Pick<TestAccess, 'access' | 'config' | 'clock' | 'system'> & {
  readonly session: SessionRoutesDeps;
  readonly guard: AddressGuard;
};

export type TestAccessOptions = {
  readonly routes?: (parts: TestAccessParts) => readonly Route[];
  /** Who may sign in with a password or a passkey; everybody when absent. */
  readonly admitOwnSignIn?: (
    parts: Pick<TestAccessParts, 'config' | 'clock' | 'system'>,
  ) => SessionRoutesDeps['admitOwnSignIn'];
  /** Where the log goes; nowhere when absent. */
  readonly log?: Log;
};

/**
 * Lengthens the deadline: passwords are hashed behind everything else, so on busy cores a request would pass its
 * deadline while its hash is queued, and the next ones would find the queue full.
 */
const patient = (route: Route): Route => ({
  ...route,
  policy: { ...route.policy, deadlineMs: 50 * route.policy.deadlineMs },
});

/** Access over a real database and the real HTTP stack, with routes that return the identified caller. */
export async function createTestAccess(
  env: Readonly<Record<string, string>> = {},
  options: TestAccessOptions = {},
): Promise<TestAccess> {
  const database = await createTestDatabase();
  const config = loadConfig({
    ASSAY_ENV: 'test',
    DATABASE_URL: database.url,
    ALLOW_POWERFUL_LOGIN: 'true',
    PUBLIC_WEB_URL: WEB_URL,
    POSTGRES_POOL_MAX: '4',
    ...env,
  });
  const clock = movableClock();
  const postgres = connectPostgres(config, 'assay_app', PATIENT);
  const system = asSystem(config, PATIENT);
  const snapshot = createSnapshot(system, clock);
  const link = { isAway: false };
  const reached: Postgres = {
    ...system,
    get db() {
      if (link.isAway) throw new Error('connect ECONNREFUSED');
      return system.db;
    },
  };
  const guard = localGuard(config, clock);
  const access = createAccess({
    config,
    clock,
    postgres,
    system: reached,
    replica: snapshot.replica,
    guard,
  });
  const session = {
    ...access,
    usageOf,
    admitOwnSignIn: options.admitOwnSignIn?.({ config, clock, system }) ?? (async () => undefined),
  };
  const more = options.routes?.({ access, config, clock, system, session, guard }) ?? [];
  const app = createHttpServer({
    config,
    clock,
    log: options.log ?? createLog('silent'),
    readiness: createReadiness(),
    shedder: calmShedder(),
    routes: [...accessRoutes(access), ...sessionRoutes(session), ...more, ...probes()].map(patient),
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
    setKeysAway: (isAway) => {
      link.isAway = isAway;
    },
    newUser: async (email, plan) => {
      const userId = await createUser(manage, OPERATOR, email);
      if (plan !== undefined) await setPlan(manage, OPERATOR, userId, plan);
      return userId;
    },
    newMember: async (org, email, role) => {
      const orgId = await ensureOrganization(manage, OPERATOR, org);
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
    newCookie: async (accountId, userId = accountId, keyId) => {
      const who = { accountId, userId, ip: '127.0.0.1', userAgent: 'test' };
      const by = keyId === undefined ? undefined : { actor: OPERATOR, keyId };
      const { token } = await createSession({ postgres, clock }, who, by);
      return cookieWith(config, token);
    },
    close: async () => {
      await app.close();
      await Promise.all([postgres.close(), system.close()]);
      await database.drop();
    },
  };
}

/** A fixed figure, because there is no meter here. */
const usageOf = async () => ({ checks: 7, resetsAtMs: Date.UTC(2027, 1, 1) });

/** The cookie of a session as the service would set it, without its attributes. */
export function cookieWith(
  config: Pick<Config, 'PUBLIC_API_URL' | 'PUBLIC_WEB_URL' | 'SECRET_KEY'>,
  token: string,
): string {
  const { PUBLIC_API_URL, PUBLIC_WEB_URL, SECRET_KEY } = config;
  const cookie = createSessionCookie(PUBLIC_API_URL, PUBLIC_WEB_URL, createSecrets(SECRET_KEY));
  return cookie.issue(token, 60).split(';')[0] ?? '';
}

/** Counts wrong credentials in this process, as while Redis is down. */
export const localGuard = (
  config: Pick<Config, 'REDIS_PREFIX' | 'CLOCK_OFFSET_MS'>,
  clock: Clock,
): AddressGuard => {
  const redis = { command: () => Promise.reject(new RedisAway('There is no Redis here.')) };
  return new AddressGuard({ redis: redis as unknown as Redis, config, clock, shares: () => 1 });
};

function movableClock(): TestAccess['clock'] {
  // A whole minute, because last use has minute precision.
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
      get: (collection, key) => {
        // LMDB refuses such a key with an exception, so this snapshot does too.
        if (key.length === 0) throw new Error('Zero length key is not allowed in LMDB');
        return entries.get(nameOf(collection, key));
      },
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

/** One route per demand of a policy; each returns the caller that it identified. */
function probes(): Route[] {
  const probe = (method: 'GET' | 'POST', path: string, policy: Partial<Policy>): Route =>
    route({
      method,
      path,
      summary: 'Returns the caller.',
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
    probe('GET', '/probe/lenient', { auth: 'lenient' }),
    probe('GET', '/probe/key', { auth: 'key' }),
    probe('GET', '/probe/pro', { auth: 'key', plan: 'PRO' }),
    probe('GET', '/probe/organization', { organization: true }),
    probe('GET', '/probe/owner', { organization: true, role: ['OWNER', 'ADMIN'] }),
    probe('POST', '/probe/licence', { licence: true }),
  ];
}
