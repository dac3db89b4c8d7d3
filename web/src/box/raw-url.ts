/** `/url/` and then a URL as people write it, its scheme not encoded. */
const RAW = /^\/url\/([a-z][a-z+.-]*:\/.*)$/is;

/**
 * A SIEM may put a URL into the address of its page as it is. It becomes one encoded segment before the router reads it:
 * the router would join its double slashes and read its query as one of ours.
 */
export function keepRawUrl({ url }: { readonly url: URL }): URL | undefined {
  const raw = RAW.exec(url.pathname)?.[1];
  if (raw === undefined) return undefined;
  const kept = new URL(url);
  kept.pathname = `/url/${encodeURIComponent(raw + url.search)}`;
  kept.search = '';
  return kept;
}
