import { readBaseUrl } from './address.ts';
import { type BulkOptions, checkMany } from './bulk.ts';
import { type CheckPhase, type CheckStreamOptions, readCheck } from './check-stream.ts';
import { credentialOf, type KeyPair } from './credential.ts';
import { InvalidRequest } from './errors.ts';
import { type EventOptions, readEvents, type Streamed } from './events.ts';
import { type CallOptions, exchange, type Seen, type Transport } from './exchange.ts';
import type { Operations } from './generated/operations.ts';
import type { BulkRow, CheckResult, SearchResults } from './generated/schemas.ts';
import { type CallId, type InputArguments, infoOf, type Reply, type StreamId } from './operation.ts';
import { exposureOf, type Passwords } from './passwords.ts';
import { readAnswer, readText } from './read-answer.ts';
import { allReports, type Reports } from './reports.ts';
import { readThreats, type ThreatNews, type ThreatStreamOptions } from './threat-stream.ts';

export type AssayOptions = {
  /** The API's URL, such as `https://api.example.com`. */
  readonly baseUrl: string | URL;
  /** The dashboard's URL, if it is another host. */
  readonly webUrl?: string | URL | undefined;
  /** The key pair, or the X-API-KEY header made of it. Without one, only public routes can be called. */
  readonly key?: KeyPair | string | undefined;
  /**
   * True when the session cookie of a dashboard page is the credential; every call then goes below /api of the web
   * host.
   */
  readonly session?: boolean | undefined;
  /** Keys belong on servers (contract 5 rule 7). Set true only for a page that is not served to others. */
  readonly allowKeyInBrowser?: boolean | undefined;
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How often a safely repeatable call is retried; 2 by default. */
  readonly retries?: number | undefined;
  /** The longest single Retry-After that a retry waits for; 30 s by default. */
  readonly patienceMs?: number | undefined;
  /** Called with every answer, including those of retries. */
  readonly onResponse?: ((seen: Seen) => void) | undefined;
};

type CheckOptions = CallOptions & Pick<NonNullable<Operations['getCheck']['query']>, 'enrichment' | 'asOf'>;

export type Assay = {
  /** Any operation by its id, with typed input and reply. */
  readonly call: <K extends CallId>(id: K, ...rest: InputArguments<K, CallOptions>) => Promise<Reply<K>>;
  /** The same, with the raw text of the answer: for CSV and files. */
  readonly text: <K extends CallId>(id: K, ...rest: InputArguments<K, CallOptions>) => Promise<string>;
  /** Any operation that answers with an event stream. */
  readonly events: <K extends StreamId>(
    id: K,
    ...rest: InputArguments<K, EventOptions>
  ) => AsyncGenerator<Streamed<K>, void, undefined>;

  /** Is this IP address, domain, URL or file hash malicious? Charges one check of the month. */
  readonly check: (target: string, options?: CheckOptions) => Promise<CheckResult>;
  /**
   * The same check, phase by phase. Ends with `done` or throws. Charges one check of the month, and none when it
   * resumes after `lastEventId` within two minutes.
   */
  readonly checkStream: (
    target: string,
    options?: CheckStreamOptions,
  ) => AsyncGenerator<CheckPhase, void, undefined>;
  /**
   * Threats as they become known, without end; resumes after every break and loses none. PRO and ENTERPRISE.
   */
  readonly stream: (options?: ThreatStreamOptions) => AsyncGenerator<ThreatNews, void, undefined>;
  /**
   * One row per distinct entity, in as many requests as the plan needs. Charges one check for each entity that can be
   * judged.
   */
  readonly bulk: (
    entities: Iterable<string> | AsyncIterable<string>,
    options?: BulkOptions,
  ) => AsyncGenerator<BulkRow, void, undefined>;
  /** Which listed domains imitate this brand? Charges one check of the month with a key, none with a session. */
  readonly search: (keywords: string, options?: CallOptions) => Promise<SearchResults>;
  readonly reports: Reports;
  readonly passwords: Passwords;
};

const RETRIES = 2;
const PATIENCE_MS = 30_000;

export function createAssay(options: AssayOptions): Assay {
  const transport = createTransport(options);
  const caller = createCaller(transport);
  const { call } = caller;
  return {
    ...caller,
    text: (id, ...[input = {}, callOptions = {}]) =>
      exchange(transport, { id, input, options: callOptions, read: readText }),
    events: (id, ...[input = {}, eventOptions = {}]) => readEvents(transport, id, input, eventOptions),
    check: async (target, { enrichment, asOf, ...rest } = {}) =>
      call('getCheck', { query: { query: aboutSomething(target), enrichment, asOf } }, rest),
    stream: (streamOptions = {}) => readThreats(transport, streamOptions),
    bulk: (entities, bulkOptions = {}) =>
      checkMany(
        {
          limits: (callOptions) => call('getBulkCheck', {}, callOptions),
          check: (body, callOptions) => call('postBulkCheck', { body }, callOptions),
        },
        entities,
        bulkOptions,
      ),
    search: (keywords, callOptions) =>
      transport.hosts.isSession
        ? call('postApiSearch', { query: { keywords } }, callOptions)
        : call('postSearch', { query: { keywords } }, callOptions),
    reports: createReports(call),
    passwords: createPasswords(call),
  };
}

/** The calls that a dashboard page needs before anything else. */
export type PageAssay = Pick<Assay, 'call' | 'checkStream'>;

/**
 * `createAssay` with `session: true`, without the code for keys, other streams, bulk and reports, so that a bundler can
 * leave it out.
 */
export const createPageAssay = (options: Pick<AssayOptions, 'baseUrl' | 'fetch' | 'retries'>): PageAssay =>
  createCaller(transportOf({ ...options, session: true }, {}));

function createCaller(transport: Transport): PageAssay {
  return {
    call: (id, ...[input = {}, callOptions = {}]) =>
      exchange(transport, {
        id,
        input,
        options: callOptions,
        read: async (response, deadline) => {
          const answer = await readAnswer(infoOf(id), response, deadline);
          return id === 'getCheck' ? judged(answer as CheckResult, response) : answer;
        },
      }) as Promise<never>,
    checkStream: (target, callOptions = {}) => readCheck(transport, aboutSomething(target), callOptions),
  };
}

/** A check with a misspelt parameter is answered with 200, `malicious: false` and `target: null`: nothing was judged. */
function judged(answer: CheckResult, response: Response): CheckResult {
  if (answer.target !== null) return answer;
  throw new InvalidRequest({
    status: response.status,
    error: 'Bad Request',
    message: answer.message ?? 'The service found no target in the request.',
    requestId: response.headers.get('X-Request-Id'),
    body: answer,
  });
}

/** The service answers an empty query with 200 and `malicious: false`, which a caller would misread. */
function aboutSomething(target: string): string {
  if (typeof target === 'string' && target.trim() !== '') return target;
  throw new TypeError('There is nothing to check: the target is empty.');
}

function createReports(call: Assay['call']): Reports {
  const list: Reports['list'] = (query = {}, options) => call('getReports', { query }, options);
  return {
    list,
    all: (filter = {}, options = {}) => allReports(list, filter, options),
    get: (id, options) => call('getReportsId', { path: { id } }, options),
    save: async (body, options) => (await call('postReports', { body }, options)).report,
    remove: (id, options) => call('deleteReportsId', { path: { id } }, options),
  };
}

function createPasswords(call: Assay['call']): Passwords {
  const exposure: Passwords['exposure'] = (password, options) =>
    exposureOf(
      (prefix) =>
        call(
          'getApiPwnedPasswordsRangePrefix',
          { path: { prefix }, headers: { 'Add-Padding': 'true' } },
          options,
        ),
      password,
    );
  return {
    exposure,
    isExposed: async (password, options) => (await exposure(password, options)).count > 0,
  };
}

function createTransport(options: AssayOptions): Transport {
  const { key } = options;
  if (key === undefined) return transportOf(options, {});
  if (options.session === true) throw new TypeError('Give a key or a session, not both.');
  if (options.allowKeyInBrowser !== true && 'document' in globalThis)
    throw new TypeError('A key must not be shipped to browsers: every visitor of the page can read it.');
  return transportOf(options, { 'X-API-KEY': credentialOf(key) });
}

function transportOf(options: AssayOptions, headers: Transport['headers']): Transport {
  const { session = false, retries = RETRIES, patienceMs = PATIENCE_MS } = options;
  const base = readBaseUrl('baseUrl', options.baseUrl);
  const web = options.webUrl === undefined ? base : readBaseUrl('webUrl', options.webUrl);
  return {
    hosts: { base, web, isSession: session },
    headers,
    // The service recognises its own pages by Origin and Sec-Fetch-Site, which browsers set and pages cannot.
    credentials: session ? 'include' : 'omit',
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    retries,
    patienceMs,
    onResponse: options.onResponse,
  };
}
