import { isIP } from 'node:net';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from '@simplewebauthn/server/helpers';
import { ServiceError } from '#platform/errors.ts';
import type { AssertionOptions, AssertionResponse, CreationOptions, CreationResponse } from './contract.ts';
import type { PasskeyRow } from './store.ts';
import { TOKEN_LIFE_MS } from './tokens.ts';

/** What passkeys are made for. It comes from PUBLIC_WEB_URL alone, so the Host of a request cannot lead one elsewhere. */
export type RelyingParty = { readonly id: string; readonly origin: string };

const NAME = 'Assay';
/** Ed25519, ECDSA with P-256 and RSA with SHA-256: one of them is in every authenticator. */
const ALGORITHMS = [-8, -7, -257];

/** 409 at an address where no browser offers a passkey: an IP address, or plain HTTP anywhere but on this machine. */
export function relyingPartyOf(publicWebUrl: string): RelyingParty {
  const { hostname, protocol, origin } = new URL(publicWebUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isNumber = isIP(hostname) !== 0 || hostname.startsWith('[');
  if (!isNumber && (isLocal || protocol === 'https:')) return { id: hostname, origin };
  throw new ServiceError(
    'Conflict',
    `Browsers offer no passkeys at ${origin}: they need a host name and HTTPS. Serve the dashboard at such an address and set PUBLIC_WEB_URL to it. On your own machine http://localhost works too.`,
  );
}

export async function creationOptions(
  party: RelyingParty,
  challenge: Buffer,
  person: { readonly userId: string; readonly email: string; readonly passkeys: readonly PasskeyRow[] },
): Promise<CreationOptions> {
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: party.id,
    userName: person.email,
    userDisplayName: person.email,
    userID: bytesOf(Buffer.from(person.userId)),
    challenge: bytesOf(challenge),
    attestationType: 'none',
    timeout: TOKEN_LIFE_MS,
    excludeCredentials: person.passkeys.map((passkey) => ({
      id: passkey.credentialId.toString('base64url'),
      transports: [...passkey.transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const { rp, user, pubKeyCredParams, excludeCredentials = [] } = options;
  return {
    challenge: options.challenge,
    rp: { id: party.id, name: rp.name },
    user,
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' as const })),
    timeout: TOKEN_LIFE_MS,
    attestation: 'none',
    excludeCredentials: excludeCredentials.map(({ id, transports = [] }) => ({
      id,
      type: 'public-key' as const,
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
}

/** Without a list of passkeys: the authenticator offers those that it has for this host, so nothing is told about a person. */
export async function assertionOptions(party: RelyingParty, challenge: Buffer): Promise<AssertionOptions> {
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: TOKEN_LIFE_MS,
    userVerification: 'required',
  });
  return {
    challenge: options.challenge,
    rpId: party.id,
    timeout: TOKEN_LIFE_MS,
    userVerification: 'required',
    allowCredentials: [],
  };
}

/** Uses up the challenge with this text; false when it is unknown, used or too old. */
type TakeChallenge = (challenge: string) => Promise<boolean>;

export type NewCredential = {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly isSynced: boolean;
};

/** The credential that an authenticator has just made, or the reason why it is refused. */
export async function readCreation(
  party: RelyingParty,
  response: CreationResponse,
  takeChallenge: TakeChallenge,
): Promise<NewCredential | Error> {
  return judged(takeChallenge, async (expectedChallenge) => {
    refuseFrame(response.response.clientDataJSON);
    refuseCertificates(response.response.attestationObject);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: asSent(response, {
        clientDataJSON: response.response.clientDataJSON,
        attestationObject: response.response.attestationObject,
      }),
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) throw new Error('the attestation is wrong');
    const { credential, credentialDeviceType } = registrationInfo;
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      isSynced: credentialDeviceType === 'multiDevice',
    };
  });
}

/** The counter of a genuine response of this passkey, or the reason why it is refused. */
export async function readAssertion(
  party: RelyingParty,
  response: AssertionResponse,
  passkey: Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'userId'>,
  takeChallenge: TakeChallenge,
): Promise<{ readonly counter: number } | Error> {
  return judged(takeChallenge, async (expectedChallenge) => {
    const { clientDataJSON, authenticatorData, signature, userHandle } = response.response;
    refuseFrame(clientDataJSON);
    if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId)
      throw new Error('the passkey is of another person');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: asSent(response, { clientDataJSON, authenticatorData, signature }),
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId.toString('base64url'),
        publicKey: bytesOf(passkey.publicKey),
        // The package compares counters before it checks the signature. Ours is compared after it, in the statement that
        // keeps the new one, so that only a genuine response can look like a copied authenticator.
        counter: 0,
      },
    });
    if (!verified) throw new Error('the signature is wrong');
    return { counter: authenticationInfo.newCounter };
  });
}

/** Refuses a response made in a frame of another site, because our pages never ask for a passkey there. */
function refuseFrame(clientDataJSON: string): void {
  if (decodeClientDataJSON(clientDataJSON).crossOrigin === true)
    throw new Error('a page of another site asked for it');
}

/**
 * We ask for no attestation. A statement with certificates is refused before the package reads it, because it would fetch the
 * lists of revoked certificates that the statement names.
 */
function refuseCertificates(attestationObject: string): void {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get('fmt');
  if (format !== 'none' && (format !== 'packed' || decoded.get('attStmt').get('x5c') !== undefined))
    throw new Error(`an attestation '${String(format).slice(0, 40)}' was not asked for`);
}

/**
 * The package throws an Error without a code for every input that it refuses. A challenge that could not be looked up, because
 * PostgreSQL is away, says nothing about the passkey and is thrown on.
 */
async function judged<T>(
  takeChallenge: TakeChallenge,
  read: (takeChallenge: TakeChallenge) => Promise<T>,
): Promise<T | Error> {
  let failure: { readonly error: unknown } | undefined;
  const noted: TakeChallenge = async (challenge) => {
    try {
      return await takeChallenge(challenge);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  try {
    return await read(noted);
  } catch (error) {
    if (failure !== undefined) throw failure.error;
    if (error instanceof ServiceError || !(error instanceof Error)) throw error;
    return error;
  }
}

/** A response in the form that the package expects, with only the fields that it checks. */
const asSent = <T>({ id, rawId, type }: Pick<CreationResponse, 'id' | 'rawId' | 'type'>, response: T) => ({
  id,
  rawId,
  type,
  response,
  clientExtensionResults: {},
});

/** The package accepts only arrays that own their buffer, and a Node Buffer may share one. */
const bytesOf = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);
