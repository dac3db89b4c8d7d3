import { ProviderFailure } from './provider.ts';

/** What a status that is no answer means, in a sentence that says what an operator can do. `called` begins it. */
export function serviceFailure(called: string, status: number): ProviderFailure {
  if (status === 400 || status === 422)
    return new ProviderFailure('target', `${called} does not take this question (${status}).`);
  if (status === 401 || status === 403)
    return new ProviderFailure('upstream', `${called} refuses our key or our address (${status}).`);
  if (status === 429) return new ProviderFailure('upstream', `${called} says that we ask too often (429).`);
  return new ProviderFailure('upstream', `${called} answered with status ${status}.`);
}

/** Without a word of what was sent: it is somebody else's text. */
export const unreadable = (called: string): ProviderFailure =>
  new ProviderFailure('upstream', `${called} answered in a form that is not known here.`);

export const notPublic = (): ProviderFailure =>
  new ProviderFailure('refused', 'An address that is not public is asked of nobody.');
