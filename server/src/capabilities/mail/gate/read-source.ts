import { type LinkFact, readLink } from '#domain/mail/index.ts';

/** What a caller of the gate must send as an address. */
export const NOT_A_WEB_ADDRESS = 'This is not a web address. Send one like https://example.com/page.';

/** A web address as it stands in a text, with or without its scheme; null for any other text. */
export function readSource(text: string): LinkFact | null {
  const target = /^[a-z][a-z0-9+.-]*:/i.test(text.trim()) ? text : `http://${text.trim()}`;
  const link = readLink({ target, way: 'text', anchorText: null }, { origin: null, originName: null });
  return link === 'unread' ? null : link;
}
