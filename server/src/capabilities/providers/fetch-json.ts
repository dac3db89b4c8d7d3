import type { FetchOptions, Outbound } from '#platform/outbound.ts';
import { type Ask, ProviderFailure } from './provider.ts';

export type JsonRequest = Pick<
  FetchOptions,
  'method' | 'headers' | 'body' | 'bytesMax' | 'redirects' | 'schemes' | 'ports'
>;
export type JsonAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when the status is none of success and the body is no JSON. */
  readonly json: unknown;
};

/** One question to a web service that answers JSON, inside the frame's deadline and signal. */
export async function fetchJson(
  outbound: Outbound,
  url: URL,
  request: JsonRequest,
  ask: Ask,
): Promise<JsonAnswer> {
  const answer = await outbound.fetch(url, {
    ...request,
    headers: { accept: 'application/json', ...request.headers },
    deadlineMs: ask.deadlineMs,
    signal: ask.signal,
  });
  const json = parseJson(await answer.text());
  if (json === undefined && answer.status >= 200 && answer.status < 300)
    throw new ProviderFailure('upstream', 'The answer is not JSON.');
  return { status: answer.status, headers: answer.headers, json };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Any status a question was not meant to get. */
export const refusedStatus = (status: number): ProviderFailure =>
  new ProviderFailure('upstream', `Answered with status ${status}.`);

const PORTS = [443, 80, 8_443];

/** An operator who configures a plain or oddly placed service means it; nobody else can choose one. */
export function reachOf(baseUrl: string): Required<Pick<FetchOptions, 'schemes' | 'ports'>> {
  const { protocol, port } = new URL(baseUrl);
  return {
    schemes: protocol === 'http:' ? ['https', 'http'] : ['https'],
    ports: port === '' ? PORTS : [...PORTS, Number(port)],
  };
}

/** Below a base that may or may not end in a slash. */
export const serviceUrl = (baseUrl: string, path: string): URL =>
  new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
