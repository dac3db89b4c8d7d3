import { parseAsn } from '../indicator/index.ts';
import { normalizeText } from '../indicator/normalize-text.ts';
import { detectInput } from './detect-input.ts';

const ASN = /^asn?\s?\d{1,10}$/i;
const CVE = /^cve-\d{4}-\d{4,19}$/i;
const ADDRESS = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const FROM_TO = new RegExp(String.raw`^${ADDRESS}\s?[-–]\s?(?:${ADDRESS}|\d{1,3})$`);
/** A plus that a caller did not encode arrives as a space. */
const DECODED_PLUS = /^ (?=[1-9])/;
/** Bare digits are more often an address written as one number than a phone number. */
const BARE_DIGITS = /^\d+$/;

/**
 * The sentence for a text that is no indicator but that another route answers: what it is, and which route to ask. Null
 * for every other text. Phone numbers and wallets are not repeated, because answers end up in logs and tickets.
 */
export function otherRouteFor(raw: string): string | null {
  const text = normalizeText(raw.slice(0, TEXT_MAX));
  const asn = ASN.test(text) ? parseAsn(text) : null;
  if (asn?.ok === true)
    return `This is an autonomous system. Ask GET /threat-intel/asn?asn=${asn.indicator.value} about it.`;
  if (CVE.test(text))
    return `This is the id of a vulnerability. Ask GET /cve/${text.toUpperCase()} about it.`;
  if (FROM_TO.test(text))
    return 'This is a range of addresses. Send one address of it, or send the range with its prefix length to GET /threat-intel/network?cidr=.';
  return contactRoute(raw.replace(DECODED_PLUS, '+'), text);
}
/** The longest text that one of the kinds above can have: a Monero address. */
const TEXT_MAX = 128;

function contactRoute(raw: string, text: string): string | null {
  if (raw.length > TEXT_MAX || (BARE_DIGITS.test(text) && !raw.startsWith('+'))) return null;
  const detection = detectInput(raw);
  if (!detection.ok) return isWallet(text) ? detection.reason : null;
  if (detection.found.type === 'crypto')
    return `This is a cryptocurrency address (${detection.found.wallet.chain}). Ask GET /api/check/crypto?address= about it.`;
  if (detection.found.type === 'phone')
    return 'This is a phone number. Ask GET /api/check/phone?phone= about it, with the plus sent as %2B.';
  return null;
}

/** The forms whose typing errors would otherwise be called a wrong IP address or a single word. */
const isWallet = (text: string): boolean =>
  /^0x[0-9a-f]{40}$/i.test(text) || /^(?:bc|ltc)1[a-z0-9]{11,87}$/i.test(text);
