export type WebhookRequest = {
  /** The headers of the request, with names in any case: a Headers, or a record as servers have it. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as received, bytes or text; a body that was parsed and written again fails the check. */
  readonly rawBody: string | Uint8Array;
  /** `whsec_...`; give both secrets while one is replaced by the other. */
  readonly secret: string | readonly string[];
  /** By how many seconds the timestamp may be in the past or in the future; 300 when absent. */
  readonly toleranceSeconds?: number;
  /** The current time in milliseconds since the epoch; the machine's clock when absent. */
  readonly now?: number;
};

export type WebhookDelivery = {
  /** The webhook-id, the same in every attempt: drop a delivery whose id you have processed before. */
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** Consecutive number of the delivery within this webhook; absent for a test. */
  readonly sequence?: number;
  /** True when it arrives after later ones, because it was refused before or asked for again. */
  readonly outOfOrder?: boolean;
  readonly data: unknown;
};

/**
 * The body with which a receiver answers a delivery that `verifyWebhook` returned, as JSON with status 200: the challenge of a
 * `webhook.verification`, with which your host agrees to get events. Null for every other delivery, whose answer needs no body.
 */
export const verificationReply = ({
  type,
  data,
}: Pick<WebhookDelivery, 'type' | 'data'>): { readonly challenge: string } | null =>
  type === 'webhook.verification' ? { challenge: (data as { challenge: string }).challenge } : null;

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/** Reads a delivery of a webhook (Standard Webhooks). Null when it is not signed with the secret, or is too old. */
export async function verifyWebhook({
  headers,
  rawBody,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = Date.now(),
}: WebhookRequest): Promise<WebhookDelivery | null> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined) return null;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    return null;
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = signatures
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? [bytesOf(each.slice(3))] : []));
  for (const each of typeof secret === 'string' ? [secret] : secret)
    if (await isSigned(each, signed, given))
      return { ...(JSON.parse(text) as Omit<WebhookDelivery, 'id'>), id };
  return null;
}

/** True when one of the signatures is valid. `crypto.subtle.verify` compares in constant time. */
async function isSigned(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly (Uint8Array<ArrayBuffer> | null)[],
): Promise<boolean> {
  const key = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (key === null) throw new TypeError('The secret of a webhook is whsec_ and base64.');
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  for (const signature of signatures)
    if (signature !== null && (await crypto.subtle.verify('HMAC', hmac, signature, signed))) return true;
  return false;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}
