import { getDomain } from 'tldts';
import type { CanonicalHost } from './canonical-host.ts';
import { canonicalUrl } from './canonical-url.ts';

/** Parent names that are tried besides the host itself. */
const PARENTS_MAX = 4;
/** Folders that are tried: the root and three below it. */
const FOLDERS_MAX = 4;
const SUFFIX_RULES = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
} as const;

/**
 * Every text under which a list of the Safe Browsing type may hold a URL, most exact first: at most 5 hosts by 6
 * paths. Empty when the text is not a URL.
 */
export function urlExpressions(url: string): readonly string[] {
  const canonical = canonicalUrl(url);
  if (canonical === null) return [];
  const paths = pathsOf(canonical.path, canonical.query);
  return hostsOf(canonical.host).flatMap((host) => paths.map((path) => `${host}${path}`));
}

/** The most exact expression, which is the same for every spelling of a page. Null when the text is not a URL. */
export function exactExpression(url: string): string | null {
  const canonical = canonicalUrl(url);
  if (canonical === null) return null;
  const { host, path, query } = canonical;
  return `${host.text}${path}${query === null ? '' : `?${query}`}`;
}

/**
 * The host itself and its nearest parents, down to the registrable name. The private section of the suffix list counts:
 * the names below github.io have different owners, and a listing of github.io itself would condemn them all.
 */
function hostsOf({ text, isAddress }: CanonicalHost): readonly string[] {
  const registrable = isAddress ? null : getDomain(text, SUFFIX_RULES);
  if (registrable === null) return [text];
  const labels = text.slice(0, -registrable.length).split('.').slice(0, -1).reverse();
  const parents = [registrable];
  for (const label of labels) parents.push(`${label}.${parents.at(-1)}`);
  return [...new Set([text, ...parents.slice(0, PARENTS_MAX).reverse()])];
}

function pathsOf(path: string, query: string | null): readonly string[] {
  const folders = ['/'];
  for (const segment of path.split('/').slice(1, -1)) folders.push(`${folders.at(-1)}${segment}/`);
  const exact = query === null ? [path] : [`${path}?${query}`, path];
  return [...new Set([...exact, ...folders.slice(0, FOLDERS_MAX).reverse()])];
}
