import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Outbound } from '#platform/outbound.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { IntelOwlReport } from '../contract-opinions.ts';
import { fetchJson, type JsonRequest, reachOf, refusedStatus, serviceUrl } from '../fetch-json.ts';
import { type Ask, type Provider, ProviderFailure } from '../provider.ts';
import type { IntelOwlKey } from '../providers.ts';
import { jobIdOf, readJob } from './read-job.ts';

const DEADLINE_MS = 5_000;
const AT_ONCE_MAX = 8;
const BYTES_MAX = 4 * 1024 * 1024;
const POLL_MS = 500;
/** Reserved from the deadline, so that a running job is returned as accepted. */
const MARGIN_MS = 500;
const RUNNING_FRESH_MS = 2_000;
/** A finished analysis younger than this is returned instead of a new one (contract 8.2: about an hour). */
const REUSE_WITHIN = '01:00:00';

export type IntelOwlDeps = {
  readonly outbound: Outbound;
  readonly baseUrl?: string | undefined;
  readonly token?: string | undefined;
};
type Configured = { readonly outbound: Outbound; readonly baseUrl: string; readonly token: string };

const UNCONFIGURED =
  'No IntelOwl is configured here. An operator sets INTELOWL_URL and INTELOWL_TOKEN and adds intelowl to LIVE_PROVIDERS.';

const isConfigured = (deps: IntelOwlDeps): deps is Configured =>
  deps.baseUrl !== undefined && deps.token !== undefined;

/** An analysis by the operator's own IntelOwl (G28): submitted, then polled until the deadline. */
export function createIntelOwlProvider(deps: IntelOwlDeps): Provider<IntelOwlKey, IntelOwlReport> {
  return {
    name: 'intelowl',
    ...(isConfigured(deps) ? {} : { unconfigured: UNCONFIGURED }),
    keyOf: ({ type, value }) => `${type}:${createHash('sha256').update(value).digest('hex')}`,
    upstreamOf: () => 'intelowl',
    schema: IntelOwlReport,
    deadlineMs: DEADLINE_MS,
    atOnceMax: AT_ONCE_MAX,
    freshMs: HOUR_MS,
    absentMs: 0,
    keepMs: 0,
    ask: async (key, ask) => {
      if (!isConfigured(deps)) throw new ProviderFailure('refused', UNCONFIGURED);
      const value = await analyze(deps, key, ask);
      return value.status === 'completed' ? { value } : { value, freshMs: RUNNING_FRESH_MS };
    },
  };
}

/** Whether IntelOwl accepts requests now (HEAD /check/intelowl). A refused token counts as unreachable. */
export async function reachesIntelOwl(deps: IntelOwlDeps, ask: Ask): Promise<boolean> {
  if (!isConfigured(deps)) return false;
  try {
    const { status, body } = await deps.outbound.fetch(serviceUrl(deps.baseUrl, 'api/jobs?page_size=1'), {
      ...requestOf(deps),
      ...ask,
    });
    body.destroy();
    return status === 200;
  } catch {
    return false;
  }
}

async function analyze(deps: Configured, key: IntelOwlKey, ask: Ask): Promise<IntelOwlReport> {
  const enough = AbortSignal.timeout(Math.max(1, ask.deadlineMs - MARGIN_MS));
  const jobId = await submit(deps, key, ask);
  let report = readJob(undefined, jobId);
  const whileTime = AbortSignal.any([ask.signal, enough]);
  while (report.status === 'accepted' && !whileTime.aborted) {
    try {
      report = await lookAt(deps, jobId, { ...ask, signal: whileTime });
      if (report.status === 'accepted') await wait(POLL_MS, undefined, { signal: whileTime });
    } catch (error) {
      if (!enough.aborted || ask.signal.aborted) throw error;
    }
  }
  return report;
}

/** AMBER leaves out analyzers that would send the query to a third party (a rule of IntelOwl). */
async function submit(deps: Configured, { type, value }: IntelOwlKey, ask: Ask): Promise<number> {
  const { status, json } = await fetchJson(
    deps.outbound,
    serviceUrl(deps.baseUrl, 'api/analyze_observable'),
    {
      ...requestOf(deps, { 'content-type': 'application/json' }),
      method: 'POST',
      body: JSON.stringify({
        observable_name: value,
        observable_classification: type,
        tlp: 'AMBER',
        scan_mode: 2,
        scan_check_time: REUSE_WITHIN,
      }),
    },
    ask,
  );
  if (status === 400) throw new ProviderFailure('target', 'IntelOwl does not analyze this indicator.');
  if (status !== 200 && status !== 201) throw refusedStatus(status);
  const jobId = jobIdOf(json);
  if (jobId === null)
    throw new ProviderFailure('upstream', 'IntelOwl accepted the request but returned no job.');
  return jobId;
}

async function lookAt(deps: Configured, jobId: number, ask: Ask): Promise<IntelOwlReport> {
  const url = serviceUrl(deps.baseUrl, `api/jobs/${jobId}`);
  const { status, json } = await fetchJson(deps.outbound, url, requestOf(deps), ask);
  if (status !== 200) throw refusedStatus(status);
  return readJob(json, jobId);
}

const requestOf = (
  { baseUrl, token }: Configured,
  headers: Readonly<Record<string, string>> = {},
): JsonRequest => ({
  ...reachOf(baseUrl),
  bytesMax: BYTES_MAX,
  headers: { ...headers, authorization: `Token ${token}` },
});
