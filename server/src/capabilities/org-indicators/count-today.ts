import type { Clock } from '#platform/clock.ts';
import type { Postgres } from '#platform/postgres.ts';
import { selectUsedOn } from './store.ts';

/** How much of the daily cap the account has used since 00:00 UTC. */
export async function countToday(
  { postgres, clock }: { readonly postgres: Pick<Postgres, 'withAccount'>; readonly clock: Clock },
  accountId: string,
): Promise<number> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  return postgres.withAccount(accountId, (tx) => selectUsedOn(tx, accountId, day));
}
