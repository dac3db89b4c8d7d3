import type { CheckTarget } from './check-state.ts';

export type PageType = CheckTarget['type'];

const PAGE_TYPES: ReadonlyMap<string, PageType> = new Map(
  (['ip', 'domain', 'url', 'hash'] as const).map((type) => [type, type]),
);

export const pageTypeOf = (pathname: string): PageType =>
  PAGE_TYPES.get(pathname.split('/')[1] ?? '') ?? 'domain';

/** Public IPv4 addresses, except those in a first octet that contains any private or reserved range. */
const ORDINARY_IPV4 =
  /^(?!(?:0|10|100|127|169|172|192|198|203|22[4-9]|23\d|24\d|25[0-5])\.)(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/;
const NAME = /^(?=.{1,253}$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+[a-z]{2,63}$/;

/**
 * True when the text is certainly canonical and of the type in the path, so that the check can start before the parser
 * is loaded. In doubt it waits for the parser: a check of a non-canonical spelling would be charged a second time.
 */
export function isPlain(type: PageType, raw: string): boolean {
  switch (type) {
    case 'ip':
      return ORDINARY_IPV4.test(raw);
    case 'hash':
      return HASH.test(raw);
    case 'domain':
      return NAME.test(raw) && !raw.includes('xn--');
    case 'url':
      return isPlainUrl(raw);
  }
}

function isPlainUrl(raw: string): boolean {
  if (!/^https?:\/\/[\w.~:/?&=-]+$/.test(raw) || !URL.canParse(raw)) return false;
  const url = new URL(raw);
  return url.href === raw && NAME.test(url.hostname) && !raw.includes('xn--');
}
