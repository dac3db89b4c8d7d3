import { readTags } from './tag-list.ts';

/**
 * The selectors of large senders, most common first: Google, Microsoft 365, Mailchimp, SendGrid, and the defaults of
 * mail servers. Other selectors cannot be found, so a domain without a match may still sign its mail.
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

/** True for a key in use; an empty key has been revoked (RFC 6376 3.6.1). */
export function isDkimKey(text: string): boolean {
  const tags = readTags(text);
  if (tags === null || (tags.get('v') ?? 'DKIM1') !== 'DKIM1') return false;
  return /^[a-z\d+/=\s]{16,}$/i.test(tags.get('p') ?? '');
}
