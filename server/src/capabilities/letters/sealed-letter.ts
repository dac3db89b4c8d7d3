import type { Secrets } from '#platform/secrets.ts';
import { type LetterContent, readContent } from './contract.ts';
import { readAddress } from './read-address.ts';

/** Binds the sealed part to its letter, so that it cannot be copied into the row of another. */
const contextOf = (id: string): string => `letter:${id}`;

export const sealLetter = (
  secrets: Secrets,
  id: string,
  content: { readonly to: string; readonly facts: unknown },
): Buffer => secrets.seal(Buffer.from(JSON.stringify(content)), contextOf(id));

/** Null when it cannot be read: SECRET_KEY no longer lists its version, or the row was altered. */
export function openLetter(
  secrets: Secrets,
  { id, kind, sealed }: { readonly id: string; readonly kind: string; readonly sealed: Uint8Array },
): { readonly to: string; readonly content: LetterContent } | null {
  const plain = secrets.open(sealed, contextOf(id));
  if (plain === null) return null;
  const { to, facts } = JSON.parse(plain.toString('utf8')) as { to: string; facts: unknown };
  const address = readAddress(to);
  const content = readContent(kind, facts);
  return address === null || content === null ? null : { to: address, content };
}
