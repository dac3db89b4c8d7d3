import { type Publications, plainReason } from '#capabilities/publications/index.ts';
import { duration } from '#domain/text/duration.ts';
import { type ServiceError, unavailable } from '#platform/errors.ts';
import type { ListName } from './list-names.ts';
import type { ListState } from './store.ts';

type State = Pick<ListState, 'failure' | 'failedAtMs'>;

/** What the reason of a missing list is read from. */
export type UnbuiltDeps = {
  readonly lists: { readonly states: () => ReadonlyMap<ListName, State> };
  readonly publications: Pick<Publications, 'whyMissing'>;
};

/** The 503 of a list without a file: why there is none, and when it is tried again. */
export async function refuseUnbuilt(
  { lists, publications }: UnbuiltDeps,
  list: ListName,
): Promise<ServiceError> {
  const state = lists.states().get(list);
  const { message, retryAfterS } = await publications.whyMissing('blocklists');
  if (state === undefined || state.failure === null)
    return unavailable(`This list is not published yet. ${message}`, retryAfterS);
  // The other lists may be published, so their state does not say why this one is missing.
  const at = state.failedAtMs === null ? '' : `, last try ${timeText(state.failedAtMs)}`;
  return unavailable(
    `This list could not be built: ${plainReason(state.failure)}${at}. The next try is in ${duration(retryAfterS * 1_000)}.`,
    retryAfterS,
  );
}

const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
