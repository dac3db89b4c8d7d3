import type { PasskeyAssertion } from '@assay/sdk';
import { assay } from '../../service/client.ts';
import { PasskeyNotShown } from './passkey-not-shown.ts';

/** A browser without passkeys, or a page at an address without a host name, where no browser offers them. */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(location.hostname);

/** The browser asks for a passkey of this site and signs a challenge of the service with it. */
export async function signPasskeyChallenge(): Promise<PasskeyAssertion> {
  const options = await assay.call('postApiAuthPasskeyOptions', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  try {
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null;
    if (credential === null) throw new PasskeyNotShown();
    return credential.toJSON() as PasskeyAssertion;
  } catch (error) {
    throw new PasskeyNotShown('The browser showed no passkey.', { cause: error });
  }
}
