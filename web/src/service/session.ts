import type { Reply } from '@assay/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { assay, earlySession } from './client.ts';
import { queryClient } from './query-client.ts';

/** Who is signed in here. Signing in and out write it, and what spends checks invalidates it. */
export const SESSION_KEY = ['session'] as const;

type SessionAnswer = Reply<'getApiAuthSession'>;
export type SignedIn = Extract<SessionAnswer, { readonly signedIn: true }>;

export type Session =
  | { readonly state: 'loading' }
  /** Also while the service does not say: nothing here works better for assuming otherwise. */
  | { readonly state: 'signed-out' }
  | ({ readonly state: 'signed-in' } & SignedIn);

const STALE_MS = 30_000;

const SESSION = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: ({ signal }): Promise<SessionAnswer> =>
    earlySession.take() ?? assay.call('getApiAuthSession', {}, { signal }),
  staleTime: STALE_MS,
});

/** Every page asks this: the answer is on its way before the page is drawn. */
export const askSession = (): Promise<void> => queryClient.prefetchQuery(SESSION);

export function useSession(): Session {
  const { data, isPending } = useQuery(SESSION);
  if (data?.signedIn === true) return { state: 'signed-in', ...data };
  return { state: isPending ? 'loading' : 'signed-out' };
}

/** Asks again what is left of the month, when the last answer is old. Never by the clock: that would keep a session alive. */
export const refreshSession = (): Promise<void> =>
  queryClient.refetchQueries({ queryKey: SESSION_KEY, exact: true, stale: true });

/** The pair is sent once and kept nowhere: from then on the cookie is what counts. */
export async function signIn(body: { readonly apiKey: string; readonly apiSecret: string }): Promise<void> {
  await turnTo(await assay.call('postApiAuthSession', { body }));
}

export async function signOut(): Promise<void> {
  await assay.call('deleteApiAuthSession');
  await turnTo({ signedIn: false });
}

/**
 * What belongs to an account is cached below SESSION_KEY, and goes with it. Checks stay: they are the same for everybody,
 * and asking them again would cost some.
 */
async function turnTo(answer: SessionAnswer): Promise<void> {
  queryClient.setQueryData(SESSION_KEY, answer);
  await queryClient.resetQueries({
    queryKey: SESSION_KEY,
    predicate: ({ queryKey }) => queryKey.length > SESSION_KEY.length,
  });
}
