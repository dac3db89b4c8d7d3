import type { Call } from './route.ts';

/** The header of an answer that has nothing to count, for the description of its routes (decisions O77). */
export const LOADED_HEADERS = {
  'X-Assay-Loaded':
    '`false`: the data that this answer is made of is not loaded on this service, so empty lists and nulls say nothing. Such an answer costs no unit. Absent otherwise.',
};

/** Marks an answer as made without its data, and gives its units back. */
export function markNotLoaded(call: Pick<Call, 'reply' | 'giveBack'>): void {
  call.reply.header('x-assay-loaded', 'false');
  call.giveBack();
}

/** Marks the answer where it says of itself that its data is not loaded. */
export async function marked<T extends { readonly loaded: boolean }>(
  call: Pick<Call, 'reply' | 'giveBack'>,
  answer: T | Promise<T>,
): Promise<T> {
  const value = await answer;
  if (!value.loaded) markNotLoaded(call);
  return value;
}
