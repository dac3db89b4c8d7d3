import type { Postgres } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';
import { keepIdentity } from './identity.ts';
import type { TaxiiDeps } from './serve-page.ts';
import { createWalkTokens } from './walk-token.ts';

export const openTaxii = ({
  postgres,
  secrets,
  ...rest
}: Omit<TaxiiDeps, 'tokens' | 'identity'> & {
  readonly postgres: Postgres;
  readonly secrets: Pick<Secrets, 'newest' | 'keyFor'>;
}): TaxiiDeps => ({ ...rest, postgres, tokens: createWalkTokens(secrets), identity: keepIdentity(postgres) });
