import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AssertionResponse, CreationResponse } from '../../src/capabilities/factors/contract.ts';

/** What an attacker changes about a response. */
export type Bent = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  readonly isVerified?: boolean;
  readonly crossOrigin?: boolean;
  readonly type?: string;
};

export type Authenticator = {
  readonly create: (challenge: string, bent?: Bent) => CreationResponse;
  readonly assert: (challenge: string, bent?: Bent) => AssertionResponse;
  /** The same key in another device, as after a copy. */
  readonly copy: () => Authenticator;
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/**
 * An authenticator with one ES256 key, written from the WebAuthn standard and not from the package that judges it. Unlike
 * Chromium's it can be told to lie.
 */
export function createAuthenticator(
  origin: string,
  userId: () => string,
  key = { ...newKey(), id: randomBytes(24) },
  startsAt = 0,
): Authenticator {
  const rpId = new URL(origin).hostname;
  let counter = startsAt;
  const clientData = (type: string, challenge: string, bent: Bent): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: bent.type ?? type,
        challenge,
        origin: bent.origin ?? origin,
        crossOrigin: bent.crossOrigin ?? false,
      }),
    );
  const authData = (flags: number, bent: Bent): Buffer => {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(bent.counter ?? counter);
    const verified = bent.isVerified === false ? 0 : VERIFIED;
    return Buffer.concat([sha256(bent.rpId ?? rpId), Buffer.from([flags | PRESENT | verified]), counted]);
  };
  const id = key.id.toString('base64url');
  return {
    create: (challenge, bent = {}) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(key.id.length);
      const attested = Buffer.concat([
        authData(ATTESTED, bent),
        Buffer.alloc(16),
        length,
        key.id,
        coseOf(key.publicKey),
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, bent).toString('base64url'),
          attestationObject: attestation(attested).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    assert: (challenge, bent = {}) => {
      counter += 1;
      const client = clientData('webauthn.get', challenge, bent);
      const data = authData(0, bent);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), key.privateKey).toString(
            'base64url',
          ),
          userHandle: Buffer.from(userId()).toString('base64url'),
        },
      };
    },
    copy: () => createAuthenticator(origin, userId, key, counter),
  };
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/** CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(text, 'base64url')]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ]);
}

/** CBOR: {fmt: 'none', attStmt: {}, authData: bytes}. */
function attestation(authData: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(authData.length);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x59]),
    length,
    authData,
  ]);
}
