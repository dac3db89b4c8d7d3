import type { Reply } from '@assay/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { assay, earlySession } from './client.ts';
import { forgetLists } from './forget-lists.ts';
import { queryClient } from './query-client.ts';

/** The query of the session. Signing in and out write it; actions that spend checks invalidate it. */
export const SESSION_KEY = ['session'] as const;

type SessionAnswer = Reply<'getApiAuthSession'>;
export type SignedIn = Extract<SessionAnswer, { readonly signedIn: true }>;

export type Session =
  | { readonly state: 'loading' }
  /** Also the state after a failed session request, because no screen would work better if it assumed a session. */
  | { readonly state: 'signed-out' }
  | ({ readonly state: 'signed-in' } & SignedIn);

const STALE_MS = 30_000;

const SESSION = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: ({ signal }): Promise<SessionAnswer> =>
    earlySession.take() ?? assay.call('getApiAuthSession', {}, { signal }),
  staleTime: STALE_MS,
});

/** Every page needs the session, so it is requested before the page is drawn. */
export const askSession = (): Promise<void> => queryClient.prefetchQuery(SESSION);

export function useSession(): Session {
  const { data, isPending } = useQuery(SESSION);
  if (data?.signedIn === true) return { state: 'signed-in', ...data };
  return { state: isPending ? 'loading' : 'signed-out' };
}

/**
 * Refreshes the remaining quota when the last answer is stale. Never on a timer, which would keep the session alive.
 */
export const refreshSession = (): Promise<void> =>
  queryClient.refetchQueries({ queryKey: SESSION_KEY, exact: true, stale: true });

/** Signs in with a key pair, which is sent once and stored nowhere: the session cookie replaces it. */
export async function signIn(body: { readonly apiKey: string; readonly apiSecret: string }): Promise<void> {
  await turnTo(await assay.call('postApiAuthSession', { body }));
}

/** To be called by a page whose own call has opened or ended the session. */
export const askSessionAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: SESSION_KEY });

export async function signOut(): Promise<void> {
  await assay.call('deleteApiAuthSession');
  forgetLists();
  await turnTo({ signedIn: false });
}

/**
 * Account data is cached below SESSION_KEY and reset with it. Checks stay cached: they are the same for every account,
 * and repeating them would cost quota.
 */
export async function turnTo(answer: SessionAnswer): Promise<void> {
  queryClient.setQueryData(SESSION_KEY, answer);
  await queryClient.resetQueries({
    queryKey: SESSION_KEY,
    predicate: ({ queryKey }) => queryKey.length > SESSION_KEY.length,
  });
}
