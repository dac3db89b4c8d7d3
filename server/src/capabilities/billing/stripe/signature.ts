import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the time of a signature may be in the past or the future: beyond five minutes one of the clocks is wrong. */
export const SIGNATURE_AGE_MAX_MS = 300_000;
const HEADER_CHARS_MAX = 1_024;
const HEX_256 = /^[0-9a-f]{64}$/;

export type SignatureProblem = 'malformed' | 'old' | 'wrong';

/**
 * Checks a `Stripe-Signature` header: `t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA-256 of `SECONDS.BODY`. During a change of the
 * secret there are several v1; one has to fit. Null: all is well.
 */
export function signatureProblem(
  header: string,
  body: Uint8Array,
  secret: string,
  nowMs: number,
): SignatureProblem | null {
  if (header.length > HEADER_CHARS_MAX) return 'malformed';
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const times = parts.flatMap(([name, value]) => (name === 't' && value !== undefined ? [value] : []));
  const given = parts.flatMap(([name, value]) =>
    name === 'v1' && HEX_256.test(value ?? '') ? [value ?? ''] : [],
  );
  const [time] = times;
  if (time === undefined || times.length !== 1 || !/^\d{1,12}$/.test(time) || given.length === 0)
    return 'malformed';
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  if (!given.some((hex) => timingSafeEqual(Buffer.from(hex, 'hex'), expected))) return 'wrong';
  return Math.abs(nowMs - Number(time) * 1_000) > SIGNATURE_AGE_MAX_MS ? 'old' : null;
}
