import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MountedRoute } from './mounted-route.ts';
import type { Policy } from './policy.ts';

/** Every page that may call the API may read the limit headers (decisions 1.5). */
export const LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Type',
  'X-RateLimit-Plan',
  'X-Monthly-Usage',
  'X-Monthly-Limit',
  'X-Monthly-Percentage',
  'X-Scan-Usage',
  'X-Scan-Limit',
  'Retry-After',
] as const;
const EXPOSED = [
  ...LIMIT_HEADERS,
  'X-Request-Id',
  'X-Total-Count',
  'X-Replica-Age',
  'X-Assay-Target',
  'X-Assay-Loaded',
  'X-Assay-Ignored',
  'X-Assay-Adjusted',
  'X-Meter-Mode',
  'X-Blocklist-Variant',
  'X-Blocklist-Entries',
  'X-Blocklist-Audience',
  'X-Blocklist-Left-Out',
  'X-Blocklist-Since',
  'X-List-Stale',
  'ETag',
  'Content-Range',
  'Accept-Ranges',
  'Link',
  'Deprecation',
  'Sunset',
].join(', ');
const PUBLIC_REQUEST_HEADERS = 'Accept, Add-Padding, Content-Type, If-None-Match, Last-Event-ID';
const WEB_REQUEST_HEADERS =
  'Accept, Add-Padding, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-API-KEY, X-CSRF-Token, X-License-Key';
const PREFLIGHT_MAX_AGE_S = '600';

/** `anyone`: no credential is involved. `web`: the dashboard's origin only. `either`: by the origin (G58). */
type Rule = 'anyone' | 'web' | 'either';

function ruleOf(method: string, policy: Policy): Rule {
  if (method !== 'GET') return 'web';
  if (policy.auth === 'public') return 'anyone';
  return policy.auth === 'optional' || policy.auth === 'lenient' ? 'either' : 'web';
}

/** Keys must not be used in browsers, so a key route only allows the dashboard's own origin (G58). */
export function createCors(publicWebUrl: string) {
  const webOrigin = new URL(publicWebUrl).origin;
  const allow = (rule: Rule, origin: string | undefined, reply: FastifyReply): 'anyone' | 'web' | null => {
    if (rule !== 'anyone' && origin === webOrigin) {
      reply.header('access-control-allow-origin', webOrigin);
      reply.header('access-control-allow-credentials', 'true');
      reply.header('vary', withOrigin(reply.getHeader('vary')));
      return 'web';
    }
    if (rule === 'web') return null;
    reply.header('access-control-allow-origin', '*');
    return 'anyone';
  };
  return {
    /** On routes that only the dashboard may call, a request without an Origin gets no CORS headers. */
    forRoute: (mounted: MountedRoute): ((request: FastifyRequest, reply: FastifyReply) => void) => {
      const rule = ruleOf(mounted.route.method, mounted.policy);
      return (request, reply) => {
        const origin = request.headers.origin;
        if (origin === undefined && rule === 'web') return;
        if (allow(rule, origin, reply) !== null) reply.header('access-control-expose-headers', EXPOSED);
      };
    },
    /** OPTIONS always answers 204; the headers tell the browser what it may send. */
    preflight: (routes: readonly MountedRoute[]) => {
      const allowed = allowHeader(routes.map((mounted) => mounted.route.method));
      return (request: FastifyRequest, reply: FastifyReply): void => {
        const asked = request.headers['access-control-request-method'];
        const target = routes.find(({ route }) => route.method === (asked === 'HEAD' ? 'GET' : asked));
        reply.header('allow', allowed).header('vary', 'origin, access-control-request-method');
        const answer =
          target && allow(ruleOf(target.route.method, target.policy), request.headers.origin, reply);
        if (answer)
          reply
            .header('access-control-allow-methods', allowed)
            .header(
              'access-control-allow-headers',
              answer === 'web' ? WEB_REQUEST_HEADERS : PUBLIC_REQUEST_HEADERS,
            )
            .header('access-control-max-age', PREFLIGHT_MAX_AGE_S);
        reply.code(204).send();
      };
    },
  };
}

/** The `Allow` header of an address: its methods and those they imply, sorted. */
export function allowHeader(methods: readonly string[]): string {
  const all = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
  return [...all].sort().join(', ');
}

function withOrigin(vary: number | string | readonly string[] | undefined): string {
  const named = String(vary ?? '');
  if (named === '') return 'origin';
  return /\borigin\b/.test(named) ? named : `${named}, origin`;
}
