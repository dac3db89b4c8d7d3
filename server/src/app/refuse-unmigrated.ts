import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { pendingMigrations } from '#platform/migrate.ts';
import { asSystem, isPostgresAway, requestLimits } from '#platform/postgres.ts';

/** SQLSTATE of a missing table, role or database: the database was never set up. */
const NOT_SET_UP = new Set(['42P01', '22023', '3D000']);

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
    if (!isPostgresAway(error)) throw error;
    log.warn({ err: error }, 'PostgreSQL is unreachable; starting from the last replica');
  } finally {
    await postgres.close();
  }
}
