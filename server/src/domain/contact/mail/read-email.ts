import { type Email, parseIndicator } from '#domain/indicator/index.ts';

const NO_EMAIL = 'This is no e-mail address; write it as in name@example.com.';

export type EmailReading =
  | { readonly ok: true; readonly email: Email }
  | { readonly ok: false; readonly reason: string };

/** An address out of a query, with a reason that speaks of addresses. */
export function readEmail(text: string): EmailReading {
  const parsed = parseIndicator(withPlus(text));
  if (parsed.ok && parsed.indicator.kind === 'email') return { ok: true, email: parsed.indicator };
  // Without an @ the reasons of names, hashes and addresses would answer a question nobody asked.
  return { ok: false, reason: parsed.ok || !text.includes('@') ? NO_EMAIL : parsed.reason };
}

/** In a query a plus that was not encoded arrives as a space, which no local part and no domain can hold. */
const withPlus = (text: string): string => text.trim().replace(/^([^\s@<>"]+) ([^\s@<>"]*)@/, '$1+$2@');
