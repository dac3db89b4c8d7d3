import type { Letters } from '#capabilities/letters/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { Subscribers } from './subscribers.ts';

export type FormsDeps = {
  readonly clock: Clock;
  readonly postgres: Postgres;
  readonly letters: Letters;
  readonly secrets: Secrets;
  readonly subscribers: Subscribers;
  readonly config: Pick<Config, 'FORMS_TO'>;
};
