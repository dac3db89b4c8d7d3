import type { FetchOptions, Outbound } from '#platform/outbound.ts';
import { type Ask, ProviderFailure } from './provider.ts';

export type JsonRequest = Pick<
  FetchOptions,
  'method' | 'headers' | 'body' | 'bytesMax' | 'redirects' | 'schemes' | 'ports'
>;
export type JsonAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an error status whose body is not JSON. */
  readonly json: unknown;
};

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

export const refusedStatus = (status: number): ProviderFailure =>
  new ProviderFailure('upstream', `Answered with status ${status}.`);

const PORTS = [443, 80, 8_443];

/** The scheme and port of a configured service are allowed, because only the operator can set them. */
export function reachOf(baseUrl: string): Required<Pick<FetchOptions, 'schemes' | 'ports'>> {
  const { protocol, port } = new URL(baseUrl);
  return {
    schemes: protocol === 'http:' ? ['https', 'http'] : ['https'],
    ports: port === '' ? PORTS : [...PORTS, Number(port)],
  };
}

export const serviceUrl = (baseUrl: string, path: string): URL =>
  new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
