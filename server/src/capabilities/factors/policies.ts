import { DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';

/** Enough for a passkey with its client data, which is a few kilobytes. */
const BODY_MAX = 32_768;

/** Routes that set the session cookie or belong to a sign-in. */
export const SIGN_IN_POLICY: Policy = {
  surface: 'web',
  auth: 'signIn',
  plan: 'any',
  meter: 'public',
  bodyMax: BODY_MAX,
  deadlineMs: DEFAULT_DEADLINE_MS,
  class: 'B',
  since: '1.1.0',
  extension: true,
};

export const PERSON_POLICY: Policy = { ...SIGN_IN_POLICY, auth: 'session', meter: 'none', person: true };

export const TAGS: readonly string[] = ['Account'];
