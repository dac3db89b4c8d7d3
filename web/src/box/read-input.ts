import {
  extractIndicators,
  type FoundIndicator,
  type Hash,
  type Indicator,
  type Ip,
  parseAsn,
  parseCrypto,
  parseIndicator,
  parsePhone,
  specialPurposeOf,
} from '@assay/server/indicator';
import { readableLabel } from '@assay/server/punycode';
import type { Contact } from './contact-fragment.ts';
import { asnPath, networkPath, type PageType } from './permalink.ts';
import type { Lead, Reading, Way } from './reading.ts';

const HASH_WORDS: Readonly<Record<Hash['algorithm'], string>> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
};
const CVE = /^CVE-\d{4}-\d{4,19}$/i;
/** `AS` is required: a bare number such as `64500` is not read as an autonomous system. */
const ASN_START = /^asn?\s?\d/i;

/**
 * Reads a text with the server's own parser before any request is sent. Text with white space is searched for several
 * indicators first: a URL may contain white space, so two URLs on two lines would parse as one.
 */
export function readInput(text: string): Reading {
  const typed = text.trim();
  if (typed === '') return { kind: 'nothing' };
  const isProse = /\s/.test(typed);
  const found = isProse ? withPages(typed) : [];
  if (found.length > 1) return { kind: 'list', count: found.length };
  const parsed = parseIndicator(typed);
  if (parsed.ok) return { kind: 'one', ways: waysOf(parsed.indicator, typed) };
  const other = otherKind(typed);
  if (other !== null) return { kind: 'one', ways: [other] };
  const [first] = found;
  if (first !== undefined) return { kind: 'one', ways: waysOf(first.indicator, typed) };
  // `a.com,b.com` is a list. One word with a single name in it (`a.com/login`) is refused: reading only the name would
  // drop the rest silently.
  const count = isProse ? 0 : withPages(typed).length;
  return count > 1 ? { kind: 'list', count } : { kind: 'unreadable', sentence: parsed.reason };
}

/** Only these make a list: bulk triage takes no ranges, and a text with a mail address is often about other values. */
const withPages = (text: string): readonly FoundIndicator[] =>
  extractIndicators(text).found.filter(({ indicator: { kind } }) => kind !== 'cidr' && kind !== 'email');

function waysOf(indicator: Indicator, typed: string): readonly [Way, ...Way[]] {
  switch (indicator.kind) {
    case 'ip':
      return [ipWay(indicator, typed)];
    case 'domain':
      return [pageWay('Domain', 'domain', indicator.value, typed)];
    case 'hash':
      return [pageWay(HASH_WORDS[indicator.algorithm], 'hash', indicator.value, typed)];
    case 'url':
      return [urlWay(indicator.value, indicator.host, typed), ...waysOf(indicator.host, typed)];
    case 'email':
      return [
        contactWay('E-mail', 'this e-mail address', { type: 'email', value: indicator.value }),
        ...waysOf(indicator.domain, typed),
      ];
    case 'cidr': {
      const special = specialPurposeOf(indicator);
      if (special?.isReachable === false)
        return [wordsWay('Range', `${indicator.value} is set aside: ${noReputation(special)}`)];
      return [
        wordsWay('Range', `Enter in the box opens the page of ${indicator.value}.`, {
          kind: 'path',
          path: networkPath(indicator.value),
        }),
      ];
    }
  }
}

function ipWay(ip: Ip, typed: string): Way {
  const word = `IPv${ip.version}`;
  const special = specialPurposeOf(ip);
  if (special?.isReachable !== false) return pageWay(word, 'ip', ip.value, typed);
  return wordsWay(word, `${ip.value} is set aside: ${noReputation(special)}`);
}

function urlWay(value: string, host: Ip | Extract<Indicator, { kind: 'domain' }>, typed: string): Way {
  const special = host.kind === 'ip' ? specialPurposeOf(host) : null;
  if (special?.isReachable !== false) return pageWay('URL', 'url', value, typed);
  return wordsWay('URL', `The host ${host.value} is set aside: ${noReputation(special)}`);
}

const noReputation = ({ name, rfc }: { readonly name: string; readonly rfc: string }): string =>
  `${name} (${rfc}). Such addresses have no public reputation, so nothing was sent.`;

/** Reads the kinds that the indicator parser does not take, which it would report as invalid domains. */
function otherKind(typed: string): Way | null {
  const wallet = parseCrypto(typed);
  if (wallet.ok)
    return contactWay('Wallet', 'this wallet', { type: 'crypto', value: wallet.indicator.value });
  const phone = parsePhone(typed);
  if (phone.ok)
    return contactWay('Phone', 'this phone number', { type: 'phone', value: phone.indicator.value });
  if (CVE.test(typed))
    return wordsWay(
      'CVE',
      `This is a vulnerability. The dashboard has no page for it; programs ask GET /cve/${typed.toUpperCase()}. Nothing was sent.`,
    );
  const asn = ASN_START.test(typed) ? parseAsn(typed) : null;
  if (asn?.ok !== true) return null;
  return wordsWay('ASN', `Enter in the box opens the page of ${asn.indicator.value}.`, {
    kind: 'path',
    path: asnPath(asn.indicator.number),
  });
}

/** A contact is personal data: the sentence does not repeat it, and no path is made of it. */
const contactWay = (word: string, what: string, contact: Contact): Way =>
  wordsWay(word, `Enter in the box opens the page of ${what}, which stays out of paths and queries.`, {
    kind: 'contact',
    contact,
  });

const wordsWay = (word: string, sentence: string, lead?: Lead): Way => ({
  word,
  readAs: null,
  unicode: null,
  answer: { kind: 'words', sentence, ...(lead !== undefined && { lead }) },
});

function pageWay(word: string, type: PageType, value: string, typed: string): Way {
  const unicode = unicodeOf(value);
  return {
    word,
    readAs: value === typed || unicode === typed ? null : value,
    unicode,
    answer: { kind: 'page', target: { type, value } },
  };
}

/** Decodes only the labels of the name: a path may contain the same letters literally. */
function unicodeOf(value: string): string | null {
  const [name = ''] = /^(?:[a-z]+:\/\/)?[^/]*/.exec(value) ?? [];
  const shown = name.replace(/xn--[a-z0-9-]+/g, readableLabel) + value.slice(name.length);
  return shown === value ? null : shown;
}
