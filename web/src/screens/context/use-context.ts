import type { MemberCounts, MemberList } from '@assay/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { SESSION_KEY, type Session, useSession } from '../../service/session.ts';

export type Order = 'worst' | 'newest';
export type Members = {
  readonly counts: MemberCounts;
  readonly newest?: MemberList;
  readonly worst?: MemberList;
};
/** Requests a context page; with a cursor, the next members of it. */
export type Ask<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<T>;

export type AskedPage<T> = {
  readonly session: Session['state'];
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly dataUpdatedAt: number;
  readonly askAgain: () => void;
};

/** The routes need an account, so nothing is sent before the session is known. */
export function useContextPage<T>(key: readonly string[], ask: Ask<T>): AskedPage<T> {
  const session = useSession().state;
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: [...SESSION_KEY, 'context', ...key],
    queryFn: ({ signal }) => ask(undefined, signal),
    enabled: session === 'signed-in',
  });
  return { session, data, error, dataUpdatedAt, askAgain: () => void refetch() };
}

/** The members after the first list, a hundred at a time and only when they are asked for. */
export function useMore(
  key: readonly string[],
  order: Order,
  first: MemberList | undefined,
  ask: Ask<Members>,
) {
  const start = first?.next ?? null;
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [...SESSION_KEY, 'context', ...key, order, start],
    queryFn: async ({ pageParam, signal }) => (await ask(pageParam ?? undefined, signal))[order],
    initialPageParam: start,
    getNextPageParam: (last) => last?.next ?? null,
    enabled: false,
  });
  const members = useMemo(
    () => [...(first?.members ?? []), ...(data?.pages.flatMap((page) => page?.members ?? []) ?? [])],
    [first, data],
  );
  return {
    members,
    error,
    isFetching,
    hasMore: data === undefined ? start !== null : hasNextPage,
    showMore: () => void fetchNextPage(),
  };
}
