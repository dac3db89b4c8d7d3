import { type CanonicalHost, canonicalHost } from './canonical-host.ts';
import { escapeBytes, unescapeBytes, utf8Bytes } from './percent-bytes.ts';

/** Without port, user name and fragment, which these lists ignore. */
export type CanonicalUrl = {
  readonly scheme: string;
  readonly host: CanonicalHost;
  readonly path: string;
  readonly query: string | null;
};

const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;

/**
 * A URL as lists of the Safe Browsing type write it (public specification, "URLs and Hashing"). It is split into
 * parts before anything is decoded, as browsers do, so `%2F` in a host or `%3F` in a path moves no boundary. Null
 * without a host.
 */
export function canonicalUrl(text: string): CanonicalUrl | null {
  const clean = text.replace(/^ +|(?<! ) +$/g, '').replace(/[\t\r\n]/g, '');
  const [whole = ''] = clean.split('#', 1);
  const scheme = SCHEME.exec(whole);
  const rest = scheme === null ? whole : whole.slice(scheme[0].length);
  const [before, query] = cutAt(rest, '?');
  const slash = before.indexOf('/');
  const authority = slash < 0 ? before : before.slice(0, slash);
  const host = canonicalHost(authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, ''));
  if (host === null) return null;
  return {
    scheme: scheme?.[1]?.toLowerCase() ?? 'http',
    host,
    path: escapeBytes(resolvePath(unescapeBytes(utf8Bytes(slash < 0 ? '/' : before.slice(slash))))),
    query: query === null ? null : escapeBytes(unescapeBytes(utf8Bytes(query))),
  };
}

function cutAt(text: string, mark: string): readonly [string, string | null] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

/** Resolves `/./` and `/../` first, then runs of slashes, in the order of the specification. */
function resolvePath(path: string): string {
  const kept: string[] = [];
  const segments = path.slice(1).split('/');
  for (const [i, segment] of segments.entries()) {
    const isLast = i === segments.length - 1;
    if (segment === '..') kept.pop();
    else if (segment !== '.') {
      kept.push(segment);
      continue;
    }
    if (isLast) kept.push('');
  }
  return `/${kept.join('/')}`.replace(/\/{2,}/g, '/');
}
