import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { assay } from '../../service/client.ts';
import { queryClient } from '../../service/query-client.ts';
import { SESSION_KEY } from '../../service/session.ts';

const KEY = [...SESSION_KEY, 'organization'];
const AUDIT_ROWS = 20;

export const useOrganizations = () =>
  useQuery({
    queryKey: [...KEY, 'all'],
    queryFn: ({ signal }) => assay.call('getApiOrganizations', {}, { signal }),
  });

export const useMembers = () =>
  useQuery({
    queryKey: [...KEY, 'members'],
    queryFn: ({ signal }) => assay.call('getApiOrganizationMembers', {}, { signal }),
  });

export const useInvitations = () =>
  useQuery({
    queryKey: [...KEY, 'invitations'],
    queryFn: ({ signal }) => assay.call('getApiOrganizationInvitations', {}, { signal }),
  });

export const useAudit = () =>
  useInfiniteQuery({
    queryKey: [...KEY, 'audit'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      assay.call(
        'getApiOrganizationAudit',
        { query: { limit: AUDIT_ROWS, ...(pageParam !== null && { before: pageParam }) } },
        { signal },
      ),
    getNextPageParam: ({ next }) => next,
  });

/** To be called after every change: refreshes all data of the organization, as the audit trail shows the change too. */
export const askOrganizationAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });
