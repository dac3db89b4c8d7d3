import type { Outcome, ProviderName } from '#capabilities/providers/index.ts';
import { unavailable } from '#platform/errors.ts';
import { HOUR_S } from '#platform/time-units.ts';

/** Switching a source on needs a restart of the service, so an earlier retry cannot succeed. */
const RETRY_OFF_S = HOUR_S;

/** Which setting an operator must change. */
const TO_DO = {
  rdap: 'Registries are not asked here. An operator adds rdap to LIVE_PROVIDERS.',
  tls: 'Certificates are not looked up here. An operator adds tls, or ct for domains, to LIVE_PROVIDERS.',
  internetdb: 'Vulnerabilities are not looked up here. An operator adds internetdb to LIVE_PROVIDERS.',
  tenant: 'Tenants are not looked up here. An operator adds tenant to LIVE_PROVIDERS.',
  intelowl:
    'No IntelOwl is configured here. An operator sets INTELOWL_URL and INTELOWL_TOKEN and adds intelowl to LIVE_PROVIDERS.',
} as const satisfies Partial<Record<ProviderName, string>>;
export type LookupName = keyof typeof TO_DO;

export type Answered<V> = {
  readonly value: V | null;
  readonly message?: string;
  /** The source is not configured on this service, so the answer says nothing and costs nothing (decisions O63). */
  readonly isOff?: true;
};

/**
 * A source without an entry gives null; a source that could not be queried, or is not configured on this service, gives
 * null and a message (decisions G30, G56, O63).
 */
export function answerLookup<V>(name: LookupName, outcome: Outcome<V>): Answered<V> {
  if (outcome.state === 'found')
    return outcome.isStale
      ? {
          value: outcome.value,
          message: `The source could not be queried now: this answer is of ${new Date(outcome.fetchedAtMs).toISOString()}.`,
        }
      : { value: outcome.value };
  if (outcome.state === 'absent') return { value: null };
  if (outcome.reason === 'off' || outcome.reason === 'unconfigured')
    return { value: null, message: TO_DO[name], isOff: true };
  return { value: null, message: MESSAGES[outcome.reason] };
}

/** The refusal of /check/intelowl, which keeps its 503 while it is not configured (decisions G28, O76). */
export const intelOwlOff = () => unavailable(TO_DO.intelowl, RETRY_OFF_S);

const LATER = 'This says nothing about the target: try again later.';
const MESSAGES = {
  inapplicable: 'This source does not cover this kind of indicator.',
  busy: `Too many lookups are running. ${LATER}`,
  breaker: `The source has failed several times and is paused for a while. ${LATER}`,
  deadline: `No answer came in time. ${LATER}`,
  underway: `No answer came in time, and the lookup goes on. ${LATER}`,
  failed: `The lookup failed. ${LATER}`,
  refused: 'This leads to an address that is not public, and such addresses are not looked up.',
  cancelled: `The lookup was cancelled. ${LATER}`,
  uncached: `No answer is cached. ${LATER}`,
} as const;
