import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Gates } from '#platform/http/gates.ts';
import type { Postgres } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { createAuthFailures } from './auth-failures.ts';
import { deleteOldReplies } from './idempotency-store.ts';
import { createIdempotency, IDEMPOTENCY_KEPT_MS } from './idempotent.ts';
import { createConfirmPair, createIdentify, type IdentifyDeps } from './identify.ts';
import { type AccessReplica, createKeyRecords } from './key-records.ts';
import { createKeyUsage } from './key-usage.ts';
import type { ManageKeysDeps } from './manage-keys.ts';
import { createReadSession, type ReadSession } from './read-session.ts';
import { createSameSite, type SameSite } from './same-site.ts';
import { createSessionCookie, type SessionCookie } from './session-cookie.ts';
import { deleteEndedSessions } from './session-store.ts';
import { findSession, SESSION_IDLE_MS } from './sessions.ts';

export type AccessOptions = {
  readonly config: Pick<
    Config,
    | 'PUBLIC_API_URL'
    | 'PUBLIC_WEB_URL'
    | 'KEY_STALE_MAX_MS'
    | 'KEY_PEPPER'
    | 'SECRET_KEY'
    | 'AUTH_FAILURES_PER_MINUTE'
  >;
  readonly clock: Clock;
  /** The restricted pool of this process. */
  readonly postgres: Postgres;
  /** The pool that may work across accounts: last use of keys. */
  readonly system: Postgres;
  readonly replica: AccessReplica;
};

/** What signing in and out is made of. */
export type SignInDoor = {
  readonly cookie: SessionCookie;
  readonly sameSite: SameSite;
  readonly confirmPair: ReturnType<typeof createConfirmPair>;
  readonly read: ReadSession;
};

/** Access of one process, put together. `postgres` is the pool that use cases behind idempotent routes should take. */
export type Access = ManageKeysDeps & {
  readonly identify: Gates['identify'];
  readonly idempotent: NonNullable<Gates['idempotent']>;
  readonly signIn: SignInDoor;
  /** Writes when keys were last used; once a minute and at shutdown. */
  readonly flushUsage: () => Promise<number>;
};

export function createAccess(options: AccessOptions): Access {
  const { config, clock, system, replica } = options;
  const pepper = createSecrets(config.KEY_PEPPER);
  const usage = createKeyUsage(system);
  const { idempotent, postgres } = createIdempotency({
    postgres: options.postgres,
    clock,
    secrets: createSecrets(config.SECRET_KEY),
  });
  const cookie = createSessionCookie(config.PUBLIC_API_URL, config.PUBLIC_WEB_URL);
  const deps: IdentifyDeps = {
    config,
    clock,
    pepper,
    replica,
    usage,
    records: createKeyRecords(),
    failures: createAuthFailures(clock, config.AUTH_FAILURES_PER_MINUTE),
    sameSite: createSameSite(config.PUBLIC_WEB_URL),
    cookieName: cookie.name,
    findSession: (token) => findSession({ postgres, clock }, token),
  };
  return {
    postgres,
    clock,
    pepper,
    identify: createIdentify(deps),
    idempotent,
    signIn: {
      cookie,
      sameSite: deps.sameSite,
      confirmPair: createConfirmPair(deps),
      read: createReadSession(deps),
    },
    flushUsage: usage.flush,
  };
}

/** Hourly: forgets ended sessions and replies older than a day. Returns how many rows went. */
export async function pruneAccess(system: Postgres, clock: Clock): Promise<number> {
  const nowMs = clock.now();
  const sessions = await deleteEndedSessions(system.db, nowMs, SESSION_IDLE_MS);
  return sessions + (await deleteOldReplies(system.db, nowMs, IDEMPOTENCY_KEPT_MS));
}
