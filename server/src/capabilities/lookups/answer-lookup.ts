import type { Outcome, ProviderName } from '#capabilities/providers/index.ts';
import { unavailable } from '#platform/errors.ts';

/** Whoever switches something on restarts the service: there is no use in coming back sooner. */
const RETRY_OFF_S = 3_600;

/** What an operator does so that there is an answer next time. */
const TO_DO = {
  rdap: 'Registries are not asked here. An operator adds rdap to LIVE_PROVIDERS.',
  tls: 'Certificates are not looked up here. An operator adds tls, or ct for domains, to LIVE_PROVIDERS.',
  internetdb: 'Vulnerabilities are not looked up here. An operator adds internetdb to LIVE_PROVIDERS.',
  tenant: 'Tenants are not looked up here. An operator adds tenant to LIVE_PROVIDERS.',
  intelowl:
    'No IntelOwl is configured here. An operator sets INTELOWL_URL and INTELOWL_TOKEN and adds intelowl to LIVE_PROVIDERS.',
} as const satisfies Partial<Record<ProviderName, string>>;
export type LookupName = keyof typeof TO_DO;

export type Answered<V> = { readonly value: V | null; readonly message?: string };

/** Decisions 1.2, G30, G56: nothing known is null; nobody could be asked is null and says so; switched off is 503. */
export function answerLookup<V>(name: LookupName, outcome: Outcome<V>): Answered<V> {
  if (outcome.state === 'found')
    return outcome.isStale
      ? {
          value: outcome.value,
          message: `It could not be asked for now: this is of ${new Date(outcome.fetchedAtMs).toISOString()}.`,
        }
      : { value: outcome.value };
  if (outcome.state === 'absent') return { value: null };
  if (outcome.reason === 'off' || outcome.reason === 'unconfigured') throw switchedOff(name);
  return { value: null, message: MESSAGES[outcome.reason] };
}

export const switchedOff = (name: LookupName) => unavailable(TO_DO[name], RETRY_OFF_S);

const LATER = 'This says nothing about the target: ask again later.';
const MESSAGES = {
  inapplicable: 'Nobody can be asked about this.',
  busy: `Too many questions are under way. ${LATER}`,
  breaker: `The source has failed several times and is left alone for a while. ${LATER}`,
  deadline: `No answer came in time. ${LATER}`,
  failed: `The lookup failed. ${LATER}`,
  refused: 'This leads to an address that is not public, and nobody is asked about those.',
  cancelled: `The lookup was given up. ${LATER}`,
  uncached: `Nothing is remembered. ${LATER}`,
} as const;
