import type { Postgres } from '#platform/postgres.ts';
import { type RootRow, selectRoots } from './seal-store.ts';

export type EvidenceRoot = RootRow;

const DAYS_MAX = 400;

/** The public roots of the last days, newest first. Anyone can note them and compare an exported case with them. */
export const readEvidenceRoots = (
  { db }: Pick<Postgres, 'db'>,
  days = 30,
): Promise<readonly EvidenceRoot[]> => selectRoots(db, Math.min(days, DAYS_MAX));
