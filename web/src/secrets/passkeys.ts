import type { PasskeyAssertion, PasskeyCreation } from '@assay/sdk';
import { assay } from '../service/client.ts';
import { PasskeyNotShown } from './passkey-not-shown.ts';

/** Why no browser can use a passkey on this page; null where passkeys work. */
export function whyNoPasskeys(): string | null {
  // The address is checked first, because without HTTPS browsers hide the interface under any address.
  if (/^[\d.]+$|^\[/.test(location.hostname))
    return `Browsers offer passkeys under a host name only, and this page is at ${location.hostname}. Open the service under its host name; on your own machine, http://localhost works if its operator has set it as PUBLIC_WEB_URL.`;
  if (!isSecureContext) return 'Browsers offer passkeys over HTTPS only, and this page came over plain HTTP.';
  return 'PublicKeyCredential' in globalThis ? null : 'This browser has no passkeys.';
}

export const canUsePasskeys = (): boolean => whyNoPasskeys() === null;

/** The browser asks for a passkey of this site and signs a challenge of the service with it. */
export async function signPasskeyChallenge(): Promise<PasskeyAssertion> {
  const options = await assay.call('postApiAuthPasskeyOptions', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return shown<PasskeyAssertion>(navigator.credentials.get({ publicKey }));
}

/** The browser makes a passkey of this site for the person who is signed in. */
export async function createPasskey(): Promise<PasskeyCreation> {
  const options = await assay.call('postApiAuthPasskeysOptions', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return shown<PasskeyCreation>(navigator.credentials.create({ publicKey }));
}

async function shown<T>(asking: Promise<Credential | null>): Promise<T> {
  try {
    const credential = (await asking) as PublicKeyCredential | null;
    if (credential === null) throw new PasskeyNotShown();
    return credential.toJSON() as T;
  } catch (error) {
    throw new PasskeyNotShown('The browser showed no passkey.', { cause: error });
  }
}
