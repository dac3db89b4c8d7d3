import type { Domain, Ip, Url } from './indicator.ts';
import { ipv4Of, NOT_IPV4, readIpv4 } from './ipv4.ts';
import { ipOf, readIpv6 } from './ipv6.ts';
import { parseDomain } from './parse-domain.ts';
import { refang } from './refang.ts';
import { type Attempt, accept, reject } from './rejections.ts';

export const VALUE_MAX = 2_048;
/** Decoding can uncover a defanged or trailing dot, removed in another round; no real URL has needed three. */
const ROUNDS_MAX = 8;
const SUPPORTED_SCHEME = /^(?:https?|ftp):/i;
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** One alternative for each position, so the scan never backtracks. */
const ENCODED_OR_ILLEGAL = /%[0-9a-fA-F]{2}|[%[\]{}|\\^`]/g;
const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * A URL is judged by its host plus an exact listing of this canonical text (decisions 3.1). So `hxxps://evil.com/`
 * and `evil.com` get the same document (trap 14): the lookups are those of `host`, and the exact text adds to them
 * only when a source lists that page.
 */
export function parseUrl(text: string): Attempt<Url> {
  if (!SUPPORTED_SCHEME.test(text)) return OTHER_SCHEME.test(text) ? reject('otherScheme') : null;
  let current = text;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const parsed = canonicalize(current);
    if (parsed === null || !parsed.ok) return parsed;
    const { value } = parsed.indicator;
    if (value.length > VALUE_MAX) return reject('urlTooLong');
    const again = refang(value);
    if (again === value) return withPosedHost(parsed.indicator, text);
    if (again === null) return reject('tooNested');
    current = again;
  }
  return reject('tooNested');
}

const POSED_HOST = /^(?:www\.)?([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})(?=$|[^a-z0-9.-])/i;

/** A reader takes what stands before the @ for the host, so a domain there is kept for the answer to explain. */
function withPosedHost(indicator: Url, text: string): Attempt<Url> {
  if (!text.includes('@')) return accept(indicator);
  const posed = POSED_HOST.exec(decoded(readUrl(text)?.username ?? ''))?.[1];
  const shown = posed === undefined ? null : parseDomain(posed);
  if (!shown?.ok || shown.indicator.registrable === null) return accept(indicator);
  const isOwn =
    indicator.host.kind === 'domain' && indicator.host.registrable === shown.indicator.registrable;
  return accept(isOwn ? indicator : { ...indicator, posedHost: shown.indicator.value });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function canonicalize(text: string): Attempt<Url> {
  const url = readUrl(text);
  if (url === null) return reject('brokenUrl');
  // Decoding shortens three characters to one at most, so a longer text cannot fit after decoding.
  if (url.pathname.length + url.search.length > 3 * VALUE_MAX) return reject('urlTooLong');
  const host = readHost(url.hostname);
  if (host === null) return reject('brokenUrl');
  if (!host.ok) return host;
  const authority = hostText(host.indicator) + (url.port === '' ? '' : `:${url.port}`);
  const query = url.search === '' ? '' : normalizeEncoding(url.search);
  // The user name and password are credentials or a disguise (http://bank.com@evil.com), so they are dropped.
  const value = `${url.protocol}//${authority}${normalizeEncoding(url.pathname)}${query}`;
  return accept({ kind: 'url', value, host: host.indicator });
}

function readUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function readHost(hostname: string): Attempt<Ip | Domain> {
  if (hostname.startsWith('[')) {
    const bytes = readIpv6(hostname.slice(1, -1));
    return bytes === null ? null : accept(ipOf(bytes));
  }
  const address = readIpv4(hostname);
  return address === NOT_IPV4 ? parseDomain(hostname) : accept(ipv4Of(address));
}

const hostText = (host: Ip | Domain): string =>
  host.kind === 'ip' && host.version === 6 ? `[${host.value}]` : host.value;

/** RFC 3986 section 6.2.2: unreserved characters decoded, hex digits in upper case, forbidden characters encoded. */
const normalizeEncoding = (text: string): string =>
  text.replace(ENCODED_OR_ILLEGAL, (found) => {
    if (found.length === 1) return encode(found);
    const char = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return UNRESERVED.test(char) ? char : found.toUpperCase();
  });

const encode = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
