import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';
import { clientAddress } from './client-address.ts';
import type { IdentifyDeps } from './identify.ts';
import { parseCredentials } from './parse-credentials.ts';

/**
 * `none`: no valid cookie. `ended`: a cookie whose session has ended. `elsewhere`: the key of the session may
 * not be used from this address, so the session can only be ended.
 */
export type FoundSession =
  | { readonly state: 'none' }
  | { readonly state: 'ended' }
  | { readonly state: 'live' | 'elsewhere'; readonly caller: Caller };
export type ReadSession = (
  request: FastifyRequest,
  /** True: the caller has just sent a valid pair, so an old cookie beside it is not counted as a guess. */
  options: { readonly isProven: boolean },
) => Promise<FoundSession>;

/** The session of a request, for routes where its absence is no failure. The rules are those of `identify`. */
export const createReadSession =
  (deps: Pick<IdentifyDeps, 'cookie' | 'sameSite' | 'findSession' | 'failures'>): ReadSession =>
  async (request, { isProven }) => {
    const credential = parseCredentials({ cookie: request.headers.cookie }, deps.cookie.name);
    // A cookie sent from another site is no credential, so that site learns and changes nothing.
    if (credential.kind !== 'session' || !deps.sameSite.isSameSite(request)) return { state: 'none' };
    const token = deps.cookie.open(credential.token);
    const session = token === null ? null : await deps.findSession(token);
    if (session !== null) {
      const isHere = session.allows === null || session.allows(clientAddress(request));
      return { state: isHere ? 'live' : 'elsewhere', caller: session.caller };
    }
    if (!isProven) await deps.failures.count(clientAddress(request));
    return { state: 'ended' };
  };
