import type { CallOptions } from './exchange.ts';
import type { PasswordRange } from './generated/schemas.ts';

export type Passwords = {
  /**
   * Was this password seen in a breach? It is hashed here; only five of the forty digits of its hash are sent. False says
   * nothing about its strength. Charges one check of the month.
   */
  readonly isExposed: (password: string, options?: CallOptions) => Promise<boolean>;
  /** The same, with how often it was seen and the date of the list. */
  readonly exposure: (
    password: string,
    options?: CallOptions,
  ) => Promise<{ readonly count: number; readonly corpusUpdatedAt: string }>;
};

const PREFIX_DIGITS = 5;

export async function exposureOf(
  read: (prefix: string) => Promise<PasswordRange>,
  password: string,
): ReturnType<Passwords['exposure']> {
  const hash = await sha1Of(password);
  const { entries, suffixLength, corpusUpdatedAt } = await read(hash.slice(0, PREFIX_DIGITS));
  const rest = hash.slice(PREFIX_DIGITS, PREFIX_DIGITS + suffixLength);
  // Entries that the service adds as padding have a count of 0 and stand for no password.
  return { count: entries.find(({ suffix }) => suffix === rest)?.count ?? 0, corpusUpdatedAt };
}

async function sha1Of(text: string): Promise<string> {
  // Absent on pages without HTTPS, although TypeScript's types say that it always exists.
  const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined)
    throw new TypeError('A page must be served over HTTPS to hash a password: it has no crypto.subtle.');
  const digest = new Uint8Array(await subtle.digest('SHA-1', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
