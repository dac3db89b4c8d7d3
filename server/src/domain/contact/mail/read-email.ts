import { type Email, parseIndicator } from '#domain/indicator/index.ts';

const NO_EMAIL = 'This is no e-mail address; write it as in name@example.com.';

export type EmailReading =
  | { readonly ok: true; readonly email: Email }
  | { readonly ok: false; readonly reason: string };

export function readEmail(text: string): EmailReading {
  const parsed = parseIndicator(withPlus(text));
  if (parsed.ok && parsed.indicator.kind === 'email') return { ok: true, email: parsed.indicator };
  // Without an @ the reason would be about names, hashes or IP addresses, which the caller did not mean to send.
  return { ok: false, reason: parsed.ok || !text.includes('@') ? NO_EMAIL : parsed.reason };
}

/** A plus that was not URL-encoded arrives as a space, which neither a local part nor a domain can hold. */
const withPlus = (text: string): string => text.trim().replace(/^([^\s@<>"]+) ([^\s@<>"]*)@/, '$1+$2@');
