import { useQuery } from '@tanstack/react-query';
import { assay } from '../../service/client.ts';

/** Asks again every five minutes, because the service counts no more often. */
const AGAIN_MS = 300_000;

export const useStats = () =>
  useQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => assay.call('getStats', {}, { signal }),
    refetchInterval: AGAIN_MS,
  });
