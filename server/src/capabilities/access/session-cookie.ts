import { isIP } from 'node:net';
import { getDomain } from 'tldts';

export type SessionCookie = {
  readonly name: string;
  /** `Set-Cookie` of a new session. */
  readonly issue: (token: string, maxAgeS: number) => string;
  /** `Set-Cookie` lines that make the browser forget it, also the one from before PUBLIC_API_URL had a host of its own. */
  readonly clear: readonly string[];
};

/** Decisions 1.3.4. `__Secure-` demands HTTPS of the browser, so a dashboard on plain HTTP uses the bare name. */
export function createSessionCookie(publicApiUrl: string, publicWebUrl: string): SessionCookie {
  const web = new URL(publicWebUrl);
  const isSecure = web.protocol === 'https:';
  const name = isSecure ? '__Secure-sid' : 'sid';
  const parent = commonParent(new URL(publicApiUrl).hostname, web.hostname);
  const flags = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const line = (token: string, maxAgeS: number, domain: string | null) =>
    `${name}=${token}; Max-Age=${maxAgeS}; ${flags}${domain === null ? '' : `; Domain=${domain}`}`;
  return {
    name,
    issue: (token, maxAgeS) => line(token, maxAgeS, parent),
    clear: [...new Set([line('', 0, parent), line('', 0, null)])],
  };
}

/**
 * The nearest name above two sibling hosts, so that one cookie reaches both; null for one and the same host, and for
 * hosts of different owners. A browser would refuse a public suffix, private ones (`github.io`) included.
 */
export function commonParent(one: string, other: string): string | null {
  if (one === other || isIP(one) !== 0 || isIP(other) !== 0) return null;
  const owner = getDomain(one, { allowPrivateDomains: true });
  if (owner === null || owner !== getDomain(other, { allowPrivateDomains: true })) return null;
  const [a, b] = [one.split('.').reverse(), other.split('.').reverse()];
  const shared = a.findIndex((label, index) => label !== b[index]);
  return (shared === -1 ? a : a.slice(0, shared)).reverse().join('.');
}
