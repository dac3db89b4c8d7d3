import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Gates } from '#platform/http/gates.ts';
import type { Postgres } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { type CredentialGuard, createAuthFailures } from './auth-failures.ts';
import { callerOf } from './caller.ts';
import { createDeviceCookie, type DeviceCookie } from './device-cookie.ts';
import { deleteOldReplies } from './idempotency-store.ts';
import { createIdempotency, IDEMPOTENCY_KEPT_MS } from './idempotent.ts';
import { createConfirmPair, createIdentify, type IdentifyDeps } from './identify.ts';
import { type AccessReplica, createKeyRecords } from './key-records.ts';
import { createKeyUsage } from './key-usage.ts';
import { createLatestKeys } from './latest-keys.ts';
import type { ManageKeysDeps } from './manage-keys.ts';
import { createPersonSessions, type PersonSessions } from './person-sessions.ts';
import { createReadSession, type ReadSession } from './read-session.ts';
import { createSameSite, type SameSite } from './same-site.ts';
import { createSessionCookie, type SessionCookie } from './session-cookie.ts';
import { deleteEndedSessions } from './session-store.ts';
import { createFindSession, SESSION_IDLE_MS } from './sessions.ts';

export type AccessOptions = {
  readonly config: Pick<
    Config,
    | 'PUBLIC_API_URL'
    | 'PUBLIC_WEB_URL'
    | 'KEY_STALE_MAX_MS'
    | 'REPLICA_STALE_MS'
    | 'KEY_PEPPER'
    | 'SECRET_KEY'
    | 'AUTH_FAILURES_PER_MINUTE'
  >;
  readonly clock: Clock;
  readonly postgres: Postgres;
  /** The pool that sees all accounts; it writes when keys were last used. */
  readonly system: Postgres;
  readonly replica: AccessReplica;
  /** Counts wrong credentials for all processes. */
  readonly guard: CredentialGuard;
};

export type SignInDoor = {
  readonly cookie: SessionCookie;
  readonly device: DeviceCookie;
  readonly sameSite: SameSite;
  readonly confirmPair: ReturnType<typeof createConfirmPair>;
  readonly read: ReadSession;
};

/** The access layer of one process. Use cases behind idempotent routes must use `postgres` from here. */
export type Access = ManageKeysDeps & {
  readonly identify: Gates['identify'];
  readonly idempotent: NonNullable<Gates['idempotent']>;
  readonly signIn: SignInDoor;
  readonly sessions: PersonSessions;
  readonly flushUsage: () => Promise<number>;
};

export function createAccess(options: AccessOptions): Access {
  const { config, clock, system, replica } = options;
  const pepper = createSecrets(config.KEY_PEPPER);
  const usage = createKeyUsage(system);
  const secrets = createSecrets(config.SECRET_KEY);
  const { idempotent, postgres } = createIdempotency({
    postgres: options.postgres,
    clock,
    secrets,
    bytesOf: (principal) => callerOf(principal)?.limits.storageBytes ?? 0,
  });
  const cookie = createSessionCookie(config.PUBLIC_API_URL, config.PUBLIC_WEB_URL, secrets);
  const deps: IdentifyDeps = {
    config,
    clock,
    pepper,
    replica,
    usage,
    records: createKeyRecords(),
    latest: createLatestKeys({ system, clock }),
    failures: createAuthFailures(clock, config.AUTH_FAILURES_PER_MINUTE, options.guard),
    sameSite: createSameSite(config.PUBLIC_WEB_URL),
    cookie,
    findSession: createFindSession({ postgres, clock }),
  };
  return {
    postgres,
    clock,
    pepper,
    identify: createIdentify(deps),
    idempotent,
    signIn: {
      cookie,
      device: createDeviceCookie(config.PUBLIC_API_URL, config.PUBLIC_WEB_URL, secrets),
      sameSite: deps.sameSite,
      confirmPair: createConfirmPair(deps),
      read: createReadSession(deps),
    },
    sessions: createPersonSessions({ system, clock }),
    flushUsage: usage.flush,
  };
}

/** Runs hourly: deletes ended sessions and replies older than a day. Returns the number of rows deleted. */
export async function pruneAccess(system: Postgres, clock: Clock): Promise<number> {
  const nowMs = clock.now();
  const sessions = await deleteEndedSessions(system.db, nowMs, SESSION_IDLE_MS);
  return sessions + (await deleteOldReplies(system.db, nowMs, IDEMPOTENCY_KEPT_MS));
}
