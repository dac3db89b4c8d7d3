export type ContactType = 'email' | 'phone' | 'crypto';
/** An e-mail address, a phone number or a wallet: personal data, so it stands in a fragment and never in a path. */
export type Contact = { readonly type: ContactType; readonly value: string };

const TYPES: ReadonlySet<string> = new Set(['email', 'phone', 'crypto'] satisfies ContactType[]);

/** `email=someone%40example.com`, behind the `#` of the contact page. Browsers send no fragment to a server. */
export const fragmentOf = ({ type, value }: Contact): string => `${type}=${encodeURIComponent(value)}`;

/** Null for a fragment that names no contact. */
export function contactOf(fragment: string): Contact | null {
  const [, type = '', encoded = ''] = /^#?([a-z]+)=(.+)$/s.exec(fragment) ?? [];
  if (!TYPES.has(type)) return null;
  try {
    return { type: type as ContactType, value: decodeURIComponent(encoded) };
  } catch {
    return null;
  }
}
