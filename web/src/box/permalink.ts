export type PageType = 'ip' | 'domain' | 'url' | 'hash';
export type Target = { readonly type: PageType; readonly value: string };

/**
 * The path of an indicator's page below the dashboard's base. Not encoded by the router's `params`, which collapse the
 * two slashes of `https://` into one. Colons of an IPv6 address stay, so that people can type it.
 */
export const permalinkOf = ({ type, value }: Target): string => {
  const encoded = encodeURIComponent(value);
  return `/${type}/${type === 'ip' ? encoded.replaceAll('%3A', ':') : encoded}`;
};

/** Paths of the pages around an indicator. A range keeps its slash, so that people can type it. */
export const asnPath = (asn: number): string => `/asn/${asn}`;
export const networkPath = (cidr: string): string => `/network/${cidr}`;
export const sourcePath = (id: string): string => `/source/${encodeURIComponent(id)}`;
export const familyPath = (name: string): string => `/family/${encodeURIComponent(name)}`;
