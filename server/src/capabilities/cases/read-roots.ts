import type { Postgres } from '#platform/postgres.ts';
import { type RootRow, selectRoots } from './seal-store.ts';

export type EvidenceRoot = RootRow;

const DAYS_MAX = 400;

/** The public roots of the last days, newest first: what everyone outside can note and hold an export against. */
export const readEvidenceRoots = (
  { db }: Pick<Postgres, 'db'>,
  days = 30,
): Promise<readonly EvidenceRoot[]> => selectRoots(db, Math.min(days, DAYS_MAX));
