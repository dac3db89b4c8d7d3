import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { pendingMigrations } from '#platform/migrate.ts';
import { asSystem, isPostgresAway, requestLimits, systemUrlOf } from '#platform/postgres.ts';
import { sharedPartsOf } from '#platform/postgres-hosts.ts';

/** SQLSTATE of a missing table, role or database: the database was never set up. */
const NOT_SET_UP = new Set(['42P01', '22023', '3D000']);

/** SQLSTATE of a login that is not let in: unknown, a wrong password, a rule of pg_hba.conf. */
const REFUSED_LOGIN = new Set(['28000', '28P01']);

/** Stops a start on an empty or outdated schema with the command that fixes it, but not without PostgreSQL. */
export async function refuseUnmigrated(config: Config, log: Log): Promise<void> {
  const postgres = asSystem({ ...config, POSTGRES_POOL_MAX: 1 }, requestLimits(config));
  try {
    const pending = await pendingMigrations(postgres.db);
    if (pending.length > 0)
      throw new Error(
        `The database lacks ${pending.length} migration(s): ${pending.join(', ')}. Run: npm run migrate`,
      );
  } catch (error) {
    if (NOT_SET_UP.has(String((error as { code?: unknown }).code)))
      throw new Error('The database is not set up yet. Run: npm run migrate', { cause: error });
    if (REFUSED_LOGIN.has(String((error as { code?: unknown }).code)))
      throw new Error(
        `PostgreSQL refuses the login '${decodeURIComponent(sharedPartsOf(systemUrlOf(config)).username)}' of ${config.SYSTEM_DATABASE_URL === undefined ? 'DATABASE_URL' : 'SYSTEM_DATABASE_URL'}. Correct its name and password, or let 'npm run migrate' create it (MIGRATE_DATABASE_URL).`,
        { cause: error },
      );
    if (!isPostgresAway(error)) throw error;
    log.warn({ err: error }, 'PostgreSQL is unreachable; starting from the last replica');
  } finally {
    await postgres.close();
  }
}
