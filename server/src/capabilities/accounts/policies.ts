import { DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';

const BODY_MAX = 4_096;

/** Routes of the dashboard for people without a session: limited by client address, and by mailbox in the handler. */
export const OPEN_POLICY: Policy = {
  surface: 'web',
  auth: 'public',
  plan: 'any',
  meter: 'public',
  bodyMax: BODY_MAX,
  deadlineMs: DEFAULT_DEADLINE_MS,
  class: 'B',
  since: '1.1.0',
  extension: true,
};

/** OPEN_POLICY for routes whose answer sets or clears the session cookie. */
export const SIGN_IN_POLICY: Policy = { ...OPEN_POLICY, auth: 'signIn' };

export const SESSION_POLICY: Policy = { ...OPEN_POLICY, auth: 'session', meter: 'none', person: true };

/** What 403 means on a route without a credential. */
export const FROM_ELSEWHERE = 'The request comes from a page of another site.';

export const TAGS: readonly string[] = ['Account'];
