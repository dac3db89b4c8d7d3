import { type Email, isSingle, parseIndicator, type SingleIndicator } from '../indicator/index.ts';
import { normalizeText } from '../indicator/normalize-text.ts';
import { VALUE_MAX } from '../indicator/parse-url.ts';
import { refang } from '../indicator/refang.ts';
import type { PhoneReading } from './phone/phone.ts';
import { readPhone } from './phone/read-phone.ts';
import { readWallet } from './wallet/read-wallet.ts';
import type { Wallet } from './wallet/wallet.ts';

export const INPUT_TYPES = ['crypto', 'email', 'phone', 'hash', 'url', 'ip', 'domain'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

export type ReadablePhone = Exclude<PhoneReading, { state: 'refused' }>;
export type Detected =
  | { readonly type: 'ip' | 'domain' | 'url' | 'hash'; readonly indicator: Exclude<SingleIndicator, Email> }
  | { readonly type: 'email'; readonly indicator: Email }
  | { readonly type: 'crypto'; readonly wallet: Wallet }
  | { readonly type: 'phone'; readonly reading: ReadablePhone };
export type Detection =
  | { readonly ok: true; readonly found: Detected }
  | { readonly ok: false; readonly reason: string };

const RANGE =
  'This is a range of addresses; send one address of it, or ask GET /threat-intel/network?cidr= about the range.';
const ASN = 'This is an autonomous system; ask GET /threat-intel/asn about it.';
const CVE =
  'This is the id of a vulnerability; ask GET /cve/{id} about it, or send an address, domain, URL, hash, e-mail address, phone number or wallet.';
const NOTHING =
  'This is not an IP, domain, URL, hash, e-mail address, phone number or crypto address; send one of those, defanged or not.';
/** Two to four short groups are an IPv4 address or range with a typing error, never a phone number. */
const LIKE_IPV4 = /^\d{1,3}(?:\.\d{1,3}){1,3}(?:\/\d*)?$/;
const LIKE_PHONE = /^(?:tel:|\+)/i;
const refuse = (reason: string): Detection => ({ ok: false, reason });

/**
 * Detects the kind in the order of decisions 3.1: URL, address, hash, e-mail, wallet, phone, domain. Domains are
 * tried together with the first kinds: a domain's suffix ends in a letter, a wallet has no dot and a phone number has
 * no letter, so no text fits two of them.
 */
export function detectInput(raw: string): Detection {
  const parsed = parseIndicator(raw);
  if (parsed.ok) {
    const { indicator } = parsed;
    if (!isSingle(indicator)) return refuse(RANGE);
    const found: Detected =
      indicator.kind === 'email' ? { type: 'email', indicator } : { type: indicator.kind, indicator };
    return { ok: true, found };
  }
  const text = plainOf(raw);
  return (
    (text === null ? null : (walletIn(text) ?? phoneIn(text) ?? hintAt(text))) ??
    refuse(otherwise(parsed.reason))
  );
}

function plainOf(raw: string): string | null {
  if (raw.length > VALUE_MAX) return null;
  const text = refang(normalizeText(raw));
  return text === null || text.length === 0 ? null : text;
}

function walletIn(text: string): Detection | null {
  const read = readWallet(text);
  if (read.ok) return { ok: true, found: { type: 'crypto', wallet: read.wallet } };
  return read.isWalletLike ? refuse(read.reason) : null;
}

function phoneIn(text: string): Detection | null {
  if (LIKE_IPV4.test(text)) return null;
  const reading = readPhone(text, null);
  if (reading.state !== 'refused') return { ok: true, found: { type: 'phone', reading } };
  return LIKE_PHONE.test(text) ? refuse(reading.reason) : null;
}

function hintAt(text: string): Detection | null {
  if (/^asn?\s?\d{1,10}$/i.test(text)) return refuse(ASN);
  return /^cve-\d{4}-\d{4,}$/i.test(text) ? refuse(CVE) : null;
}

/** `parseIndicator` reads four of the seven kinds accepted here, so its general refusals would name too few. */
const otherwise = (reason: string): string =>
  /^This is not an IP|^A single word|^Nothing was sent/.test(reason) ? NOTHING : reason;
