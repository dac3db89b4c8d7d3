import type { Db, Postgres } from '#platform/postgres.ts';

/** Lets a use case of another capability take part in an open transaction of the system role. */
export const withinTransaction = (system: Postgres, tx: Db): Postgres => ({
  ...system,
  transaction: (work) => work(tx),
  withAccount: (_accountId, work) => work(tx),
});
