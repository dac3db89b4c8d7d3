import type { Pair } from './key-format.ts';

/** The headers that can carry a credential; a list means that the header was sent twice. */
export type CredentialHeaders = {
  readonly 'x-api-key'?: string | readonly string[] | undefined;
  readonly authorization?: string | readonly string[] | undefined;
  readonly cookie?: string | readonly string[] | undefined;
};

/** The credential of a request: exactly one of these (decisions 1.3). */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'pair'; readonly pair: Pair }
  /** `inner` is the pair inside the password, if there is one (Basic form 3). */
  | { readonly kind: 'basic'; readonly pair: Pair; readonly inner: Pair | null }
  | { readonly kind: 'session'; readonly token: string };

const NONE: Credential = { kind: 'none' };
const EMPTY: Credential = { kind: 'empty' };
const MALFORMED: Credential = { kind: 'malformed' };
const BEARER: Credential = { kind: 'bearer' };

/** `base64` breaks long lines, and a break inside JSON would be shown as `\\n`, which means something else to `tr`. */
const HOW_TO_ENCODE = "Create it with: printf '%s' 'apiKey:apiSecret' | base64 | tr -d '[:space:]'";

const DECODED_BYTES_MAX = 512;
const ENCODED_CHARS_MAX = Math.ceil(DECODED_BYTES_MAX / 3) * 4;
const COOKIE_CHARS_MAX = 8_192;
const FORBIDDEN = /[\s\p{Cc}\u{fffd}]/u;
const NOT_ASCII = /[\u0080-\u00ff]/;
const FORBIDDEN_IN_NAME = /[\p{Cc}\u{fffd}]/u;

/** The only parser of credentials: pure, total, and in the order of decisions 1.3, without fallbacks. */
export function parseCredentials(headers: CredentialHeaders, cookieName: string): Credential {
  const key = headers['x-api-key'];
  if (key !== undefined) return parseKeyHeader(key);
  const authorization = headers.authorization;
  if (authorization !== undefined) {
    if (typeof authorization !== 'string') return MALFORMED;
    const scheme = /^[A-Za-z]+(?= |$)/.exec(authorization)?.[0].toLowerCase();
    if (scheme === 'basic') return parseBasic(authorization.slice('basic '.length));
    if (scheme === 'bearer') return BEARER;
  }
  return headers.cookie === undefined ? NONE : parseCookie(headers.cookie, cookieName);
}

function parseKeyHeader(value: string | readonly string[]): Credential {
  if (typeof value !== 'string') return MALFORMED;
  if (value.trim() === '') return EMPTY;
  const pair = decodePair(value);
  return pair === null ? MALFORMED : { kind: 'pair', pair };
}

/**
 * What is wrong with the form of an X-API-KEY header, for the answer to it: null where its form is right, or where
 * nothing can be said that helps. It reads the header alone, so it cannot reveal whether a key exists.
 */
export function keyHeaderMistake(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = decodeStrict(value);
  if (text === null) return `the X-API-KEY header is not base64(apiKey:apiSecret). ${HOW_TO_ENCODE}`;
  if (decodePair(text) !== null)
    return 'the X-API-KEY header is encoded twice. Send base64(apiKey:apiSecret), encoded once.';
  if (/\s$/.test(text) && pairOf(text.trimEnd()) !== null)
    return `the X-API-KEY header was encoded with a line end. ${HOW_TO_ENCODE}`;
  return null;
}

function parseBasic(encoded: string): Credential {
  const text = decodeStrict(encoded);
  if (text === null) return MALFORMED;
  // The name ends at the first colon (RFC 7617). A password with a colon is not accepted (trap 60).
  const colon = text.indexOf(':');
  const name = text.slice(0, colon);
  const password = text.slice(colon + 1);
  if (colon < 0 || password === '' || password.includes(':')) return MALFORMED;
  if (!isClean(password) || FORBIDDEN_IN_NAME.test(name)) return MALFORMED;
  return { kind: 'basic', pair: { apiKey: name, apiSecret: password }, inner: decodePair(password) };
}

function decodePair(encoded: string): Pair | null {
  const text = decodeStrict(encoded);
  return text === null ? null : pairOf(text);
}

function pairOf(text: string): Pair | null {
  if (!isClean(text)) return null;
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1 || text.includes(':', colon + 1)) return null;
  return { apiKey: text.slice(0, colon), apiSecret: text.slice(colon + 1) };
}

/** Nearly every credential is printable ASCII, and this loop takes a fifth of the time of the expression. */
function isClean(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 0x7e) return !FORBIDDEN.test(text);
    if (code <= 0x20) return false;
  }
  return true;
}

/** Base64 with padding and a single spelling: encoding the result again must give the input. */
function decodeStrict(encoded: string): string | null {
  if (encoded.length === 0 || encoded.length > ENCODED_CHARS_MAX) return null;
  const binary = decodeBase64(encoded);
  if (binary === null || binary.length > DECODED_BYTES_MAX || btoa(binary) !== encoded) return null;
  // Bytes that are not UTF-8 become U+FFFD, which every caller of this refuses.
  return NOT_ASCII.test(binary) ? Buffer.from(binary, 'latin1').toString('utf8') : binary;
}

/** `atob` and `btoa` take half the time of a Buffer round trip (measured), and throw on invalid Base64. */
function decodeBase64(encoded: string): string | null {
  try {
    return atob(encoded);
  } catch {
    return null;
  }
}

/** Returns every value of a cookie in a `Cookie` header; none when the header is too long. */
export function cookieValues(header: CredentialHeaders['cookie'], name: string): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join('; ');
  if (text.length > COOKIE_CHARS_MAX) return [];
  const prefix = `${name}=`;
  return text.split(';').flatMap((part) => {
    const cookie = part.trim();
    return cookie.startsWith(prefix) ? [cookie.slice(prefix.length)] : [];
  });
}

function parseCookie(header: string | readonly string[], name: string): Credential {
  const tokens = cookieValues(header, name);
  const token = tokens[0];
  if (token === undefined) return NONE;
  // Two session cookies: a sibling host may have set one of them, so neither is accepted.
  return { kind: 'session', token: tokens.length === 1 ? token : '' };
}
