import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { connectPostgres, isPostgresAway, ROLES, type Role } from '#platform/postgres.ts';
import { assertRestricted } from '#platform/restricted-login.ts';

/** Time limits longer than a request's, so that on a busy server a powerful login does not pass as unreachable. */
const START_LIMITS = {
  acquireTimeoutMs: 3_000,
  statementTimeoutMs: 3_000,
  lockTimeoutMs: 1_000,
  queryTimeoutMs: 3_000,
} as const;

/**
 * Stops a start over a login that could become more than its role (foundation rule 2). Without PostgreSQL it cannot be
 * checked; every listener then repeats the question for its own connections (watch-role.ts).
 */
export async function refusePowerfulLogin(config: Config, log: Log): Promise<void> {
  await Promise.all(ROLES.map((role) => refuseAs(role, config)));
  if (config.ALLOW_POWERFUL_LOGIN)
    log.warn({}, 'ALLOW_POWERFUL_LOGIN is set: a login that bypasses row-level security is not refused');
}

async function refuseAs(role: Role, config: Config): Promise<void> {
  const postgres = connectPostgres({ ...config, POSTGRES_POOL_MAX: 1 }, role, START_LIMITS);
  try {
    await assertRestricted(postgres, config);
  } catch (error) {
    if (!isPostgresAway(error)) throw error;
  } finally {
    await postgres.close();
  }
}
