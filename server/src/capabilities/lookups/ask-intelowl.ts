import { foundValue } from '#capabilities/providers/index.ts';
import { ServiceError, unavailable } from '#platform/errors.ts';
import { answerLookup, intelOwlOff } from './answer-lookup.ts';
import type { IntelOwlQuery, IntelOwlReply } from './contract.ts';
import { BUDGET_MS, type LookupsDeps } from './look-up.ts';

const RETRY_AFTER_S = 30;
const PROBE_MS = 3_000;

/** An analysis is cached for an hour; otherwise it is submitted and polled within the budget (G28). */
export async function askIntelOwl(
  { providers: { intelowl } }: LookupsDeps,
  query: IntelOwlQuery,
  signal: AbortSignal,
): Promise<IntelOwlReply> {
  const { type, value, isCacheOnly } = query;
  if (!intelowl.isOn) throw intelOwlOff();
  const remembered = await intelowl.cached({ type, value });
  const isDone = foundValue(remembered)?.status === 'completed';
  if (isCacheOnly && !isDone)
    throw new ServiceError(
      'Not Found',
      `No analysis of '${value}' is cached. Leave cache_only out to start one.`,
    );
  const outcome = isDone
    ? remembered
    : await intelowl.ask({ type, value }, { deadlineMs: BUDGET_MS, signal });
  const { value: report, message, isOff } = answerLookup('intelowl', outcome);
  if (isOff === true) throw intelOwlOff();
  if (report === null || outcome.state !== 'found')
    throw unavailable(`IntelOwl did not answer. ${message ?? ''}`.trim(), RETRY_AFTER_S);
  const { jobId, ...rest } = report;
  return {
    query: value,
    type,
    cached: isDone,
    ...(jobId === null ? {} : { jobId }),
    fetchedAt: new Date(outcome.fetchedAtMs).toISOString(),
    ...rest,
  };
}

/** HEAD checks only whether IntelOwl can be reached; the query is not looked up (G28). */
export async function probeIntelOwl(deps: LookupsDeps, signal: AbortSignal): Promise<void> {
  if (!deps.providers.intelowl.isOn) throw intelOwlOff();
  if (!(await deps.reachesIntelOwl({ deadlineMs: PROBE_MS, signal })))
    throw unavailable('IntelOwl cannot be reached, or refuses our token.', RETRY_AFTER_S);
}
