import { badRequest } from '#platform/errors.ts';
import { sha256Of } from '#platform/sha256.ts';

export const ORDERS = ['newest', 'worst'] as const;
export type Order = (typeof ORDERS)[number];

/**
 * The last member of a page: its rank in the order (a time or a score), then its key. The next page begins after this
 * place, so members that come or go in between neither repeat nor hide others.
 */
export type Place = { readonly order: Order; readonly rank: number; readonly key: Uint8Array };

const VERSION = 1;
const DIGEST_LENGTH = 16;

export const writeCursor = (subject: string, { order, rank, key }: Place): string =>
  Buffer.from(
    JSON.stringify([VERSION, digestOf(subject), order, rank, Buffer.from(key).toString('base64url')]),
  ).toString('base64url');

/** `subject` is what the page is about, such as `asn 64500`; a cursor of another page is refused with 400. */
export function readCursor(subject: string, text: string): Place {
  const place = placeOf(subject, decode(text));
  if (place !== null) return place;
  const message = 'Send next of an answer to the same question, or leave cursor out to begin.';
  throw badRequest(`This cursor cannot be used. ${message}`, [{ path: 'cursor', message }]);
}

const digestOf = (subject: string): string => sha256Of(subject).slice(0, DIGEST_LENGTH);

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function placeOf(subject: string, read: unknown): Place | null {
  if (!Array.isArray(read) || read.length !== 5) return null;
  const [version, digest, order, rank, key] = read as readonly unknown[];
  if (version !== VERSION || digest !== digestOf(subject)) return null;
  const known = ORDERS.find((each) => each === order);
  if (known === undefined || typeof key !== 'string' || typeof rank !== 'number') return null;
  return Number.isSafeInteger(rank) ? { order: known, rank, key: Buffer.from(key, 'base64url') } : null;
}
