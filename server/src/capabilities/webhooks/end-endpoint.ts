import type { Clock } from '#platform/clock.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { skipSome } from './delivery-store.ts';
import { type DisabledReason, disableEndpoint, type FailingRow, selectOwners } from './store.ts';
import type { WebhooksWorkerDeps } from './webhooks-deps.ts';

const ROWS_AT_ONCE = 5_000;

/** Disables an endpoint in the caller's transaction and skips what waits. False: it was disabled already. */
export async function switchOff(tx: Db, id: string, reason: DisabledReason, nowMs: number): Promise<boolean> {
  if (!(await disableEndpoint(tx, id, reason, nowMs))) return false;
  while ((await skipSome(tx, id, ROWS_AT_ONCE)) === ROWS_AT_ONCE);
  return true;
}

type Ended = Exclude<DisabledReason, 'paused' | 'plan'>;
const REASONS: Readonly<Record<Ended, string>> = {
  failing: 'every attempt of the last 5 days failed',
  gone: 'it answered 410 Gone',
};

export type EndDeps = {
  readonly clock: Clock;
  readonly letters: WebhooksWorkerDeps['letters'];
};

/** Switches an endpoint off and tells the owners of its account by letter, in one transaction. */
export async function endEndpoint(
  { clock, letters }: EndDeps,
  tx: Db,
  { id, accountId, url }: FailingRow,
  reason: Ended,
): Promise<boolean> {
  const nowMs = clock.now();
  if (!(await switchOff(tx, id, reason, nowMs))) return false;
  // The path of a webhook is often a secret, so the letter names the host.
  const facts = { host: new URL(url).host, id, reason: REASONS[reason], when: new Date(nowMs).toISOString() };
  for (const { email, userId } of await selectOwners(tx, accountId))
    await letters.enqueueLetter(tx, {
      to: email,
      kind: 'webhook-disabled',
      facts,
      accountId,
      key: `webhook:${id}:${nowMs}:${userId}`,
    });
  return true;
}

export const endGone = (
  deps: EndDeps & { readonly postgres: Postgres },
  {
    endpointId,
    accountId,
    url,
  }: { readonly endpointId: string; readonly accountId: string; readonly url: string },
): Promise<boolean> =>
  deps.postgres.transaction((tx) => endEndpoint(deps, tx, { id: endpointId, accountId, url }, 'gone'));
