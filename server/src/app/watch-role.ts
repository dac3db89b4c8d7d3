import type { Log } from '#platform/log.ts';
import { assertRestricted, isPostgresAway, type Postgres } from '#platform/postgres.ts';

const AGAIN_MS = 5_000;

/**
 * Refuses to serve over a connection that row-level security does not bind (foundation rule 2). A database that is away
 * cannot be asked, and checks do not need it: the question is put again until it is answered.
 */
export async function watchRole(postgres: Postgres, log: Log): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  const ask = async (): Promise<void> => {
    try {
      await assertRestricted(postgres);
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
      process.exit(1);
    }
  };
  await ask();
  return () => clearTimeout(timer);
}
