import type { Domain } from '#domain/indicator/index.ts';
import { type Outbound, OutboundError } from '#platform/outbound.ts';
import { CtHistory } from '../contract-hosts.ts';
import { fetchJson, reachOf, refusedStatus, serviceUrl } from '../fetch-json.ts';
import { type Answer, type Provider, ProviderFailure } from '../provider.ts';
import { readCtRows } from './read-ct-rows.ts';

export type CtProviderDeps = {
  readonly outbound: Outbound;
  /** Of a search that speaks the JSON of crt.sh. */
  readonly baseUrl: string;
};

/** About 6,000 log entries. */
const BYTES_MAX = 2 * 1024 * 1024;
const HOUR_MS = 3_600_000;

/** What certificate transparency logs hold for a name (decisions G15). The host itself is never touched. */
export function createCtProvider({ outbound, baseUrl }: CtProviderDeps): Provider<Domain, CtHistory> {
  return {
    name: 'ct',
    keyOf: ({ value }) => value,
    upstreamOf: () => new URL(baseUrl).host,
    schema: CtHistory,
    // The public search takes seconds on a good day; whoever cannot wait finds it remembered next time.
    deadlineMs: 15_000,
    atOnceMax: 4,
    freshMs: 24 * HOUR_MS,
    absentMs: 6 * HOUR_MS,
    keepMs: 30 * 24 * HOUR_MS,
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
  if (history === null) throw new ProviderFailure('upstream', 'The answer has a form that we do not know.');
  return { value: history };
}

/** A name with tens of thousands of certificates: no fault of the search, and no reason to stop asking it. */
const tooMany = (error: unknown): unknown =>
  error instanceof OutboundError && error.reason === 'too_large'
    ? new ProviderFailure('target', 'The logs hold more for this name than is read.', error)
    : error;
