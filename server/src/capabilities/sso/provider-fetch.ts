import type { CustomFetch } from 'openid-client';
import type { Outbound } from '#platform/outbound.ts';

/** Enough for the keys and the metadata of every large provider; more is refused unread. */
const ANSWER_BYTES_MAX = 256 * 1024;
const DEADLINE_MS = 5_000;
/** Headers that `outbound` sets itself, so those of the library are dropped. */
const OWN_HEADERS = /^(?:host|connection|content-length|user-agent|accept-encoding)$/i;
const NULL_BODY = new Set([101, 204, 205, 304]);

/**
 * How the OIDC library reaches a provider: only over HTTPS, only to public addresses, without redirects, within limits of size and
 * time (reliability 3.S). An organization names the issuer, and the issuer names the other addresses.
 */
export const createProviderFetch =
  (outbound: Outbound): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await outbound.fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name))),
      ...(body !== undefined && body !== null && { body: bodyText(body) }),
      deadlineMs: DEADLINE_MS,
      bytesMax: ANSWER_BYTES_MAX,
      ...(signal !== undefined && { signal }),
    });
    const bytes = await answer.bytes();
    return new Response(NULL_BODY.has(answer.status) ? null : new Uint8Array(bytes), {
      status: answer.status,
      headers: { 'content-type': answer.headers['content-type'] ?? '' },
    });
  };

function bodyText(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('The OIDC library sent a body that is no form.');
}
