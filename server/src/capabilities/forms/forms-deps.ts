import type { Letters } from '#capabilities/letters/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';

export type FormsDeps = {
  readonly clock: Clock;
  readonly postgres: Postgres;
  readonly letters: Letters;
  readonly secrets: Secrets;
  readonly config: Pick<Config, 'PUBLIC_WEB_URL' | 'FORMS_TO'>;
};
