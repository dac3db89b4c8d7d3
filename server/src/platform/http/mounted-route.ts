import { z } from 'zod';
import type { Policy } from './policy.ts';
import { type Failure, type Route, route } from './route.ts';

export type Surface = 'api' | 'web';

export type MountedRoute = {
  readonly route: Route;
  readonly policy: Policy;
  readonly surface: Surface;
  /** The path with its parameters unfilled; logs and metrics carry no other form of the address. */
  readonly template: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly accepts: readonly string[];
};

export type RouteConfig = {
  readonly policy: Policy;
  readonly surface: Surface;
  readonly route: Route;
};

const SURFACES = { api: ['api'], web: ['web'], both: ['api', 'web'] } as const;
const WEB_PREFIX = '/api';
const JSON_ONLY: readonly string[] = ['application/json'];

/** One or two addresses for each route: `/path` on the API host, `/api/path` on the web host (decisions 1.1). */
export const addressesOf = (route: Route): MountedRoute[] =>
  SURFACES[route.policy.surface].map((surface) => ({
    route,
    policy: route.policy,
    surface,
    template: surface === 'web' ? `${WEB_PREFIX}${route.path}` : route.path,
    headers: fixedHeaders(route),
    accepts: route.accepts ?? JSON_ONLY,
  }));

/** Set first, so that a handler may replace them; a cacheable route sets its own Cache-Control. */
function fixedHeaders({ policy, produces }: Route): (readonly [string, string])[] {
  const headers: (readonly [string, string])[] = [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
  ];
  if (policy.auth !== 'public') headers.push(['cache-control', 'private, no-store']);
  // Answers that differ by credential must not share a cache entry (reliability 3.X, cache poisoning).
  if (policy.auth === 'optional' || policy.auth === 'lenient')
    headers.push(['vary', 'authorization, cookie, origin, x-api-key']);
  if (policy.deprecated !== undefined)
    headers.push(
      // RFC 9745 asks for a structured-field date, RFC 8594 for an HTTP date.
      ['deprecation', `@${Math.floor(instant(policy.deprecated.at) / 1_000)}`],
      ['sunset', new Date(instant(policy.deprecated.sunset)).toUTCString()],
    );
  if (produces !== undefined) headers.push(['content-type', produces]);
  return headers;
}

/** Finds the error form of an address by the path that it lies below; undefined where no form is special. */
export function failuresBelow(routes: readonly Route[]): (url: string) => Failure | undefined {
  const roots = routes
    .flatMap(addressesOf)
    .flatMap(({ route: { failure }, template }) =>
      failure === undefined || template.includes(':') ? [] : [{ failure, template }],
    );
  return (url) =>
    roots.find(({ template }) => url.startsWith(template) && /^([/?]|$)/.test(url.slice(template.length)))
      ?.failure;
}

/** Stands for every unknown address, so that misses are logged and counted like other requests. */
export const UNROUTED: MountedRoute = {
  route: route({
    method: 'GET',
    path: '(none)',
    summary: 'No route.',
    tags: [],
    policy: {
      surface: 'api',
      auth: 'public',
      plan: 'any',
      meter: 'none',
      bodyMax: 0,
      deadlineMs: 0,
      class: 'E',
      since: '',
    },
    reply: z.unknown(),
    handle: () => undefined,
  }),
  get policy() {
    return this.route.policy;
  },
  surface: 'api',
  template: '(none)',
  headers: [],
  accepts: [],
};

function instant(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`'${text}' in a route's policy.deprecated is not a date.`);
  return ms;
}
