import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Secrets } from '#platform/secrets.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { cookieValues } from './parse-credentials.ts';
import { commonParent } from './session-cookie.ts';

/** A browser on which a person signed in before, as its cookie names it. */
export type KnownDevice = {
  /** Random and new at every sign-in, so that tries counted under it are the failed ones since the last sign-in. */
  readonly id: string;
  readonly issuedAtMs: number;
};

/**
 * The cookie of a browser on which a person signed in. It opens nothing: its tries of a password are counted apart from those
 * of other devices, so third parties who guess cannot use them up (docs/decisions/0022).
 */
export type DeviceCookie = {
  readonly name: string;
  /** The device of the request for this email address; null unless this service issued it. Reads nothing but the request. */
  readonly find: (request: RequestCookies, email: string, nowMs: number) => KnownDevice | null;
  /** A `Set-Cookie` line that marks the browser as a device of this person, and keeps up to three other people's marks. */
  readonly issue: (request: RequestCookies, email: string, nowMs: number) => string;
};

type RequestCookies = Pick<FastifyRequest, 'headers'>;
type Keys = Pick<Secrets, 'newest' | 'keyFor'>;

const DEVICE_KEPT_MS = 365 * DAY_MS;
/** People who share a browser. The one who signed in first is forgotten when a fifth person signs in. */
const PEOPLE_MAX = 4;
const ID_BYTES = 12;
/** A random id, the time of issue in base 36, the version of SECRET_KEY, and the HMAC. */
const MARK = /^([A-Za-z0-9_-]{16})\.([0-9a-z]{1,10})\.(\d{1,5})\.([A-Za-z0-9_-]{43})$/;
const SEPARATOR = '~';

export function createDeviceCookie(publicApiUrl: string, publicWebUrl: string, keys: Keys): DeviceCookie {
  const web = new URL(publicWebUrl);
  const isSecure = web.protocol === 'https:';
  const name = isSecure ? '__Secure-device' : 'device';
  const parent = commonParent(new URL(publicApiUrl).hostname, web.hostname);
  const flags = `Path=/api/auth; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  const domain = parent === null ? '' : `; Domain=${parent}`;
  const marksOf = ({ headers }: RequestCookies): readonly string[] => {
    const values = cookieValues(headers.cookie, name);
    // Of two cookies a sibling host may have set one, so neither is read.
    return values.length === 1 ? (values[0] ?? '').split(SEPARATOR).slice(0, PEOPLE_MAX) : [];
  };
  return {
    name,
    find: (request, email, nowMs) => {
      for (const mark of marksOf(request)) {
        const device = openMark(keys, mark, email);
        if (device !== null) return nowMs - device.issuedAtMs < DEVICE_KEPT_MS ? device : null;
      }
      return null;
    },
    issue: (request, email, nowMs) => {
      const others = marksOf(request).filter(
        (mark) => MARK.test(mark) && openMark(keys, mark, email) === null,
      );
      const marks = [newMark(keys, email, nowMs), ...others.slice(0, PEOPLE_MAX - 1)];
      return `${name}=${marks.join(SEPARATOR)}; Max-Age=${DEVICE_KEPT_MS / 1_000}; ${flags}${domain}`;
    },
  };
}

function newMark(keys: Keys, email: string, nowMs: number): string {
  const [id, issued] = [randomBytes(ID_BYTES).toString('base64url'), nowMs.toString(36)];
  const mac = macOf(keys, keys.newest, id, issued, email);
  if (mac === null) throw new Error('SECRET_KEY has no newest version.');
  return `${id}.${issued}.${keys.newest}.${mac.toString('base64url')}`;
}

function openMark(keys: Keys, mark: string, email: string): KnownDevice | null {
  const [, id, issued, version, sent] = MARK.exec(mark) ?? [];
  if (id === undefined || issued === undefined || sent === undefined) return null;
  const mac = macOf(keys, Number(version), id, issued, email);
  if (mac === null || !timingSafeEqual(mac, Buffer.from(sent, 'base64url'))) return null;
  return { id, issuedAtMs: Number.parseInt(issued, 36) };
}

/** The email address is part of what is signed and not of the cookie, which therefore names nobody. */
function macOf(keys: Keys, version: number, id: string, issued: string, email: string): Buffer | null {
  const key = keys.keyFor('device', version);
  return key === undefined ? null : createHmac('sha256', key).update(`${id}.${issued}.${email}`).digest();
}
