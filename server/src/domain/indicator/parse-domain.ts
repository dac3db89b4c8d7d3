import type { Domain } from './indicator.ts';
import { icannSuffixOf } from './public-suffix.ts';
import { type Attempt, accept, reject } from './rejections.ts';
import { endsInReserved } from './reserved-names.ts';

const NAME_MAX = 253;
const LABEL_MAX = 63;
const DOT = 46;
const HYPHEN = 45;
const UNDERSCORE = 95;
/** ASCII characters with a meaning in URLs; they must not reach the URL parser as part of a host. */
const NOT_IN_A_NAME = /[\s/\\?#@:%[\]<>^|"'`(){},;!$&*+=~]/;
const NOT_ASCII = /[^\0-\x7f]/;
const CONTROL = /\p{Cc}/u;

/**
 * A name of the public internet. A dotted public suffix is accepted with `registrable: null`, because pages and mailboxes
 * exist on names such as gov.uk; what is listed of it never reaches the names below it.
 */
export function parseDomain(text: string): Attempt<Domain> {
  const typed = text.endsWith('.') ? text.slice(0, -1) : text;
  if (typed.length === 0 || NOT_IN_A_NAME.test(typed)) return null;
  const name = toALabels(typed);
  if (name === null) return reject('idn');
  const known = knownDomain(name);
  if (known !== null) return accept(known);
  if (isName(name)) return reject(endsInReserved(name) ? 'reservedName' : 'unknownSuffix');
  if (!name.includes('.') && CONTROL.test(name)) return null;
  if (!name.includes('.')) return reject(icannSuffixOf(name) === null ? 'singleLabel' : 'isSuffix');
  return reject(isTooLong(name) ? 'domainTooLong' : 'domainLabel');
}

/** A name in canonical form under a known suffix; null for everything else. Feed lines take this path first. */
export function knownDomain(name: string): Domain | null {
  if (!isName(name)) return null;
  const suffix = icannSuffixOf(name);
  return suffix === null ? null : { kind: 'domain', value: name, registrable: suffix.registrable };
}

/**
 * Lower case and, outside ASCII, UTS-46 (non-transitional) by the URL parser; null when it refuses a label. A-labels
 * are kept even when their punycode is invalid: the DNS resolves both, so both can be listed.
 */
function toALabels(name: string): string | null {
  if (!NOT_ASCII.test(name)) return name.toLowerCase();
  try {
    const host = new URL(`http://${name}`).hostname;
    return host.endsWith('.') ? host.slice(0, -1) : host;
  } catch {
    return null;
  }
}

const isTooLong = (name: string): boolean =>
  name.length > NAME_MAX || name.split('.').some((label) => label.length > LABEL_MAX);

/** Two or more lower-case labels: lengths of RFC 1035, hyphens of RFC 5891, underscores as in _dmarc. */
function isName(name: string): boolean {
  if (name.length > NAME_MAX) return false;
  let labelStart = 0;
  let labels = 0;
  for (let i = 0; i <= name.length; i++) {
    const code = i === name.length ? DOT : name.charCodeAt(i);
    if (code === DOT) {
      const length = i - labelStart;
      if (length === 0 || length > LABEL_MAX || name.charCodeAt(i - 1) === HYPHEN) return false;
      labels += 1;
      labelStart = i + 1;
    } else if (code === HYPHEN) {
      if (i === labelStart) return false;
    } else if (!((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === UNDERSCORE))
      return false;
  }
  return labels >= 2;
}
