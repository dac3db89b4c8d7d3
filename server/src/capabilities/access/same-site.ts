import type { FastifyRequest } from 'fastify';

export type SameSite = {
  /** The origin of the dashboard, the only one that may change anything with a session. */
  readonly webOrigin: string;
  readonly isSameSite: (request: HeadersAndMethod) => boolean;
  /** True for an unsafe method that is not proven to come from the dashboard (contract trap 66). */
  readonly isForged: (request: HeadersAndMethod) => boolean;
  /** True where a browser says that a page of another origin sent the request; programs say nothing. */
  readonly isElsewhere: (request: HeadersAndMethod) => boolean;
};

type HeadersAndMethod = Pick<FastifyRequest, 'headers' | 'method'>;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

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
      // Browsers send the origin with every unsafe request. A sibling host is same-site, but not the dashboard.
      return headers.origin === undefined
        ? headers['sec-fetch-site'] !== 'same-origin'
        : headers.origin !== web.origin;
    },
    isElsewhere: ({ headers }) => {
      const site = headers['sec-fetch-site'];
      if (headers.origin !== undefined) return headers.origin !== web.origin;
      return site !== undefined && site !== 'same-origin' && site !== 'none';
    },
  };
}
