import { endProcess } from '#platform/end-process.ts';
import type { Log } from '#platform/log.ts';
import { isPostgresAway, type Postgres } from '#platform/postgres.ts';
import { assertRestricted, type LoginConfig } from '#platform/restricted-login.ts';

const AGAIN_MS = 5_000;

/**
 * Refuses to serve over a connection that bypasses row-level security (foundation rule 2). While the database is
 * unreachable it cannot be checked, and checks do not need it, so the query is repeated until it succeeds.
 */
export async function watchRole(postgres: Postgres, config: LoginConfig, log: Log): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  const ask = async (): Promise<void> => {
    try {
      await assertRestricted(postgres, config);
    } catch (error) {
      if (!isPostgresAway(error)) throw error;
      timer = setTimeout(() => void askAgain(), AGAIN_MS);
      timer.unref();
    }
  };
  const askAgain = async (): Promise<void> => {
    try {
      await ask();
    } catch (error) {
      log.error({ err: error }, 'refusing to serve');
      log.flush();
      endProcess(1);
    }
  };
  await ask();
  return () => clearTimeout(timer);
}
