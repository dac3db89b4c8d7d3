import { QueryClient } from '@tanstack/react-query';

/** A check costs quota, so queries are neither refetched on focus nor retried silently. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 60_000 } },
});
