import type { Actor, CredentialGuard } from '#capabilities/access/index.ts';
import type { Letters } from '#capabilities/letters/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { UrlCheck } from '#platform/outbound/check-url.ts';
import type { Outbound } from '#platform/outbound.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { Subject } from './route-events.ts';

export type WebhooksDeps = {
  readonly clock: Clock;
  readonly postgres: Postgres;
  readonly secrets: Secrets;
  /** Refuses a URL that is not https or leads to an address that is not public. */
  readonly checkUrl: UrlCheck;
  /** Counts what hosts that have not consented are sent. */
  readonly guard: CredentialGuard;
  readonly verificationsPerHour: number;
};

/** Who changes something: the caller, and how the audit trail names it. */
export type Acting = { readonly principal: Principal; readonly actor: Actor };

/**
 * For each subject, in order, the accounts that watch it, which monitoring knows. An event for all accounts goes only
 * to those that watch its subject.
 */
export type WatchersOf = (tx: Db, subjects: readonly Subject[]) => Promise<readonly (readonly string[])[]>;

export const nothingWatched: WatchersOf = async (_tx, subjects) => subjects.map(() => []);

export type WebhooksWorkerDeps = {
  readonly clock: Clock;
  readonly letters: Pick<Letters, 'enqueueLetter'>;
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly watchersOf: WatchersOf;
};

/** Ports of a webhook: 443, and 8443, which is common for a second service on the same host. */
export const WEBHOOK_PORTS: readonly number[] = [443, 8443];
/** How long deliveries of every status are kept, as are the events for a disabled endpoint. */
export const KEPT_MS = 7 * 86_400_000;
export const REPLAY_JOB = 'webhooks.replay';
