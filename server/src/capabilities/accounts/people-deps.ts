import type { Letters } from '#capabilities/letters/index.ts';
import type { Plan } from '#domain/plans/plans.ts';
import type { Clock } from '#platform/clock.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';

/** `system` is the pool that sees all accounts (foundation rule 2). */
export type PeopleDeps = {
  readonly system: Postgres;
  readonly clock: Clock;
  readonly pepper: Secrets;
  readonly letters: Letters;
  readonly publicWebUrl: string;
  /** Plan of people who register themselves. */
  readonly defaultPlan: Plan;
};
