import { useQuery } from '@tanstack/react-query';
import { assay } from '../../service/client.ts';
import { queryClient } from '../../service/query-client.ts';
import { SESSION_KEY } from '../../service/session.ts';

const FACTORS_KEY = [...SESSION_KEY, 'factors'];
const SESSIONS_KEY = [...SESSION_KEY, 'sessions'];

export const useFactors = () =>
  useQuery({
    queryKey: FACTORS_KEY,
    queryFn: ({ signal }) => assay.call('getApiAuthPasskeys', {}, { signal }),
  });

export const useSessions = () =>
  useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => assay.call('getApiAuthSessions', {}, { signal }),
  });

export const useUser = () =>
  useQuery({
    queryKey: [...SESSION_KEY, 'user'],
    queryFn: ({ signal }) => assay.call('getUser', {}, { signal }),
  });

/** Asks for factors and sessions again after a change: the session that proved a new factor is listed with it. */
export async function askSecurityAgain(): Promise<void> {
  await Promise.all(
    [FACTORS_KEY, SESSIONS_KEY].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}
