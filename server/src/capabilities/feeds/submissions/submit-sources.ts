import { duration } from '#domain/text/duration.ts';
import { plural } from '#domain/text/plural.ts';
import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_S } from '#platform/time-units.ts';
import type { SubmittedSource } from './contract.ts';
import { countPending, insertSubmissions } from './store.ts';

export type SubmitDeps = { readonly postgres: Postgres; readonly clock: Clock };

/** Operators read proposals by hand, and cannot keep up with more than this from one account. */
export const PENDING_MAX = 200;
const RETRY_AFTER_S = DAY_S;

/**
 * Files proposals for an operator and returns how many different addresses they name. An address that any account has
 * proposed before is left as it is and counted the same, so that the answer does not reveal other accounts' proposals.
 */
export function submitSources(
  { postgres, clock }: SubmitDeps,
  accountId: string,
  proposed: readonly SubmittedSource[],
): Promise<number> {
  const nowMs = clock.now();
  const distinct = [...new Map(proposed.map((source) => [source.url, source])).values()];
  return postgres.withAccount(accountId, async (tx) => {
    if ((await countPending(tx, accountId)) >= PENDING_MAX) throw tooMany();
    await insertSubmissions(
      tx,
      accountId,
      distinct.map((source) => ({ ...source, id: newId('sbm', nowMs) })),
      nowMs,
    );
    return distinct.length;
  });
}

const tooMany = (): ServiceError =>
  new ServiceError(
    'Rate Limited',
    `You have ${plural(PENDING_MAX, 'submission')} waiting for the operator, who decides by hand. Try again in ${duration(RETRY_AFTER_S * 1_000)}.`,
    { headers: { 'Retry-After': String(RETRY_AFTER_S) }, body: { retryAfter: RETRY_AFTER_S } },
  );
