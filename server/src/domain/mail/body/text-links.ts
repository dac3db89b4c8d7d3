import { extractIndicators } from '../../indicator/index.ts';
import { MAIL_LIMITS } from '../limits.ts';
import type { RawLink } from './read-html.ts';

const CHARS_MAX = 256 * 1024;

/** Reads the web addresses of a plain text, which mail programs turn into links, and its mail addresses. */
export function readText(text: string): {
  readonly links: readonly RawLink[];
  readonly emails: readonly string[];
  readonly isCut: boolean;
} {
  const part = text.slice(0, CHARS_MAX);
  const { found } = extractIndicators(part);
  const links: RawLink[] = [];
  const emails: string[] = [];
  for (const { indicator, raw } of found) {
    if (indicator.kind === 'url') links.push({ target: indicator.value, way: 'text', anchorText: null });
    else if (indicator.kind === 'domain' && /^www\./i.test(raw))
      links.push({ target: `http://${indicator.value}/`, way: 'text', anchorText: null });
    else if (indicator.kind === 'email' && emails.length < MAIL_LIMITS.contactsMax)
      emails.push(indicator.value);
  }
  return { links, emails, isCut: text.length > CHARS_MAX };
}
