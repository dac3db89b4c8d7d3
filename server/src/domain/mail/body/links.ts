import { type Domain, type Ip, parseIndicator, platformSuffix, type Url } from '../../indicator/index.ts';
import { skeletonOf } from '../../lookalike/index.ts';
import type { LinkWay, RawLink } from './read-html.ts';

export type LinkFact = {
  /** The canonical URL; only its first characters if it is too long. */
  readonly url: string;
  /** Null when only the host could be read. */
  readonly indicator: Url | null;
  readonly host: Domain | Ip;
  readonly way: LinkWay;
  readonly anchorText: string | null;
  /** The domain that the text of the link shows; null where it shows none. */
  readonly shownDomain: string | null;
  /** The shown domain belongs to another organization than the target. */
  readonly isMismatch: boolean;
  readonly hasCredentials: boolean;
  /** The host has letters of other alphabets that make it look like another name. */
  readonly isHomograph: boolean;
  readonly isPunycode: boolean;
  readonly origin: Origin | null;
  readonly originName: string | null;
};
export type Origin = 'attached_message' | 'attachment';

const URL_SHOWN_MAX = 2_048;
const SCHEME = /^(?:https?|ftp):/i;
const SHOWN_HOST =
  /^(?:https?:\/\/)?(?:www\.)?([a-z0-9\u0080-\uffff-]{1,63}(?:\.[a-z0-9\u0080-\uffff-]{1,63}){1,8})(?:[/:?#\s]|$)/i;
const CREDENTIALS = /^[a-z]{3,5}:\/\/[^/?#@]{1,500}@/i;

/** The name that one organization registered, by the public suffix list with its private section (O16). */
export function organizationOf(host: Domain | Ip): string {
  if (host.kind === 'ip') return host.value;
  const platform = platformSuffix(host.value);
  if (platform === null || host.value === platform) return host.registrable ?? host.value;
  const below = host.value.slice(0, -platform.length - 1).split('.');
  return `${below.at(-1) ?? ''}.${platform}`;
}

/** Browsers ignore tabs and line breaks in an address, and read a backslash as a slash. */
const cleaned = (target: string): string => target.replace(/[\t\r\n]/g, '').replaceAll('\\', '/');

function hostOnly(text: string): Domain | Ip | null {
  const host = /^[a-z]{3,5}:\/{2}(?:[^/?#@]{0,500}@)?(\[[0-9a-f:.]{2,45}\]|[^/?#:]{1,253})/i.exec(text)?.[1];
  const parsed = host === undefined ? null : parseIndicator(`http://${host}/`);
  return parsed?.ok && parsed.indicator.kind === 'url' ? parsed.indicator.host : null;
}

/** Reads one link. `unread`: a web address with an unreadable host, so nothing is known of it. Null: no web address. */
export function readLink(
  { target, way, anchorText }: RawLink,
  from: Pick<LinkFact, 'origin' | 'originName'>,
): LinkFact | 'unread' | null {
  const text = cleaned(target.trim()).replace(/^\/\//, 'http://');
  if (!SCHEME.test(text)) return null;
  const parsed = text.length <= URL_SHOWN_MAX ? parseIndicator(text) : null;
  const indicator = parsed?.ok && parsed.indicator.kind === 'url' ? parsed.indicator : null;
  const host = indicator?.host ?? hostOnly(text);
  if (host === null) return 'unread';
  const shown = shownDomainOf(anchorText);
  const isPunycode = host.kind === 'domain' && host.value.includes('xn--');
  return {
    url: (indicator?.value ?? text).slice(0, URL_SHOWN_MAX),
    indicator,
    host,
    way,
    anchorText,
    shownDomain: shown?.value ?? null,
    isMismatch: shown !== null && organizationOf(shown) !== organizationOf(host),
    hasCredentials: CREDENTIALS.test(text),
    isHomograph: isPunycode && isLatinLook(host.value),
    isPunycode,
    ...from,
  };
}

/** True if a Punycode label looks like plain Latin letters, as its skeleton shows. */
const isLatinLook = (host: string): boolean =>
  host.split('.').some((label) => label.startsWith('xn--') && /^[a-z0-9-]+$/.test(skeletonOf(label)));

function shownDomainOf(anchorText: string | null): Domain | null {
  if (anchorText === null) return null;
  const found = SHOWN_HOST.exec(anchorText.trim())?.[1];
  if (found === undefined) return null;
  const parsed = parseIndicator(found);
  return parsed.ok && parsed.indicator.kind === 'domain' && parsed.indicator.registrable !== null
    ? parsed.indicator
    : null;
}
