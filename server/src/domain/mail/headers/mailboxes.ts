import { decodeWords } from 'postal-mime';
import { type Email, parseIndicator } from '../../indicator/index.ts';
import { MAIL_LIMITS } from '../limits.ts';

export type Mailbox = {
  /** The display name with encoded words decoded; null without one. */
  readonly name: string | null;
  /** The text between the angle brackets, or the bare address; null without one. */
  readonly address: string | null;
  /** The address as an indicator; null if it is not a valid address, for example without a public suffix. */
  readonly email: Email | null;
};

const NAME_MAX = 300;
const ADDRESS_MAX = 320;

/** Decodes encoded words in the first part of a value only, because each word takes time. */
export function decodeText(value: string): string {
  const text = value.slice(0, MAIL_LIMITS.headerValueMax);
  return text.includes('=?') ? decodeWords(text) : text;
}

/** Splits a list of addresses at commas outside of quotes, comments and angle brackets. */
function splitList(value: string): string[] {
  const pieces: string[] = [];
  let isQuoted = false;
  let inAngle = false;
  let depth = 0;
  let from = 0;
  for (let at = 0; at < value.length && pieces.length < MAIL_LIMITS.addressesMax; at += 1) {
    const char = value.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '"' && depth === 0) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '(') depth += 1;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (char === '<') inAngle = true;
    else if (char === '>') inAngle = false;
    else if (char === ',' && depth === 0 && !inAngle) {
      pieces.push(value.slice(from, at));
      from = at + 1;
    }
  }
  if (pieces.length < MAIL_LIMITS.addressesMax) pieces.push(value.slice(from));
  return pieces.filter((piece) => piece.trim() !== '');
}

/** Quotes and their escapes are removed before encoded words are decoded, because clients show encoded words in quotes. */
function nameOf(text: string): string | null {
  const plain = text.replaceAll('\\"', '"').replaceAll('"', ' ').trim();
  const decoded = decodeText(plain).slice(0, NAME_MAX).trim();
  return decoded === '' ? null : decoded;
}

const COMMENT = /\(([^()]{0,200})\)/;

export function readMailbox(value: string): Mailbox {
  const text = value.slice(0, MAIL_LIMITS.headerValueMax);
  const close = text.lastIndexOf('>');
  const open = close === -1 ? -1 : text.lastIndexOf('<', close);
  if (open !== -1) {
    const address = text
      .slice(open + 1, close)
      .trim()
      .slice(0, ADDRESS_MAX);
    return mailbox(nameOf(text.slice(0, open)), address);
  }
  const at = text.indexOf('@');
  if (at === -1) return { name: nameOf(text), address: null, email: null };
  const comment = COMMENT.exec(text)?.[1] ?? '';
  return mailbox(nameOf(comment), text.replace(COMMENT, '').trim().slice(0, ADDRESS_MAX));
}

function mailbox(name: string | null, address: string): Mailbox {
  const parsed = address.includes('@') ? parseIndicator(address) : null;
  const email = parsed?.ok && parsed.indicator.kind === 'email' ? parsed.indicator : null;
  return { name, address: address === '' ? null : address, email };
}

export const readMailboxes = (value: string): readonly Mailbox[] => splitList(value).map(readMailbox);
