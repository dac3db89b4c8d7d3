import { hash } from 'node:crypto';
import type { Call } from './route.ts';

/** A strong tag: the same text, byte for byte. */
export const etagOf = (text: string): string => `"${hash('sha256', text, 'hex').slice(0, 32)}"`;

/**
 * Marks an answer as one that caches may keep. True: the caller has it already and gets 304, so the handler answers
 * nothing more.
 */
export function isUnchanged(
  { request, reply }: Pick<Call, 'request' | 'reply'>,
  etag: string,
  cacheControl: string,
): boolean {
  reply.header('cache-control', cacheControl).header('etag', etag);
  if (!matches(request.headers['if-none-match'], etag)) return false;
  reply.code(304);
  return true;
}

/** RFC 9110 13.1.2: a list of tags or `*`, compared weakly. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
