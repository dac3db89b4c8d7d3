import { readTags } from './tag-list.ts';

/**
 * Selectors that large senders use, most common first: Google, Microsoft 365, Mailchimp, SendGrid, and what mail servers
 * come with. Whoever uses another is not found, and that proves nothing.
 */
export const COMMON_SELECTORS = [
  'google',
  'selector1',
  'selector2',
  'default',
  'k1',
  's1',
  'mail',
  'dkim',
] as const;

/** A key that still counts: an empty one has been taken back (RFC 6376 3.6.1). */
export function isDkimKey(text: string): boolean {
  const tags = readTags(text);
  if (tags === null || (tags.get('v') ?? 'DKIM1') !== 'DKIM1') return false;
  return /^[a-z\d+/=\s]{16,}$/i.test(tags.get('p') ?? '');
}
