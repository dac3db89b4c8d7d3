import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import type { Secrets } from '#platform/secrets.ts';

export type SessionCookie = {
  readonly name: string;
  /** A `Set-Cookie` line with the token and its HMAC. */
  readonly issue: (token: string, maxAgeS: number) => string;
  /** The token of a value that this service issued; null for any other, found without a look-up. */
  readonly open: (value: string) => string | null;
  /** `Set-Cookie` lines that delete the cookie, including the one set before PUBLIC_API_URL had its own host. */
  readonly clear: readonly string[];
};

/** `__Secure-` requires HTTPS, so a dashboard on plain HTTP uses the name without the prefix (decisions 1.3 rule 4). */
export function createSessionCookie(
  publicApiUrl: string,
  publicWebUrl: string,
  secrets: Pick<Secrets, 'newest' | 'keyFor'>,
): SessionCookie {
  const web = new URL(publicWebUrl);
  const isSecure = web.protocol === 'https:';
  const name = isSecure ? '__Secure-sid' : 'sid';
  const parent = commonParent(new URL(publicApiUrl).hostname, web.hostname);
  const flags = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const line = (token: string, maxAgeS: number, domain: string | null) =>
    `${name}=${token}; Max-Age=${maxAgeS}; ${flags}${domain === null ? '' : `; Domain=${domain}`}`;
  return {
    name,
    issue: (token, maxAgeS) => line(seal(secrets, token), maxAgeS, parent),
    open: (value) => open(secrets, value),
    clear: [...new Set([line('', 0, parent), line('', 0, null)])],
  };
}

/** The random token, the version of SECRET_KEY and the HMAC of the token under the key that is derived for sessions. */
const SEALED = /^([A-Za-z0-9_-]{43})\.(\d{1,5})\.([A-Za-z0-9_-]{43})$/;

function seal(secrets: Pick<Secrets, 'newest' | 'keyFor'>, token: string): string {
  const mac = macOf(secrets, token, secrets.newest);
  if (mac === null) throw new Error('SECRET_KEY has no newest version.');
  return `${token}.${secrets.newest}.${mac.toString('base64url')}`;
}

function open(secrets: Pick<Secrets, 'keyFor'>, value: string): string | null {
  const [, token, version, sent] = SEALED.exec(value) ?? [];
  if (token === undefined || sent === undefined) return null;
  const mac = macOf(secrets, token, Number(version));
  return mac !== null && timingSafeEqual(mac, Buffer.from(sent, 'base64url')) ? token : null;
}

function macOf(secrets: Pick<Secrets, 'keyFor'>, token: string, version: number): Buffer | null {
  const key = secrets.keyFor('session', version);
  return key === undefined ? null : createHmac('sha256', key).update(token).digest();
}

/**
 * The nearest common parent of two sibling hosts, so that one cookie reaches both; null for equal hosts and
 * for hosts of different owners. A browser would refuse a public suffix, private ones (`github.io`) included.
 */
export function commonParent(one: string, other: string): string | null {
  if (one === other || isIP(one) !== 0 || isIP(other) !== 0) return null;
  const owner = getDomain(one, { allowPrivateDomains: true });
  if (owner === null || owner !== getDomain(other, { allowPrivateDomains: true })) return null;
  const [a, b] = [one.split('.').reverse(), other.split('.').reverse()];
  const shared = a.findIndex((label, index) => label !== b[index]);
  return (shared === -1 ? a : a.slice(0, shared)).reverse().join('.');
}
