import type { Secrets } from '#platform/secrets.ts';
import type { ProviderSettings } from './provider.ts';
import type { ConnectionRow } from './store.ts';

/** Binds a sealed secret to its account, so that it cannot be opened in the row of another account. */
const contextOf = (accountId: string): string => `sso_connection:${accountId}`;

export const sealSecret = (secrets: Secrets, accountId: string, secret: string): Buffer =>
  secrets.seal(Buffer.from(secret), contextOf(accountId));

/** Throws if SECRET_KEY no longer lists the key that sealed the secret; a sign-in would fail without a clear reason. */
export function settingsOf(
  secrets: Secrets,
  { accountId, issuerUrl, clientId, sealedSecret }: ConnectionRow,
): ProviderSettings {
  const opened = sealedSecret === null ? null : secrets.open(sealedSecret, contextOf(accountId));
  if (sealedSecret !== null && opened === null)
    throw new Error('The client secret was sealed with a SECRET_KEY that is not listed any more.');
  return { issuerUrl, clientId, clientSecret: opened?.toString() ?? null };
}
