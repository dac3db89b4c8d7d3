import type { Secrets } from '#platform/secrets.ts';
import type { ProviderSettings } from './provider.ts';
import type { ConnectionRow } from './store.ts';

/** Bound to the account, so that the sealed bytes are worthless in the row of another. */
const contextOf = (accountId: string): string => `sso_connection:${accountId}`;

export const sealSecret = (secrets: Secrets, accountId: string, secret: string): Buffer =>
  secrets.seal(Buffer.from(secret), contextOf(accountId));

/** Throws where SECRET_KEY no longer lists the version that sealed it: a sign-in without the secret would fail in the dark. */
export function settingsOf(
  secrets: Secrets,
  { accountId, issuerUrl, clientId, sealedSecret }: ConnectionRow,
): ProviderSettings {
  const opened = sealedSecret === null ? null : secrets.open(sealedSecret, contextOf(accountId));
  if (sealedSecret !== null && opened === null)
    throw new Error('The client secret was sealed with a SECRET_KEY that is not listed any more.');
  return { issuerUrl, clientId, clientSecret: opened?.toString() ?? null };
}
