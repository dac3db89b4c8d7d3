import { finished, type Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { counter } from './metrics.ts';
import { ACCEPT_ENCODING, boundedBody } from './outbound/body.ts';
import { guardedConnector } from './outbound/connector.ts';
import { type Deadline, inTime, startDeadline } from './outbound/deadline.ts';
import { addressPolicy } from './outbound/guard.ts';
import { asOutboundError, OutboundError } from './outbound/outbound-error.ts';
import { type AddressPolicy, checkTarget, type Scheme } from './outbound/target.ts';
import { parseProxy } from './outbound/tunnel.ts';

export { isUnresolvedForNow, OutboundError, type OutboundReason } from './outbound/outbound-error.ts';
export { specialPurpose } from './outbound/special-purpose.ts';

export type OutboundOptions = {
  readonly log: Log;
  readonly clock: Clock;
  /** `ADDRESS/BITS:PORT`: lets a test reach its own servers. Production never sets it. */
  readonly allow?: readonly string[];
  readonly dnsServers?: readonly string[];
  /** CIDRs that no request reaches, `allow` or not. */
  readonly deny?: readonly string[];
  /** URL of an HTTP CONNECT proxy through which requests leave. */
  readonly proxy?: string;
  /** PEM certificates trusted besides the system's: those of test servers, or of a company's own authority. */
  readonly authorities?: readonly string[];
  /** Connections to one host at once; 16 when absent. */
  readonly connectionsPerOrigin?: number;
};

export type FetchOptions = {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Covers the whole exchange: name resolution, connection, redirects, headers and the last byte of the body. */
  readonly deadlineMs: number;
  /** The limit of the body, both compressed and unpacked. */
  readonly bytesMax: number;
  readonly headersMax?: number;
  readonly ratioMax?: number;
  /** The number of redirects to follow, each checked again; none when absent. Only GET and HEAD follow redirects. */
  readonly redirects?: number;
  /** Returns false for a redirect that should not be followed; the redirect itself is then the answer. */
  readonly mayFollow?: (next: URL) => boolean;
  readonly schemes?: readonly Scheme[];
  readonly ports?: readonly number[];
  readonly etag?: string | null;
  readonly lastModified?: string | null;
  readonly signal?: AbortSignal;
};

export type Fetched = {
  readonly status: number;
  readonly url: string;
  /** Names in lower case; repeated headers are joined by a comma. Cookies are dropped. */
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly isNotModified: boolean;
  /** Unpacked and bounded; fails with an `OutboundError` past a limit. Read it or destroy it. */
  readonly body: Readable;
  readonly bytes: () => Promise<Buffer>;
  readonly text: () => Promise<string>;
};

export type Outbound = {
  readonly fetch: (url: string | URL, options: FetchOptions) => Promise<Fetched>;
  readonly close: () => Promise<void>;
};

const HEADERS_MAX = 16 * 1024;
const RATIO_MAX = 100;
const PORTS = [443, 80, 8443];
const CONNECTIONS_PER_ORIGIN = 16;
const USER_AGENT = 'Assay/0.1 (+self-hosted reputation service)';
/** Headers that we set ourselves, or that could smuggle a second request or an identity. */
const FORBIDDEN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|cookie|proxy-.*|keep-alive)$/i;
const REDIRECT_STATUS = new Set([301, 302, 303, 307, 308]);

const requests = counter({
  name: 'outbound_requests_total',
  help: 'Outbound requests by outcome.',
  labels: ['outcome'],
});

/** The only way to connect to a host that another party named (reliability 3.S). */
export function createOutbound(options: OutboundOptions): Outbound {
  const policy = addressPolicy(options);
  const egress = options.proxy === undefined ? {} : { egress: parseProxy(options.proxy) };
  const agents = new Map<number, Agent>();
  const agentFor = (headersMax: number): Agent => {
    const known = agents.get(headersMax);
    if (known !== undefined) return known;
    const agent = new Agent({
      connect: guardedConnector({ policy, ...options, ...egress }),
      maxHeaderSize: headersMax,
      connections: options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      allowH2: false,
      // The deadline of each call decides, so the driver's own timeouts are off.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    agents.set(headersMax, agent);
    return agent;
  };
  return {
    fetch: async (url, fetchOptions) => {
      const deadline = startDeadline(fetchOptions);
      try {
        const fetched = await follow(
          policy,
          agentFor(fetchOptions.headersMax ?? HEADERS_MAX),
          url,
          fetchOptions,
          deadline,
        );
        requests.inc({ outcome: 'answered' });
        return fetched;
      } catch (error) {
        deadline.end();
        const failure = deadline.reason() ?? asOutboundError(error);
        requests.inc({ outcome: failure.reason });
        options.log.debug({ reason: failure.reason, err: failure }, 'outbound.failed');
        throw failure;
      }
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

async function follow(
  policy: AddressPolicy,
  agent: Agent,
  start: string | URL,
  options: FetchOptions,
  deadline: Deadline,
): Promise<Fetched> {
  const rules = { schemes: options.schemes ?? (['https'] as const), ports: options.ports ?? PORTS };
  const method = options.method ?? 'GET';
  const isRepeatable = method === 'GET' || method === 'HEAD';
  const redirectsMax = isRepeatable ? (options.redirects ?? 0) : 0;
  let url = checkTarget(start, rules, policy);
  const origin = url.origin;
  for (let followed = 0; ; followed += 1) {
    deadline.signal.throwIfAborted();
    // The driver checks the signal only once it is connected.
    const response = await inTime(
      agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: requestHeaders(options, url.origin === origin),
        body: options.body ?? null,
        signal: deadline.signal,
      }),
      deadline.signal,
    );
    const location = REDIRECT_STATUS.has(response.statusCode) ? headerOf(response.headers, 'location') : null;
    if (location === null || redirectsMax === 0) return present(url, response, options, deadline);
    const next = URL.parse(location, url);
    if (next !== null && options.mayFollow?.(next) === false)
      return present(url, response, options, deadline);
    response.body.on('error', () => undefined).destroy();
    if (followed >= redirectsMax) throw new OutboundError('redirect', `More than ${redirectsMax} redirects.`);
    if (next === null) throw new OutboundError('redirect', 'The redirect leads to no URL.');
    url = checkTarget(next, rules, policy);
  }
}

function requestHeaders(options: FetchOptions, isSameOrigin: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': USER_AGENT,
    accept: '*/*',
    'accept-encoding': ACCEPT_ENCODING,
  };
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (FORBIDDEN_HEADERS.test(name)) throw new Error(`The header '${name}' cannot be set on a request.`);
    // Headers for one host (keys, tokens) are not sent to another.
    if (isSameOrigin) headers[name.toLowerCase()] = value;
  }
  if (typeof options.etag === 'string') headers['if-none-match'] = options.etag;
  if (typeof options.lastModified === 'string') headers['if-modified-since'] = options.lastModified;
  return headers;
}

function present(
  url: URL,
  response: Dispatcher.ResponseData,
  options: FetchOptions,
  deadline: Deadline,
): Fetched {
  const headers = plainHeaders(response.headers);
  const limits = { bytesMax: options.bytesMax, ratioMax: options.ratioMax ?? RATIO_MAX };
  if (Number(headers['content-length'] ?? 0) > options.bytesMax && options.method !== 'HEAD') {
    response.body.on('error', () => undefined).destroy();
    throw new OutboundError('too_large', `The body is larger than ${options.bytesMax} bytes.`);
  }
  const isEmpty = options.method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304;
  const body = boundedBody(response.body, isEmpty ? '' : (headers['content-encoding'] ?? ''), limits);
  const abort = () => body.destroy(deadline.reason() ?? undefined);
  deadline.signal.addEventListener('abort', abort, { once: true });
  finished(body, () => {
    deadline.signal.removeEventListener('abort', abort);
    deadline.end();
  });
  // An unread answer that fails must not end the process.
  body.on('error', () => undefined);
  const bytes = async (): Promise<Buffer> => {
    try {
      return Buffer.concat(await body.toArray());
    } catch (error) {
      throw deadline.reason() ?? asOutboundError(error);
    }
  };
  return {
    status: response.statusCode,
    url: url.href,
    headers,
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
    isNotModified: response.statusCode === 304,
    body,
    bytes,
    text: async () => (await bytes()).toString('utf8'),
  };
}

type RawHeaders = Dispatcher.ResponseData['headers'];

const headerOf = (headers: RawHeaders, name: string): string | null => {
  const value = headers[name];
  return value === undefined ? null : Array.isArray(value) ? (value[0] ?? null) : value;
};

function plainHeaders(headers: RawHeaders): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'set-cookie') continue;
    plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}
