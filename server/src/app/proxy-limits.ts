import type { Route } from '#platform/http/route.ts';

const MIB = 1_048_576;
/** A proxy waits this much longer than the service works, so that the service answers first. */
const MARGIN_S = 5;
/** Routes that may work longer than this before their first byte have a place of their own in the files of the proxies. */
const ORDINARY_MAX_S = 60;
/** A stream has no deadline; this is how long it may be silent. The service sends a heartbeat more often. */
const SILENCE_MAX_S = 3_600;

/** What the file of a proxy has to let through, as the route table says. */
export type ProxyLimits = {
  readonly bodyMaxMib: number;
  readonly bodyRoute: string;
  readonly answerMaxS: number;
  readonly answerRoute: string;
  /** Regular expressions of the paths of routes that may work longer. */
  readonly slowPaths: string;
  readonly slowMaxS: number;
  readonly streamPaths: string;
};

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const secondsOf = ({ policy }: Route): number => Math.ceil(policy.deadlineMs / 1_000);
const SURFACE = { api: '', web: '/api', both: '(/api)?' } as const;

/** The address of a route as a regular expression that nginx, HAProxy and Caddy read alike. */
const patternOf = ({ path, policy }: Route): string =>
  `${SURFACE[policy.surface]}${path.replace(/:\w+/g, '[^/]+').replace(/\./g, '[.]')}`;
const patternsOf = (routes: readonly Route[]): string =>
  `^(${[...new Set(routes.map(patternOf))].sort().join('|')})$`;

const largest = (routes: readonly Route[], sizeOf: (route: Route) => number): Route => {
  const [first, ...rest] = routes;
  if (first === undefined) throw new Error('There is no such route.');
  return rest.reduce((most, route) => (sizeOf(route) > sizeOf(most) ? route : most), first);
};

/** The limits of every proxy of deploy, from the route table. */
export function proxyLimitsOf(routes: readonly Route[]): ProxyLimits {
  const streams = routes.filter(({ produces }) => produces === 'text/event-stream');
  const answers = routes.filter((route) => !streams.includes(route));
  const slow = answers.filter((route) => secondsOf(route) > ORDINARY_MAX_S);
  const ordinary = answers.filter((route) => !slow.includes(route));
  const withBody = largest(
    routes.filter(({ body }) => body !== undefined),
    ({ policy }) => policy.bodyMax,
  );
  const longest = largest(ordinary, secondsOf);
  return {
    bodyMaxMib: Math.ceil(withBody.policy.bodyMax / MIB),
    bodyRoute: nameOf(withBody),
    answerMaxS: secondsOf(longest),
    answerRoute: nameOf(longest),
    slowPaths: patternsOf(slow),
    slowMaxS: secondsOf(largest(slow, secondsOf)),
    streamPaths: patternsOf(streams),
  };
}

/** Lines between the marks of a file of deploy, by the name of the mark. */
export type ProxySections = Readonly<Record<string, readonly string[]>>;

const bodyNote = ({ bodyMaxMib, bodyRoute }: ProxyLimits): string =>
  `# The largest body of the API is ${bodyMaxMib} MiB (${bodyRoute}); smaller limits are the routes' own.`;
const answerNote = ({ answerMaxS, answerRoute }: ProxyLimits): string =>
  `# Longer than an ordinary route works, which is ${answerMaxS} s at most (${answerRoute}).`;
const slowNote = ({ slowMaxS }: ProxyLimits): string =>
  `# Downloads of files: the service may work ${slowMaxS} s before and between their bytes.`;
const STREAM_NOTE =
  '# Event streams: every event is passed on at once, and a stream may stay silent between heartbeats.';

export const nginxSections = (limits: ProxyLimits): ProxySections => ({
  limits: [
    bodyNote(limits),
    `client_max_body_size ${limits.bodyMaxMib}m;`,
    answerNote(limits),
    `proxy_read_timeout ${limits.answerMaxS + MARGIN_S}s;`,
  ],
  paths: [
    slowNote(limits),
    `location ~ ${limits.slowPaths} {`,
    `    proxy_read_timeout ${limits.slowMaxS + MARGIN_S}s;`,
    '    proxy_pass http://assay;',
    '}',
    STREAM_NOTE,
    `location ~ ${limits.streamPaths} {`,
    '    proxy_buffering off;',
    `    proxy_read_timeout ${SILENCE_MAX_S}s;`,
    '    proxy_pass http://assay;',
    '}',
  ],
});

export const haproxySections = (limits: ProxyLimits): ProxySections => ({
  body: [bodyNote(limits), `acl is_too_large req.body_size gt ${limits.bodyMaxMib * MIB}`],
  paths: [
    slowNote(limits),
    `acl is_slow path_reg ${limits.slowPaths}`,
    STREAM_NOTE,
    `acl is_stream path_reg ${limits.streamPaths}`,
  ],
  answer: [answerNote(limits), `timeout server ${limits.answerMaxS + MARGIN_S}s`],
  slow: [slowNote(limits), `timeout server ${limits.slowMaxS + MARGIN_S}s`],
  stream: [STREAM_NOTE, `timeout server ${SILENCE_MAX_S}s`],
});

export const caddySections = (limits: ProxyLimits): ProxySections => ({
  limits: [
    bodyNote(limits),
    'request_body {',
    `    max_size ${limits.bodyMaxMib}MiB`,
    '}',
    slowNote(limits),
    `@slow path_regexp ${limits.slowPaths}`,
    'handle @slow {',
    `    import nodes ${limits.slowMaxS + MARGIN_S}s`,
    '}',
    STREAM_NOTE,
    `@stream path_regexp ${limits.streamPaths}`,
    'handle @stream {',
    `    import nodes ${SILENCE_MAX_S}s`,
    '}',
    answerNote(limits),
    'handle {',
    `    import nodes ${limits.answerMaxS + MARGIN_S}s`,
    '}',
  ],
});
