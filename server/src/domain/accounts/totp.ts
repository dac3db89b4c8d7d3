import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { base32nopad } from '@scure/base';

/** Codes of authenticator apps: RFC 6238 with the defaults that every app has, SHA-1, 30 seconds and six digits. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** The clock of a phone may be one step off, and a person takes a moment to type (O47). */
const STEPS_OFF = 1;
/** The length that RFC 4226 section 4 recommends for SHA-1. */
export const TOTP_SECRET_BYTES = 20;

export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const mac = hmac(sha1, secret, new Uint8Array(counter.buffer));
  const view = new DataView(mac.buffer, mac.byteOffset, mac.byteLength);
  const number = view.getUint32(view.getUint8(mac.length - 1) & 0x0f) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export const totpStep = (nowMs: number): number => Math.floor(nowMs / STEP_MS);

/**
 * The time step of a right code; null if the code is wrong, or its step is not later than the last one used. All steps
 * are computed and compared, so that the time taken tells nothing.
 */
export function acceptedStep(
  secret: Uint8Array,
  code: string,
  { nowMs, lastStep }: { readonly nowMs: number; readonly lastStep: number },
): number | null {
  let accepted: number | null = null;
  for (let off = -STEPS_OFF; off <= STEPS_OFF; off += 1) {
    const step = totpStep(nowMs) + off;
    const isRight = isEqual(totpCode(secret, step), code);
    if (isRight && step > lastStep) accepted ??= step;
  }
  return accepted;
}

/** The secret as a person types it, and the address that apps read from the QR code. */
export function describeTotp(
  secret: Uint8Array,
  { issuer, account }: { readonly issuer: string; readonly account: string },
): { readonly secret: string; readonly uri: string } {
  const text = base32nopad.encode(secret);
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return {
    secret: text,
    uri: `otpauth://totp/${label}?secret=${text}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1_000}`,
  };
}

/** Takes the same time wherever the texts differ, so that timing reveals no digit. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < one.length; i += 1) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}
