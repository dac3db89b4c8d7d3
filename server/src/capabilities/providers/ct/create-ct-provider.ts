import type { Domain } from '#domain/indicator/index.ts';
import { type Outbound, OutboundError } from '#platform/outbound.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { CtHistory } from '../contract-hosts.ts';
import { fetchJson, reachOf, refusedStatus, serviceUrl } from '../fetch-json.ts';
import { type Answer, type Provider, ProviderFailure } from '../provider.ts';
import { readCtRows } from './read-ct-rows.ts';

export type CtProviderDeps = {
  readonly outbound: Outbound;
  readonly baseUrl: string;
};

/** Room for about 6,000 log entries. */
const BYTES_MAX = 2 * 1024 * 1024;

/** Certificate transparency entries of a name (decisions G15). The host itself is not contacted. */
export function createCtProvider({ outbound, baseUrl }: CtProviderDeps): Provider<Domain, CtHistory> {
  return {
    name: 'ct',
    keyOf: ({ value }) => value,
    upstreamOf: () => new URL(baseUrl).host,
    schema: CtHistory,
    // The public search takes seconds; a caller that cannot wait finds the answer cached next time.
    deadlineMs: 15_000,
    atOnceMax: 4,
    freshMs: DAY_MS,
    absentMs: 6 * HOUR_MS,
    keepMs: 30 * DAY_MS,
    ask: async ({ value }, ask) => {
      const url = serviceUrl(baseUrl, `?q=${encodeURIComponent(value)}&output=json`);
      const request = { ...reachOf(baseUrl), bytesMax: BYTES_MAX };
      const { status, json } = await fetchJson(outbound, url, request, ask).catch((error: unknown) => {
        throw tooMany(error);
      });
      if (status !== 200) throw refusedStatus(status);
      return historyIn(json);
    },
  };
}

function historyIn(rows: unknown): Answer<CtHistory> {
  if (Array.isArray(rows) && rows.length === 0) return { value: null };
  const history = Array.isArray(rows) ? readCtRows(rows) : null;
  if (history === null) throw new ProviderFailure('upstream', 'The answer has an unknown format.');
  return { value: history };
}

/** Too many certificates for the limit is a fact about the name, which must not open the breaker of the search. */
const tooMany = (error: unknown): unknown =>
  error instanceof OutboundError && error.reason === 'too_large'
    ? new ProviderFailure('target', 'The logs hold more entries for this name than the limit.', error)
    : error;
