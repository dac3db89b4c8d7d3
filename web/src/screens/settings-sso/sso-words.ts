import type { SsoConnection } from '@assay/sdk';

/** The state of single sign-on and the next step to set it up, as text. */
export function nextStep(connection: SsoConnection | null): string {
  if (connection === null) return 'Single sign-on is not set up.';
  const { domainProof, enabled, lastSignInAt, enforceSso, emailDomain } = connection;
  if (domainProof.provenAt === null && !enabled)
    return `Saved. Publish the TXT record, then enable it: the domain ${emailDomain} is not proven yet.`;
  if (!enabled) return `The domain ${emailDomain} is proven. Single sign-on is switched off.`;
  if (lastSignInAt === null)
    return 'Single sign-on is on. Sign in with it once, in a private window, before you enforce it.';
  return enforceSso
    ? `Everybody with an address of ${emailDomain} signs in with it alone. Owners can come in with a second factor.`
    : 'Single sign-on is on and works. Passwords work too.';
}
