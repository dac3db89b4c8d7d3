/** The kinds of indicator that have a page. */
export type PageType = 'ip' | 'domain' | 'url' | 'hash';
export type Target = { readonly type: PageType; readonly value: string };

/**
 * The page of an indicator, below the base of the dashboard. Encoded here and not by the router's `params`: that one
 * joins the two slashes of `https://` into one. The colons of an IPv6 address stay, so that people can type it.
 */
export const permalinkOf = ({ type, value }: Target): string => {
  const encoded = encodeURIComponent(value);
  return `/${type}/${type === 'ip' ? encoded.replaceAll('%3A', ':') : encoded}`;
};
