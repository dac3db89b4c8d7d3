import type { Letters } from '#capabilities/letters/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Dns } from '#platform/dns.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { Provider } from './provider.ts';

/** `system` works across accounts (foundation rule 2); `secrets` are those of SECRET_KEY. */
export type SsoDeps = {
  readonly system: Postgres;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly letters: Letters;
  readonly dns: Dns;
  readonly provider: Provider;
};
