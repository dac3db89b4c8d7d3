import { ProviderFailure } from './provider.ts';

/** The failure for an error status, in a sentence that starts with `called` and helps an operator. */
export function serviceFailure(called: string, status: number): ProviderFailure {
  if (status === 400 || status === 422)
    return new ProviderFailure('target', `${called} does not accept this query (${status}).`);
  if (status === 401 || status === 403)
    return new ProviderFailure('upstream', `${called} refuses our key or our address (${status}).`);
  if (status === 429)
    return new ProviderFailure('upstream', `${called} refuses because of too many requests (429).`);
  return new ProviderFailure('upstream', `${called} answered with status ${status}.`);
}

/** The failure for an unreadable answer. It quotes nothing of the answer, because that text comes from outside. */
export const unreadable = (called: string): ProviderFailure =>
  new ProviderFailure('upstream', `${called} answered in an unknown format.`);

export const notPublic = (): ProviderFailure =>
  new ProviderFailure('refused', 'An address that is not public is not looked up.');
