import type { Clock } from '#platform/clock.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { type Overview, PARTS, type PartName } from './contract.ts';
import { type OnePart, presentOverview, readersOf } from './gather-overview.ts';
import type { Parts } from './parts.ts';

export type ActionCenterDeps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly postgres: Postgres;
  readonly parts: Parts;
};

/**
 * Reads the overview. A part that fails is shown as zeros and `degraded` (trap 70). When all parts fail, PostgreSQL is
 * away and the whole call fails, because zeros would say that nothing needs a decision.
 */
export async function readOverview(
  { clock, log, postgres, parts }: ActionCenterDeps,
  { accountId }: Pick<Principal, 'accountId'>,
): Promise<Overview> {
  const nowMs = clock.now();
  const readers = readersOf(parts);
  const read: OnePart[] = [];
  const missing: PartName[] = [];
  let failure: unknown;
  for (const name of PARTS)
    try {
      read.push(await postgres.withAccount(accountId, (tx) => readers[name](tx, accountId, nowMs)));
    } catch (error) {
      failure = error;
      missing.push(name);
      log.warn({ err: error, part: name }, 'action-center.part.failed');
    }
  if (missing.length === PARTS.length) throw failure;
  return presentOverview(read, missing, nowMs);
}
