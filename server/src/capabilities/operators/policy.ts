import { DEFAULT_BODY_MAX, DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';

/** A token of an operator on the operators' listener; no plan and no meter. */
export const OPERATORS: Policy = {
  surface: 'api',
  auth: 'operator',
  plan: 'any',
  meter: 'none',
  bodyMax: DEFAULT_BODY_MAX,
  deadlineMs: DEFAULT_DEADLINE_MS,
  class: 'C',
  since: '1.0.0',
};

/** Work that reads or merges a whole list before it answers. */
export const OPERATORS_SLOWLY: Policy = { ...OPERATORS, deadlineMs: 900_000, class: 'D' };
