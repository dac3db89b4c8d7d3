import type { Limits } from '#domain/plans/plans.ts';
import type { Postgres } from '#platform/postgres.ts';
import { STORED_KINDS, type StoredKind, selectStored } from './store.ts';

export type StorageUse = {
  readonly used: number;
  readonly limit: number;
  readonly byKind: Readonly<Record<StoredKind, number>>;
};

/** What an account stores, by kind, and how much it may. */
export async function tellStorage(
  { postgres }: { readonly postgres: Pick<Postgres, 'withAccount'> },
  accountId: string,
  { storageBytes }: Pick<Limits, 'storageBytes'>,
): Promise<StorageUse> {
  const rows = await postgres.withAccount(accountId, (tx) => selectStored(tx, accountId));
  const byKind = Object.fromEntries(
    STORED_KINDS.map((kind) => [kind, rows.find((row) => row.kind === kind)?.bytes ?? 0]),
  ) as Record<StoredKind, number>;
  return { used: rows.reduce((sum, { bytes }) => sum + bytes, 0), limit: storageBytes, byKind };
}
