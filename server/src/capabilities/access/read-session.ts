import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';
import { clientAddress } from './client-address.ts';
import type { IdentifyDeps } from './identify.ts';
import { parseCredentials } from './parse-credentials.ts';

/**
 * `none`: no cookie that counts. `ended`: a cookie of ours that opens nothing any more. `elsewhere`: the key that opened
 * it may not be used from here, so nothing but ending it is possible.
 */
export type FoundSession =
  | { readonly state: 'none' }
  | { readonly state: 'ended' }
  | { readonly state: 'live' | 'elsewhere'; readonly caller: Caller };
export type ReadSession = (
  request: FastifyRequest,
  /** True: the caller has just shown a right pair, so an old cookie beside it is no guess to be counted. */
  options: { readonly isProven: boolean },
) => Promise<FoundSession>;

/** The session a request carries, for the routes where having none is no failure. The rules are those of the door. */
export const createReadSession =
  (deps: Pick<IdentifyDeps, 'cookieName' | 'sameSite' | 'findSession' | 'failures'>): ReadSession =>
  async (request, { isProven }) => {
    const credential = parseCredentials({ cookie: request.headers.cookie }, deps.cookieName);
    // From another site a cookie is no credential: whoever sends the browser here learns and changes nothing.
    if (credential.kind !== 'session' || !deps.sameSite.isSameSite(request)) return { state: 'none' };
    const session = await deps.findSession(credential.token);
    if (session !== null) {
      const isHere = session.allows === null || session.allows(clientAddress(request));
      return { state: isHere ? 'live' : 'elsewhere', caller: session.caller };
    }
    if (!isProven) deps.failures.count(clientAddress(request));
    return { state: 'ended' };
  };
