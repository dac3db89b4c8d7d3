import { sha256Of } from '#platform/sha256.ts';
import type { Call } from './route.ts';

/** A strong tag: equal tags mean equal bytes. */
export const etagOf = (text: string): string => `"${sha256Of(text).slice(0, 32)}"`;

/** Marks an answer as cacheable. True when the caller has it and gets a 304, so the handler sends nothing more. */
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

/** A list of tags or `*`, compared weakly (RFC 9110 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
