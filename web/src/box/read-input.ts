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
import type { PageType } from './permalink.ts';
import type { Reading, Way } from './reading.ts';

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

/** Ranges and e-mail addresses have no page, so they do not count for a list. */
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
        wordsWay(
          'E-mail',
          'E-mail addresses have no page yet; the API answers them at GET /api/check/email.',
        ),
        ...waysOf(indicator.domain, typed),
      ];
    case 'cidr': {
      const special = specialPurposeOf(indicator);
      if (special?.isReachable === false)
        return [wordsWay('Range', `${indicator.value} is set aside: ${noReputation(special)}`)];
      return [wordsWay('Range', 'A range has no page of its own; check one address of it.')];
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

/**
 * Kinds without a page, recognised so that the refusal names the kind instead of calling a phone number a bad domain.
 */
function otherKind(typed: string): Way | null {
  if (parseCrypto(typed).ok)
    return wordsWay('Wallet', 'Wallets have no page yet; the API answers them at GET /api/check/crypto.');
  if (parsePhone(typed).ok)
    return wordsWay('Phone', 'Phone numbers have no page yet; the API answers them at GET /api/check/phone.');
  if (CVE.test(typed)) return wordsWay('CVE', 'Vulnerabilities have no page and no route of the API yet.');
  if (ASN_START.test(typed) && parseAsn(typed).ok)
    return wordsWay(
      'ASN',
      'Autonomous systems have no page yet; the API answers them at GET /threat-intel/asn.',
    );
  return null;
}

const wordsWay = (word: string, sentence: string): Way => ({
  word,
  readAs: null,
  unicode: null,
  answer: { kind: 'words', sentence },
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
