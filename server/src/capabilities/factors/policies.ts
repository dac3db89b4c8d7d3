import { DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';

/** A passkey with its client data is some kilobytes. */
const BODY_MAX = 32_768;

/** The answer sets the session cookie, or belongs to a sign-in. */
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
