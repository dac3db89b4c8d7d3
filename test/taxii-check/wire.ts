import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

export const TAXII_TYPE = 'application/taxii+json;version=2.1';
export const STIX_TYPE = 'application/stix+json;version=2.1';

/** The credential a request carries: `given` is that of the options, `basic` prefers HTTP Basic if both are given. */
export type Credential = 'given' | 'basic' | 'wrong' | 'none';

export type Credentials = {
  /** The header of the option `--header`. */
  readonly header: readonly [name: string, value: string] | null;
  readonly user: { readonly name: string; readonly password: string } | null;
};

export type Answer = {
  /** The request as text for the report, without credentials. */
  readonly request: string;
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as a JSON object; null when it is anything else. */
  readonly body: Readonly<Record<string, unknown>> | null;
};

export type AskOptions = { readonly accept?: string; readonly credential?: Credential };

export type Wire = {
  readonly ask: (url: URL, options?: AskOptions) => Promise<Answer>;
  readonly requests: () => number;
  /** False for an address that must not see the credential. */
  readonly mayAsk: (url: URL) => boolean;
};

/** Thrown when the server cannot be reached; the message gives the reason. */
export class Unreachable extends Error {}

const TIMEOUT_MS = 120_000;
const BODY_MAX = 512 * 1024 * 1024;
const WAITS_MAX = 10;
const WAIT_MAX_S = 120;

/** Asks one server over HTTP. It follows no redirect; on 429, or 503 with Retry-After, it waits and asks again. */
export function createWire(
  base: URL,
  credentials: Credentials,
  onWait: (words: string) => void = () => {},
): Wire {
  let requests = 0;
  const once = async (url: URL, { accept = TAXII_TYPE, credential = 'given' }: AskOptions) => {
    requests += 1;
    const headers = { accept, 'user-agent': 'taxii-check', ...headersOf(credentials, credential) };
    try {
      return await get(url, headers);
    } catch (error) {
      throw new Unreachable(`GET ${url.pathname} of ${url.host} failed: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  };
  return {
    requests: () => requests,
    mayAsk: (url) => url.origin === base.origin,
    ask: async (url, options = {}) => {
      if (url.origin !== base.origin) throw new Error(`${url.origin} must not see the credential.`);
      let answer = await once(url, options);
      for (let waits = 0; waits < WAITS_MAX && isBusy(answer); waits += 1) {
        const seconds = Math.min(WAIT_MAX_S, Number(answer.headers.get('retry-after')) || 1);
        onWait(`${answer.status}, waiting ${seconds} s`);
        await sleep(seconds * 1_000);
        answer = await once(url, options);
      }
      const { status, headers, text } = answer;
      return { request: describe(url, options), url, status, headers, text, body: objectIn(text) };
    },
  };
}

type Raw = { readonly status: number; readonly headers: Headers; readonly text: string };

const isBusy = ({ status, headers }: Raw): boolean =>
  status === 429 || (status === 503 && headers.has('retry-after'));

const basicOf = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** A wrong credential has the form of the given one, so that the server rejects its value and not its form. */
function headersOf({ header, user }: Credentials, credential: Credential): Record<string, string> {
  if (credential === 'none') return {};
  if (credential === 'wrong') {
    const pair = Buffer.from('taxii-check:wrong').toString('base64');
    return header !== null && user === null ? { [header[0]]: pair } : { authorization: `Basic ${pair}` };
  }
  const basic = user === null ? {} : { authorization: basicOf(user.name, user.password) };
  if (credential === 'basic' && user !== null) return basic;
  return header === null ? basic : { [header[0]]: header[1] };
}

/** Uses node:http, which costs a third of the CPU of fetch; that matters in walks of thousands of pages. */
function get(url: URL, headers: Record<string, string>): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const request = (url.protocol === 'https:' ? https : http).get(url, { headers, signal }, (answer) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > BODY_MAX) request.destroy(new Error(`the body is larger than ${BODY_MAX} bytes`));
      chunks.push(chunk);
    });
    answer.on('error', reject);
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: answer.statusCode ?? 0, headers: headersFrom(answer), text });
    });
  });
  request.on('error', reject);
  return promise;
}

function headersFrom({ headers }: IncomingMessage): Headers {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers)) copy.set(name, [value].flat().join(', '));
  return copy;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function describe(url: URL, { accept = TAXII_TYPE, credential = 'given' }: AskOptions): string {
  const path = decodeURI(url.pathname + url.search);
  const as = credential === 'given' ? '' : `, ${credential} credential`;
  return `GET ${path.length > 200 ? `${path.slice(0, 200)}...` : path} (Accept: ${accept}${as})`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
