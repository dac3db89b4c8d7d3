import type { FastifyRequest } from 'fastify';

export type SameSite = {
  /** Where the dashboard is: the only origin that may change anything with a session. */
  readonly webOrigin: string;
  /** True when the browser says the request comes from our own site. */
  readonly isSameSite: (request: HeadersAndMethod) => boolean;
  /** True for an unsafe method that is not provably the dashboard's own doing (contract trap 66). */
  readonly isForged: (request: HeadersAndMethod) => boolean;
};

type HeadersAndMethod = Pick<FastifyRequest, 'headers' | 'method'>;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Decisions 1.3.4: what a session cookie may be used from. */
export function createSameSite(publicWebUrl: string): SameSite {
  const web = new URL(publicWebUrl);
  return {
    webOrigin: web.origin,
    isSameSite: ({ headers }) => {
      const site = headers['sec-fetch-site'];
      return site === 'same-origin' || site === 'same-site' || headers.origin === web.origin;
    },
    isForged: ({ headers, method }) => {
      if (SAFE_METHODS.has(method)) return false;
      // Browsers name the origin of every unsafe request. A sibling host is same-site and still not the dashboard.
      return headers.origin === undefined
        ? headers['sec-fetch-site'] !== 'same-origin'
        : headers.origin !== web.origin;
    },
  };
}
