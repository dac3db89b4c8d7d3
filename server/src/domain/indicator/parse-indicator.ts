import type { Indicator, ParseResult } from './indicator.ts';
import { ipv4Of, NOT_IPV4, readIpv4 } from './ipv4.ts';
import { ipOf, readIpv6 } from './ipv6.ts';
import { normalizeText } from './normalize-text.ts';
import { knownDomain, parseDomain } from './parse-domain.ts';
import { parseEmail } from './parse-email.ts';
import { knownHash, parseHash } from './parse-hash.ts';
import { isPort, parseIp } from './parse-ip.ts';
import { parseUrl, VALUE_MAX } from './parse-url.ts';
import { refang } from './refang.ts';
import { reject } from './rejections.ts';

const IPV6_GROUP_MAX = 4;
const NAME_WITH_PATH = /^[^\s/.]+\.[^\s/]*\//;

/**
 * Turns a caller's text or a feed's line into an indicator. All input goes through it (decisions 3.1), so the same
 * text gives the same indicator to callers and feeds. Never throws; a refusal is one sentence that says what to do.
 */
export function parseIndicator(raw: string): ParseResult {
  if (raw.length > VALUE_MAX) return reject('tooLong');
  const plain = readPlain(raw);
  return plain === null ? parseAny(raw) : { ok: true, indicator: plain };
}

/** Nearly all feed lines are canonical already; they skip the steps below with the same result (property-tested). */
function readPlain(raw: string): Indicator | null {
  const address = readIpv4(raw);
  if (address !== NOT_IPV4) return ipv4Of(address);
  const colon = raw.indexOf(':');
  if (colon >= 0) return colon <= IPV6_GROUP_MAX ? readPlainIpv6(raw) : null;
  const hash = knownHash(raw);
  if (hash !== null) return hash;
  return knownDomain(raw);
}

function readPlainIpv6(raw: string): Indicator | null {
  const bytes = readIpv6(raw);
  return bytes === null ? null : ipOf(bytes);
}

/**
 * Normalises, refangs, then tries each kind in the order of decisions 3.1. The hash comes before the address: a
 * digest of 32 decimal digits would otherwise be refused as a number, and no address has 32 digits in a row.
 */
function parseAny(raw: string): ParseResult {
  const normalized = normalizeText(raw);
  if (normalized.length > VALUE_MAX) return reject('tooLong'); // NFKC turns some single characters into 18.
  const text = refang(normalized);
  if (text === null) return reject('tooNested');
  if (text.length === 0) return reject('empty');
  return (
    parseUrl(text) ??
    parseHash(text) ??
    parseIp(text) ??
    parseEmail(text) ??
    parseDomain(withoutPort(text)) ??
    reject(NAME_WITH_PATH.test(text) ? 'missingScheme' : 'unrecognized')
  );
}

/** `example.com:8443` is read as the name, as `192.0.2.1:443` is read as the address. */
function withoutPort(text: string): string {
  const colon = text.lastIndexOf(':');
  return colon > 0 && isPort(text.slice(colon + 1)) ? text.slice(0, colon) : text;
}
