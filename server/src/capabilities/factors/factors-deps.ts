import type { Letters } from '#capabilities/letters/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';

/** `system` works across accounts (foundation rule 2); `secrets` are those of SECRET_KEY. */
export type FactorsDeps = {
  readonly system: Postgres;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly letters: Pick<Letters, 'enqueueLetter'>;
  readonly publicWebUrl: string;
};
