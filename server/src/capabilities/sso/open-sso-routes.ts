import type { OpenSessionDeps } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Secrets } from '#platform/secrets.ts';
import { createFlowCookie, type FlowCookie } from './flow-cookie.ts';
import type { Sso } from './sso.ts';
import { createSsoThrottle, type SsoThrottle } from './throttle.ts';

/** What the routes of single sign-on work with. Only `sso` reaches across accounts. */
export type SsoRoutesDeps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly sso: Sso;
  readonly cookie: FlowCookie;
  readonly throttle: SsoThrottle;
  readonly session: OpenSessionDeps;
  /** Without a slash at its end. */
  readonly webUrl: string;
};

export const openSsoRoutes = (
  options: Pick<SsoRoutesDeps, 'clock' | 'log' | 'sso' | 'session'> &
    Parameters<typeof createSsoThrottle>[0] & { readonly secrets: Secrets; readonly publicWebUrl: string },
): SsoRoutesDeps => ({
  clock: options.clock,
  log: options.log,
  sso: options.sso,
  session: options.session,
  cookie: createFlowCookie(options.publicWebUrl, options.secrets),
  throttle: createSsoThrottle(options),
  webUrl: withoutSlash(options.publicWebUrl),
});

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/** The redirect URI of every organization. It comes from the configuration alone. */
export const callbackUrlOf = (publicWebUrl: string): string =>
  `${withoutSlash(publicWebUrl)}/api/auth/sso/callback`;
