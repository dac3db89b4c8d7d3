import { QueryClient } from '@tanstack/react-query';

/** Checks cost quota: nothing is asked again because a window got the focus, and nothing is retried unseen. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 60_000 } },
});
