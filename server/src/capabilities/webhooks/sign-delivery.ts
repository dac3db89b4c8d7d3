import { createHmac, randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/secrets.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

const contextOf = (endpointId: string): string => `webhook:${endpointId}`;

export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

export const sealSecret = (secrets: Secrets, endpointId: string, secret: string): Buffer =>
  secrets.seal(Buffer.from(secret), contextOf(endpointId));

/** The HMAC key of an endpoint; null if it was sealed under a retired version of SECRET_KEY. */
export function openSecret(secrets: Secrets, endpointId: string, sealed: Uint8Array): Buffer | null {
  const plain = secrets.open(sealed, contextOf(endpointId));
  return plain === null ? null : Buffer.from(plain.toString().slice(PREFIX.length), 'base64');
}

/** The three headers of Standard Webhooks; one signature for each secret, newest first. */
export function signatureHeaders(
  keys: readonly Buffer[],
  { id, timestampS, body }: { readonly id: string; readonly timestampS: number; readonly body: string },
): Readonly<Record<string, string>> {
  const signed = `${id}.${timestampS}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': keys
      .map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
      .join(' '),
  };
}
