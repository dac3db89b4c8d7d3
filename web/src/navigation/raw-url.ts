const RAW = /^\/url\/([a-z][a-z+.-]*:\/.*)$/is;

/**
 * A SIEM may link to `/url/` with a raw URL. It is encoded into one segment before the router reads it, because the
 * router would collapse the double slashes and take the URL's query for its own.
 */
export function keepRawUrl({ url }: { readonly url: URL }): URL | undefined {
  const raw = RAW.exec(url.pathname)?.[1];
  if (raw === undefined) return undefined;
  const kept = new URL(url);
  kept.pathname = `/url/${encodeURIComponent(raw + url.search)}`;
  kept.search = '';
  return kept;
}
